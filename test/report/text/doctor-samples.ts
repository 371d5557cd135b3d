// A look at a set-up in which every verdict and every origin occurs.
import type { DoctorReport } from '../../../src/model/doctor.ts';

export const doctorReport: DoctorReport = {
  findings: [
    { area: 'credential', check: 'token', verdict: 'ok', says: 'The platform takes the token.' },
    {
      area: 'program',
      check: 'node',
      verdict: 'problem',
      says: 'Node.js v18.0.0; 20.18.1 or newer is needed.',
      remedy: 'Install a newer Node.js.',
    },
    {
      area: 'ledger',
      check: 'ledger',
      verdict: 'warning',
      says: 'There is no ledger in \u001b[2J.',
      remedy: 'Run `hostwright ledger init` once.',
    },
    { area: 'credential', check: 'roles', verdict: 'unknown', says: 'Its roles cannot be seen by reading (CNV-13).' },
  ],
  settings: [
    {
      name: 'account',
      from: 'flag',
      value: 'acc-acme',
      beats: [
        { from: 'environment', value: 'acc-env' },
        { from: 'file', value: 'acc-file' },
      ],
    },
    { name: 'HOSTWRIGHT_TOKEN', from: 'default', value: 'not set', beats: [] },
  ],
  requests: [
    { path: '/api/sites', account: false, answer: '200' },
    { path: '/api/users', account: true, answer: '403 insufficient_scope' },
  ],
};
