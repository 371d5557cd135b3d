// How a person is asked: once, and anything but `yes` is no.
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { wrapProse } from '../report/text/prose.ts';
import type { Question } from './agent.ts';
import type { Context } from './context.ts';

export interface PromptOptions {
  readonly input: Readable;
  /** A terminal says how wide it is. */
  readonly output: Writable & { readonly columns?: number };
  /** Aborted: the answer is no. */
  readonly stop: AbortSignal;
}

/** Asks the person at the terminal. With an agent the answer is no, and the command ends with the question as a document. */
export function askPerson(context: Context, asked: Question, typed: string): Promise<boolean> {
  if (context.agent !== undefined) {
    context.unanswered ??= asked;
    return Promise.resolve(false);
  }
  return askYes(`${asked.question} ${typed} `, { input: context.stdin, output: context.stderr, stop: context.stop });
}

export async function askYes(question: string, { input, output, stop }: PromptOptions): Promise<boolean> {
  // Not a `terminal` of its own: the terminal's own line editing does, and Ctrl-C stays a signal.
  const lines = createInterface({ input, output, terminal: false });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([
      lines.question(`${wrapProse(question.trimEnd(), output.columns).join('\n')} `, { signal: stop }),
      closed,
    ]);
    return answer.trim().toLowerCase() === 'yes';
  } catch (error) {
    if (stop.aborted) return false;
    throw error;
  } finally {
    lines.close();
  }
}
