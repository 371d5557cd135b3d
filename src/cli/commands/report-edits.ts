// Which stream edited files are shown on: the edits on stdout, what is said beside them on stderr.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { EditedFile } from '../../report/text/edits.ts';
import { renderEdits } from '../../report/text/edits.ts';
import { renderEditsJson } from '../../report/json/index.ts';
import type { Context } from '../context.ts';
import { reportDiagnostics, reportProblems } from '../report.ts';

export interface EditsToReport {
  /** Absent when there are errors. */
  readonly files?: readonly EditedFile[];
  readonly written: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export async function reportEdits(
  context: Context,
  { files, written, diagnostics }: EditsToReport,
  outcome: OutcomeWord,
): Promise<OutcomeWord> {
  if (files === undefined) return reportProblems(context, diagnostics, outcome, 'drift');
  context.progress.stop();
  if (context.json) {
    context.output.result(renderEditsJson({ files, written }, { outcome, diagnostics }));
    return outcome;
  }
  context.output.result(renderEdits(files, { color: context.color.stdout, written }));
  reportDiagnostics(context, diagnostics);
  return outcome;
}
