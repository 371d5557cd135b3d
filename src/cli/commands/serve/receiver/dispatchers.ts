// Who starts the runs that `serve receiver` requests: opened with what the command line and the environment say.
import { resolve } from 'node:path';
import { version } from '../../../../../package.json';
import type { Dispatcher } from '../../../../events/run-request.ts';
import type { Diagnostic } from '../../../../model/diagnostic.ts';
import { diagnose } from '../../../../model/diagnostic.ts';
import type { LogLine } from '../../../../worker/worker.ts';
import type { Context } from '../../../context.ts';
import { proxiesOf } from '../../../settings.ts';

export interface DispatchOptions {
  readonly dispatch: 'github' | 'gitlab' | 'command' | 'pg-boss';
  readonly command?: string;
  readonly repository?: string;
  readonly project?: string;
  readonly ref: string;
}

/** A dispatcher, or what is missing for it. */
export async function openDispatcher(
  context: Context,
  { dispatch, command, repository = '', project = '', ref }: DispatchOptions,
  log: (line: LogLine) => void,
): Promise<Dispatcher | Diagnostic> {
  const { env, cwd } = context;
  switch (dispatch) {
    case 'github': {
      const { findForge, githubDispatcher } = await import('../../../../forge/client.ts');
      const access = findForge({
        apiUrl: env.GITHUB_API_URL || 'https://api.github.com',
        token: env.GITHUB_TOKEN?.trim() ?? '',
        repository,
      });
      return typeof access === 'string'
        ? incomplete(access)
        : githubDispatcher({ ...access, version, proxies: proxiesOf(env) });
    }
    case 'gitlab': {
      const { findGitlab, gitlabDispatcher } = await import('../../../../forge/gitlab.ts');
      const token = env.GITLAB_TRIGGER_TOKEN?.trim() ?? '';
      if (token === '') return incomplete('Set GITLAB_TRIGGER_TOKEN to a trigger token of the project.');
      const access = findGitlab({ apiUrl: env.CI_API_V4_URL || 'https://gitlab.com/api/v4', token, project });
      return typeof access === 'string'
        ? incomplete(access)
        : gitlabDispatcher({ ...access, ref, version, proxies: proxiesOf(env) });
    }
    case 'pg-boss': {
      const { queueDispatcher, QueueError } = await import('../../../../worker/queue.ts');
      const { errorTeller } = await import('../../../../worker/database.ts');
      const { clock } = context;
      let queue: Dispatcher | undefined;
      const tell = errorTeller(context, log, async () => queue?.unhealthy?.());
      try {
        return (queue = await queueDispatcher({
          databaseUrl: env.HOSTWRIGHT_DATABASE_URL?.trim() || undefined,
          node: process.versions.node,
          clock,
          // What goes wrong before it is open is the diagnostic below.
          onError: (error) => {
            if (queue !== undefined) tell(error);
          },
        }));
      } catch (error) {
        if (error instanceof QueueError) return error.diagnostic;
        throw error;
      }
    }
    case 'command': {
      if (command === undefined) return incomplete('Name the program: --command ./start-run.');
      const { commandDispatcher } = await import('../../../../events/command-dispatcher.ts');
      return commandDispatcher({
        program: command.includes('/') ? resolve(cwd, command) : command,
        cwd,
        env,
        say: (line) => log({ level: 'info', event: 'program-said', message: line }),
      });
    }
  }
}

function incomplete(detail: string): Diagnostic {
  return diagnose('HW7102', `${detail} Nothing was sent.`);
}
