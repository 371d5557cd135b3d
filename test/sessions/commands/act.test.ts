// Every command of an area: its JSON is as `schemas/act.schema.json` says, a no sends nothing, and a request whose answer
// is lost is never sent again where that could do its work twice.
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src/areas/commands.ts';
import type { ActResult, ActValues } from '../../../src/model/plan/act.ts';
import { renderActJson } from '../../../src/report/json/index.ts';
import type { Fault } from '../../../src/sandbox/core/http/faults.ts';
import type { CommandName } from '../../../src/usecases/act/act.ts';
import { act } from '../../../src/usecases/act/act.ts';
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
  'is looked up, and never sent again': ['done 1', 'error HW4502 1', 'done 1', 'error HW4502 1'],
  'is never sent again': ['error HW4502 1', 'error HW4502 1', 'error HW4502 1', 'error HW4502 1'],
} as const satisfies Readonly<Record<string, readonly [string, string, string, string]>>;

interface Tried {
  readonly name: CommandName;
  readonly given: object;
  readonly scenario?: string;
  /** Under which name it shows something when it is done. */
  readonly shows?: keyof ActValues;
  /** Of a command that acts: its request, and what becomes of it where the answer is lost. */
  readonly sends?: readonly [method: string, lost: keyof typeof LOST];
  /** How it ends where all is well. */
  readonly ends?: 'waiting';
}

const site = 'id:site-shop';
const nightly = { site, volume: 'content', archive: 'nightly' };
const period = { site, sinceMs: 3_600_000, untilMs: 0 };
const METRICS = ['cdn', 'resources', 'now', 'mail', 'shield', 'shield-overview'] as const;
const ON_NAMES: readonly Tried[] = [
  { name: 'registration check', given: { names: ['free.com', 'plain.com'], suggest: true }, shows: 'names' },
  {
    name: 'registration transfer-out',
    given: { name: 'leaving.com', decision: 'reject' },
    shows: 'transfer',
    sends: ['POST', 'is looked up, and sent again'],
  },
  { name: 'registration epp-code', given: { name: 'plain.com' }, shows: 'epp' },
  { name: 'registration refresh', given: { name: 'stale.com' }, shows: 'refresh', sends: ['POST', 'is repeated'] },
  {
    name: 'registration push-transfer',
    given: { name: 'plain.com', to: 'ABC1' },
    shows: 'push',
    sends: ['POST', 'is looked up, and never sent again'],
    ends: 'waiting',
  },
  { name: 'contact delete', given: { ids: ['805'] }, shows: 'deletion', sends: ['DELETE', 'is repeated'] },
  { name: 'contact delete', given: { unused: true }, shows: 'deletion', sends: ['DELETE', 'is repeated'] },
  { name: 'contact verify', given: { id: '801' }, sends: ['POST', 'is never sent again'] },
  { name: 'contact verify', given: { id: 'plain.com' }, sends: ['POST', 'is never sent again'] },
];

const TRIED: readonly Tried[] = [
  { name: 'site restart', given: { site }, sends: ['POST', 'is never sent again'] },
  { name: 'site purge', given: { site }, sends: ['POST', 'is repeated'] },
  { name: 'site purge', given: { site, layer: 'nginx' }, sends: ['DELETE', 'is repeated'] },
  {
    name: 'site backup',
    given: { site, volume: 'content' },
    shows: 'backup',
    sends: ['PATCH', 'is looked up, and sent again'],
  },
  {
    name: 'site restore',
    given: { ...nightly, backup: false },
    shows: 'restore',
    sends: ['PATCH', 'is never sent again'],
  },
  { name: 'site backup delete', given: nightly, shows: 'deleted', sends: ['DELETE', 'is repeated'] },
  { name: 'site sso', given: { site, database: true }, shows: 'login', sends: ['POST', 'is never sent again'] },
  { name: 'site sso --list', given: { site }, shows: 'users' },
  {
    name: 'site mail unblock',
    given: { site },
    shows: 'mail',
    sends: ['DELETE', 'is looked up, and never sent again'],
  },
  { name: 'site mail check', given: { site }, shows: 'mail', sends: ['POST', 'is looked up, and sent again'] },
  {
    name: 'site logs',
    given: { ...period, log: 'access', limit: 10, filters: {}, take: () => undefined },
    shows: 'read',
  },
  { name: 'site logs --summary', given: { ...period, filters: {} }, shows: 'summary' },
  ...METRICS.map((metric): Tried => ({ name: 'site metrics', given: { ...period, metric }, shows: metric })),
  { name: 'order cancel', given: { id: 'order-1' }, shows: 'order', sends: ['DELETE', 'is looked up, and sent again'] },
  {
    name: 'shield learn',
    given: { site: 'id:site-basic' },
    scenario: 'shield',
    shows: 'learning',
    sends: ['PATCH', 'is repeated'],
  },
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

const run = ({ session }: Harness, { name, given }: Tried, answer: boolean): Promise<ActResult> =>
  act(session(), name, given as never, () => Promise.resolve(answer));
const writes = ({ sandbox }: Harness) => sandbox.requests.filter(({ method }) => method !== 'GET').length;

it.each(TRIED)('CNV-35: $name $given: its document is as the schema says, refused or done', async (tried) => {
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
  'RTY-03, RTY-07: $name $given: where an answer is lost, it $lost',
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

it('leaves out no command but one that never ends, and one that is asked by another', () => {
  const tried = new Set<string>(TRIED.map(({ name }) => name));
  expect(Object.keys(COMMANDS).filter((name) => !tried.has(name))).toEqual(['site logs --follow', 'dns --check']);
});
