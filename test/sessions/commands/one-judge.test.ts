// What `apply` and a command say of the same answer is the same: a purge and a backup through both doors, over every
// answer that the documents give.
import { expect, it } from 'vitest';
import type { ActResult } from '../../../src/model/plan/act.ts';
import { endpointOf } from '../../../src/areas/endpoints.ts';
import type { ActionOutcome } from '../../../src/model/plan/outcome.ts';
import type { Transport } from '../../../src/platform/transport.ts';
import type { Confirm } from '../../../src/usecases/act/act.ts';
import { act } from '../../../src/usecases/act/act.ts';
import type { Session } from '../../../src/usecases/session.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';

const yes: Confirm = () => Promise.resolve(true);
const SHOP = 'id:site-shop';

interface Door {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** What the plan calls it. */
  readonly kind: string;
  readonly command: (session: Session) => Promise<ActResult>;
}

const DOORS: readonly Door[] = [
  {
    name: 'purge',
    method: 'POST',
    path: '/api/sites/site-shop/cdn/caching/purge',
    kind: 'CachePurge',
    command: (session) => act(session, { operation: 'purge', address: `Site/${SHOP}` }, yes),
  },
  {
    name: 'backup',
    method: 'PATCH',
    path: '/api/sites/site-shop/backups/11',
    kind: 'Backup',
    command: (session) => act(session, { operation: 'backup', address: `Site/${SHOP}` }, yes),
  },
];

/** A session in which the platform answers one request so, and all others as it does. */
function answering(one: Harness, { method, path }: Door, status: number, code: string | null): Session {
  const { transport, ...session } = one.session();
  if (transport === undefined) throw new Error('in process');
  const spoilt: Transport = (request) =>
    request.method === method && request.path === path
      ? Promise.resolve({ status, headers: {}, body: JSON.stringify({ ...(code !== null && { code }) }) })
      : transport(request);
  return { ...session, transport: spoilt };
}

/** How a command ends whose action ended so: its word, and the code of what it says. */
const ENDS: Readonly<Record<string, readonly [string, string | undefined]>> = {
  done: ['done', undefined],
  failed: ['error', 'HW4501'],
  blocked: ['waiting', 'HW4503'],
  'unknown-outcome': ['waiting', 'HW4502'],
};

const own = ({ kind }: Door, actions: readonly ActionOutcome[]): ActionOutcome | undefined =>
  actions.find(({ address }) => address === `Site/shop/${kind}`);

const CASES = DOORS.flatMap((door) =>
  (endpointOf(door.method, door.path)?.answers ?? [])
    .filter(({ status }) => status !== 401)
    .map(({ status, code }) => [door.name, status, code, door] as const),
);

it.each(CASES)('RTY-05: %s answered %d %s', async (_name, status, code, door) => {
  const one = await openHarness({ example: 'moving-a-domain' });
  const { outcome } = await one.apply({}, answering(one, door, status, code));
  const action = own(door, outcome.actions);
  const ended = await door.command(answering(await openHarness({ example: 'moving-a-domain' }), door, status, code));
  const [word, diagnostic] = ENDS[action?.result ?? ''] ?? [];
  const scope = ended.diagnostics.find((one) => one.code === 'HW4006');
  const said = ended.diagnostics.at(-1);
  expect([ended.outcome, scope === undefined ? said?.code : diagnostic], JSON.stringify([action, ended])).toEqual([
    word,
    diagnostic,
  ]);
  // The same reason, in the same words.
  if (action?.reason !== undefined)
    expect((said?.detail ?? '').toLowerCase()).toContain(
      action.reason.replace(/, and the next plan reads what is true/, '').toLowerCase(),
    );
});

it('has an answer to ask about', () => {
  expect(CASES.length).toBeGreaterThan(10);
});
