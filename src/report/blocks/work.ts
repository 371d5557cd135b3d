// How workers stand as blocks: a row for each account with something to tell, what worries most first, then why runs failed.
import type { Account, Work } from '../../model/generated/output/work.ts';
import { countsOf, plural } from '../../model/common/count.ts';
import { showTime } from '../view/drift.ts';
import { escapeText } from '../view/escape.ts';
import type { Block, Line, Role } from './block.ts';
import { listOf, marked, table } from './block.ts';

type Status = Required<Pick<Work, 'queue' | 'accounts'>>;

/** What worries most first; an account is the first of these that fits. */
const KINDS = {
  'given up': ({ requests }) => requests.some(({ state }) => state === 'given-up'),
  failed: ({ lastRun, requests }) =>
    requests.some(({ state }) => state === 'retrying') ||
    ['error', 'refused', 'conflict', 'partly-applied'].includes(lastRun?.outcome ?? ''),
  waiting: ({ lastRun }) => lastRun?.outcome === 'waiting',
  drifted: ({ lastRun }) => lastRun?.outcome === 'differences',
  'never run': ({ lastRun }) => lastRun === undefined,
  'in order': () => true,
} as const satisfies Readonly<Record<string, (account: Account) => boolean>>;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as readonly Kind[];
const ROLES: Partial<Readonly<Record<Kind, Role>>> = {
  'given up': 'bad',
  failed: 'bad',
  waiting: 'careful',
  drifted: 'careful',
};

function kindOf(account: Account): Kind {
  return NAMES.find((name) => KINDS[name](account)) ?? 'in order';
}

/** `nowMs`: for how long ago something was. */
export function workBlocks({ queue, accounts }: Status, nowMs: number): readonly Block[] {
  const told = accounts
    .map((account) => ({ account, kind: kindOf(account) }))
    .filter(({ account, kind }) => kind !== 'in order' || account.requests.length > 0 || account.heldBy !== undefined)
    .sort((one, other) => NAMES.indexOf(one.kind) - NAMES.indexOf(other.kind));
  const rows = told.map(({ account: { account, lastRun, requests, heldBy }, kind }): readonly Line[] => [
    [escapeText(account, 100)],
    [marked(ROLES[kind] ?? 'faint', kind)],
    [lastRun === undefined ? '' : `${lastRun.outcome}, ${showTime(lastRun.endedAt, nowMs)}`],
    [requests.map(({ state, run, count }) => `${count} ${state} (${run})`).join(', ')],
    [escapeText(heldBy ?? '', 300)],
  ]);
  const counts = NAMES.map((name) => [accounts.filter((one) => kindOf(one) === name).length, name] as const);
  return [
    ...table(['ACCOUNT', 'IS', 'LAST RUN', 'REQUESTS', 'LOCKED BY'], rows),
    ...listOf(
      told.flatMap(({ account: { account, lastRun, requests } }) => {
        const reason = lastRun?.reason ?? requests.find((one) => one.reason !== undefined)?.reason;
        return reason === undefined
          ? []
          : [{ cells: [[marked('bad', escapeText(account, 100))]], line: [escapeText(reason, 1000)] }];
      }),
    ),
    {
      is: 'heading',
      line: [
        `${plural(accounts.length, 'account')}: ${countsOf(counts) || 'no worker has one yet'}. In the queue: ${queue.active} active, ${queue.waiting} waiting, ${queue.retrying} retrying, ${queue.givenUp} given up.`,
      ],
    },
  ];
}
