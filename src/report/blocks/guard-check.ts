// The first sentence of a plan: whether apply will run it, and what would allow it where it would not.
import type { GuardCheck } from '../../model/plan/guard-check.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { groupBy } from '../../model/common/lists.ts';
import { firstOf } from '../../model/format.ts';
import { escapeText } from '../view/escape.ts';
import { keepSentences } from '../view/keeping.ts';
import { showAddress } from '../view/names.ts';
import type { Block } from './block.ts';
import { marked, paragraph } from './block.ts';

/** Where a reviewer reads how. The package has the page; a test holds that it has the section. */
export const THROUGH_CI = 'A delete or a purchase, through CI';

const NAMED = 3;

/** Whether it runs, under whose guards, and why not. `isPart`: of a run over many accounts. */
export function checkBlocks(
  { actions, deferred }: Pick<Plan, 'actions' | 'deferred'>,
  { from, commit, options, refusals }: GuardCheck,
  { isPart = false, isTerminal = false }: { readonly isPart?: boolean; readonly isTerminal?: boolean },
): readonly Block[] {
  if (actions.length === 0) return [];
  const beaten = options.map((option) => `\`${escapeText(option, 100)}\``).join(' ');
  const guards = `guards of ${showFrom(from, commit)}${beaten === '' ? '' : `, with ${beaten}`}`;
  const later = deferred.length === 0 ? '' : ' Deferred objects are checked when they are planned.';
  if (refusals.length === 0) {
    const says = `Apply will run this: allowed by the ${guards}.${later}`;
    return [paragraph(isTerminal ? marked('strong', says) : says)];
  }
  // Those that say the same of several objects are said once.
  const reasons = [...groupBy(refusals, ({ reason }) => reason)].map(([reason, all]) => {
    const addresses = all.flatMap((one) => one.addresses.map(showAddress));
    return `${escapeText(reason)}${addresses.length === 0 ? '' : `: ${firstOf(addresses, NAMED)}`}`;
  });
  const named = refusals.flatMap(({ option }) => option ?? []);
  const place = isCommit(from) ? `in hostwright.yaml at ${showFrom(from, commit)}` : `in ${escapeText(from, 100)}`;
  const keep = keepSentences(actions);
  const says = `Apply will refuse this: ${reasons.join('; ')} (${guards}).`;
  const others = [...new Set(refusals.flatMap(({ remedy }) => remedy ?? []))].map((remedy) => `${escapeText(remedy)}.`);
  if (isTerminal) {
    const allow = named.length === 0 ? [] : [`Allow with \`${escapeText(named.join(' '), 300)}\`, or ${place}.`];
    return [marked('alarm', says), ...keep, ...allow, ...others].map((one) => paragraph(one));
  }
  // A reviewer types no options of a command.
  const ways = named.length === 0 ? [] : waysThroughCi(named, isPart);
  return [paragraph(`⛔ ${says}`, ...[...keep, ...ways, ...others].map((one) => ` ${one}`))];
}

/** `--allow-deletes 2` is the input `allow-deletes` of a job on GitHub, and `HOSTWRIGHT_ALLOW_DELETES` on GitLab. */
function waysThroughCi(options: readonly string[], isPart: boolean): readonly string[] {
  const how = `How: "${THROUGH_CI}" in \`docs/ci.md\` of the package.`;
  const guardsFirst =
    'aise `guards` in hostwright.yaml in a pull request of its own, merge that one first, and run this plan again.';
  // The job of a fleet is about many accounts: what one of them needs is not given to all.
  if (isPart) return [`If it is meant, r${guardsFirst}`, how];
  const given = options.map((option) => option.split(' '));
  const inputs = given.map(([name = '', value = '']) => `\`${name.slice(2)}: ${escapeText(value, 100)}\``);
  const variables = given.map(
    ([name = '', value = '']) =>
      `\`HOSTWRIGHT_${name.slice(2).replaceAll('-', '_').toUpperCase()}=${escapeText(value, 100)}\``,
  );
  return [
    'If it is meant, there are two ways.',
    `R${guardsFirst}`,
    `Or merge this, and then start the apply job by hand with ${inputs.join(' and ')} (on GitLab ${variables.join(' and ')}).`,
    how,
  ];
}

/** What of an object or of the workspace file the branch says otherwise, one line each. */
export function settingLines({ changes = [] }: Pick<GuardCheck, 'changes'>): readonly string[] {
  return changes.map(({ setting, address, from, to }) => {
    const where = address === undefined ? 'in hostwright.yaml' : `of ${showAddress(address)}`;
    const meaning = meaningOf(setting);
    return `This branch changes \`${escapeText(setting, 100)}\` ${where} from \`${shownValue(from)}\` to \`${shownValue(to)}\`${meaning === '' ? '' : `: ${meaning}`}`;
  });
}

function shownValue(value: string): string {
  return escapeText(value, 200).replaceAll('`', "'");
}

/** What follows from a setting. Empty: its name says it. */
const MEANINGS: readonly (readonly [setting: RegExp, meaning: string])[] = [
  [/^guards\./, 'counts for what is merged after this, not for this plan'],
  [/^lifecycle\.protect$/, 'decides whether it may be deleted or charged for'],
  [/^baseUrl$/, 'the token is sent there'],
  [/^account$/, 'another account is changed'],
  [/^credential/, 'the token is another one, or is sent otherwise'],
  [/^ledger\./, 'another ledger does not know what earlier runs did'],
  [/^secrets\./, 'manifests can use these secrets'],
  [/^callback\./, 'the platform is told to call there'],
];

function meaningOf(setting: string): string {
  return MEANINGS.find(([names]) => names.test(setting))?.[1] ?? '';
}

/** `hostwright.yaml`, `commit 0123456789ab`, or `origin/main, commit 0123456789ab`. */
function showFrom(from: string, commit?: string): string {
  if (/^[0-9a-f]{40}$/.test(from)) return `commit ${from.slice(0, 12)}`;
  return `${escapeText(from, 100)}${commit === undefined ? '' : `, commit ${escapeText(commit.slice(0, 12), 12)}`}`;
}

function isCommit(from: string): boolean {
  return !/\.ya?ml$/.test(from);
}
