// `serve worker`: runs many accounts from a queue until it is stopped.
import { Argument, InvalidArgumentError, Option } from 'commander';
import { version } from '../../../../../package.json';
import type { Diagnostic } from '../../../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../../model/plan/outcome.ts';
import type { CliCommand } from '../../../command.ts';
import type { Context } from '../../../context.ts';
import type { ListenAddress } from '../../../parse.ts';
import { collectText, parseDuration, parseListen, parseParallelism } from '../../../parse.ts';
import { reportProblems } from '../../../report.ts';
import type { RunOptions } from '../../../settings.ts';
import { checkAccess, createSession } from '../../../settings.ts';
import { addOperate } from './operate.ts';
import type { Every } from '../../../../worker/schedule.ts';
import { EVERY } from '../../../../worker/schedule.ts';

const HELP = `
Give all workers of a queue the same folders. The queue is pg-boss in the PostgreSQL database of HOSTWRIGHT_DATABASE_URL. It requires
Node.js 22.12 and the package pg-boss: npm install pg-boss@12. Each event is one line of JSON on standard output.`;

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

export function addWorker(serve: CliCommand): void {
  const work = serve.command('worker');
  addOperate(work);
  work
    .description('Run accounts from a queue in PostgreSQL until it is stopped.')
    .addArgument(new Argument('<folders...>', "Folders of workspaces, or globs of them, such as 'accounts/*'."))
    .addOption(
      new Option('--concurrency <n>', `Maximum concurrent accounts (default: ${CONCURRENCY}).`).argParser(
        parseParallelism,
      ),
    )
    .addOption(
      new Option(
        '--drift-every <duration>',
        'How often to check each account for drift. The checks are spread over this time.',
      )
        .choices(EVERY)
        .default('6h'),
    )
    .addOption(
      new Option(
        '--listen <address>',
        'Serve a page of the accounts, /healthz and /metrics at this address, such as 127.0.0.1:9090 (default: none).',
      ).argParser(parseListen),
    )
    .addOption(
      new Option(
        '--drain-timeout <duration>',
        'How long runs in progress may continue after SIGTERM. Others return to the queue (default: 30s).',
      ).argParser(parseDuration),
    )
    .addOption(
      new Option(
        '--identity <name>',
        'A name that is unique among running workers, such as the name of a StatefulSet pod. The worker takes over ledger locks of an earlier process with this name.',
      )
        .env('HOSTWRIGHT_WORKER_ID')
        .argParser(parseIdentity),
    )
    .addOption(
      new Option(
        '--notify <url>',
        'Send the result of a run to this URL, as `drift --notify` does, unless it is `done` (repeatable).',
      )
        .env('HOSTWRIGHT_NOTIFY')
        .argParser(collectText)
        .default([], 'nobody'),
    )
    .addHelpText('after', HELP)
    .examples(
      [
        "hostwright serve worker 'accounts/*' --listen 127.0.0.1:9090",
        'every account every six hours, and after events',
      ],
      ["hostwright serve worker 'accounts/*' --drift-every 1h --concurrency 16", 'every hour, 16 in parallel'],
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
  const { checkQueue } = await import('../../../../worker/queue.ts');
  const unusable = checkQueue(queue);
  if (unusable !== undefined) return reportProblems(context, [unusable]);
  const { checkNotify } = await import('../../../../usecases/notify/addresses.ts');
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
  const { work } = await import('../../../../worker/worker.ts');
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
