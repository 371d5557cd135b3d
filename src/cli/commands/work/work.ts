// `work`: a worker for many accounts, which takes runs from a queue until it is stopped.
import { Argument, InvalidArgumentError, Option } from 'commander';
import { version } from '../../../../package.json';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { withRequests } from '../../options.ts';
import type { ListenAddress } from '../../parse.ts';
import { collectText, parseDuration, parseListen, parseParallelism } from '../../parse.ts';
import { reportProblems } from '../../report.ts';
import type { RunOptions } from '../../settings.ts';
import { checkAccess, createSession } from '../../settings.ts';
import { addOperate } from './operate.ts';
import type { Every } from '../../../worker/schedule.ts';
import { EVERY } from '../../../worker/schedule.ts';

const HELP = `
Folders are those of workspaces, or globs of them: 'accounts/*'; all workers of a queue are given the same. The queue is pg-boss in the
PostgreSQL database of HOSTWRIGHT_DATABASE_URL. It needs Node.js 22.12 and the package pg-boss, which is installed beside hostwright: npm
install pg-boss@12. One JSON line an event is written to standard output.`;

/** Accounts side by side when nothing else is said. */
const CONCURRENCY = 8;
const DRAIN_MS = 30_000;

interface WorkFlags extends RunOptions {
  readonly concurrency?: number;
  readonly driftEvery: Every;
  readonly drainTimeout?: number;
  readonly listen?: ListenAddress;
  readonly identity?: string;
  readonly notify: readonly string[];
}

export function addWork(program: CliCommand): void {
  const work = program.command('work');
  addOperate(work);
  withRequests(
    work
      .description('Run accounts from a queue in PostgreSQL, until it is stopped.')
      .addArgument(new Argument('<folders...>', "Folders of workspaces, or globs of them, such as 'accounts/*'."))
      .addOption(
        new Option('--concurrency <n>', `Accounts side by side (default: ${CONCURRENCY}).`).argParser(parseParallelism),
      )
      .addOption(
        new Option(
          '--drift-every <duration>',
          'How often each account is looked at without any event, spread over that time.',
        )
          .choices(EVERY)
          .default('6h'),
      )
      .addOption(
        new Option(
          '--listen <address>',
          'Show the accounts there as a page, and answer /healthz and /metrics, such as 127.0.0.1:9090 (default: nowhere).',
        ).argParser(parseListen),
      )
      .addOption(
        new Option(
          '--drain-timeout <duration>',
          'After SIGTERM: how long runs that are under way may take; the rest goes back to the queue (default: 30s).',
        ).argParser(parseDuration),
      )
      .addOption(
        new Option(
          '--identity <name>',
          'A name that no other process has while this one lives, such as that of a pod of a StatefulSet: locks of ledgers that the process before it left are taken over.',
        )
          .env('HOSTWRIGHT_WORKER_ID')
          .argParser(parseIdentity),
      )
      .addOption(
        new Option(
          '--notify <url>',
          'Send what a run found there, as `drift --notify` does, when it is not `done` (repeatable).',
        )
          .env('HOSTWRIGHT_NOTIFY')
          .argParser(collectText)
          .default([], 'nobody'),
      ),
    'Requests in flight at most, of all accounts together (default: 16).',
  )
    .addHelpText('after', HELP)
    .examples(
      [
        "hostwright work 'accounts/*' --listen 127.0.0.1:9090",
        'every account every six hours, and what events ask for',
      ],
      ["hostwright work 'accounts/*' --drift-every 1h --concurrency 16", 'every hour, sixteen side by side'],
    )
    .runs(start);
}

function parseIdentity(text: string): string {
  const name = text.trim();
  if (!/^[\x21-\x7e]{1,200}$/.test(name))
    throw new InvalidArgumentError('1 to 200 letters, digits and signs, no spaces.');
  return name;
}

async function start(context: Context, flags: WorkFlags, folders: readonly string[]): Promise<OutcomeWord> {
  const { env, clock, output, options } = context;
  const { concurrency = CONCURRENCY, drainTimeout = DRAIN_MS, listen, identity } = flags;
  const queue = { databaseUrl: env.HOSTWRIGHT_DATABASE_URL?.trim() || undefined, node: process.versions.node };
  const { checkQueue } = await import('../../../worker/queue.ts');
  const unusable = checkQueue(queue);
  if (unusable !== undefined) return reportProblems(context, [unusable]);
  const { checkNotify } = await import('../../../usecases/notify/addresses.ts');
  const isUnset = env.HOSTWRIGHT_NOTIFY === '' && flags.notify.every((address) => address === '');
  const notify = { addresses: isUnset ? [] : flags.notify, secret: env.HOSTWRIGHT_NOTIFY_SECRET?.trim() };
  const early: readonly Diagnostic[] = [
    ...checkAccess(env),
    ...checkNotify(notify),
    ...(options.account
      ? [
          diagnose(
            'HW7138',
            '--account, or HOSTWRIGHT_ACCOUNT, names one account for all workspaces. Leave it out. Nothing was run.',
          ),
        ]
      : []),
  ];
  if (hasErrors(early)) return reportProblems(context, early);
  const { work } = await import('../../../worker/worker.ts');
  const session = createSession(context, flags);
  const { user, hostname: host } = session.runtime;
  const runtime = {
    ...session.runtime,
    by: { via: 'worker', user, host } as const,
    ...(identity !== undefined && { identity }),
  };
  const problems = await work(
    { ...session, runtime },
    {
      folders,
      concurrency,
      driftEvery: flags.driftEvery,
      drainMs: drainTimeout,
      ...(listen !== undefined && { listen }),
      notify,
      ...queue,
      version,
      redact: context.redact,
      log: (line) => output.result(JSON.stringify({ at: new Date(clock.now()).toISOString(), ...line })),
    },
  );
  return problems.length > 0 ? reportProblems(context, problems) : 'done';
}
