// The picture of a plan's order: a node an action, an arrow to what waits for it.
import type { Action } from '../../model/plan/plan.ts';
import { VERB_MARKS } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import { showAddress } from '../view/names.ts';
import { directNeeds } from './order.ts';

/** More nodes than these nobody can follow. */
const MOST_NODES = 40;
const LABEL_LIMIT = 80;

/** The lines of a Mermaid flowchart; undefined when there is no order to show, or too much of it. */
export function mermaidLines(actions: readonly Action[]): readonly string[] | undefined {
  if (actions.length > MOST_NODES) return undefined;
  const numbers = new Map(actions.map(({ address }, index) => [address, index + 1]));
  const arrows = actions.flatMap((action) =>
    directNeeds(action, actions).map(({ address }) => `  a${numbers.get(address)} --> a${numbers.get(action.address)}`),
  );
  if (arrows.length === 0) return undefined;
  const nodes = actions.map(
    ({ address, verb }, index) =>
      `  a${index + 1}["${index + 1} ${label(`${VERB_MARKS[verb]} ${showAddress(address)}`)}"]`,
  );
  return ['flowchart TD', ...nodes, ...arrows];
}

/** Mermaid's own escapes, `#60;`, for all but the plainest characters. */
export function label(text: string, limit = LABEL_LIMIT): string {
  return escapeText(text, limit).replace(/[^A-Za-z0-9 ./~+-]/gu, (character) => `#${character.codePointAt(0)};`);
}
