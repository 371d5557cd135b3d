// What is orphaned as blocks: the objects stand open, what to write to delete or to keep them is folded.
import type { Plan } from '../../model/plan/plan.ts';
import { ORPHANED_MEANING, countOrphaned, orphanedBlocks } from '../view/orphaned.ts';
import type { Block, Item } from './block.ts';
import { code, marked, paragraph } from './block.ts';

export function orphanedSection(plan: Plan): readonly Block[] {
  const groups = orphanedBlocks(plan);
  if (groups.length === 0) return [];
  const items = groups.flatMap(({ objects }) =>
    objects.map(({ address, what }): Item => ({ line: [marked('name', address)], about: [what] })),
  );
  const advice = groups.flatMap(({ objects: [first], advice: all }) => [
    paragraph(marked('name', first?.address ?? '')),
    ...all.flatMap(({ words, lines = [], language = 'yaml' }) => [
      paragraph(`${words}${lines.length === 0 ? '' : ':'}`),
      ...code(language, lines),
    ]),
  ]);
  return [
    {
      is: 'section',
      title: 'Orphaned',
      count: countOrphaned(plan.orphaned ?? []),
      meaning: [ORPHANED_MEANING],
      anchor: 'orphaned',
      blocks: [
        { is: 'list', items },
        { is: 'details', line: ['How to delete or to keep them'], weight: 'yaml', blocks: advice },
      ],
    },
  ];
}
