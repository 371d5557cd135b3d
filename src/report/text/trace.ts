// What the rules say of a request, and the tests of manifests, in the form that was asked for.
import type { TriedTest } from '../../model/plan/trace.ts';
import type { Report } from '../blocks/block.ts';
import type { ShownTrace } from '../blocks/trace.ts';
import { testsReport, traceReport } from '../blocks/trace.ts';
import { writeReport } from '../markdown/write.ts';
import type { TextOptions } from './write.ts';
import { writeText } from './write.ts';

/** Markdown, or else text. */
export function renderTrace(shown: ShownTrace, format: string, options: TextOptions): string {
  return rendered(traceReport(shown), format, options);
}

export function renderTests(tests: readonly TriedTest[], format: string, options: TextOptions): string {
  return rendered(testsReport(tests), format, options);
}

function rendered(report: Report, format: string, options: TextOptions): string {
  if (format === 'markdown') return writeReport(report, { count: 'characters', most: Infinity }) ?? '';
  return writeText(report.blocks, options);
}
