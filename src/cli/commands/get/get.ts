// `get`: what is in the account, as a table, JSON or YAML; logs, metrics and raw responses of the API.
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose } from '../../../model/diagnostic.ts';
import { Argument, Option } from 'commander';
import leven from 'leven';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import type { GetKind, Shown } from '../../../model/shown.ts';
import { GET_OPTIONS } from '../../../model/shown.ts';
import { escapeJson } from '../../../report/view/escape.ts';
import { renderJson } from '../../../report/json/index.ts';
import type { GetResult } from '../../../usecases/get/get.ts';
import { findGetKind, GET_KINDS, misfitsOf, namesOf, otherNames } from '../../../usecases/get/kinds.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { collectFilter, collectText, parseDay, parseLimit, parseSpan } from '../../parse.ts';
import { reportDiagnostics, reportProblems } from '../../report.ts';
import { checkAccess, createSession } from '../../settings.ts';
import type { GetOptions } from './options.ts';

/** Where an empty list proves little (ORD-44). */
const NOT_LISTED: Readonly<Record<string, string>> = {
  orders: 'An order is listed once its payment has settled. `hostwright get carts` shows purchases on their way.',
  carts: 'The platform has no list of carts: those in the ledger are shown, any other by its token.',
};

/** The platform's filters of tasks (TSK-06). */
const TASK_FILTERS = ['OK', 'PENDING', 'RUNNING', 'CANCELLED', 'PAUSED', 'FAILED', 'TODAY'];

const HELP = `
Kinds:
${GET_KINDS.map((one) => `  ${one.kind.padEnd(16)} ${otherNames(one)}\n${' '.repeat(19)}${one.shows}`).join('\n')}

NAME is the name or the address of a manifest (shop, Site/shop), bound as \`plan\` binds it; or a hostname, an email address or another name that
the platform knows; or \`id:\` and an id. A manifest takes precedence. Without NAME, no manifest is read.

A cell is \`-\` if the platform shows no value, and \`?\` if it could not be read; the reason is then on standard error and the exit code is 1.
Passwords, tokens and transfer codes are never shown. Times are in UTC.

With --raw, a list that is requested without a query is read to its last page. Only GET requests are sent.`;

export function addGet(program: CliCommand): void {
  const command: CliCommand = program.command('get');
  command
    .description('Show what is in the account: sites, orders, registrations, mailboxes, logs, metrics, ...')
    .addArgument(kindArgument())
    .argument('[names...]', 'One of them; several of prices and suggestions.')
    .addOption(new Option('--site <name>', 'Show only this site. Required for logs and metrics.'))
    .addOption(new Option('--mailspace <name>', 'Show only this mailspace.'))
    .addOption(new Option('--registration <name>', 'Show only this registration.'))
    .addOption(
      new Option(
        '--query <text>',
        'Show only what the platform finds by this text: contacts, registrations, panel-accounts.',
      ),
    )
    .addOption(new Option('--status <status>', 'Show only tasks with this status.').choices(TASK_FILTERS))
    .addOption(
      new Option('--date <day>', 'The day of Shield events, such as 2026-01-31 (default: today, in UTC).').argParser(
        parseDay,
      ),
    )
    .addOption(
      new Option(
        '--since <duration>',
        'How long ago logs or metrics start, such as 1h or 3d (default: 24h).',
      ).argParser(parseSpan),
    )
    .addOption(
      new Option(
        '--until <duration>',
        'How long ago logs or resource metrics end, such as 1h (default: now). Mail logs include the whole day.',
      ).argParser(parseSpan),
    )
    .addOption(
      new Option(
        '--filter <name=value>',
        'Show only matching log entries (repeatable). access, summary: status, cache_status, country, url_contains; mail: rcpt, sender, subject, delivered (Y or N), end_date; origin: date.',
      ).argParser(collectFilter),
    )
    .addOption(
      new Option(
        '--chart <name>',
        'Plot these metrics, by the name that the platform uses (repeatable; default: the first that are not all zero).',
      ).argParser(collectText),
    )
    .addOption(
      new Option(
        '--limit <n>',
        'Maximum number of orders (default: 20; orders in progress are always shown), Shield events or log entries (default: 100).',
      ).argParser(parseLimit),
    )
    .addOption(
      new Option(
        '-w, --watch',
        `Show each change until nothing is in progress, or new log entries until Ctrl-C: ${GET_KINDS.filter(
          ({ moves }) => moves,
        )
          .map(({ kind }) => kind)
          .join(', ')}.`,
      ),
    )
    .addOption(
      new Option('--raw <path>', 'Print the response to a GET request of this API path, without secrets.').conflicts([
        ...GET_OPTIONS,
        'watch',
      ]),
    )
    .addHelpText('after', HELP)
    .formats('wide', 'yaml')
    .examples(
      ['hostwright get', 'the kinds'],
      ['hostwright get sites', 'all sites, with plan, price and SSH address'],
      ['hostwright get site shop -o yaml', 'all that the platform shows of one site'],
      ['hostwright get tasks --site shop --status RUNNING', 'the tasks in progress'],
      ['hostwright get logs --site shop --since 1h --filter status=500', 'errors of the last hour'],
      ['hostwright get logs summary --site shop --since 6h --until 5h', 'the requests of one hour in numbers'],
      ['hostwright get metrics resources --site shop --since 6h', 'CPU, memory and storage'],
      ['hostwright get prices example.com example.net', 'availability and price of two domain names'],
      ['hostwright get orders --watch', 'until every order is completed'],
      ['hostwright get registrations -o wide', 'with name servers and fees'],
      ["hostwright get --raw '/api/orders?page=2'", 'one page of a list'],
    )
    .action((kind: string | undefined, names: readonly string[], { raw }: GetOptions) => {
      if (raw !== undefined) {
        if (kind !== undefined) command.error('error: --raw takes no kind');
        return command.execute((context) => getRaw(context, raw));
      }
      return command.execute<GetOptions>((context, options) =>
        kind === undefined ? listKinds(context) : getNamed(context, kind, names, options),
      );
    });
}

/** A shell completes the kinds. An unknown one is answered with the nearest. */
function kindArgument(): Argument {
  const argument = new Argument('[kind]', 'What to show. Default: the kinds.');
  argument.argChoices = GET_KINDS.map(({ kind }) => kind);
  return argument;
}

async function listKinds(context: Context): Promise<OutcomeWord> {
  if (context.json) {
    context.output.result(
      renderJson(
        GET_KINDS.map(({ kind, singular, short, shows, takes, moves }) => ({
          kind,
          singular,
          short,
          shows,
          takes,
          moves,
        })),
      ),
    );
    return 'done';
  }
  const { renderTable } = await import('../../../report/text/table.ts');
  const rows = GET_KINDS.map((one) => [one.kind, otherNames(one), one.shows]);
  context.output.result(renderTable(['KIND', 'ALSO', 'SHOWS'], rows, { color: context.color.stdout }));
  return 'done';
}

async function getNamed(
  context: Context,
  written: string,
  names: readonly string[],
  options: GetOptions,
): Promise<OutcomeWord> {
  // `get site/shop`, as in kubectl; the address of a manifest includes its kind, too.
  const [head = '', ...rest] = written.split('/');
  const isPair = names.length === 0 && rest.length > 0;
  const kind = findGetKind(isPair ? head : written);
  if (kind === undefined) return reportProblems(context, [await unknownKind(isPair ? head : written)]);
  const given = isPair ? [rest.join('/')] : names;
  const problems = [...checkAccess(context.env), ...misfits(kind, given, options)];
  if (problems.length > 0) return reportProblems(context, problems);
  const { site } = options;
  if (site !== undefined && kind.kind === 'logs')
    return (await import('./logs.ts')).getLogs(context, given[0], { ...options, site });
  if (site !== undefined && kind.kind === 'metrics')
    return (await import('./metrics.ts')).getMetrics(context, given[0], { ...options, site });
  return showKind(context, kind, given, options);
}

async function getRaw(context: Context, path: string): Promise<OutcomeWord> {
  const { readPath, refusedRequest } = await import('../../../usecases/get/raw.ts');
  const refused = refusedRequest(path);
  const problems = [...(refused === undefined ? [] : [refused]), ...checkAccess(context.env)];
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const result = await readPath(createSession(context), path);
  context.progress.stop();
  const { format } = context.options;
  if (format === 'json' || format === 'yaml') {
    const { renderAnswer } = await import('../../../report/json/rows.ts');
    context.output.result(renderAnswer(path, result.answer, result, format));
  } else {
    if (result.answer !== undefined) context.output.result(escapeJson(JSON.stringify(result.answer, null, 2)));
    await reportDiagnostics(context, result.diagnostics);
  }
  return result.outcome;
}

async function showKind(
  context: Context,
  kind: GetKind,
  names: readonly string[],
  { since: _since, until: _until, filter: _filter, chart: _chart, raw: _raw, ...options }: GetOptions,
): Promise<OutcomeWord> {
  await startProgress(context);
  const { getRows, watchRows } = await import('../../../usecases/get/get.ts');
  const detailed = context.options.format !== 'human';
  const [name] = names;
  const named = kind.isNamed === true ? { names } : name === undefined ? {} : { name };
  const request = { ...options, kind, ...named, detailed };
  const session = createSession(context);
  if (options.watch !== true) {
    const result = await getRows(session, request);
    context.progress.stop();
    const text = await rendered(context, result);
    if (text !== undefined) context.output.result(text);
    return end(context, result, kind, { isEmpty: result.shown?.rows.length === 0, watch: false });
  }
  const print = await watcher(context);
  return end(context, await watchRows(session, request, print), kind, { isEmpty: false, watch: true });
}

async function rendered(context: Context, result: GetResult): Promise<string | undefined> {
  const { shown, outcome, diagnostics } = result;
  const { format } = context.options;
  if (format === 'json' || format === 'yaml') {
    const { renderRowsJson, renderRowsYaml } = await import('../../../report/json/rows.ts');
    return (format === 'json' ? renderRowsJson : renderRowsYaml)(shown, { outcome, diagnostics });
  }
  if (shown === undefined) return undefined;
  const { renderRows } = await import('../../../report/text/rows.ts');
  return renderRows(shown, textOptions(context));
}

function textOptions({ color, options, clock }: Context) {
  return { color: color.stdout, wide: options.format === 'wide', nowMs: clock.now() };
}

/** A table that grows: rows that changed stand below it, in its columns; in JSON and YAML, one object after another. */
async function watcher(context: Context): Promise<(shown: Shown) => void> {
  const { format } = context.options;
  const { renderRowLine, renderRowYaml } = await import('../../../report/json/rows.ts');
  const { renderRows, widthsOf } = await import('../../../report/text/rows.ts');
  let below: readonly number[] | undefined;
  return (shown) => {
    context.progress.pause();
    if (format === 'json' || format === 'yaml') {
      for (const row of shown.rows) context.output.result(format === 'json' ? renderRowLine(row) : renderRowYaml(row));
      return;
    }
    const options = textOptions(context);
    const text = renderRows(shown, { ...options, ...(below !== undefined && { below }) });
    below ??= widthsOf(shown, options);
    if (text !== '') context.output.result(text);
  };
}

async function end(
  context: Context,
  { outcome, diagnostics, cuts = [] }: Omit<GetResult, 'shown'>,
  kind: GetKind,
  { isEmpty, watch }: { readonly isEmpty: boolean; readonly watch: boolean },
): Promise<OutcomeWord> {
  context.progress.stop();
  // In one document they stand in it.
  if (watch || !['json', 'yaml'].includes(context.options.format)) await reportDiagnostics(context, diagnostics);
  if (isEmpty && NOT_LISTED[kind.kind] !== undefined) context.hint(NOT_LISTED[kind.kind] as string);
  for (const { shown, of } of cuts)
    context.hint(
      of === undefined
        ? `Only ${shown} ${kind.kind} are shown; --limit N shows more.`
        : `${shown} of ${of} ${kind.kind} are shown; --limit ${of} shows all.`,
    );
  return outcome;
}

/** Options that the kind does not take are errors: they would have no effect. */
function misfits(kind: GetKind, names: readonly string[], options: GetOptions): readonly Diagnostic[] {
  const wrong = [...misfitsOf(kind, options), ...(options.watch === true && !kind.moves ? (['watch'] as const) : [])];
  const problems = wrong.map((option) => {
    const others = GET_KINDS.filter((one) => (option === 'watch' ? one.moves : one.takes.includes(option)));
    return `\`get ${kind.kind}\` does not take --${option}. It is for ${others.map((one) => one.kind).join(', ')}.`;
  });
  if (kind.isNamed === true && names.length === 0) problems.push(`\`get ${kind.kind}\` requires a domain name.`);
  if (kind.isNamed !== true && names.length > 1) problems.push(`\`get ${kind.kind}\` takes one name.`);
  if (['logs', 'metrics'].includes(kind.kind) && options.site === undefined)
    problems.push(`\`get ${kind.kind}\` requires --site NAME.`);
  return problems.map((detail) => diagnose('HW6513', detail));
}

async function unknownKind(written: string) {
  const { KIND_HABITS } = await import('../../habits.ts');
  const names = GET_KINDS.flatMap(namesOf);
  const word = written.toLowerCase();
  const ranked = [...names].sort((left, right) => leven(left.toLowerCase(), word) - leven(right.toLowerCase(), word));
  const [nearest] = ranked;
  const meant = Object.hasOwn(KIND_HABITS, word) ? KIND_HABITS[word] : undefined;
  // Meaning goes before spelling: `edge` is two letters away from `site`, and has nothing to do with it.
  const guess =
    meant !== undefined
      ? ` ${meant.includes(' ') ? meant : `Did you mean ${meant}?`}`
      : nearest !== undefined && leven(nearest.toLowerCase(), word) <= Math.min(3, Math.floor(word.length / 2))
        ? ` Did you mean ${nearest}?`
        : '';
  return diagnose(
    'HW6573',
    `\`get\` shows no \`${written}\`.${guess} There are: ${GET_KINDS.map(({ kind }) => kind).join(', ')}.`,
  );
}
