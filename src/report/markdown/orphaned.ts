// How what is orphaned reads in a comment: the objects stand open, what to write is folded.
import type { RootContent } from 'mdast';
import type { Plan } from '../../model/plan/plan.ts';
import { ORPHANED_MEANING, orphanedBlocks, orphanedTitle } from '../view/orphaned.ts';
import type { ListRoom } from './parts.ts';
import { cutList, name } from './parts.ts';
import { fence, folded, paragraph, prose, strong, text } from './text.ts';

/** `yaml`: whether there is room for what to write. */
export function orphanedParts(
  plan: Plan,
  { yaml, room }: { readonly yaml: boolean; readonly room: ListRoom },
): readonly RootContent[] {
  const blocks = orphanedBlocks(plan);
  if (blocks.length === 0) return [];
  const objects = blocks.flatMap((block) => block.objects);
  const advice = yaml
    ? blocks.flatMap(({ objects: [first], advice: all }) => [
        paragraph(name(first?.address ?? '', room)),
        ...all.flatMap(({ words, lines = [], language = 'yaml' }) => [
          paragraph(...prose(`${words}${lines.length === 0 ? '' : ':'}`)),
          ...(lines.length === 0 ? [] : [fence(language, lines)]),
        ]),
      ])
    : [];
  return [
    paragraph(strong(orphanedTitle(plan)), text(`: ${ORPHANED_MEANING}`)),
    cutList(objects, room, ({ address, what }) => [paragraph(name(address, room), text(': '), ...prose(what))]),
    ...(advice.length === 0 ? [] : folded(['How to delete or to keep them'], advice)),
  ];
}

/** No report has less of each object. */
export function leastOrphanedSize({ orphaned = [] }: Plan, { entries }: ListRoom): number {
  return orphaned
    .flatMap(({ objects }) => objects)
    .slice(0, entries)
    .reduce((sum, { address }) => sum + Math.min(address.length, 20), 0);
}
