// `trace`: what the rules of a site say of one request.
import { Argument, InvalidArgumentError, Option } from 'commander';
import { isIP } from 'node:net';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderTraceJson } from '../../../report/json/trace.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { pathsArgument, withPrograms } from '../../options.ts';
import { parseUrl } from '../../parse.ts';
import { reportProblems, reportResult, textOptions } from '../../report.ts';
import type { RunOptions } from '../../settings.ts';
import { checkAccess, createSession } from '../../settings.ts';

interface TraceOptions extends RunOptions {
  readonly method: string;
  readonly country?: string;
  readonly ip?: string;
  readonly header: Readonly<Record<string, string>>;
  readonly cookie: Readonly<Record<string, string>>;
  readonly live?: boolean;
}

const HELP = `
What you do not give of the request is not known: a rule that looks at it is shown with "?". Nothing is sent to the address itself.
In which order the CDN and Shield carry rules out is not documented. Where it matters, the answer says so.`;

export function addTrace(program: CliCommand): void {
  withPrograms(program.command('trace'))
    .description('Show what the rules of a site do with a request: edge rules, Shield, caching.')
    .addArgument(new Argument('<url>', 'The address that is asked for.').argParser(parseAddressBar))
    .addArgument(pathsArgument())
    .option('--live', 'Read the rules from the account, whatever manifests say.')
    .addOption(new Option('--method <method>', 'The method of the request.').argParser(parseMethod).default('GET'))
    .addOption(new Option('--country <code>', 'The country of the visitor, such as NL.').argParser(parseCountry))
    .addOption(new Option('--ip <address>', 'The address of the visitor.').argParser(parseIp))
    .addOption(
      new Option('--header <name: value>', 'A header of the request (repeatable).')
        .argParser(collectHeader)
        .default({}, 'none'),
    )
    .addOption(
      new Option('--cookie <name=value>', 'A cookie of the request (repeatable).')
        .argParser(collectCookie)
        .default({}, 'none'),
    )
    .addHelpText('after', HELP)
    .formats('markdown')
    .examples(
      ['hostwright trace https://shop.example.com/old/shoes', 'which rules match, and what they do'],
      ['hostwright trace https://shop.example.com/ --country BE --ip 198.51.100.7', 'for a visitor'],
      ['hostwright trace https://shop.example.com/ --live', 'by the rules that are live'],
    )
    .runs(trace);
}

async function trace(
  context: Context,
  options: TraceOptions,
  url: string,
  paths: readonly string[],
): Promise<OutcomeWord> {
  const { method, country, ip, header, cookie, live = false } = options;
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

function parseAddressBar(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is an http or https URL.');
  return parseUrl(text);
}

function parseMethod(text: string): string {
  if (!/^[a-z]{1,32}$/i.test(text)) throw new InvalidArgumentError('A method is one word of letters, such as POST.');
  return text.toUpperCase();
}

function parseCountry(text: string): string {
  if (!/^[a-z]{2}$/i.test(text)) throw new InvalidArgumentError('A country is two letters, such as NL.');
  return text.toUpperCase();
}

function parseIp(text: string): string {
  if (isIP(text) === 0) throw new InvalidArgumentError('It is an IP address, such as 198.51.100.7.');
  return text;
}

function collectHeader(text: string, previous: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value = ''] = /^([^\s:]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("A header is a name and a value: 'User-Agent: curl'.");
  return { ...previous, [name.toLowerCase()]: value };
}

function collectCookie(text: string, previous: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value = ''] = /^([^\s=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('A cookie is a name and a value: session=abc.');
  return { ...previous, [name]: value };
}
