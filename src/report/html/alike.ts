// Actions that say the same about many objects, told once: at the top what a reviewer must not miss, below it the
// changes that repeat.
import { kindOf } from '../../model/address.ts';
import type { Address } from '../../model/address.ts';
import type { Action } from '../../model/plan/plan.ts';
import { besideLines, numberActions, plural, RISK_WORDS, sortRisks } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import { markup } from './markup.ts';
import type { Markup, Part } from './markup.ts';
import { glance, lastOf, objectName, place, prose, riskBadges, rows, titleOf, verbBadge } from './parts.ts';

/** So many that say the same become one line. */
const MANY = 5;
/** Of what a reviewer must not miss, hardly anything is cut. */
const MOST_FIELDS = 20;

/** One line for each action that charges, deletes, restarts, exposes or cannot be undone, what hurts most first. */
export function riskSection(actions: readonly Action[], linked: boolean): Part {
  const numbers = numberActions(actions);
  const ranks = Object.keys(RISK_WORDS);
  const rank = ({ risk }: Action): number => ranks.indexOf(sortRisks(risk)[0] as string);
  const risky = actions.filter(({ risk }) => risk.length > 0).sort((left, right) => rank(left) - rank(right));
  if (risky.length === 0) return undefined;
  const lines = groupsAlike(risky).map(({ first, all }) =>
    all.length < MANY
      ? all.map((action) => riskRow(action, numbers, linked))
      : markup`<li>${manyRow(first, all, numbers, linked)}</li>
`,
  );
  return markup`<section id="risks"><h2>Look at these first (${risky.length})</h2><ul class="card rows danger">${lines}</ul></section>`;
}

function riskRow(action: Action, numbers: ReadonlyMap<Address, number>, linked: boolean): Markup {
  const beside = besideLines(action).map(({ text }) => text);
  // The name says all of what goes.
  const values = action.verb === 'delete' ? '' : glance(action, MOST_FIELDS);
  const said = [values === '' ? escapeText(action.reason) : values, ...beside].join('; ');
  return markup`<li><div class="row">${verbBadge(action.verb)}<span class="what">${objectName(action.address)}${riskBadges(action)}</span>${place(action.source)}${numberLink(action, numbers, linked)}</div><div class="soft">${prose(said)}</div></li>
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
    repeated.map(
      ({ first, all }) => markup`<li>${manyRow(first, all, numbers, true)}</li>
`,
    ),
  )}</section>`;
}

function manyRow(
  first: Action,
  all: readonly Action[],
  numbers: ReadonlyMap<Address, number>,
  linked: boolean,
): Markup {
  const values = first.verb === 'delete' ? '' : glance(first, MOST_FIELDS);
  return markup`<div class="row">${verbBadge(first.verb)}<span class="what"><strong>${all.length} × ${kindOf(first.address)}</strong>${riskBadges(first)}</span></div><div class="soft">${prose(values === '' ? escapeText(first.reason) : values)}</div><details class="more"><summary>Which ones</summary><ul>${all.map(
    (action) =>
      markup`<li>${linked ? markup`<a href="#a${numbers.get(action.address)}">${titleOf(action.address)}</a>` : titleOf(action.address)}</li>
`,
  )}</ul></details>`;
}

function numberLink({ address }: Action, numbers: ReadonlyMap<Address, number>, linked: boolean): Part {
  const number = numbers.get(address);
  return linked && markup`<a href="#a${number}" aria-label="Action ${number}: ${lastOf(address)}">#${number}</a>`;
}

interface Alike {
  readonly first: Action;
  readonly all: readonly Action[];
}

/** By kind, verb, risks, price and values; of what is deleted the values are its own, so they do not count. */
function groupsAlike(actions: readonly Action[]): readonly Alike[] {
  const groups = new Map<string, { readonly first: Action; readonly all: Action[] }>();
  for (const action of actions) {
    const { address, verb, risk, cost, changes, reason } = action;
    const key = JSON.stringify([
      kindOf(address),
      verb,
      sortRisks(risk),
      cost ?? 0,
      verb === 'delete' ? reason : changes,
    ]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { first: action, all: [action] });
    else known.all.push(action);
  }
  return [...groups.values()];
}
