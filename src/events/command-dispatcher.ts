// Run requests for a program of one's own: a queue, a job of a scheduler, another forge. It is started without a shell,
// so nothing of a request is ever read as a command.
import { isAbsolute } from 'node:path';
import type { ProgramEnd } from '../system/start-program.ts';
import { startProgram } from '../system/start-program.ts';
import type { Dispatcher, RunRequest } from './run-request.ts';

export interface CommandOptions {
  readonly program: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the program writes, a line at a time. */
  readonly say: (line: string) => void;
}

/** It has only to take the request, not to carry it out. */
const TAKEN_WITHIN_MS = 20_000;
const MOST_SAID = 2000;
const MOST_BYTES = 1024 * 1024;

/** Starts the program for each request: exit code 0 means that it has taken the request. */
export function commandDispatcher({ program, cwd, env, say }: CommandOptions): Dispatcher {
  return {
    name: 'the program',
    dispatch: async (request) => {
      let said = '';
      const ended = await startProgram({
        purpose: 'dispatch',
        program,
        args: [],
        cwd,
        env,
        variables: asVariables(request),
        closed: [cwd],
        isNamed: isAbsolute(program),
        timeoutMs: TAKEN_WITHIN_MS,
        maxBytes: MOST_BYTES,
        input: `${JSON.stringify(request)}\n`,
        onOutput: (_stream, chunk) => {
          if (said.length < MOST_SAID) said += chunk.toString('utf8');
        },
      });
      if (ended.end === 'exit') said = ended.answer.toString('utf8') + said;
      for (const line of said.slice(0, MOST_SAID).split('\n')) if (line.trim() !== '') say(line);
      if (ended.end === 'exit' && ended.code === 0) return;
      throw new Error(reasonOf(ended));
    },
    close: () => Promise.resolve(),
  };
}

function reasonOf(ended: ProgramEnd): string {
  switch (ended.end) {
    case 'no start':
      return `it could not be started (${ended.reason}).`;
    case 'exit':
      return ended.signal === null ? `it ended with exit code ${ended.code}.` : `it was ended by ${ended.signal}.`;
    case 'time':
      return `it was ended: it has ${TAKEN_WITHIN_MS / 1000} seconds to take a request.`;
    case 'size':
    case 'limit':
    case 'stopped':
      return 'it printed too much.';
  }
}

/** A request as variables of an environment: only texts can be given there. */
function asVariables({ account, run, root, notify, why }: RunRequest): Readonly<Record<string, string>> {
  return {
    HOSTWRIGHT_RUN: run,
    HOSTWRIGHT_RUN_ACCOUNT: account,
    HOSTWRIGHT_RUN_ROOT: root ?? '',
    HOSTWRIGHT_RUN_NOTIFY: notify === true ? 'true' : '',
    HOSTWRIGHT_RUN_WHY: why,
  };
}
