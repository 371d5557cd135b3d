// `test`: runs the tests of manifests without network, token or ledger, or traces one request through the rules.
import { isIP } from 'node:net';
import { InvalidArgumentError, Option } from 'commander';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderTestsJson } from '../../../report/json/trace.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { diagnosticsOutcome } from '../../exit-code.ts';
import { pathsArgument } from '../../options.ts';
import { parseUrl } from '../../parse.ts';
import { reportResult, textOptions } from '../../report.ts';
import type { RunOptions } from '../../settings.ts';
import { createSession } from '../../settings.ts';
import type { TraceOptions } from './trace.ts';

const HELP = `
With --url, what you do not give of the request is unknown; a rule that depends on it is marked with "?". Nothing is sent to the URL.
The order in which the CDN and Shield apply their rules is not documented. The result says where it matters.`;

const OF_REQUEST = ['live', 'method', 'country', 'ip', 'header', 'cookie'] as const;

interface TestOptions extends TraceOptions {
  readonly url?: string;
}

export function addTest(program: CliCommand): void {
  program
    .command('test')
    .description('Run the `tests` of manifests: requests, and what the rules must do with them.')
    .addArgument(pathsArgument())
    .addOption(
      new Option('--url <url>', 'Show what edge rules, Shield and caching do with a request to this URL.').argParser(
        parseRequestUrl,
      ),
    )
    .option('--live', 'With --url: use the rules of the account instead of those in manifests.')
    .addOption(new Option('--method <method>', 'With --url: the method (default: GET).').argParser(parseMethod))
    .addOption(
      new Option('--country <code>', 'With --url: the country of the visitor, such as NL.').argParser(parseCountry),
    )
    .addOption(new Option('--ip <address>', 'With --url: the IP address of the visitor.').argParser(parseIp))
    .addOption(new Option('--header <name: value>', 'With --url: a header (repeatable).').argParser(collectHeader))
    .addOption(new Option('--cookie <name=value>', 'With --url: a cookie (repeatable).').argParser(collectCookie))
    .addHelpText('after', HELP)
    .formats('markdown')
    .examples(
      ['hostwright test', 'the tests of every manifest of the workspace'],
      ['hostwright test sites/shop.yaml', 'the tests of one file'],
      ['hostwright test --url https://shop.example.com/old/shoes', 'which rules match, and what they do'],
      ['hostwright test --url https://shop.example.com/ --country BE --ip 198.51.100.7', 'for one visitor'],
      ['hostwright test --url https://shop.example.com/ --live', 'with the rules of the account'],
    )
    .action((paths: readonly string[], options: TestOptions, command: CliCommand) => {
      const { url } = options;
      const [misfit] = OF_REQUEST.filter((name) => options[name] !== undefined);
      if (url === undefined && misfit !== undefined) command.error(`error: --${misfit} requires --url`);
      return command.execute<TestOptions>(async (context, given) =>
        url === undefined
          ? test(context, given, paths)
          : (await import('./trace.ts')).traceUrl(context, given, url, paths),
      );
    });
}

async function test(context: Context, options: RunOptions, paths: readonly string[]): Promise<OutcomeWord> {
  const { testWorkspace } = await import('../../../usecases/trace/tests.ts');
  const { tests, diagnostics } = await testWorkspace(createSession(context, options), paths);
  const outcome = diagnosticsOutcome(diagnostics, context.stop.aborted);
  const { testsReport } = await import('../../../report/blocks/trace.ts');
  const { writePage } = await import('../../../report/page.ts');
  await reportResult(context, diagnostics, {
    json: () => renderTestsJson(tests, { outcome, diagnostics }),
    // If manifests cannot be read, it is unknown whether they have tests.
    text: () =>
      tests.length === 0 && diagnostics.length > 0
        ? undefined
        : writePage(testsReport(tests).blocks, context.options.format, textOptions(context)),
  });
  return outcome;
}

function parseRequestUrl(text: string): string {
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

function collectHeader(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value = ''] = /^([^\s:]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("A header is a name and a value: 'User-Agent: curl'.");
  return { ...previous, [name.toLowerCase()]: value };
}

function collectCookie(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value = ''] = /^([^\s=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('A cookie is a name and a value: session=abc.');
  return { ...previous, [name]: value };
}
