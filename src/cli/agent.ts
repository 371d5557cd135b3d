// Where a coding agent runs the command, nobody is there to type `yes`: in place of a question it gets one document, which
// says what a person has to decide, and the command that the person types.
import type { Question as QuestionDocument } from '../model/generated/output/question.ts';
import { EXIT_CODES } from '../model/plan/outcome.ts';

/**
 * What agents set for the commands that they run, and nobody else does. Libraries that know more of them also take what
 * editors set in terminals of people (CURSOR_TRACE_ID, REPL_ID): a person there is asked.
 */
const VARIABLES: Readonly<Record<string, string>> = {
  CLAUDECODE: 'claude-code',
  CURSOR_AGENT: 'cursor',
  GEMINI_CLI: 'gemini-cli',
  CODEX_SANDBOX: 'codex',
  CODEX_CI: 'codex',
  CODEX_THREAD_ID: 'codex',
  COPILOT_AGENT: 'copilot',
  COPILOT_CLI: 'copilot',
  OPENCODE: 'opencode',
  AUGMENT_AGENT: 'augment',
  ANTIGRAVITY_AGENT: 'antigravity',
  CLINE_ACTIVE: 'cline',
};

/** The agent by its name; `AI_AGENT` is for those that are not listed here. */
export function agentIn(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const isSet = (name: string): boolean => !['', '0', 'false'].includes((env[name]?.trim() ?? '').toLowerCase());
  const [, known] = Object.entries(VARIABLES).find(([name]) => isSet(name)) ?? [];
  return isSet('AI_AGENT') ? env.AI_AGENT?.trim() : known;
}

/** What a person would be asked. */
export interface Question {
  /** As it is asked, without what has to be typed. */
  readonly question: string;
  /** What is lost, costs money or cannot be taken back, in words; empty: nothing. Absent: the question says it. */
  readonly dangerous?: readonly string[];
  /** The plan that it is about. */
  readonly plan?: { readonly account: string; readonly planId: string; readonly digest: string };
}

/** The document that the agent gets; `byHand` is the command that a person types. */
export function questionDocument(
  { question, dangerous, plan }: Question,
  { agent = '', byHand }: { readonly agent?: string; readonly byHand: string },
): string {
  const document: QuestionDocument = {
    format: 'hostwright.question/1',
    outcome: 'refused',
    exitCode: EXIT_CODES.refused,
    agent,
    question,
    ...(plan !== undefined && { account: plan.account, planId: plan.planId, digest: plan.digest }),
    ...(dangerous !== undefined && { dangerous }),
    command: byHand,
    next: 'Nothing was sent. Give the command to a person, who is asked at a terminal.',
  };
  return JSON.stringify(document, undefined, 2);
}
