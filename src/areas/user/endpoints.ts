// The endpoints of users. They are closed to OAuth, whatever its scopes (CNV-11).
import type { Endpoints, Rows } from '../endpoint.ts';
import { CLOSED, USER, blocked, failed } from '../endpoint.ts';
import { NO_ACCOUNT } from '../guards.ts';

const READ: Rows = [
  ...NO_ACCOUNT,
  ...failed(
    403,
    null,
    'USR-01',
    'this credential may not look at the users of the account',
    'Use a session or the API key of a user of the account.',
  ),
];

export const userEndpoints: Endpoints = {
  'GET /api/users': [CLOSED, READ],
  'GET /api/users/:id': [CLOSED, READ],
  'POST /api/users': [
    USER,
    [
      ...NO_ACCOUNT,
      ...blocked(403, null, 'USR-02', 'only an administrator of a reseller account makes users'),
      ...blocked(
        422,
        null,
        'USR-04',
        'the platform makes no such user: a field is not valid, the address may be taken, ' +
          'or this is the account of the platform itself',
      ),
    ],
  ],
  'PATCH /api/users/:id': [CLOSED, [...NO_ACCOUNT, ...failed(401, null, 'USR-05')]],
  'DELETE /api/users/:id': [CLOSED, [...NO_ACCOUNT, ...failed(401, null, 'USR-05')]],
};
