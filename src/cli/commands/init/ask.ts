// How questions look on a terminal: a library's, on stderr. A person who leaves (Ctrl-C, Escape) has answered nothing.
import type { Readable, Writable } from 'node:stream';
import { isCancel, select, text } from '@clack/prompts';
import type { Asker } from './answers.ts';

export interface AskOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** Asks on these streams. */
export function createAsker(options: AskOptions): Asker {
  return {
    text: async (message, { hint, objection }) => {
      const answer = await text({
        ...options,
        message,
        placeholder: hint,
        validate: (value) => objection(value?.trim() ?? ''),
      });
      return isCancel(answer) ? undefined : answer.trim();
    },
    choose: async <Value extends string>(
      message: string,
      choices: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[],
      usual: Value,
    ) => {
      const answer = await select<string>({
        ...options,
        message,
        options: choices.map((choice) => ({ ...choice })),
        initialValue: usual,
      });
      return isCancel(answer) ? undefined : choices.find(({ value }) => value === answer)?.value;
    },
  };
}
