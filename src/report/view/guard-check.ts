// The first sentence of a plan: whether apply will run it, and what would allow it where it would not.
import type { GuardCheck, Refusal } from '../../model/plan/guard-check.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { escapeText } from './escape.ts';
import { showAddress } from './names.ts';

export interface ShownCheck {
  readonly runs: boolean;
  /** Whether it runs, under whose guards, and why not. */
  readonly first: string;
  /** What to do about it: sentences. Empty where it runs. */
  readonly remedies: readonly string[];
}

const NAMED = 3;

/** Undefined where there is nothing to run. */
export function showCheck(
  { actions, deferred }: Pick<Plan, 'actions' | 'deferred'>,
  { from, options, refusals }: GuardCheck,
): ShownCheck | undefined {
  if (actions.length === 0) return undefined;
  const beaten = options.map((option) => `\`${escapeText(option, 100)}\``).join(' ');
  const guards = `guards of ${showFrom(from)}${beaten === '' ? '' : `, with ${beaten}`}`;
  const later = deferred.length === 0 ? '' : ' What is planned later is checked then.';
  if (refusals.length === 0)
    return { runs: true, first: `Apply will run this: allowed by the ${guards}.${later}`, remedies: [] };
  const reasons = together(refusals).map(
    ({ reason, addresses }) => `${escapeText(reason)}${addresses.length === 0 ? '' : `: ${showSome(addresses)}`}`,
  );
  const named = refusals.flatMap(({ option }) => option ?? []);
  const place = isCommit(from) ? `in hostwright.yaml at ${showFrom(from)}` : `in ${escapeText(from, 100)}`;
  const allow = named.length === 0 ? [] : [`Allow with \`${escapeText(named.join(' '), 300)}\`, or ${place}.`];
  const others = [...new Set(refusals.flatMap(({ remedy }) => remedy ?? []))].map((remedy) => `${escapeText(remedy)}.`);
  return {
    runs: false,
    first: `Apply will refuse this: ${reasons.join('; ')} (${guards}).`,
    remedies: [...allow, ...others],
  };
}

/** `main`, or the beginning of the id of a commit. */
function showFrom(from: string): string {
  return /^[0-9a-f]{40}$/.test(from) ? `commit ${from.slice(0, 12)}` : escapeText(from, 100);
}

function isCommit(from: string): boolean {
  return !/\.ya?ml$/.test(from);
}

/** Those that say the same of several objects are said once. */
function together(refusals: readonly Refusal[]): readonly Pick<Refusal, 'reason' | 'addresses'>[] {
  const groups = new Map<string, string[]>();
  for (const { reason, addresses } of refusals) groups.set(reason, [...(groups.get(reason) ?? []), ...addresses]);
  return [...groups].map(([reason, addresses]) => ({ reason, addresses }));
}

function showSome(addresses: readonly string[]): string {
  const rest = addresses.length - NAMED;
  return `${addresses.slice(0, NAMED).map(showAddress).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
