// The report on many accounts as blocks: what waits for a person, what ends, what differs, what runs did, then each
// account by itself, folded.
import type { AccountReport, AccountState, FleetReport, ReportedRun } from '../../model/plan/fleet-report.ts';
import { ACCOUNT_STATES } from '../../model/plan/fleet-report.ts';
import type { StartedBy } from '../../model/plan/started-by.ts';
import { describeStartedBy, isJob, pullOf } from '../../model/plan/started-by.ts';
import { andMore, countsOf, cut, plural } from '../../model/common/count.ts';
import { present } from '../../model/common/lists.ts';
import { escapeText } from '../view/escape.ts';
import { nounOf, showAddress, showProse } from '../view/names.ts';
import type { Block, Details, Item, Line, Report, Role } from './block.ts';
import { listOf, marked, moreItems, nameOf, paragraph, section, table } from './block.ts';

const STATES: Readonly<Record<AccountState, readonly [Role, string]>> = {
  failed: ['bad', 'failed'],
  locked: ['careful', 'locked'],
  drifted: ['careful', 'drifted'],
  waiting: ['careful', 'waiting'],
  'in-order': ['good', 'in order'],
  'never-run': ['faint', 'never run'],
};
const FOR: Readonly<Record<AccountReport['waits'][number]['for'], string>> = {
  payment: 'a payment',
  record: 'a DNS record',
  confirmation: 'a confirmation',
  hand: 'a step by hand',
  outside: 'something outside',
};
const QUEUE: Readonly<Record<NonNullable<AccountReport['queue']>, string>> = {
  active: 'a run goes on',
  retrying: 'a run is made again',
  waiting: 'a run is asked for',
  'given-up': 'a request was given up',
};
const CLASSES: Readonly<Record<string, string>> = {
  both: 'changed on both sides',
  drifted: 'changed out of band',
  differs: 'differs',
  undeclared: 'changed, and not declared',
  pending: 'not applied yet',
};

/** So many of a kind an account shows where others stand beside it. */
const FEW = 5;
const FEW_RUNS = 2;
/** So many rows a table shows of all accounts. */
const MOST = 100;

export interface AccountsOptions {
  /** Each account has a page of its own, with more than stands here. */
  readonly hasPages?: boolean;
}

/** How all accounts are. */
export function accountsReport(report: FleetReport, { hasPages = false }: AccountsOptions = {}): Report {
  const { accounts, kinds } = report;
  const link = (account: string): Line => [{ as: 'name', text: escapeText(account, 100), to: anchorOf(account) }];
  const waits = accounts.flatMap((one) => one.waits.map((wait) => ({ account: one.account, ...wait })));
  const forPeople = waits.filter((wait) => wait.for !== 'outside').sort(bySince);
  const others = waits.filter((wait) => wait.for === 'outside').sort(bySince);
  const waitTable = (rows: typeof waits): readonly Block[] =>
    textTable(
      ['Account', 'Waits for', 'Since'],
      rows.map((wait) => [
        link(wait.account),
        [marked('strong', FOR[wait.for]), ': ', ...waitLine(wait)],
        [dayOf(wait.since)],
      ]),
    );
  const ends = accounts
    .flatMap((one) => one.ends.map((end) => ({ account: one.account, ...end })))
    .sort((one, other) => (one.on ?? '9').localeCompare(other.on ?? '9', 'en'));
  const runs = accounts
    .flatMap(({ account, runs: own = [] }) => own.map((run) => ({ account, run })))
    .sort((one, other) => (one.run.startedAt < other.run.startedAt ? 1 : -1));
  const order = new Map(ACCOUNT_STATES.map((state, index) => [state, index]));
  const sorted = [...accounts].sort(
    (one, other) => (order.get(one.state) as number) - (order.get(other.state) as number),
  );
  return {
    what: 'fleet report',
    title: `Accounts: ${sentenceOn(report)}`,
    isSearched: true,
    blocks: [
      { is: 'heading', line: ['Accounts'] },
      paragraph(marked('strong', sentenceOn(report))),
      ...section('people', 'Waits for a person', waitTable(forPeople), { count: forPeople.length }),
      ...section('outside', 'Waits for something outside', waitTable(others), {
        count: others.length,
        meaning: ['The platform does it, or the words say who can end it.'],
      }),
      ...section(
        'ends',
        'Ends soon',
        textTable(
          ['Account', 'What', 'On'],
          ends.map(({ account, on, ...end }) => [link(account), saysOf(end, 300), [on ?? 'not known']]),
        ),
        { count: ends.length },
      ),
      ...section(
        'kinds',
        'Drift by kind',
        table(
          ['Kind', 'Objects', 'Accounts'],
          kinds.map(({ kind, objects, accounts: within }) => [[nounOf(kind)], [`${objects}`], [`${within}`]]),
        ),
        { count: kinds.length },
      ),
      ...section(
        'runs',
        'Last runs',
        textTable(
          ['Account', 'Who and what', 'When'],
          runs.map(({ account, run }) => [link(account), runLine(run), [minuteOf(run.startedAt)]]),
        ),
        { count: runs.length },
      ),
      {
        is: 'section',
        title: 'Accounts',
        count: accounts.length,
        anchor: 'accounts',
        blocks: sorted.map((one) => detailsOf(one, hasPages)),
      },
      paragraph(`From reports until ${minuteOf(report.at)}. What no report says is not known.`),
    ],
  };
}

/** One account, with all that is known of it. */
export function accountReport(account: AccountReport, home: string): Report {
  const [role, word] = STATES[account.state];
  const name = escapeText(account.account, 200);
  return {
    what: 'account',
    title: `${name}: ${word}`,
    isSearched: true,
    blocks: [
      { is: 'heading', line: [name] },
      paragraph(marked(role, word), ...aboutOf(account)),
      ...insideOf(account, Infinity),
      paragraph({ as: 'link', text: 'All accounts', href: home }),
    ],
  };
}

/** `500 accounts: 488 in order, 7 drifted. 4 wait for a person.` */
function sentenceOn({ accounts }: FleetReport): string {
  if (accounts.length === 0) return 'No account is in this report.';
  const counts = ACCOUNT_STATES.map(
    (state) => [accounts.filter((one) => one.state === state).length, STATES[state][1]] as const,
  );
  const waiting = accounts.filter(({ waits }) => waits.some((wait) => wait.for !== 'outside')).length;
  const ending = accounts.filter(({ ends }) => ends.length > 0).length;
  return present(
    `${plural(accounts.length, 'account')}: ${countsOf(counts)}.`,
    waiting > 0 && `${plural(waiting, 'waits', 'wait')} for a person.`,
    ending > 0 && `In ${ending} something ends or runs out.`,
  ).join(' ');
}

function textTable(heads: readonly string[], rows: readonly (readonly Line[])[]): readonly Block[] {
  const shown = cut(
    rows,
    MOST,
    (row) => row,
    (left) => [[''], [`and ${left} more`], ['']],
  );
  return table(heads, shown, { isUneven: true });
}

function detailsOf(account: AccountReport, hasPage: boolean): Details {
  const { state } = account;
  const [role, word] = STATES[state];
  const name = escapeText(account.account, 200);
  return {
    is: 'details',
    anchor: anchorOf(account.account),
    tags: [state, ...(account.waits.some((wait) => wait.for !== 'outside') ? ['person'] : [])],
    line: [marked('name', name), ' ', marked(role, word)],
    brief: aboutOf(account),
    blocks: [
      ...(hasPage ? [paragraph({ as: 'link', text: 'All of this account', href: accountPath(account.account) })] : []),
      ...insideOf(account, FEW),
    ],
  };
}

function aboutOf({ account, workspace, lookedAt, queue, differs = [], waits, state }: AccountReport): Line {
  const parts = present(
    workspace !== account && !workspace.endsWith(`/${account}`) && escapeText(workspace, 200),
    state !== 'never-run' && (lookedAt === undefined ? 'when is not known' : `looked at ${minuteOf(lookedAt)}`),
    differs.length > 0 && plural(differs.length, 'object differs', 'objects differ'),
    waits.length > 0 && plural(waits.length, 'waits', 'wait'),
    queue && QUEUE[queue],
  );
  return parts.length === 0 ? [] : [` ${parts.join(' · ')}`];
}

function insideOf(account: AccountReport, most: number): readonly Block[] {
  const { problems, waits, differs, ends, runs, lock, state } = account;
  const list = <One>(title: string, all: readonly One[], item: (one: One) => Item): readonly Block[] =>
    section(title.toLowerCase(), title, listOf(cut(all, most, item, moreItems)));
  const unknown = present(
    differs === undefined && state !== 'in-order' && 'what differs',
    runs === undefined && 'its runs',
  );
  return [
    ...(lock === undefined ? [] : [paragraph(escapeText(lock, 500))]),
    ...list('Problems', problems, ({ code, says }) => ({
      line: [...(code === undefined ? [] : [marked('code', escapeText(code, 10)), ' ']), showProse(says)],
    })),
    ...list('Waits', waits, (wait) => ({
      line: [
        marked('strong', FOR[wait.for]),
        `, since ${wait.since === undefined ? 'not known' : minuteOf(wait.since)}: `,
        ...waitLine(wait),
      ],
    })),
    ...list('Differs', differs ?? [], ({ address, class: is = '' }) => ({
      line: [nameOf(address), ...(CLASSES[is] === undefined ? [] : [`: ${CLASSES[is]}`])],
    })),
    ...list('Ends', ends, (end) => ({ line: saysOf(end) })),
    ...list('Runs', (runs ?? []).slice(0, most === FEW ? FEW_RUNS : most), (run) => ({
      line: [`${minuteOf(run.startedAt)} `, ...runLine(run)],
      ...(most > FEW && { blocks: actionsOf(run) }),
    })),
    ...(unknown.length === 0 ? [] : [paragraph(marked('faint', `Not known: ${unknown.join(', ')}.`))]),
  ];
}

function saysOf({ address, says }: Pick<AccountReport['ends'][number], 'address' | 'says'>, most?: number): Line {
  return [...(address === undefined ? [] : [nameOf(address), ': ']), showProse(says, most)];
}

function waitLine({ address, reason, remedy }: AccountReport['waits'][number]): Line {
  const says = [reason, remedy].filter((text) => text !== '').map((text) => showProse(text, 500).replace(/\.$/, ''));
  return [...(address === undefined ? [] : [nameOf(address), ': ']), `${says.join('. ')}.`];
}

/** Who started it with what approved it, and what it did. */
function runLine(run: ReportedRun): Line {
  const { by, endedAt, actions, more } = run;
  const [first] = actions;
  const count = actions.length + more;
  const open = actions.filter(({ result }) => result !== 'done');
  const what: Line =
    first === undefined
      ? ['continued what was in flight']
      : [
          `${first.verb} `,
          marked('strong', showAddress(first.address)),
          andMore(count - 1),
          ...(open.length === 0
            ? [': ', marked('good', 'done')]
            : [': ', marked('careful', `${open.length}${more > 0 ? ' or more' : ''} not done`)]),
        ];
  return [...byLine(by), ': ', ...what, ...(endedAt === undefined ? ['; it did not end, or was killed'] : [])];
}

function actionsOf({ actions, more }: ReportedRun): readonly Block[] {
  const items = actions.map(({ address, verb, result }) => ({ line: [`${verb} `, nameOf(address), `: ${result}`] }));
  return listOf(items.length === 0 || more === 0 ? items : [...items, moreItems(more)]);
}

/** Its job and the comments that approved it are links: only those of https. */
function byLine(by: StartedBy | undefined): Line {
  if (by === undefined) return ['somebody'];
  if (!isJob(by)) return [escapeText(describeStartedBy(by), 200)];
  const { url, pulls = [], actor, commit } = by;
  const link = (text: string, href: string): Line =>
    /^https:\/\/[^\s@\\]+$/.test(href) && URL.canParse(href) ? [{ as: 'link', text, href }] : [text];
  return [
    escapeText(actor, 100),
    ', ',
    ...link(`${by.via === 'github' ? 'GitHub' : 'GitLab'} job`, url),
    `, commit ${escapeText(commit.slice(0, 12), 12)}`,
    ...pulls.flatMap((pull) => {
      const { text, href } = pullOf(by, pull);
      return [', ', ...link(text, href)];
    }),
  ];
}

function bySince(one: { readonly since?: string }, other: { readonly since?: string }): number {
  return (one.since ?? '9').localeCompare(other.since ?? '9', 'en');
}

/** Of its name, which may be anything. */
function anchorOf(account: string): string {
  return `account-${segmentOf(account)}`;
}

/** Where the page of an account is, seen from that of all. */
export function accountPath(account: string): string {
  return `accounts/${segmentOf(account)}`;
}

/** One part of a path: a name of dots alone would be a folder above. */
function segmentOf(account: string): string {
  return encodeURIComponent(escapeText(account, Infinity)).replace(/^\.+$/, (dots) => '~'.repeat(dots.length));
}

function dayOf(at: string | undefined): string {
  return at === undefined ? 'not known' : escapeText(at.slice(0, 10), 20);
}

/** `2026-11-22 10:00 UTC`; what is no time as it is. */
function minuteOf(at: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(at) ? `${at.slice(0, 16).replace('T', ' ')} UTC` : escapeText(at, 40);
}
