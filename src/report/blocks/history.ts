// What runs did, as blocks: one section a run, with who, when, and each object from and to.
import type { RunHistory } from '../../model/plan/history.ts';
import { showPrice } from '../../model/price.ts';
import { describeApprovedBy, describeStartedBy } from '../../model/plan/started-by.ts';
import { plural } from '../../model/common/count.ts';
import { escapeText } from '../view/escape.ts';
import { showProse } from '../view/names.ts';
import { showPlain, showPointer } from '../view/values.ts';
import type { Block, Item, Line, Role } from './block.ts';
import { joined, listOf, marked, nameOf, paragraph, table } from './block.ts';

const RESULTS: Readonly<Record<RunHistory['actions'][number]['result'], readonly [Role, string]>> = {
  done: ['good', 'done'],
  failed: ['bad', 'failed'],
  'in-flight': ['careful', 'in flight'],
  'not-done': ['faint', 'not done'],
  'not-recorded': ['careful', 'not recorded'],
};

export interface ShownHistory {
  readonly account: string;
  readonly runs: readonly RunHistory[];
}

const NO_RUN = paragraph('No run is remembered.');

/** All runs, the newest first. */
export function historyBlocks({ account, runs }: ShownHistory): readonly Block[] {
  return [
    { is: 'heading', line: [`History of account ${escapeText(account, 100)}`] },
    ...(runs.length === 0 ? [NO_RUN] : []),
    ...runs.map((run) => ({
      is: 'section' as const,
      title: `${timeOf(run.startedAtMs)}, run ${escapeText(run.run, 100)}`,
      anchor: `run-${run.run}`,
      meaning: aboutOf(run),
      blocks: [{ is: 'list' as const, items: run.actions.map(itemOf) }],
    })),
  ];
}

/** The runs of many accounts in one table, the newest first. */
export function historyTable(accounts: readonly ShownHistory[]): readonly Block[] {
  const rows = accounts
    .flatMap(({ account, runs }) => runs.map((run) => ({ account, run })))
    .sort((one, other) => other.run.startedAtMs - one.run.startedAtMs);
  return [
    { is: 'heading', line: [`History of ${plural(accounts.length, 'account')}`] },
    ...(rows.length === 0 ? [NO_RUN] : []),
    ...table(
      ['when', 'account', 'run', 'by', 'actions'],
      rows.map(({ account, run }) => [
        [timeOf(run.startedAtMs)],
        [marked('strong', escapeText(account, 100))],
        [marked('code', escapeText(run.run.slice(0, 8), 100))],
        [whoOf(run.by)],
        resultsOf(run),
      ]),
    ),
  ];
}

/** `3 done, 1 failed`. */
function resultsOf({ actions }: RunHistory): Line {
  const counts = Object.entries(RESULTS).flatMap(([result, [role, word]]): Line[] => {
    const count = actions.filter((action) => action.result === result).length;
    return count === 0 ? [] : [[marked(role, `${count} ${word}`)]];
  });
  return counts.length === 0 ? ['none'] : joined(counts);
}

function whoOf(by: RunHistory['by']): string {
  return by === undefined ? 'somebody' : escapeText(describeStartedBy(by));
}

function aboutOf({ by, approvedBy, endedAtMs, actions }: RunHistory): Line {
  const end = endedAtMs === undefined ? 'did not end, or was killed' : `ended ${timeOf(endedAtMs)}`;
  const approval = approvedBy === undefined ? '' : `; approved by ${escapeText(describeApprovedBy(approvedBy))}`;
  return [`by ${whoOf(by)}${approval}; ${end}${actions.length === 0 ? '; continued what was in flight' : ''}`];
}

function itemOf(action: RunHistory['actions'][number]): Item {
  const { address, verb, changes, result, reason } = action;
  const [role, word] = RESULTS[result];
  const values = changes.map(({ path, was, value, hidden }) => {
    const field = showPointer(path);
    if (hidden === true) return `${field}: (not kept)`;
    const sides = [was, value].flatMap((side) => showPlain(side) ?? (side === undefined ? [] : ['...']));
    return `${field}: ${sides.join(' -> ')}`;
  });
  return {
    line: [
      marked(verb, verb),
      ' ',
      nameOf(address),
      ': ',
      marked(role, word),
      ...costOf(action),
      ...(reason === undefined ? [] : [`: ${showProse(reason)}`]),
    ],
    blocks: listOf([...(verb === 'update' ? values : []), ...purchaseOf(action)].map((text) => ({ line: [text] }))),
  };
}

function costOf({ charges, cost }: RunHistory['actions'][number]): Line {
  if (cost !== undefined) return [`, ${showPrice(cost)}`];
  return charges === true ? [', charged (price not quoted)'] : [];
}

/** Returns the ids of a purchase: of the object, the order and the cart. */
function purchaseOf({ charges, id, order, cart }: RunHistory['actions'][number]): readonly string[] {
  if (charges !== true) return [];
  return Object.entries({ id, order, cart }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${escapeText(value, 512)}`],
  );
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
