// Shared by the commands that act outside plans: who is asked, and where the result goes. A secret in a result, such as a
// login URL, goes to standard output only.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { ActResult } from '../../model/plan/act.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderActJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { Confirm } from '../../usecases/act/act.ts';
import type { UnreviewedRefusal } from '../../usecases/guards.ts';
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
  if (typeof confirm !== 'function') return reportProblems(context, [confirm], 'refused');
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

/**
 * Returns who answers the question of a command: `--yes`, or a person. Returns HW2112 where `--yes` does not count and
 * nobody can be asked.
 */
export async function consentIn(context: Context, session: Session, yes: boolean): Promise<Confirm | Diagnostic> {
  if (!yes) return context.canAsk ? confirmIn(context, false) : unreviewed(context, undefined);
  const refusal = await refusalIn(session);
  return refusal === undefined || context.canAsk
    ? confirmIn(context, refusal === undefined)
    : unreviewed(context, refusal);
}

/** Returns why the workspace refuses unreviewed changes: then `--yes` does not count. */
async function refusalIn(session: Session): Promise<UnreviewedRefusal> {
  const { findWorkspace } = await import('../../usecases/workspace-file.ts');
  const { refusesUnreviewed } = await import('../../usecases/guards.ts');
  const { workspace, file } = await findWorkspace(session);
  // The command itself reports what is wrong with the file.
  return workspace === undefined || file === undefined ? undefined : refusesUnreviewed(session, workspace, file);
}

function unreviewed({ byHand }: Context, refusal: UnreviewedRefusal): Diagnostic {
  return diagnose(
    'HW2112',
    `${refusal === undefined ? '' : `${refusal} `}\`--yes\` does not count here. A person can run the command at a terminal, and is asked: \`${byHand}\`. Nothing was sent.`,
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
