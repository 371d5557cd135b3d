// What every command has in common that acts beside plans, or looks at one thing: its arguments, who is asked, and where
// its result goes. A login URL or any other value of a result goes to stdout alone.
import { Argument } from 'commander';
import { diagnose } from '../../model/diagnostic.ts';
import type { ActFormat, ActResult } from '../../model/plan/act.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderActJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { CommandName, Confirm } from '../../usecases/act/act.ts';
import type { Session } from '../../usecases/session.ts';
import type { CliCommand } from '../command.ts';
import type { Context, GlobalOptions } from '../context.ts';
import { startProgress } from '../context.ts';
import { reportProblems, reportResult } from '../report.ts';
import { checkAccess, createSession } from '../settings.ts';

export const SITE_HELP = `
SITE is the name of a Site manifest, found on the account as \`plan\` finds it, or \`id:\` and the id of a live site; then no manifest is read.
What acts asks first, on a terminal only; --yes says it beforehand. What could do its work twice is sent once: where an answer is lost, that is said. The same command goes on with what was interrupted.`;

interface ActOptions {
  readonly yes?: boolean;
  /** Milliseconds that a run which holds the ledger is waited for. */
  readonly lockTimeout?: number;
}

/** A command's arguments and options, by their names. */
type Given = ActOptions & Readonly<Record<string, unknown>>;

/** How a result reads for people; undefined: there is nothing to read. */
type Render = (result: ActResult) => string | undefined;

const siteArgument = () => new Argument('<site>', 'The name of a Site manifest, or id:ID.');

/** A command on one site, under `parent`. */
export function siteCommand<Options>(
  parent: CliCommand,
  name: string,
  run: (context: Context, site: string, options: GlobalOptions & Options) => Promise<OutcomeWord>,
): CliCommand {
  return parent
    .command(name)
    .addArgument(siteArgument())
    .runs((context, options: GlobalOptions & Options, site: string) => run(context, site, options));
}

/**
 * A command that its area describes, by its words. `takes`: its arguments; absent: a site. `misused`: why they make no
 * command with its options.
 */
export function actCommand(
  parent: CliCommand,
  name: CommandName,
  {
    takes = [siteArgument()],
    misused,
  }: { readonly takes?: readonly Argument[]; readonly misused?: (given: Given) => string | undefined } = {},
): CliCommand {
  const command = parent.command(name.split(' ').at(-1) as string);
  for (const argument of takes) command.addArgument(argument);
  return command.action((...values: readonly unknown[]) => {
    const given = Object.fromEntries(takes.map((argument, index) => [argument.name(), values[index]]));
    const mistake = misused?.({ ...command.opts(), ...given });
    if (mistake !== undefined) command.error(`error: ${mistake}`);
    return command.execute<ActOptions>((context, options) => runCommand(context, name, { ...options, ...given }));
  });
}

/** Runs a command of an area. */
export async function runCommand(
  context: Context,
  name: CommandName,
  given: Given,
  render?: Render,
): Promise<OutcomeWord> {
  const { act, commandMeant, onlyReads } = await import('../../usecases/act/act.ts');
  const meant = commandMeant(name, given);
  const run: Run = (session, confirm) => act(session, meant, given as never, confirm);
  const shown = { format: formatOf(name), ...(render !== undefined && { render }) };
  return onlyReads(meant) ? look(context, run, shown) : actWith(context, given, run, shown);
}

type Run = (session: Session, confirm?: Confirm) => Promise<ActResult>;

interface Shown {
  readonly format: ActFormat;
  readonly render?: Render;
}

/** What the JSON document calls itself: by the group of the command. */
function formatOf(name: CommandName): ActFormat {
  const [group] = name.split(' ');
  return `hostwright.${group === 'registration' || group === 'order' || group === 'contact' ? group : 'site'}/1`;
}

async function look(context: Context, run: Run, shown: Shown): Promise<OutcomeWord> {
  const problems = checkAccess(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  return report(context, await run(createSession(context)), shown);
}

/** Runs what acts: with `yes`, or after a person has said so. */
export async function actWith(
  context: Context,
  { yes = false, lockTimeout }: ActOptions,
  run: Run,
  shown: Shown,
): Promise<OutcomeWord> {
  const problems = [...checkAccess(context.env), ...(yes || context.canAsk ? [] : [cannotAsk()])];
  if (problems.length > 0) return reportProblems(context, problems);
  const session = createSession(context, { ...(lockTimeout !== undefined && { lockTimeout }) });
  const confirm = await consentIn(context, session, yes);
  if (confirm === undefined) return reportProblems(context, [unreviewed(context)], 'refused');
  await startProgress(context);
  return report(context, await run(session, confirm), shown);
}

async function report(context: Context, result: ActResult, { format, render }: Shown): Promise<OutcomeWord> {
  const { renderAct } = await import('../../report/text/act.ts');
  await reportResult(context, result.diagnostics, {
    json: () => renderActJson(result, format),
    text: () => (render ?? renderAct)(result, { color: context.color.stdout }),
  });
  return result.outcome;
}

/** Who answers the question of a command: `--yes`, or a person. Undefined: `--yes` is no answer, and nobody can be asked. */
export async function consentIn(context: Context, session: Session, yes: boolean): Promise<Confirm | undefined> {
  const agreed = yes && (await mayAgree(session));
  return agreed || context.canAsk ? confirmIn(context, agreed) : undefined;
}

/** False where the workspace refuses what nobody reviewed: then `--yes` is no answer. */
async function mayAgree(session: Session): Promise<boolean> {
  const { findWorkspace } = await import('../../usecases/workspace-file.ts');
  const { refusesUnreviewed } = await import('../../usecases/guards.ts');
  const { workspace, file } = await findWorkspace(session);
  // What is wrong with the file is said by the command itself.
  return workspace === undefined || file === undefined || !(await refusesUnreviewed(session, workspace, file));
}

export function unreviewed({ byHand }: Context) {
  return diagnose(
    'HW2112',
    `The workspace says \`guards.unreviewed: refuse\`, so --yes is no answer. A person can run it at a terminal, and is asked: \`${byHand}\`. Nothing was sent.`,
  );
}

/** Asks a person, or takes `--yes` for the answer. */
export function confirmIn(context: Context, yes: boolean): Confirm {
  return (question) => (yes ? Promise.resolve(true) : ask(context, question));
}

async function ask(context: Context, question: string): Promise<boolean> {
  context.progress.pause();
  await context.output.flush();
  const { askPerson } = await import('../prompt.ts');
  return askPerson(context, { question: escapeText(question) }, 'Only `yes` does it:');
}

/** What to say where there is neither a terminal nor `--yes`. */
export function cannotAsk() {
  return diagnose('HW6514', 'This command asks before it acts. Give --yes to run it without asking. Nothing was sent.');
}
