// The command `sandbox`: the local platform, until it is stopped.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { escapeText } from '../../report/view/escape.ts';
import { renderJson } from '../../report/json/index.ts';
import type { Context } from '../context.ts';
import { reportProblems } from '../report.ts';
import { problem } from '../settings.ts';

export interface SandboxCommandOptions {
  readonly port: number;
  readonly scenario: string;
  /** Milliseconds. */
  readonly latency?: number;
  readonly faults?: string;
  readonly clock: 'virtual' | 'real';
}

export async function sandbox(
  context: Context,
  { port, scenario, latency, faults, clock }: SandboxCommandOptions,
): Promise<OutcomeWord> {
  const [{ startSandbox }, { parseFaults }, { API_KEY }] = await Promise.all([
    import('../../sandbox/core/http/server.ts'),
    import('../../sandbox/core/http/faults.ts'),
    import('../../sandbox/core/http/credentials.ts'),
  ]);
  let running;
  try {
    const parsed = faults === undefined ? [] : parseFaults(faults);
    running = await startSandbox({
      port,
      scenario,
      clock,
      faults: parsed,
      ...(latency !== undefined && { latencyMs: latency }),
    });
  } catch (error) {
    // Its own messages are for users: a scenario or fault that is not there, a port that is taken.
    return reportProblems(context, [
      problem('HW6510', 'The sandbox does not start', `${escapeText((error as Error).message)}.`),
    ]);
  }
  const accounts = [...running.state.accounts.keys()];
  if (context.json)
    context.output.result(renderJson({ format: 'hostwright.sandbox/1', url: running.url, token: API_KEY, accounts }));
  else context.output.result(`Sandbox at ${running.url} (scenario ${escapeText(scenario, 100)})`);
  context.hint(
    `\nexport HOSTWRIGHT_API_URL=${running.url} HOSTWRIGHT_TOKEN=${API_KEY}${accounts[0] === undefined ? '' : ` HOSTWRIGHT_ACCOUNT=${accounts[0]}`}\nCtrl-C ends it; it keeps nothing.`,
  );
  await stopped(context.stop);
  await running.close();
  return 'done';
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
