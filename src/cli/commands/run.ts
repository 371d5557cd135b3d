// `run`: carries out an operation on one object, such as a restart, a backup or a cancellation. The operations and their
// options come from the tables of the areas.
import { Argument, Option } from 'commander';
import type { OptionForm } from '../../model/plan/operation.ts';
import { addressForm, OPERATION_OPTIONS } from '../../model/plan/operation.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderJson } from '../../report/json/index.ts';
import type { OperationRequest } from '../../usecases/act/act.ts';
import { findOperation, OPERATION_ROWS, operationsOn, optionForm } from '../../usecases/act/operations.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { withYes } from '../options.ts';
import { parseDays } from '../parse.ts';
import { reportProblems } from '../report.ts';
import { actWith } from './act.ts';

const HELP = `
Operations:
${OPERATION_ROWS.map((row) => `  ${row.name.padEnd(15)} ${addressForm(row)}${row.takes.length === 0 ? '' : ` [${row.takes.map((option) => `--${option}`).join(' ')}]`}\n    ${row.does}`).join('\n')}

Site/NAME is the name of a Site manifest. Site/id:ID is a live site; no manifest is read. Contacts and orders have the ids
that \`hostwright get\` shows.
An operation asks for confirmation at a terminal. Elsewhere it requires --yes. A request that could do its work twice is
sent once; run the same command again to continue after an interruption.`;

interface RunOptions extends Omit<OperationRequest, 'operation' | 'address'> {
  readonly list?: boolean;
}

export function addRun(program: CliCommand): void {
  const command = withYes(program.command('run'))
    .description('Run an operation on one object, such as restart, purge, backup, restore or cancel.')
    .addArgument(operationArgument())
    .argument('[address]', 'The object, such as Site/shop or DomainRegistration/example.com.')
    .option('--list', 'List the operations, or those that an address supports.');
  for (const [name, form] of Object.entries(OPERATION_OPTIONS))
    for (const option of optionsOf(name, form)) command.addOption(option);
  command
    .addHelpText('after', HELP)
    .examples(
      ['hostwright run --list Site/shop', 'the operations that a site supports'],
      ['hostwright run restart Site/shop --yes', 'without confirmation'],
      ['hostwright run purge Site/shop --layer redis', 'one cache layer'],
      ['hostwright run backup Site/shop --volume content --name before-import', 'one volume, under this name'],
      ['hostwright run restore Site/shop --volume content', 'lists the archives of this volume'],
      ['hostwright run restore Site/shop --volume content --archive 17 --backup --yes', 'with a backup first'],
      ['hostwright run epp-code DomainRegistration/example.com', 'the transfer code'],
      ['hostwright run transfer-out DomainRegistration/example.com --decision reject', 'the name stays'],
      ['hostwright run resend DomainContact/801', 'the verification message'],
      ['hostwright run delete-unused DomainContact', 'lists the contacts and asks'],
      ['hostwright run cancel Order/0f6c2a9e-4f58-4b8e-9d5e-0a8f6f0c7b11', 'an order that is not completed'],
    )
    .action((operation: string | undefined, address: string | undefined, { list = false }: RunOptions) => {
      if (list) {
        if (address !== undefined) command.error('error: --list takes one address and no operation');
        return command.execute((context) => listOperations(context, operation));
      }
      if (operation === undefined || address === undefined)
        return command.error(
          `error: missing required argument '${operation === undefined ? 'operation' : 'address'}'; run --list lists the operations`,
        );
      return command.execute<RunOptions>((context, options) =>
        runOperation(context, { ...options, operation, address }),
      );
    });
}

/** A shell completes the operations. An unknown one is answered with the nearest. */
function operationArgument(): Argument {
  const argument = new Argument('[operation]', 'What to do, such as restart.');
  argument.argChoices = [...new Set(OPERATION_ROWS.map(({ name }) => name))];
  return argument;
}

function optionsOf(name: string, { value, does, choices, isDays, negated }: OptionForm): readonly Option[] {
  const users = OPERATION_ROWS.filter(({ takes }) => (takes as readonly string[]).includes(name)).map(
    (row) => row.name,
  );
  const option = new Option(
    value === undefined ? `--${name}` : `--${name} <${value}>`,
    `${[...new Set(users)].join(', ')}: ${does}`,
  );
  if (choices !== undefined) option.choices(choices);
  if (isDays === true) option.argParser(parseDays);
  return negated === undefined ? [option] : [option, new Option(`--no-${name}`, `${users.join(', ')}: ${negated}`)];
}

async function listOperations(context: Context, address: string | undefined): Promise<OutcomeWord> {
  const rows = address === undefined ? OPERATION_ROWS : operationsOn(address);
  if ('code' in rows) return reportProblems(context, [rows]);
  if (context.json) {
    context.output.result(
      renderJson(
        rows.map((row) => ({
          operation: row.name,
          address: addressForm(row),
          options: row.takes.map((option) => ({ option: `--${option}`, required: row.needs.includes(option) })),
          does: row.does,
        })),
      ),
    );
    return 'done';
  }
  const { renderTable } = await import('../../report/text/table.ts');
  const cells = rows.map((row) => [row.name, addressForm(row), row.takes.map(optionForm).join(' ') || '-', row.does]);
  context.output.result(
    renderTable(['OPERATION', 'ADDRESS', 'OPTIONS', 'DESCRIPTION'], cells, { color: context.color.stdout }),
  );
  return 'done';
}

async function runOperation(
  context: Context,
  { list: _list, ...options }: RunOptions & OperationRequest,
): Promise<OutcomeWord> {
  const found = findOperation(options.operation, options.address, options);
  if ('code' in found) return reportProblems(context, [found]);
  const { act } = await import('../../usecases/act/act.ts');
  const { yes = false } = options;
  return actWith(context, { yes }, (session, confirm) => act(session, options, confirm));
}
