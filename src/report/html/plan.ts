// A plan or a drift as one page: first what it comes to and what a reviewer must not miss, then the order, every
// action under its object, and what stands beside the actions.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { asShared } from '../../model/diagnostic.ts';
import type { GuardCheck } from '../../model/plan/guard-check.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Action, Plan, Verb } from '../../model/plan/plan.ts';
import { overlapSentence } from '../graph/tracks.ts';
import { countDiagnostics } from '../text/diagnostics.ts';
import { stepText } from '../text/steps.ts';
import { keepLines } from '../view/keeping.ts';
import {
  besideLines,
  countActions,
  groupNeeds,
  groupsOf,
  headline,
  importable,
  numberActions,
  plural,
  positionsIn,
  saidReason,
} from '../view/document.ts';
import { driftGroups } from '../view/drift.ts';
import { escapeText } from '../view/escape.ts';
import { settingLines, showCheck } from '../view/guard-check.ts';
import { countOrphaned } from '../view/orphaned.ts';
import { repeatedSection, riskSection } from './alike.ts';
import { driftSections } from './drift.ts';
import { markup } from './markup.ts';
import type { Markup, Part } from './markup.ts';
import { recordsSentence } from '../view/records-to-publish.ts';
import { orphanedSection } from './orphaned.ts';
import { writePage } from './page.ts';
import {
  anchorOf,
  block,
  changeTable,
  diagnosticRows,
  glance,
  groupSection,
  madeAt,
  objectName,
  place,
  prose,
  riskBadges,
  section,
  sentenceOf,
  tile,
  tools,
  verbBadge,
} from './parts.ts';
import { orderSection } from './picture.ts';

export interface PlanHtmlOptions {
  readonly heading: 'Plan' | 'Drift';
  /** Every request too. */
  readonly verbose: boolean;
  readonly context?: number;
  readonly outcome: OutcomeWord;
  /** Whether apply would run it, where that was asked. */
  readonly guardCheck?: GuardCheck;
  /** What the plan does not carry itself. */
  readonly diagnostics: readonly Diagnostic[];
  readonly nowMs: number;
}

/** Plans of no more actions than these are unfolded. */
const FEW = 25;

export function renderPlanHtml(plan: Plan, options: PlanHtmlOptions): string {
  const { heading, diagnostics, outcome, nowMs } = options;
  const groups = groupsOf(plan, { rules: options.verbose });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const notices = [...plan.notices.map(asShared), ...diagnostics.filter(({ severity }) => severity !== 'error')];
  // The sides of a drift say what its actions would write.
  const hasActions = plan.actions.length > 0 && (plan.drift === undefined || options.verbose);
  const objects = objectsOf(plan.actions);
  const numbers = numberActions(plan.actions);
  const positions = positionsIn(plan.actions);
  const anchors = new Map([...objects.keys()].map((root, index) => [root, `o${index + 1}`]));
  const account = escapeText(plan.account, 100);
  const counts = sentenceOf(headline(plan, heading));
  const overlap = overlapSentence(plan.actions);
  const check = options.guardCheck === undefined ? undefined : showCheck(plan, options.guardCheck);
  const records = recordsSentence(plan.actions);
  return writePage({
    title: `${heading} for account ${account}: ${counts}`,
    head: [
      markup`<p class="eyebrow">Hostwright ${heading.toLowerCase()} · ${madeAt(nowMs)}</p>
<h1>Account ${account}</h1>
${check !== undefined && markup`<p class="check ${check.runs ? 'create' : 'delete'}"><strong>${prose(check.first)}</strong>${check.remedies.map((remedy) => markup` ${prose(remedy)}`)}</p>`}
<p class="lead">${counts} ${openSentence(plan)}</p>
${overlap !== '' && markup`<p class="aside">${sentenceOf(overlap)}</p>`}
${records !== undefined && plan.drift === undefined && markup`<p class="aside">${prose(records)}</p>`}
<div class="tiles">${tiles(plan, heading, hasActions)}</div>`,
    ],
    main: [
      errors.length > 0 && section('errors', countDiagnostics(errors), '', diagnosticRows(errors)),
      riskSection(plan.actions, hasActions, options.guardCheck === undefined ? [] : settingLines(options.guardCheck)),
      tools(chipsOf(plan, hasActions)),
      ...driftSections(plan),
      hasActions && repeatedSection(plan.actions),
      hasActions && orderSection(plan.actions, anchors),
      hasActions &&
        section(
          'actions',
          `Actions (${plan.actions.length})`,
          `By object, numbered in the order in which they run.`,
          [...objects].map(([root, inside]) =>
            objectCard(root, inside, { plan, anchors, numbers, positions, options }),
          ),
        ),
      ...groups.map(groupSection),
      orphanedSection(plan),
      unmanagedSection(plan),
      notices.length > 0 && section('notices', `Notices (${notices.length})`, '', diagnosticRows(notices)),
    ],
    foot: [
      markup`<p>${plural(plan.actions.length, 'action')}, ${plan.summary.unchanged} unchanged${outcome !== 'done' && `, exit code ${EXIT_CODES[outcome]} (${outcome})`}. Digest <code>${escapeText(plan.digest, 100)}</code>. ${hasActions && 'The digest names exactly these actions: another plan has another one.'}</p>`,
    ],
  });
}

/** What apply does not do of it, in numbers. */
function openSentence(plan: Plan): string {
  const open = (
    [
      [plan.blocked.length, 'is blocked', 'are blocked'],
      [plan.waiting.length, 'is waiting', 'are waiting'],
      [plan.manual.length, 'has to be done by hand', 'have to be done by hand'],
      [plan.unknown.length, 'could not be read', 'could not be read'],
    ] as const
  ).flatMap(([count, one, many]) => (count === 0 ? [] : [`${plural(count, 'object')} ${count === 1 ? one : many}`]));
  if (open.length === 0) return '';
  const sum = plan.blocked.length + plan.waiting.length + plan.manual.length + plan.unknown.length;
  return `${sentenceOf(open.join(', '))} Apply leaves ${sum === 1 ? 'it' : 'them'} alone.`;
}

function tiles(plan: Plan, heading: 'Plan' | 'Drift', hasActions: boolean): readonly Part[] {
  const count = (verb: Verb): number => plan.actions.filter((action) => action.verb === verb).length;
  const numbers: readonly (readonly [number, string, string, string | undefined])[] = [
    ...driftGroups(plan.drift ?? []).map(
      ({ title, items, class: which }) =>
        [items.length, title.toLowerCase(), which === 'pending' ? 'note' : 'update', anchorOf(title)] as const,
    ),
    ...(heading === 'Drift' && !hasActions
      ? []
      : ([
          [count('create'), 'to create', 'create', 'actions'],
          [count('update'), 'to change', 'update', 'actions'],
          [count('delete'), 'to delete', 'delete', 'actions'],
        ] as const)),
    ...groupsOf(plan).map(
      ({ title, entries }) => [entries.length, title.toLowerCase(), 'note', anchorOf(title)] as const,
    ),
    [countOrphaned(plan.orphaned ?? []), 'orphaned', 'note', 'orphaned'],
    [plan.unmanaged.length, 'unmanaged', 'note', 'unmanaged'],
  ];
  return [
    ...numbers.map(([number, words, tone, anchor]) => number > 0 && tile(number, words, tone, anchor)),
    tile(plan.summary.unchanged, 'unchanged', ''),
  ];
}

function chipsOf(plan: Plan, hasActions: boolean): readonly { readonly only: string; readonly words: string }[] {
  const has = (verb: Verb): boolean => hasActions && plan.actions.some((action) => action.verb === verb);
  return [
    ...(has('create') ? [{ only: 'create', words: 'Create' }] : []),
    ...(has('update') ? [{ only: 'update', words: 'Change' }] : []),
    ...(has('delete') ? [{ only: 'delete', words: 'Delete' }] : []),
    ...(hasActions && plan.actions.some(({ risk }) => risk.length > 0) ? [{ only: 'risk', words: 'With a risk' }] : []),
    ...(hasActions && groupsOf(plan).length > 0 ? [{ only: 'open', words: 'Not in this plan' }] : []),
  ];
}

/** In the order of their first actions. */
function objectsOf(actions: readonly Action[]): ReadonlyMap<Address, readonly Action[]> {
  const objects = new Map<Address, Action[]>();
  for (const action of actions) {
    const root = rootOf(action.address);
    const known = objects.get(root);
    if (known === undefined) objects.set(root, [action]);
    else known.push(action);
  }
  return objects;
}

interface Shown {
  readonly plan: Plan;
  readonly anchors: ReadonlyMap<Address, string>;
  readonly numbers: ReadonlyMap<Address, number>;
  readonly positions: ReadonlyMap<Address, string>;
  readonly options: PlanHtmlOptions;
}

function objectCard(root: Address, actions: readonly Action[], shown: Shown): Markup {
  const { plan, anchors } = shown;
  const risky = actions.filter(({ risk }) => risk.length > 0).length;
  return markup`<details class="card root group" id="${anchors.get(root)}"${plan.actions.length <= FEW && markup` open`}><summary class="row"><span class="what"><h3>${objectName(root)}</h3></span><span class="soft">${countActions(actions)}</span>${risky > 0 && markup`<span class="badge risk">${risky} with a risk</span>`}</summary><ol>${actions.map((action) => actionItem(action, shown))}</ol></details>
`;
}

function actionItem(action: Action, { plan, numbers, positions, options: { verbose, context } }: Shown): Markup {
  const number = numbers.get(action.address) as number;
  const few = plan.actions.length <= FEW;
  const is = [action.verb, ...(action.risk.length > 0 ? ['risk'] : [])].join(' ');
  const title = markup`<span class="no">#${number}</span>${verbBadge(action.verb)}<span class="what">${objectName(action.address, true)}${riskBadges(action)}${!few && markup` <span class="soft">${glance(action)}</span>`}</span>${place(action.source)}`;
  const beside = besideLines(action).map(({ text }) => markup`<p>${prose(sentenceOf(text))}</p>`);
  const needs = groupNeeds(action, numbers).map(
    ({ after, reason, rule }) =>
      markup`<p class="soft">After ${numbered(after, plan.actions.length)} because ${prose(reason)}${verbose && ` (${rule})`}.</p>`,
  );
  const requests =
    verbose &&
    markup`<details class="more"><summary>Requests</summary>${block(stepText(action, plan.bindings))}</details>`;
  const reason = sentenceOf(saidReason(action));
  const keep = keepLines(action);
  const kept = keep !== undefined && markup`<p>${prose(sentenceOf(keep.text))}</p>${block(keep.yaml)}`;
  return markup`<li class="item" data-is="${is}"><details class="act" id="a${number}"${few && markup` open`}><summary class="row">${title}</summary><div class="body">${reason !== '' && markup`<p>${prose(reason)}</p>`}${beside}${kept}${changeTable(action, context, positions.get(action.address))}${needs}${requests}</div></details></li>
`;
}

/** `#1, #3-#7` with links to the actions. */
function numbered(text: string, count: number): readonly Part[] {
  return text
    .split(/(#\d+)/)
    .map((part) =>
      /^#\d+$/.test(part) && Number(part.slice(1)) <= count ? markup`<a href="#a${part.slice(1)}">${part}</a>` : part,
    );
}

function unmanagedSection({ unmanaged }: Plan): Part {
  if (unmanaged.length === 0) return undefined;
  const blocks = importable(unmanaged, Infinity).map(
    ({ collection, commands, yaml }) =>
      markup`<li class="item" data-is="open"><div>Add these lines of <b>${collection}</b> to the manifest with:</div>${block(commands)}${block(yaml)}</li>
`,
  );
  return section(
    'unmanaged',
    `Unmanaged (${unmanaged.length})`,
    'Live, named by no manifest, left alone.',
    markup`<details class="card group"><summary class="row">Commands that adopt them</summary><ul class="rows">${blocks}</ul></details>`,
  );
}
