// The same view of what must not be missed and of what repeats as the terminal and a comment have, with links.
import type { Address } from '../../model/address.ts';
import type { Action } from '../../model/plan/plan.ts';
import { MANY, groupsAlike, showAlike } from '../view/alike.ts';
import { numberActions, plural } from '../view/document.ts';
import { headLines } from '../view/head-lines.ts';
import type { HeadLine } from '../view/head-lines.ts';
import { titleOf } from '../view/names.ts';
import { markup } from './markup.ts';
import type { Markup, Part } from './markup.ts';
import { lastOf, prose, rows, verbBadge } from './parts.ts';

/** One line for each action that charges, deletes, restarts, exposes or cannot be undone, what hurts most first. */
/** `changes`: what the branch says otherwise about what a run may do, a line each. */
export function riskSection(actions: readonly Action[], linked: boolean, changes: readonly string[]): Part {
  const numbers = numberActions(actions);
  const lines = headLines(actions);
  if (lines.length + changes.length === 0) return undefined;
  const count = lines.reduce((sum, line) => sum + line.actions.length, changes.length);
  return markup`<section id="risks"><h2>Look at these first (${count})</h2><ul class="card rows danger">${changes.map(
    (line) => markup`<li><div class="row"><span class="what">${prose(line)}</span></div></li>
`,
  )}${lines.map((line) => riskRow(line, numbers, linked))}</ul></section>`;
}

function riskRow({ actions, text, source }: HeadLine, numbers: ReadonlyMap<Address, number>, linked: boolean): Markup {
  const [first] = actions as readonly [Action];
  const place = source !== undefined && markup`<span class="place">${source}</span>`;
  const link = actions.length === 1 && numberLink(first, numbers, linked);
  return markup`<li><div class="row"><span class="what">${prose(text)}</span>${place}${link}</div>${actions.length > 1 && whichOnes(actions, numbers, linked)}</li>
`;
}

/** Updates that write the same values into objects of one kind. */
export function repeatedSection(actions: readonly Action[]): Part {
  const numbers = numberActions(actions);
  const updates = actions.filter(({ verb, risk }) => verb === 'update' && risk.length === 0);
  const repeated = groupsAlike(updates).filter(({ all }) => all.length >= MANY);
  if (repeated.length === 0) return undefined;
  const sum = repeated.reduce((count, { all }) => count + all.length, 0);
  return markup`<section id="repeated" class="quiet"><h2>The same change on many objects</h2><p>${plural(repeated.length, 'change')} for ${sum} of ${actions.length} actions.</p>${rows(
    repeated.map((group) => {
      const { text, source } = showAlike(group);
      const place = source !== undefined && markup`<span class="place">all from ${source}</span>`;
      return markup`<li><div class="row">${verbBadge(group.first.verb)}<span class="what">${prose(text)}</span>${place}</div>${whichOnes(group.all, numbers, true)}</li>
`;
    }),
  )}</section>`;
}

function whichOnes(actions: readonly Action[], numbers: ReadonlyMap<Address, number>, linked: boolean): Markup {
  return markup`<details class="more"><summary>Which ones</summary><ul>${actions.map(
    ({ address }) =>
      markup`<li>${linked ? markup`<a href="#a${numbers.get(address)}">${titleOf(address)}</a>` : titleOf(address)}</li>
`,
  )}</ul></details>`;
}

function numberLink({ address }: Action, numbers: ReadonlyMap<Address, number>, linked: boolean): Part {
  const number = numbers.get(address);
  return linked && markup`<a href="#a${number}" aria-label="Action ${number}: ${lastOf(address)}">#${number}</a>`;
}
