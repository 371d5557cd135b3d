// What every command on one site has in common: its argument, who is asked, and where its result goes. A login URL or any
// other value of a result goes to stdout alone.
import { diagnose } from '../../../model/diagnostic.ts';
import { Argument } from 'commander';
import type { ActFormat, ActValue } from '../../../model/plan/act.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderActJson } from '../../../report/json/index.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { Session } from '../../../usecases/session.ts';
import type { Confirm } from '../../../usecases/act/run-act.ts';
import type { SiteResult } from '../../../usecases/site/open-site.ts';
import type { CliCommand, Execute } from '../../command.ts';
import type { Context, GlobalOptions } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { reportProblems, reportResult } from '../../report.ts';
import { checkAccess, checkToken, createSession } from '../../settings.ts';

export const SITE_HELP = `
SITE is the name of a Site manifest, found on the account as \`plan\` finds it, or \`id:\` and the id of a live site; then no manifest is read.
What acts asks first, on a terminal only; --yes says it beforehand. What could do its work twice is sent once: where an answer is lost, that is said. The same command goes on with what was interrupted.`;

export interface ActOptions {
  readonly yes?: boolean;
  /** Milliseconds that a run which holds the ledger is waited for. */
  readonly lockTimeout?: number;
}

/** A command on one site, under `parent`. */
export function siteCommand<Options>(
  parent: CliCommand,
  execute: Execute,
  name: string,
  run: (context: Context, site: string, options: GlobalOptions & Options) => Promise<OutcomeWord>,
): CliCommand {
  return parent
    .command(name)
    .addArgument(new Argument('<site>', 'The name of a Site manifest, or id:ID.'))
    .action((site: string, _options, command: CliCommand) =>
      execute<Options>(command, (context, options) => run(context, site, options)),
    );
}

export interface Shown<Value> {
  /** Under which name the value stands in JSON; absent: there never is one. */
  readonly as?: ActValue;
  /** How the value reads for people; undefined: the message says it all. */
  readonly text?: (value: Value) => string;
  /** What the JSON document calls itself, where it is about no site. */
  readonly format?: ActFormat;
}

/** Runs a command that only reads. */
export async function readSite<Value>(
  context: Context,
  read: (session: Session) => Promise<SiteResult<Value>>,
  shown: Shown<Value>,
): Promise<OutcomeWord> {
  const problems = checkToken(context.env);
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  return reportSite(context, await read(createSession(context)), shown);
}

/** Runs a command that acts: with `yes`, or after a person has said so. */
export async function actOnSite<Value>(
  context: Context,
  { yes = false, lockTimeout }: ActOptions,
  act: (session: Session, confirm: Confirm) => Promise<SiteResult<Value>>,
  shown: Shown<Value>,
): Promise<OutcomeWord> {
  const problems = [...checkAccess(context.env), ...(yes || context.canAsk ? [] : [cannotAsk()])];
  if (problems.length > 0) return reportProblems(context, problems);
  const session = createSession(context, { ...(lockTimeout !== undefined && { lockTimeout }) });
  const agreed = yes && (await mayAgree(context, session));
  if (!agreed && !context.canAsk) return reportProblems(context, [unreviewed(context)], 'refused');
  await startProgress(context);
  return reportSite(context, await act(session, confirmIn(context, agreed)), shown);
}

async function reportSite<Value>(
  context: Context,
  result: SiteResult<Value>,
  { as, text, format }: Shown<Value>,
): Promise<OutcomeWord> {
  const { outcome, message, value, diagnostics } = result;
  await reportResult(context, diagnostics, {
    json: () => renderActJson(result, as, format),
    text: () => {
      const lines = [
        ...(message === undefined ? [] : [escapeText(message)]),
        ...(value === undefined || text === undefined ? [] : [text(value)]),
      ];
      return lines.length === 0 ? undefined : lines.join('\n');
    },
  });
  return outcome;
}

/** False where the workspace refuses what nobody reviewed: then `--yes` is no answer. */
export async function mayAgree(context: Context, session: Session): Promise<boolean> {
  const { findWorkspace } = await import('../../../usecases/workspace-file.ts');
  const { refusesUnreviewed } = await import('../../../usecases/guards.ts');
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
  const { askPerson } = await import('../../prompt.ts');
  return askPerson(context, { question: escapeText(question) }, 'Only `yes` does it:');
}

/** What to say where there is neither a terminal nor `--yes`. */
export function cannotAsk() {
  return diagnose('HW6514', 'This command asks before it acts. Give --yes to run it without asking. Nothing was sent.');
}
