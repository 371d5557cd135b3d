// One row found by reading: what a list that may be cut off does not show is asked for in another way.
import { describe, expect, it } from 'vitest';
import type { Known } from '../../src/apply/context.ts';
import { lookUp } from '../../src/apply/look-up.ts';
import type { Json } from '../../src/model/json.ts';
import type { LookUp } from '../../src/model/plan/step.ts';
import { path, ref } from '../../src/model/plan/step.ts';
import { ApiError } from '../../src/platform/api-error.ts';

const refused = new ApiError({
  kind: 'network',
  message: 'GET failed',
  status: 503,
  code: null,
  messages: [],
  extra: {},
  sent: 'answered',
  attempts: 1,
});

function ask(query: LookUp, answers: Readonly<Record<string, Json | ApiError>>) {
  const asked: string[] = [];
  const read = (to: string): Promise<Json> => {
    asked.push(to);
    const answer = answers[to];
    return answer === undefined || answer instanceof ApiError
      ? Promise.reject(answer ?? refused)
      : Promise.resolve(answer);
  };
  const known: Known = {
    outputsOf: () => ({ id: '7' }),
    learn: () => undefined,
    all: () => [],
    ids: () => new Map(),
    forAction: () => known,
  };
  return lookUp(query, {
    client: { read, poll: read, ask: read, send: () => Promise.reject(refused) },
    known,
    secretOf: () => '',
  }).then((found) => ({ found: found.result, asked }));
}

describe('a list that ends at a number of rows and does not say so (LIM-04)', () => {
  const rows = (count: number): Json => Array.from({ length: count }, (_, index) => ({ id: String(index) }));
  const byId: LookUp = {
    read: path`/things/${ref('Thing/a')}`,
    rows: '',
    where: [{ pointer: '/id', value: '7' }],
    capture: {},
  };
  const query: LookUp = {
    read: path`/things`,
    rows: '/things',
    where: [{ pointer: '/id', value: '7' }],
    capture: {},
    capped: { most: 4, beside: [{ read: path`/others`, rows: '/others' }], then: byId },
  };

  it.each([
    ['what it shows is there', { '/things': { things: rows(8) } }, 'found', ['/things']],
    [
      'what a short one does not show is not there',
      { '/things': { things: rows(2) }, '/others': { others: rows(1) } },
      'none',
      ['/things', '/others'],
    ],
    [
      'what a full one does not show is asked for',
      { '/things': { things: rows(4) }, '/things/7': { id: '7' } },
      'found',
      ['/things', '/things/7'],
    ],
    [
      'it is full together with what shares its limit',
      { '/things': { things: rows(3) }, '/others': { others: rows(1) }, '/things/7': { id: '7' } },
      'found',
      ['/things', '/others', '/things/7'],
    ],
    [
      'and may not be there then either',
      { '/things': { things: rows(4) }, '/things/7': { id: '8' } },
      'none',
      ['/things', '/things/7'],
    ],
    [
      'what cannot be counted says nothing',
      { '/things': { things: rows(3) }, '/others': refused },
      'unreadable',
      ['/things', '/others'],
    ],
  ] as const)('%s', async (_, answers, found, asked) => {
    expect(await ask(query, answers)).toEqual({ found, asked });
  });
});

it('GAP-06: a list without an end is unreadable: that it shows no row does not mean that there is none', async () => {
  const query: LookUp = { read: path`/things`, rows: '/things', where: [{ pointer: '/id', value: 'x' }], capture: {} };
  let next = 0;
  const page = (): Json => ({ things: Array.from({ length: 50 }, () => ({ id: String((next += 1)) })) });
  const endless = new Proxy<Readonly<Record<string, Json>>>({}, { get: page });
  expect(await ask(query, endless)).toMatchObject({ found: 'unreadable' });
});
