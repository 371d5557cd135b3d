// Acts of commands under every accident: each request is broken, the command is killed at each sign of life and at each
// append to the ledger; the same command goes on with it, and nothing is done twice. A sample of the acts here, all of
// them with HOSTWRIGHT_LOOPS=all.
import { describe, expect, it } from 'vitest';
import type { ActResult } from '../../../src/model/plan/act.ts';
import type { Outcome } from '../../../src/model/plan/outcome.ts';
import { EXIT_CODES, OUTCOME_FORMAT } from '../../../src/model/plan/outcome.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { act } from '../../../src/usecases/act/act.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import type { Story } from '../../support/loops.ts';
import { appendLoop, deathLoop, killLoop } from '../../support/loops.ts';
import { isWhole } from '../../support/whole.ts';

const yes = () => Promise.resolve(true);
const SHOP = 'id:site-shop';
const nightly = { volume: 'content', archive: 'nightly', backup: false };
const shop = ({ sandbox }: Harness) => sandbox.state.sites.get('site-shop');

/** The ending of a command as that of a run. */
function asOutcome({ outcome, diagnostics }: ActResult): Outcome {
  return {
    format: OUTCOME_FORMAT,
    outcome,
    exitCode: EXIT_CODES[outcome],
    account: 'acc-acme',
    planDigest: '',
    actions: [],
    remaining: [],
    diagnostics,
    requests: { reads: 0, writes: 0 },
  };
}

interface ActStory {
  readonly name: string;
  readonly options?: HarnessOptions;
  readonly prepare?: (one: Harness) => void;
  readonly act: (session: Session) => Promise<ActResult>;
  /** Whether the platform did it, as a person sees in the dashboard. */
  readonly isDone: (one: Harness) => boolean;
}

const STORIES: readonly ActStory[] = [
  {
    name: 'backup',
    act: (session) =>
      act(session, { operation: 'backup', address: `Site/${SHOP}`, volume: 'content', name: 'before' }, yes),
    isDone: (one) => shop(one)?.volumes[0]?.archives.some(({ name }) => name.startsWith('before')) === true,
  },
  {
    name: 'restore',
    act: (session) => act(session, { operation: 'restore', address: `Site/${SHOP}`, ...nightly }, yes),
    isDone: (one) => shop(one)?.volumes[0]?.restoredFrom === 'arch-nightly',
  },
  {
    name: 'cancelled order',
    prepare: ({ sandbox }) =>
      sandbox.state.orders.set('order-1', {
        id: 'order-1',
        accountId: 'acc-acme',
        status: 'pending',
        locationShortName: 'ams',
        createdAt: 0,
        updatedAt: 0,
      }),
    act: (session) => act(session, { operation: 'cancel', address: 'Order/order-1' }, yes),
    isDone: ({ sandbox }) => sandbox.state.orders.get('order-1')?.status === 'cancelled',
  },
  {
    name: 'restart',
    act: (session) => act(session, { operation: 'restart', address: `Site/${SHOP}` }, yes),
    isDone: (one) => shop(one)?.restarts.cms === 1,
  },
  {
    name: 'purge of a layer',
    act: (session) => act(session, { operation: 'purge', address: `Site/${SHOP}`, layer: 'nginx' }, yes),
    isDone: (one) => (shop(one)?.layers.nginx?.purges ?? 0) > 0,
  },
  {
    name: 'deleted archive',
    act: (session) => act(session, { operation: 'delete-archive', address: `Site/${SHOP}`, ...nightly }, yes),
    isDone: (one) => shop(one)?.volumes[0]?.archives.length === 0,
  },
  {
    name: 'lifted block',
    prepare: (one) => {
      const mail = shop(one)?.mail;
      if (mail !== null && mail !== undefined) mail.suspension.abuse = true;
    },
    act: (session) => act(session, { operation: 'unblock-mail', address: `Site/${SHOP}` }, yes),
    isDone: (one) => shop(one)?.mail?.suspension.abuse === false,
  },
  {
    name: 'rejected transfer',
    options: { scenario: 'registrar' },
    act: (session) =>
      act(session, { operation: 'transfer-out', address: 'DomainRegistration/leaving.com', decision: 'reject' }, yes),
    isDone: ({ sandbox }) =>
      [...sandbox.state.registrar.registrations.values()].every(
        ({ name, transferOutPending }) => name !== 'leaving.com' || !transferOutPending,
      ),
  },
];

const MANIFEST = 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: my-shop, id: site-shop }\nspec: {}\n';

function storyOf({ name, options = {}, prepare, act, isDone }: ActStory): Story {
  const begun = new WeakSet<Harness>();
  const inFlight = async (one: Harness) => (await ledgerCommand(one.session(), { do: 'list' })).view?.inFlight ?? [];
  return {
    name,
    options: { files: { 'sites/shop.yaml': MANIFEST }, ...options },
    run: async (one, extra) => {
      if (!begun.has(one)) {
        begun.add(one);
        prepare?.(one);
        return asOutcome(await act(one.session(extra)));
      }
      const flights = await inFlight(one);
      // A person who sees that it is done does not ask for it again.
      if (flights.length === 0 && isDone(one)) return asOutcome({ outcome: 'done', diagnostics: [] });
      // What may be repeated is begun anew, and an archive that is gone cannot be named any more.
      const isResumed = flights.some(({ action }) => action.kind === 'DeleteArchive');
      return isResumed
        ? (await one.apply({ resumeOnly: true }, extra)).outcome
        : asOutcome(await act(one.session(extra)));
    },
    confirmLost: async (one) => {
      const [flight] = await inFlight(one);
      if (flight === undefined) return false;
      const { address } = flight.action;
      await ledgerCommand(one.session(), {
        do: 'confirm',
        address,
        ...(isDone(one) ? { id: 'seen' } : { notMade: true }),
      });
      return true;
    },
    check: (one, where) => expect(isDone(one), where).toBe(true),
    reruns: 2,
  };
}

describe.each((isWhole ? STORIES : STORIES.slice(0, 3)).map((one) => [one.name, storyOf(one)] as const))(
  'RTY-03, RTY-04: %s',
  (_name, story) => {
    describe('kill loop', () => killLoop(story));
    it('dies at signs of life', () => deathLoop(story, 3));
    it('dies at appends to the ledger', () => appendLoop(story, [], 2));
  },
);
