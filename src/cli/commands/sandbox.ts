// `sandbox`: the local platform, until it is stopped.
import { diagnose } from '../../model/diagnostic.ts';
import { Option } from 'commander';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { renderJson } from '../../report/json/index.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { CliCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { untilStopped } from '../context.ts';
import { parseDuration, parsePort } from '../parse.ts';
import { reportProblems } from '../report.ts';

interface SandboxOptions {
  readonly port: number;
  readonly scenario: string;
  /** Milliseconds. */
  readonly latency?: number;
  readonly faults?: string;
  readonly clock: 'virtual' | 'real';
}

export function addSandbox(program: CliCommand): void {
  program
    .command('sandbox')
    .description('Run a platform on this machine to try things on. It keeps nothing.')
    .addOption(new Option('--port <port>', '0 for any free one.').argParser(parsePort).default(0))
    .addOption(
      new Option(
        '--scenario <name>',
        'What is there at the start: empty, small, guards, hostile, shield, mail, panel, registrar, sites:N, accounts:N, mailboxes:N, panel:N, registrations:N, billing-3ds, billing-bank, billing-declined, billing-external, billing-no-method, billing-trial.',
      ).default('small'),
    )
    .addOption(new Option('--latency <duration>', 'A delay before each answer, such as 50ms.').argParser(parseDuration))
    .option('--faults <faults>', 'Accidents, such as reset-after@3,status-before:429@5:retry-after=2 or 5%.')
    .addOption(
      new Option('--clock <clock>', 'Whether tasks take real time, or time moves by its control address only.')
        .choices(['real', 'virtual'])
        .default('real'),
    )
    .examples(
      ['hostwright sandbox --port 4010', 'with three sites'],
      ['hostwright sandbox --scenario sites:200 --latency 50ms --faults 5%', 'a large account on a bad day'],
      ['hostwright sandbox --scenario accounts:500 --latency 20ms', 'many accounts, for `hostwright fleet`'],
    )
    .runs(sandbox);
}

async function sandbox(
  context: Context,
  { port, scenario, latency, faults, clock }: SandboxOptions,
): Promise<OutcomeWord> {
  const [{ startSandbox }, { parseFaults }, { API_KEY }, { curlLine }] = await Promise.all([
    import('../../sandbox/server.ts'),
    import('../../sandbox/core/http/faults.ts'),
    import('../../sandbox/core/http/credentials.ts'),
    import('../../sandbox/core/outside.ts'),
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
    return reportProblems(context, [diagnose('HW6510', `${escapeText((error as Error).message)}.`)]);
  }
  const accounts = [...running.state.accounts.keys()];
  // Where there are many, each workspace names its own.
  const account = scenario.startsWith('accounts:') ? undefined : accounts[0];
  if (context.json)
    context.output.result(renderJson({ format: 'hostwright.sandbox/1', url: running.url, token: API_KEY, accounts }));
  else context.output.result(`Sandbox at ${running.url} (scenario ${escapeText(scenario, 100)})`);
  context.hint(
    `\nexport HOSTWRIGHT_API_URL=${running.url} HOSTWRIGHT_TOKEN=${API_KEY}${account === undefined ? '' : ` HOSTWRIGHT_ACCOUNT=${account}`}`,
  );
  context.hint(
    `\nWhat can happen outside, as lines for another shell; ${running.url}/ shows them as they are after a run:`,
  );
  for (const [index, event] of running.outside().entries()) {
    if (event.group !== running.outside()[index - 1]?.group) context.hint(`\n${event.group}`);
    context.hint(`  ${escapeText(event.does, 300)}\n    ${escapeText(curlLine(running.url, event), 2000)}`);
  }
  context.hint('\nCtrl-C ends it; it keeps nothing.');
  await untilStopped(context);
  await running.close();
  return 'done';
}
