// Every operation: its JSON is as `schemas/act.schema.json` says, a no sends nothing, and a request whose answer
// is lost is never sent again where that could do its work twice.
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/areas/operations.ts';
import type { ActResult, ActValues } from '../../../src/model/plan/act.ts';
import { renderActJson } from '../../../src/report/json/index.ts';
import type { Fault } from '../../../src/sandbox/core/http/faults.ts';
import { act } from '../../../src/usecases/act/act.ts';
import { findOperation, OPERATION_ROWS } from '../../../src/usecases/act/operations.ts';
import { openHarness } from '../../support/open-harness.ts';
import type { Harness } from '../../support/harness.ts';
import { findActProblem } from '../../support/written-schemas.ts';

/**
 * What becomes of a request whose answer is lost: how the command ends, and after how many requests. Lost once, when the
 * platform had done it and before; then lost each time, the same two.
 */
const LOST = {
  'is repeated': ['done 2', 'done 2', 'error HW4501 5', 'error HW4501 5'],
  'is looked up, and sent again': ['done 1', 'done 2', 'done 1', 'error HW4501 3'],
  'is looked up, and never sent again': ['done 1', 'waiting HW4502 1', 'done 1', 'waiting HW4502 1'],
  'is never sent again': ['waiting HW4502 1', 'waiting HW4502 1', 'waiting HW4502 1', 'waiting HW4502 1'],
} as const satisfies Readonly<Record<string, readonly [string, string, string, string]>>;

interface Tried {
  readonly operation: string;
  readonly address: string;
  readonly given?: object;
  readonly scenario?: string;
  /** The name of its value in the result. */
  readonly shows?: keyof ActValues;
  /** Its request, and what happens if the response is lost. Absent: it only reads. */
  readonly sends?: readonly [method: string, lost: keyof typeof LOST];
  /** The outcome of a successful run. Default: done. */
  readonly ends?: 'waiting';
}

const address = 'Site/id:site-shop';
const nightly = { volume: 'content', archive: 'nightly' };
const ON_NAMES: readonly Tried[] = [
  {
    operation: 'transfer-out',
    address: 'DomainRegistration/leaving.com',
    given: { decision: 'reject' },
    shows: 'transfer',
    sends: ['POST', 'is looked up, and sent again'],
  },
  { operation: 'epp-code', address: 'DomainRegistration/plain.com', shows: 'epp' },
  {
    operation: 'refresh',
    address: 'DomainRegistration/stale.com',
    shows: 'refresh',
    sends: ['POST', 'is repeated'],
  },
  {
    operation: 'push-transfer',
    address: 'DomainRegistration/plain.com',
    given: { to: 'ABC1' },
    shows: 'push',
    sends: ['POST', 'is looked up, and never sent again'],
    ends: 'waiting',
  },
  { operation: 'delete', address: 'DomainContact/805', shows: 'deletion', sends: ['DELETE', 'is repeated'] },
  { operation: 'delete-unused', address: 'DomainContact', shows: 'deletion', sends: ['DELETE', 'is repeated'] },
  { operation: 'resend', address: 'DomainContact/801', sends: ['POST', 'is never sent again'] },
  { operation: 'resend', address: 'DomainRegistration/plain.com', sends: ['POST', 'is never sent again'] },
];

const TRIED: readonly Tried[] = [
  { operation: 'restart', address, sends: ['POST', 'is never sent again'] },
  { operation: 'purge', address, sends: ['POST', 'is repeated'] },
  { operation: 'purge', address, given: { layer: 'nginx' }, sends: ['DELETE', 'is repeated'] },
  {
    operation: 'backup',
    address,
    given: { volume: 'content' },
    shows: 'backup',
    sends: ['PATCH', 'is looked up, and never sent again'],
  },
  {
    operation: 'restore',
    address,
    given: { ...nightly, backup: false },
    shows: 'restore',
    sends: ['PATCH', 'is never sent again'],
  },
  { operation: 'delete-archive', address, given: nightly, shows: 'deleted', sends: ['DELETE', 'is repeated'] },
  { operation: 'sso', address, given: { user: 'editor' }, shows: 'login', sends: ['POST', 'is never sent again'] },
  { operation: 'sso-database', address, shows: 'login', sends: ['POST', 'is never sent again'] },
  {
    operation: 'unblock-mail',
    address,
    shows: 'mail',
    sends: ['DELETE', 'is looked up, and never sent again'],
  },
  { operation: 'check-mail', address, shows: 'mail', sends: ['POST', 'is looked up, and sent again'] },
  { operation: 'cancel', address: 'Order/order-1', shows: 'order', sends: ['DELETE', 'is looked up, and sent again'] },
  {
    operation: 'learn',
    address: 'Site/id:site-basic',
    scenario: 'shield',
    shows: 'learning',
    sends: ['PATCH', 'is repeated'],
  },
  { operation: 'stop-learning', address: 'Site/id:site-basic', scenario: 'shield', shows: 'learning' },
  ...ON_NAMES.map((one): Tried => ({ ...one, scenario: 'registrar' })),
];

async function open(scenario: string | undefined, faults: readonly Fault[] = []): Promise<Harness> {
  const one = await openHarness({ faults, ...(scenario !== undefined && { scenario }) });
  const { sites, orders } = one.sandbox.state;
  const mail = sites.get('site-shop')?.mail;
  if (mail !== undefined && mail !== null) mail.suspension.abuse = true;
  orders.set('order-1', {
    id: 'order-1',
    accountId: 'acc-acme',
    status: 'awaiting_payment',
    locationShortName: 'ams',
    createdAt: 0,
    updatedAt: 0,
  });
  return one;
}

const run = ({ session }: Harness, { operation, address: on, given }: Tried, answer: boolean): Promise<ActResult> =>
  act(session(), { operation, address: on, ...given }, () => Promise.resolve(answer));
const writes = ({ sandbox }: Harness) => sandbox.requests.filter(({ method }) => method !== 'GET').length;

it.each(TRIED)('$operation $address $given: prints a valid document, refused or done [CNV-35]', async (tried) => {
  const { scenario, shows, sends, ends = 'done' } = tried;
  const one = await open(scenario);
  if (sends !== undefined) {
    const refused = await run(one, tried, false);
    expect([refused, writes(one)]).toMatchObject([{ outcome: 'refused', diagnostics: [{ code: 'HW6103' }] }, 0]);
    expect(findActProblem(JSON.parse(renderActJson(refused)))).toBeUndefined();
  }
  const ended = await run(one, tried, true);
  const document = JSON.parse(renderActJson(ended)) as object;
  expect(findActProblem(document), JSON.stringify(document)).toBeUndefined();
  expect(ended.outcome, JSON.stringify(ended)).toBe(ends);
  if (shows === undefined) expect(ended.message).toBeDefined();
  else expect(Object.keys(document)).toContain(shows);
});

const acting = TRIED.flatMap((tried) =>
  tried.sends === undefined ? [] : [{ ...tried, method: tried.sends[0], lost: tried.sends[1] }],
);

it.each(acting)(
  '$operation $address $given: if the response is lost, it $lost [RTY-03, RTY-07]',
  async ({ method, lost, ...tried }) => {
    const { scenario, ends = 'done' } = tried;
    const [doneOnce, lostOnce, done, lostAlways] = LOST[lost];
    const faults: readonly (readonly [Omit<Fault, 'match'>, string])[] = [
      [{ kind: 'reset-after', times: 1 }, doneOnce],
      [{ kind: 'reset-before', times: 1 }, lostOnce],
      [{ kind: 'reset-after' }, done],
      [{ kind: 'reset-before' }, lostAlways],
      [{ kind: 'status-after', status: 502 }, done],
      [{ kind: 'status-before', status: 500 }, lostAlways],
      [{ kind: 'status-before', status: 429 }, lostAlways],
      [{ kind: 'status-before', status: 422 }, 'error HW4501 1'],
    ];
    for (const [fault, expected] of faults) {
      const one = await open(scenario, [{ ...fault, match: { method } }]);
      const { outcome, diagnostics } = await run(one, tried, true);
      const told = [outcome, ...diagnostics.map(({ code }) => code), writes(one)].join(' ');
      expect(told, JSON.stringify(fault)).toBe(expected.replace('done', ends));
      expect([...one.sandbox.creations.values()].every((times) => times === 1)).toBe(true);
    }
  },
);

it('covers every operation', () => {
  const tried = new Set(TRIED.map(({ operation, address: on }) => `${operation} ${on.split('/')[0] ?? ''}`));
  expect(OPERATIONS.map(({ name, kind }) => `${name} ${kind}`).filter((one) => !tried.has(one))).toEqual([]);
});

describe('findOperation', () => {
  it.each([
    ['reboot', 'Site/shop', {}, 'HW6580', 'has no operation `reboot`'],
    ['restrat', 'Site/shop', {}, 'HW6580', 'Did you mean `restart`'],
    ['restart', 'shop', {}, 'HW6580', 'is not an address'],
    ['restart', 'Mailspace/example.com', {}, 'HW6580', 'supports no operations'],
    ['restart', 'Site/shop/Caching', {}, 'HW6580', 'supports no operations'],
    ['delete', 'DomainContact', {}, 'HW6580', 'supports delete-unused'],
    ['restart', 'Site/shop', { layer: 'cdn' }, 'HW6513', 'does not take --layer'],
    ['push-transfer', 'DomainRegistration/example.com', {}, 'HW6513', 'requires --to'],
  ])('rejects %s %s %j', (name, on, given, code, reason) => {
    expect(findOperation(name, on, given)).toMatchObject({ code, detail: expect.stringContaining(reason) as string });
  });

  it('names each operation once for each kind', () => {
    const keys = OPERATION_ROWS.map(({ name, kind, isOnAll }) => `${name} ${kind} ${String(isOnAll)}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
