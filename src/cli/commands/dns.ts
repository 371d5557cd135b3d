// The command `dns`: what has to stand in the DNS for the account to work, and what of it does. Only reads.
import type { DnsReport } from '../../model/dns.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { decideOutcome } from '../../model/plan/outcome.ts';
import { renderDns } from '../../report/text/dns.ts';
import { renderDnsJson } from '../../report/json/index.ts';
import { renderZone } from '../../report/text/zone.ts';
import { listRecords } from '../../workflow/dns.ts';
import type { Context } from '../context.ts';
import { reportDiagnostics, reportProblems } from '../report.ts';
import { checkToken, createSession } from '../settings.ts';
import { startProgress } from '../progress/start.ts';

export interface DnsCommandOptions {
  readonly zone?: boolean;
  readonly lookup: boolean;
  readonly resolver: readonly string[];
}

export async function dns(
  context: Context,
  paths: readonly string[],
  { zone, lookup, resolver }: DnsCommandOptions,
): Promise<OutcomeWord> {
  const early = checkToken(context.env);
  if (early.length > 0) return reportProblems(context, early);
  await startProgress(context);
  const { report, diagnostics } = await listRecords(createSession(context), {
    paths,
    resolve: lookup,
    resolvers: resolver,
  });
  const outcome = dnsOutcome(report, diagnostics, context.stop.aborted);
  if (report === undefined) return reportProblems(context, diagnostics, outcome);
  context.progress.stop();
  if (context.json) {
    context.output.result(renderDnsJson(report, { outcome, diagnostics }));
    return outcome;
  }
  context.output.result(zone === true ? renderZone(report) : renderDns(report, { color: context.color.stdout }));
  reportDiagnostics(context, diagnostics);
  return outcome;
}

/**
 * 3 while something that is needed is not published, or cannot be yet; a record that nobody looked for counts for
 * nothing.
 */
function dnsOutcome(report: DnsReport | undefined, diagnostics: readonly Diagnostic[], stopped: boolean): OutcomeWord {
  const lacking = (report?.records ?? []).some(
    ({ status, optional }) => optional !== true && status !== 'found' && status !== 'unknown',
  );
  return decideOutcome([
    ...(stopped ? (['interrupted'] as const) : []),
    ...(hasErrors(diagnostics) || report === undefined ? (['error'] as const) : []),
    ...(lacking ? (['waiting'] as const) : []),
  ]);
}
