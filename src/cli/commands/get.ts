// `get`: what is on the account, as a table, JSON or YAML. Other commands that show rows (`site tasks`, `contact list`)
// are other names for it.
import { diagnose } from '../../model/diagnostic.ts';
import { Argument, Option } from 'commander';
import leven from 'leven';
import { invariant } from '../../model/invariant.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { GetKind, Narrowed, Narrowing, Shown } from '../../model/shown.ts';
import { renderJson } from '../../report/json/index.ts';
import type { GetResult } from '../../usecases/get/get.ts';
import { findGetKind, GET_KINDS, misfitsOf, namesOf, otherNames } from '../../usecases/get/kinds.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { parseDay, parseLimit } from '../parse.ts';
import { reportDiagnostics, reportProblems } from '../report.ts';
import { checkAccess, createSession } from '../settings.ts';

/** Where an empty list proves little (ORD-44). */
const NOT_LISTED: Readonly<Record<string, string>> = {
  orders: 'An order is listed once its payment has settled. `hostwright get carts` shows purchases on their way.',
  carts: 'The platform has no list of carts: those in the ledger are shown, any other by its token.',
};

/** The platform's filters of tasks (TSK-06). */
export const TASK_FILTERS = ['OK', 'PENDING', 'RUNNING', 'CANCELLED', 'PAUSED', 'FAILED', 'TODAY'];

export interface GetOptions extends Narrowed {
  readonly watch?: boolean;
}

const HELP = `
Kinds:
${GET_KINDS.map((one) => `  ${one.kind.padEnd(16)} ${otherNames(one)}\n${' '.repeat(19)}${one.shows}`).join('\n')}

NAME is the name or the address of a manifest (shop, Site/shop), found on the account as \`plan\` finds it; or a hostname, an address, or another name
that the platform knows; or \`id:\` and an id. A manifest goes first. Without NAME no manifest is read, so that nobody has to mend one to look.

A cell is \`-\` where the platform shows nothing, and \`?\` where it could not be read: then the reason is on stderr and the exit code is 1.
Passwords, tokens and authorisation codes are never shown. Times are in UTC.`;

export function addGet(program: CliCommand): void {
  program
    .command('get')
    .description('Show what is on the account: sites, orders, registrations, mailboxes, ...')
    .addArgument(kindArgument())
    .argument('[name]', 'One of them.')
    .addOption(new Option('--site <name>', 'Only in this site.'))
    .addOption(new Option('--mailspace <name>', 'Only in this mailspace.'))
    .addOption(new Option('--registration <name>', 'Only in this registration.'))
    .addOption(
      new Option(
        '--query <text>',
        'Only what the platform finds by this text: contacts, registrations, panel-accounts.',
      ),
    )
    .addOption(new Option('--status <status>', 'Only these tasks.').choices(TASK_FILTERS))
    .addOption(
      new Option('--date <day>', 'The day of Shield events, as 2026-01-31 (default: today, in UTC).').argParser(
        parseDay,
      ),
    )
    .addOption(
      new Option(
        '--limit <n>',
        'Orders (default: 20; those that are on their way are always shown) or events of a site (default: 100) at most.',
      ).argParser(parseLimit),
    )
    .addOption(
      new Option(
        '-w, --watch',
        `Show each change, until nothing is on its way any more: ${GET_KINDS.filter(({ moves }) => moves)
          .map(({ kind }) => kind)
          .join(', ')}.`,
      ),
    )
    .addHelpText('after', HELP)
    .formats('wide', 'yaml')
    .examples(
      ['hostwright get', 'the kinds that there are'],
      ['hostwright get sites', 'all sites, with plan, price and SSH address'],
      ['hostwright get site shop -o yaml', 'all that the platform shows of one'],
      ['hostwright get tasks --site shop --status RUNNING', 'what the platform works on'],
      ['hostwright get orders --watch', 'until every order has ended'],
      ['hostwright get registrations -o wide', 'with name servers and fees'],
    )
    .runs((context, options: GetOptions, kind?: string, name?: string) =>
      kind === undefined ? listKinds(context) : getNamed(context, kind, name, options),
    );
}

/** Completed in a shell; what it does not know is answered with the nearest name. */
function kindArgument(): Argument {
  const argument = new Argument('[kind]', 'What to show; without it, the kinds that there are.');
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
  const { renderTable } = await import('../../report/text/table.ts');
  const rows = GET_KINDS.map((one) => [one.kind, otherNames(one), one.shows]);
  context.output.result(renderTable(['KIND', 'ALSO', 'SHOWS'], rows, { color: context.color.stdout }));
  return 'done';
}

async function getNamed(
  context: Context,
  written: string,
  name: string | undefined,
  options: GetOptions,
): Promise<OutcomeWord> {
  // `get site/shop`, as kubectl takes it; an address of a manifest names its kind too.
  const [head = '', ...rest] = written.split('/');
  const isPair = name === undefined && rest.length > 0;
  const kind = findGetKind(isPair ? head : written);
  if (kind === undefined) return reportProblems(context, [await unknownKind(isPair ? head : written)]);
  return showKind(context, kind.kind, isPair ? rest.join('/') : name, options);
}

/** Shows rows of one kind, by its plural: every command that shows rows ends here. */
export async function showKind(
  context: Context,
  plural: string,
  name: string | undefined,
  options: GetOptions,
): Promise<OutcomeWord> {
  const kind = findGetKind(plural);
  invariant(kind !== undefined, `no kind ${plural}`);
  const problems = [...checkAccess(context.env), ...misfits(kind, options)];
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  const { getRows, watchRows } = await import('../../usecases/get/get.ts');
  const detailed = context.options.format !== 'human';
  const request = { ...options, kind, ...(name !== undefined && { name }), detailed };
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

/** The same context, in which people are shown all that there is. */
export function inFull(context: Context): Context {
  return context.options.format === 'human' ? { ...context, options: { ...context.options, format: 'yaml' } } : context;
}

async function rendered(context: Context, result: GetResult): Promise<string | undefined> {
  const { shown, outcome, diagnostics } = result;
  const { format } = context.options;
  if (format === 'json' || format === 'yaml') {
    const { renderRowsJson, renderRowsYaml } = await import('../../report/json/rows.ts');
    return (format === 'json' ? renderRowsJson : renderRowsYaml)(shown, { outcome, diagnostics });
  }
  if (shown === undefined) return undefined;
  const { renderRows } = await import('../../report/text/rows.ts');
  return renderRows(shown, textOptions(context));
}

function textOptions({ color, options, clock }: Context) {
  return { color: color.stdout, wide: options.format === 'wide', nowMs: clock.now() };
}

/** A table that grows: rows that changed stand below it, in its columns; in JSON and YAML, one object after another. */
async function watcher(context: Context): Promise<(shown: Shown) => void> {
  const { format } = context.options;
  const { renderRowLine, renderRowYaml } = await import('../../report/json/rows.ts');
  const { renderRows, widthsOf } = await import('../../report/text/rows.ts');
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

/** An option that would do nothing is refused. */
function misfits(kind: GetKind, options: GetOptions) {
  const wrong = [...misfitsOf(kind, options), ...(options.watch === true && !kind.moves ? ['watch'] : [])];
  return wrong.map((option) => {
    const others = GET_KINDS.filter((one) =>
      option === 'watch' ? one.moves : one.takes.includes(option as Narrowing),
    );
    return diagnose(
      'HW6513',
      `\`get ${kind.kind}\` takes no --${option}. It is for ${others.map((one) => one.kind).join(', ')}.`,
    );
  });
}

async function unknownKind(written: string) {
  const { KIND_HABITS } = await import('../habits.ts');
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
