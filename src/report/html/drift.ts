// Drift as a page has it: group by group, each object with its three sides in a table, since when and by whom.
import type { DriftItem } from '../../model/plan/drift.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { driftGroups, ignoredLine, showSides, SIDES, whenLines, wholeSentence } from '../view/drift.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { anchorOf, objectName, place, prose, rows, section, sentenceOf } from './parts.ts';

const VALUE_ROOM = 4000;

export function driftSections({ drift = [], ignored = [] }: Plan): readonly Markup[] {
  const groups = driftGroups(drift).map(({ title, meaning, remedy, items }) =>
    section(
      anchorOf(title),
      `${title} (${items.length})`,
      [sentenceOf(meaning), ' ', prose(remedy)],
      rows(items.map(driftRow)),
    ),
  );
  if (ignored.length === 0) return groups;
  const lines = ignored.map(
    (one) => markup`<li class="item" data-is="open">${prose(ignoredLine(one))}</li>
`,
  );
  return [
    ...groups,
    section('ignored', `Ignored (${ignored.length})`, 'Left out of this run, and of its exit code.', rows(lines)),
  ];
}

export function driftRow(item: DriftItem): Markup {
  const whole = wholeSentence(item);
  const times = whenLines(item).map((line) => markup`<div class="soft">${prose(sentenceOf(line.trim()))}</div>`);
  return markup`<li class="item" data-is="drift"><div class="row"><span class="what">${objectName(item.address)}</span>${place(item.source)}</div>${whole !== '' && markup`<div>${prose(sentenceOf(whole))}</div>`}${tableOf(item)}${times}</li>
`;
}

function tableOf({ fields }: DriftItem): Markup | undefined {
  if (fields.length === 0) return undefined;
  const heads = ['field', ...SIDES].map((side) => markup`<th scope="col">${side}</th>`);
  const lines = fields.map((field) => {
    const shown = showSides(field, VALUE_ROOM);
    // The sides that are not as last applied; where that is not known, those that are not alike.
    const changed = (side: string): boolean =>
      field.class === 'differs' ? shown.manifest !== shown.live : side !== shown.applied;
    const cell = (side: string): Markup =>
      markup`<td>${changed(side) ? markup`<mark class="v">${side}</mark>` : markup`<span class="v">${side}</span>`}</td>`;
    return markup`<tr><th scope="row"><code>${shown.field}</code></th><td><span class="v same">${shown.applied}</span></td>${cell(shown.manifest)}${cell(shown.live)}</tr>`;
  });
  return markup`<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}
