// What is orphaned, as a page has it: each list with its objects, and what to write to delete or to keep them.
import type { Plan } from '../../model/plan/plan.ts';
import { ORPHANED_MEANING, orphanedBlocks, orphanedTitle } from '../view/orphaned.ts';
import { markup } from './markup.ts';
import type { Markup, Part } from './markup.ts';
import { block, objectName, prose, rows, section, sentenceOf } from './parts.ts';

export function orphanedSection(plan: Plan): Part {
  const blocks = orphanedBlocks(plan);
  if (blocks.length === 0) return undefined;
  const lines = blocks.map(({ objects, advice }): Markup => {
    const shown = objects.map(
      ({ address, what }) =>
        markup`<div class="row"><span class="what">${objectName(address)}</span></div><div>${prose(sentenceOf(what))}</div>`,
    );
    const remedies = advice.map(
      ({ words, lines: text = [] }) =>
        markup`<p>${prose(`${words}${text.length === 0 ? '' : ':'}`)}</p>${text.length > 0 && block(text)}`,
    );
    return markup`<li class="item" data-is="open">${shown}<details class="more"><summary>How to delete or to keep</summary>${remedies}</details></li>
`;
  });
  return section('orphaned', orphanedTitle(plan), sentenceOf(ORPHANED_MEANING), rows(lines));
}
