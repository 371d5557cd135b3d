// `dns`: what has to stand in the DNS for the account to work, and what of it does.
import { Option } from 'commander';
import type { DnsReport } from '../../model/dns.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { decideOutcome } from '../../model/plan/outcome.ts';
import { renderDnsJson } from '../../report/json/index.ts';
import type { CliCommand } from '../command.ts';
import type { Context, GlobalOptions } from '../context.ts';
import { startProgress } from '../context.ts';
import { pathsArgument, withYes } from '../options.ts';
import { collectResolver } from '../parse.ts';
import { reportProblems, reportResult, textOptions } from '../report.ts';
import { checkAccess, createSession } from '../settings.ts';
import { cannotAsk, consentIn } from './act.ts';

const EXIT_HELP = `
Exit code: 1 when something could not be read or looked up, else 3 when a record is missing, mismatched or not known yet, else 0. With
--no-lookup only what the platform itself reports counts.`;

interface DnsOptions {
  readonly check?: boolean;
  readonly yes?: boolean;
  readonly zone?: boolean;
  readonly lookup: boolean;
  readonly resolver: readonly string[];
}

export function addDns(program: CliCommand): void {
  withYes(program.command('dns'))
    .description('Show the DNS records to publish, and which of them are published.')
    .addArgument(pathsArgument())
    .option('--zone', 'A zone file on stdout instead of the table.')
    .option(
      '--check',
      'Have the platform look at the records of mail domains again first, once in five minutes a domain. Asks.',
    )
    .option('--no-lookup', 'Ask the platform only, not the DNS.')
    .addOption(
      new Option(
        '--resolver <address>',
        'A name server to ask, such as 192.0.2.53 or [2001:db8::53]:5353 (repeatable).',
      )
        .argParser(collectResolver)
        .default([], 'those of this machine'),
    )
    .addHelpText('after', EXIT_HELP)
    .examples(
      ['hostwright dns', 'which records are missing'],
      ['hostwright dns --check --yes', 'after records were published: the platform looks again, then the table'],
      ['hostwright dns --zone --no-lookup > records.zone', 'all of them, as a zone file'],
    )
    .action((paths: string[], _options, command: CliCommand) => {
      const { zone, format, check, yes } = command.optsWithGlobals<GlobalOptions & DnsOptions>();
      if (zone === true && format === 'json')
        command.error('error: a zone file is text: --zone goes without --format json');
      if (yes === true && check !== true) command.error('error: --yes goes with --check: nothing else is asked');
      return command.execute<DnsOptions>((context, options) => dns(context, paths, options));
    });
}

async function dns(
  context: Context,
  paths: readonly string[],
  { zone, lookup, resolver, check, yes = false }: DnsOptions,
): Promise<OutcomeWord> {
  const early = [...checkAccess(context.env), ...(check === true && !yes && !context.canAsk ? [cannotAsk()] : [])];
  if (early.length > 0) return reportProblems(context, early);
  await startProgress(context);
  const { listRecords } = await import('../../usecases/dns/records.ts');
  const session = createSession(context);
  const told: Diagnostic[] = [];
  if (check === true) {
    const { checkRecords } = await import('../../usecases/act/act.ts');
    const before = await listRecords(session, { paths, resolve: false, resolvers: [] });
    if (before.report === undefined) return reportProblems(context, before.diagnostics);
    const confirm = await consentIn(context, session, yes);
    if (typeof confirm !== 'function') return reportProblems(context, [confirm], 'refused');
    const checked = await checkRecords(session, before.checks ?? [], confirm);
    told.push(...checked.diagnostics);
    if (checked.outcome === 'refused') return reportProblems(context, checked.diagnostics, 'refused');
  }
  const found = await listRecords(session, { paths, resolve: lookup, resolvers: resolver });
  const { report } = found;
  const diagnostics = [...told, ...found.diagnostics];
  const outcome = dnsOutcome(report, diagnostics, context.stop.aborted);
  if (report === undefined) return reportProblems(context, diagnostics, outcome);
  const { dnsBlocks } = await import('../../report/blocks/dns.ts');
  const { writeText } = await import('../../report/text/write.ts');
  const { renderZone } = await import('../../report/text/zone.ts');
  await reportResult(context, diagnostics, {
    json: () => renderDnsJson(report, { outcome, diagnostics }),
    text: () => (zone === true ? renderZone(report) : writeText(dnsBlocks(report), textOptions(context))),
  });
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
