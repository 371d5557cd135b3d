// What every command on one site has in common on the command line: who is asked, and where its result goes. A login
// URL or any other value of a result goes to stdout alone.
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { escapeText } from '../../../report/view/escape.ts';
import { renderSiteJson } from '../../../report/json/index.ts';
import type { Confirm } from '../../../workflow/site/act.ts';
import type { SiteResult } from '../../../workflow/site/open-site.ts';
import type { Session } from '../../../workflow/session.ts';
import type { Context } from '../../context.ts';
import { reportDiagnostics, reportProblems } from '../../report.ts';
import { checkToken, createSession, problem } from '../../settings.ts';
import { startProgress } from '../../progress/start.ts';

export interface Shown<Value> {
  /** Under which name the value stands in JSON. */
  readonly as: string;
  /** How the value reads for people; undefined: the message says it all. */
  readonly text?: (value: Value) => string;
  /** What the JSON document calls itself, where it is about no site. */
  readonly format?: string;
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
  { yes = false }: { readonly yes?: boolean },
  act: (session: Session, confirm: Confirm) => Promise<SiteResult<Value>>,
  shown: Shown<Value>,
): Promise<OutcomeWord> {
  const problems = [...checkToken(context.env), ...(yes || context.canAsk ? [] : [cannotAsk()])];
  if (problems.length > 0) return reportProblems(context, problems);
  await startProgress(context);
  return reportSite(
    context,
    await act(createSession(context), (question) => (yes ? Promise.resolve(true) : ask(context, question))),
    shown,
  );
}

function reportSite<Value>(
  context: Context,
  result: SiteResult<Value>,
  { as, text, format }: Shown<Value>,
): OutcomeWord {
  context.progress.stop();
  if (context.json) {
    context.output.result(renderSiteJson(result, as, format));
    return result.outcome;
  }
  if (result.message !== undefined) context.output.result(escapeText(result.message));
  if (result.value !== undefined && text !== undefined) context.output.result(text(result.value));
  reportDiagnostics(context, result.diagnostics);
  return result.outcome;
}

async function ask(context: Context, question: string): Promise<boolean> {
  context.progress.pause();
  await context.output.flush();
  const { askYes } = await import('../../prompt.ts');
  return askYes(`${escapeText(question)} Only \`yes\` does it: `, {
    input: context.stdin,
    output: context.stderr,
    stop: context.stop,
  });
}

function cannotAsk() {
  return problem(
    'HW6514',
    'Nobody can be asked',
    'Without a terminal this command does not ask. Say --yes to do it. Nothing was sent.',
  );
}
