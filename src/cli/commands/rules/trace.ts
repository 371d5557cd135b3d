// `test --url`: what the rules of a site do with one request.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderTraceJson } from '../../../report/json/trace.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { reportProblems, reportResult, textOptions } from '../../report.ts';
import type { RunOptions } from '../../settings.ts';
import { checkAccess, createSession } from '../../settings.ts';

export interface TraceOptions extends RunOptions {
  readonly method?: string;
  readonly country?: string;
  readonly ip?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly cookie?: Readonly<Record<string, string>>;
  readonly live?: boolean;
}

/** Traces one request through the rules of the manifests, or of the account with `live`. */
export async function traceUrl(
  context: Context,
  options: TraceOptions,
  url: string,
  paths: readonly string[],
): Promise<OutcomeWord> {
  const { method = 'GET', country, ip, header = {}, cookie = {}, live = false } = options;
  const early = live ? checkAccess(context.env) : [];
  if (early.length > 0) return reportProblems(context, early);
  if (live) await startProgress(context);
  const { traceWorkspace } = await import('../../../usecases/trace/request.ts');
  const request = {
    url: new URL(url),
    method,
    headers: header,
    cookies: cookie,
    ...(country !== undefined && { country }),
    ...(ip !== undefined && { ip }),
  };
  const { trace: traced, diagnostics } = await traceWorkspace(createSession(context, options), request, {
    paths,
    live,
  });
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  if (traced === undefined) return reportProblems(context, diagnostics, outcome);
  const { traceReport } = await import('../../../report/blocks/trace.ts');
  const { writePage } = await import('../../../report/page.ts');
  const { blocks } = traceReport({ trace: traced, request, live });
  await reportResult(context, diagnostics, {
    json: () => renderTraceJson({ trace: traced, request, live }, { outcome, diagnostics }),
    text: () => writePage(blocks, context.options.format, textOptions(context)),
  });
  return outcome;
}
