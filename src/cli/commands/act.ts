// Shared by the commands that act outside plans: who is asked, and where the result goes. A secret in a result, such as a
// login URL, goes to standard output only.
import { diagnose } from '../../model/diagnostic.ts';
import type { ActResult } from '../../model/plan/act.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderActJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { Confirm } from '../../usecases/act/act.ts';
import type { Session } from '../../usecases/session.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { reportProblems, reportResult } from '../report.ts';
import { checkAccess, createSession } from '../settings.ts';

/** The options of a command that asks before it acts. */
export interface ActOptions {
  readonly yes?: boolean;
}

type Run = (session: Session, confirm?: Confirm) => Promise<ActResult>;

/** Runs an act, with `--yes` or after the user has agreed. */
export async function actWith(context: Context, { yes = false }: ActOptions, run: Run): Promise<OutcomeWord> {
  const problems = [...checkAccess(context.env), ...(yes || context.canAsk ? [] : [cannotAsk()])];
  if (problems.length > 0) return reportProblems(context, problems);
  const session = createSession(context);
  const confirm = await consentIn(context, session, yes);
  if (confirm === undefined) return reportProblems(context, [unreviewed(context)], 'refused');
  await startProgress(context);
  return reportAct(context, await run(session, confirm));
}

async function reportAct(context: Context, result: ActResult): Promise<OutcomeWord> {
  const { renderAct } = await import('../../report/text/act.ts');
  await reportResult(context, result.diagnostics, {
    json: () => renderActJson(result),
    text: () => renderAct(result),
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
