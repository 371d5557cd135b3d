// How to keep what a list would delete only because it never named it: a command, or the lines of YAML.
import type { Address } from '../../model/address.ts';
import type { Action } from '../../model/plan/plan.ts';
import { quoteAddress } from './shell.ts';

/** So many addresses one command names. */
const MOST = 5;

/** The command that adds them to their manifests; undefined where none can be added by a command. */
export function keepStep(actions: readonly Action[]): { readonly command: string; readonly words: string } | undefined {
  const all = actions.filter(({ keep }) => keep?.accept === true);
  if (all.length === 0) return undefined;
  const named = all.slice(0, MOST).map(({ address }) => ` --accept ${quoteAddress(address)}`);
  return {
    command: `hostwright drift${named.join('')}`,
    words: `keeps ${all.length > MOST ? `${MOST} of the ${all.length} that are` : 'what is'} live and not in the list`,
  };
}

/** What to do first where a list deletes what it never named; none where it does not. */
export function keepSentences(actions: readonly Action[]): readonly string[] {
  const all = actions.filter(({ keep }) => keep !== undefined);
  if (all.length === 0) return [];
  const step = keepStep(actions);
  const [what, it] = all.length === 1 ? ['1 object is', 'it'] : [`${all.length} objects are`, 'them'];
  const how =
    step === undefined ? 'the lines stand with each below' : `\`${step.command}\`, or the lines that stand below`;
  return [`${what} live, and not in the list. To keep ${it}, add ${it}: ${how}.`];
}

/** The same beside one action, whose YAML follows where no command writes that. */
export function keepLine(address: Address, { accept }: NonNullable<Action['keep']>): string {
  return accept
    ? `to keep it, add it: \`hostwright drift --accept ${quoteAddress(address)}\``
    : 'to keep it, add it to the list that the manifest has:';
}
