// How what is orphaned reads in a terminal: each object, who made it, and what to write to delete or to keep it.
import type { Plan } from '../../model/plan/plan.ts';
import { ORPHANED_MEANING, orphanedBlocks, orphanedTitle } from '../view/orphaned.ts';
import type { Style } from './style.ts';

export function orphanedBlock(plan: Plan, { concise }: { readonly concise: boolean }, style: Style): readonly string[] {
  const blocks = orphanedBlocks(plan);
  if (blocks.length === 0) return [];
  const lines = blocks.flatMap(({ objects, advice }) => [
    ...objects.map(({ address, what }) => `  ${style.strong(address)}  ${what}`),
    ...(concise ? [] : advice).flatMap(({ words, lines: text = [] }) => [
      `      ${style.faint('->')} ${words}${text.length === 0 ? '' : ':'}`,
      ...text.map((line) => `           ${line}`),
    ]),
  ]);
  return [[`${style.careful(orphanedTitle(plan))}${style.faint(`: ${ORPHANED_MEANING}`)}`, ...lines].join('\n')];
}
