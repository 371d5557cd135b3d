// The command `export`: manifests on stdout, or as files in a folder that is named. Only reads the account.
import { hasErrors } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { decideOutcome } from '../../model/plan/outcome.ts';
import { renderExportJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { ExportResult } from '../../workflow/export/export.ts';
import { exportAccount } from '../../workflow/export/export.ts';
import type { Context } from '../context.ts';
import { reportDiagnostics, reportProblems } from '../report.ts';
import type { RunOptions } from '../settings.ts';
import { checkLedgerAccess, checkToken, createSession } from '../settings.ts';
import { startProgress } from '../progress/start.ts';

export interface ExportCommandOptions extends RunOptions {
  readonly out?: string;
  readonly profiles?: boolean;
}

/** Writes, or prints, manifests for what is live. */
export async function exportManifests(
  context: Context,
  targets: readonly string[],
  options: ExportCommandOptions,
): Promise<OutcomeWord> {
  const early = [...checkToken(context.env), ...checkLedgerAccess(context.env)];
  if (early.length > 0) return reportProblems(context, early);
  await startProgress(context);
  const { out, profiles } = options;
  const result = await exportAccount(createSession(context, options), {
    targets,
    ...(out !== undefined && { out }),
    ...(profiles !== undefined && { profiles }),
  });
  const outcome = exportOutcome(result, context.stop.aborted);
  if (result.manifests === undefined) return reportProblems(context, result.diagnostics, outcome);
  context.progress.stop();
  const { manifests, edited = [], named, leftOut, requests, diagnostics } = result;
  if (context.json) {
    context.output.result(
      renderExportJson(
        { manifests, edited: edited.map(({ file }) => file), leftOut, requests },
        { outcome, diagnostics },
      ),
    );
    return outcome;
  }
  if (manifests.length > 0)
    context.output.result(
      out === undefined
        ? manifests.map(({ text }) => text.trimEnd()).join('\n---\n')
        : manifests.map(({ file }) => escapeText(`${out}/${file}`)).join('\n'),
    );
  if (edited.length > 0) context.output.result(edited.map(({ file }) => `${escapeText(file)} (added to)`).join('\n'));
  reportDiagnostics(context, diagnostics);
  context.hint(summaryOf(manifests.length, named, requests, out));
  return outcome;
}

/** What manifests that are there lack and cannot get. */
const CANNOT_ADD: readonly string[] = ['HW6713', 'HW6716'];

function exportOutcome({ manifests, leftOut, diagnostics }: ExportResult, stopped: boolean): OutcomeWord {
  const isPart =
    leftOut.some(({ unknown }) => unknown === true) || diagnostics.some(({ code }) => CANNOT_ADD.includes(code));
  return decideOutcome([
    ...(stopped ? (['interrupted'] as const) : []),
    ...(hasErrors(diagnostics) || manifests === undefined ? (['error'] as const) : []),
    ...(isPart ? (['partly-applied'] as const) : []),
  ]);
}

function summaryOf(count: number, named: number, requests: number, out: string | undefined): string {
  const written = `${count} ${count === 1 ? 'manifest' : 'manifests'}${out === undefined ? '' : ' written'}, proven to plan to nothing with ${requests} reads.`;
  const others = named === 0 ? '' : ` ${named} more ${named === 1 ? 'object has' : 'objects have'} a manifest already.`;
  return `${written}${others}`;
}
