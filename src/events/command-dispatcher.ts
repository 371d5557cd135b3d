// Run requests for a program of one's own: a queue, a job of a scheduler, another forge. It is started without a shell,
// so nothing of a request is ever read as a command.
import { spawn } from 'node:child_process';
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

/** Starts the program for each request: exit code 0 means that it was taken. */
export function commandDispatcher({ program, cwd, env, say }: CommandOptions): Dispatcher {
  return {
    name: 'the program',
    dispatch: (request) =>
      new Promise((resolve, reject) => {
        const child = spawn(program, [], {
          cwd,
          env: { ...env, ...asVariables(request) },
          stdio: ['pipe', 'pipe', 'pipe'],
          timeout: TAKEN_WITHIN_MS,
          killSignal: 'SIGKILL',
        });
        let said = '';
        const hear = (chunk: Buffer): void => {
          if (said.length < MOST_SAID) said += chunk.toString('utf8');
        };
        child.stdout.on('data', hear);
        child.stderr.on('data', hear);
        // A program that does not read closes its end.
        child.stdin.on('error', () => undefined);
        child.stdin.end(`${JSON.stringify(request)}\n`);
        child.on('error', ({ message }) => reject(new Error(`it could not be started (${message}).`)));
        child.on('close', (code, signal) => {
          for (const line of said.slice(0, MOST_SAID).split('\n')) if (line.trim() !== '') say(line);
          if (code === 0) resolve();
          else
            reject(
              new Error(
                signal === null
                  ? `it ended with exit code ${code}.`
                  : `it was ended by ${signal}; it has ${TAKEN_WITHIN_MS / 1000} seconds to take a request.`,
              ),
            );
        });
      }),
    close: () => Promise.resolve(),
  };
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
