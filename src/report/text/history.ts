// The history in the form that was asked for.
import type { ShownHistory } from '../blocks/history.ts';
import { historyReport } from '../blocks/history.ts';
import { writeReport } from '../markdown/write.ts';
import type { TextOptions } from './write.ts';
import { writeText } from './write.ts';

/** Markdown, or else text. */
export function renderHistory(shown: ShownHistory, format: string, options: TextOptions): string {
  const report = historyReport(shown);
  if (format === 'markdown') return writeReport(report, { count: 'characters', most: Infinity }) ?? '';
  return writeText(report.blocks, options);
}
