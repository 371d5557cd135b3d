// `serve receiver`: starts runs for the webhooks and callbacks of the platform until it is stopped. The server is loaded when
// the command runs.
import { Argument, Option } from 'commander';
import { version } from '../../../../../package.json';
import type { Diagnostic } from '../../../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../../model/plan/outcome.ts';
import type { Answer } from '../../../../events/receiver.ts';
import { escapeText } from '../../../../report/view/escape.ts';
import { withoutScheme } from '../../../../usecases/environment/credentials.ts';
import type { LogLine } from '../../../../worker/worker.ts';
import type { CliCommand } from '../../../command.ts';
import type { Context } from '../../../context.ts';
import { untilStopped } from '../../../context.ts';
import { parseListen } from '../../../parse.ts';
import { reportProblems } from '../../../report.ts';
import { createSession } from '../../../settings.ts';
import type { DispatchOptions } from './dispatchers.ts';

const HELP = `
Send billing webhooks to /webhooks and order callbacks to /callbacks/ACCOUNT. /healthz and /metrics are for monitoring. Each event is one line of
JSON on standard output. Every message must have the value of HOSTWRIGHT_HOOK_AUTHORIZATION in its Authorization header. To replace the value,
set the variable to several values, one a line, the new one first. A message only starts a run, which reads the account; scheduled runs continue.
The receiver sends nothing to the platform and needs no token.

Environment: HOSTWRIGHT_HOOK_AUTHORIZATION; for github GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL; for gitlab GITLAB_TRIGGER_TOKEN,
CI_PROJECT_ID, CI_API_V4_URL; for pg-boss HOSTWRIGHT_DATABASE_URL.`;

interface ReceiveOptions extends DispatchOptions {
  readonly listen: { readonly host: string; readonly port: number };
}

export function addReceiver(serve: CliCommand): void {
  serve
    .command('receiver')
    .description('Receive webhooks and callbacks of the platform, and start the runs they request.')
    .addArgument(new Argument('<folders...>', "Folders of workspaces, or globs of them, such as 'accounts/*'."))
    .addOption(
      new Option(
        '--listen <host:port>',
        'The address to listen on, behind a server that terminates TLS. Port 0: any free port.',
      )
        .argParser(parseListen)
        .default({ host: '127.0.0.1', port: 8080 }, '127.0.0.1:8080'),
    )
    .addOption(
      new Option('--dispatch <to>', 'How runs are started.')
        .choices(['github', 'gitlab', 'command', 'pg-boss'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--command <file>', 'With `--dispatch command`: the program to start for each run, without a shell.'),
    )
    .addOption(
      new Option('--repository <name>', 'With `--dispatch github`: the repository, as owner/name.').env(
        'GITHUB_REPOSITORY',
      ),
    )
    .addOption(
      new Option(
        '--project <id>',
        'With `--dispatch gitlab`: the project: its id, or its path such as acme/hosting.',
      ).env('CI_PROJECT_ID'),
    )
    .addOption(
      new Option('--ref <branch>', 'With `--dispatch gitlab`: the branch whose pipeline runs.').default('main'),
    )
    .addHelpText('after', HELP)
    .examples(
      ["hostwright serve receiver 'accounts/*' --dispatch github --repository acme/hosting", 'runs are workflows'],
      ["hostwright serve receiver 'accounts/*' --dispatch gitlab --project acme/hosting", 'runs are pipelines'],
      [
        "hostwright serve receiver 'accounts/*' --dispatch pg-boss",
        'runs go to the queue of `hostwright serve worker`',
      ],
      ['hostwright serve receiver . --dispatch command --command ./start-run', 'a program starts the runs'],
    )
    .runs(receive);
}

async function receive(context: Context, options: ReceiveOptions, folders: readonly string[]): Promise<OutcomeWord> {
  const { findMembers } = await import('../../../../usecases/fleet/members.ts');
  const session = createSession(context);
  const authorizations = (context.env.HOSTWRIGHT_HOOK_AUTHORIZATION ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const scope = await findMembers(session, { folders });
  const { openDispatcher } = await import('./dispatchers.ts');
  const log = (line: LogLine): void =>
    context.output.result(JSON.stringify({ at: new Date(context.clock.now()).toISOString(), ...line }));
  const dispatcher = await openDispatcher(context, options, log);
  const members = scope.members.filter(({ workspace }) => workspace !== undefined);
  const early = [
    ...scope.diagnostics,
    ...(hasErrors(scope.diagnostics) || members.length > 0
      ? []
      : scope.members.flatMap(({ diagnostics }) => diagnostics)),
    ...checkAuthorizations(authorizations),
    ...('code' in dispatcher ? [dispatcher] : []),
  ];
  if (hasErrors(early) || 'code' in dispatcher) return reportProblems(context, early);

  const [{ createReceiver }, { openAccounts }] = await Promise.all([
    import('../../../../events/receiver.ts'),
    import('./accounts.ts'),
  ]);
  const receiver = createReceiver({
    authorizations,
    ...openAccounts(session, folders, members),
    dispatcher,
    clock: context.clock,
    version,
    onAnswer: answerTeller(context, log),
  });
  let url: string;
  try {
    url = await receiver.listen(options.listen.host, options.listen.port);
  } catch (error) {
    return reportProblems(context, [
      diagnose('HW7104', `${escapeText((error as Error).message)}. Give another --listen.`),
    ]);
  }
  log({ level: 'info', event: 'receiver-started', listen: url, accounts: members.length, dispatch: options.dispatch });
  for (const { folder, diagnostics } of scope.members.filter(({ workspace }) => workspace === undefined))
    log({ level: 'error', event: 'workspace-broken', workspace: folder, code: diagnostics[0]?.code });
  await untilStopped(context);
  log({ level: 'info', event: 'receiver-stopping' });
  await receiver.close();
  log({ level: 'info', event: 'receiver-stopped' });
  return 'done';
}

/** Below this a secret can be guessed. A scheme such as `Bearer` is no part of it. */
const LEAST_LENGTH = 16;

function checkAuthorizations(values: readonly string[]): readonly Diagnostic[] {
  const isUsable = (value: string): boolean =>
    withoutScheme(value).length >= LEAST_LENGTH && /^[\x20-\x7e]+$/.test(value);
  if (values.length > 0 && values.every(isUsable)) return [];
  return [
    diagnose(
      'HW7101',
      `HOSTWRIGHT_HOOK_AUTHORIZATION is ${values.length === 0 ? 'not set' : `no secret: each of its lines has at least ${LEAST_LENGTH} characters of ASCII, behind a scheme such as \`Bearer\``}. Set it to what the platform sends as the header Authorization, such as \`Bearer\` and the output of \`openssl rand -hex 32\`. Nothing was sent.`,
    ),
  ];
}

/** So many refusals of a kind are told in each span; the others are counted. */
const TOLD = 5;
const SPAN_MS = 10_000;

/** Tells of answers, a line each. A flood of refusals is not a flood of lines. */
function answerTeller({ clock }: Context, log: (line: LogLine) => void): (answer: Answer) => void {
  const told = new Map<number, { sinceMs: number; count: number }>();
  return ({ status, result, message, request }) => {
    const level = result === 'refused' ? 'warning' : 'info';
    if (result === 'refused') {
      const last = told.get(status) ?? { sinceMs: clock.now(), count: 0 };
      if (clock.now() - last.sinceMs >= SPAN_MS) {
        const more = last.count - TOLD;
        if (more > 0) log({ level, event: 'answered', status, result, more });
        Object.assign(last, { sinceMs: clock.now(), count: 0 });
      }
      last.count += 1;
      told.set(status, last);
      if (last.count > TOLD) return;
    }
    log({ level, event: 'answered', status, result, message, ...(request !== undefined && { request }) });
  };
}
