// `upgrade-check`: whether another version of the program plans the same as this one, from the same answers.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../../model/diagnostic.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { decideOutcome } from '../../../model/plan/outcome.ts';
import type { Plan } from '../../../model/plan/plan.ts';
import { PLAN_FORMAT } from '../../../model/plan/plan.ts';
import { renderDocument } from '../../../report/json/index.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { PlanDifference } from '../../../usecases/upgrade/compare.ts';
import type { Stage } from '../../../usecases/upgrade/stage.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { startProgress } from '../../context.ts';
import { reportProblems, reportResult } from '../../report.ts';
import { checkAccess, createSession } from '../../settings.ts';
import type { ReplayServer } from './replay-server.ts';
import type { Start } from './version.ts';
import { parseJsonObject } from '../../../model/json.ts';
import { plural } from '../../../model/common/count.ts';

const HELP = `
OLD is a version that npm can install (0.1.0), an archive of npm (hostwright-0.1.0.tgz), a folder that the package is installed in, or an
executable. Both versions plan a copy of the workspace with its ledger, and get the same answers: each read of the account is sent once, and
whoever asks again gets the same answer. Only this process has the token, and it sends nothing but reads. No program (\`synth\`) and no command
of a credential is run in the copy, and each secret has a made-up value there.

Exit code: 0 when both plan the same actions with the same requests in the same order, 2 when not, 1 when one of them made no plan.`;

export function addUpgradeCheck(program: CliCommand): void {
  program
    .command('upgrade-check')
    .description('Show whether another version plans the same as this one, from the same answers.')
    .argument('<old>', 'The other version, such as 0.1.0, or where it is.')
    .addHelpText('after', HELP)
    .examples(
      ['hostwright upgrade-check 0.1.0', 'against the version that npm has'],
      ['hostwright upgrade-check ./hostwright-0.1.0.tgz', 'against an archive'],
    )
    .runs(upgradeCheck);
}

/** What one version came to. */
interface Planned {
  readonly version: string;
  readonly plan?: Plan;
  /** What it tried and may not. */
  readonly refused: readonly string[];
  /** What it said, where there is no plan. */
  readonly said: string;
}

async function upgradeCheck(context: Context, _options: object, old: string): Promise<OutcomeWord> {
  const early = checkAccess(context.env);
  if (early.length > 0) return reportProblems(context, early);
  await startProgress(context);
  const [{ openStage }, { startReplayServer }, { findVersion, ownStart }] = await Promise.all([
    import('../../../usecases/upgrade/stage.ts'),
    import('./replay-server.ts'),
    import('./version.ts'),
  ]);
  const { stage, diagnostics } = await openStage(createSession(context));
  if (stage === undefined) return reportProblems(context, diagnostics);
  const ground = await mkdtemp(join(tmpdir(), 'hostwright-upgrade-'));
  const server = await startReplayServer(stage.answer);
  try {
    const installed = join(ground, 'old');
    await mkdir(installed);
    const start = await findVersion(old, installed, {
      cwd: context.cwd,
      env: withoutOurs(context.env),
      stop: context.stop,
    });
    if (typeof start === 'string')
      return reportProblems(context, [diagnose('HW6750', `${escapeText(old)}: ${escapeText(start)}.`)]);
    const written = await stage.write(join(ground, 'work'));
    if (hasErrors(written)) return reportProblems(context, written);
    // One after the other: what the first one reads is what the second one reads.
    const now = await planWith(context, ownStart(), { ground, stage, server });
    const before = await planWith(context, start, { ground, stage, server });
    if (context.stop.aborted) return 'interrupted';
    const failure = server.failure();
    if (failure !== undefined && (now.plan === undefined || before.plan === undefined))
      return reportProblems(context, [
        diagnose('HW3050', `${escapeText(failure)}, at ${stage.workspace.baseUrl}. Nothing was compared.`),
      ]);
    return await report(context, { before, now, reads: stage.reads() });
  } finally {
    await Promise.all([server.close(), stage.close(), rm(ground, { recursive: true, force: true })]);
  }
}

async function planWith(
  { env, stop }: Context,
  start: Start,
  {
    ground,
    stage: { folder, workspace },
    server,
  }: { readonly ground: string; readonly stage: Stage; readonly server: ReplayServer },
): Promise<Planned> {
  const { runProgram } = await import('./version.ts');
  const { PATH, HOSTWRIGHT_PARALLELISM, HOSTWRIGHT_MAX_RPS, HOSTWRIGHT_TIMEOUT } = env;
  const run = {
    cwd: join(ground, 'work', folder),
    stop,
    env: {
      ...{ PATH, HOSTWRIGHT_PARALLELISM, HOSTWRIGHT_MAX_RPS, HOSTWRIGHT_TIMEOUT },
      HOME: ground,
      HOSTWRIGHT_API_URL: server.url,
      HOSTWRIGHT_TOKEN: server.token,
      HOSTWRIGHT_CACHE: 'off',
      // Whatever it wants to reach beside the platform has to ask here.
      HTTPS_PROXY: server.url,
      NO_PROXY: '127.0.0.1',
      ...Object.fromEntries(workspace.secrets.env.map((name) => [name, 'made-up-for-upgrade-check'])),
    },
  };
  const { stdout: version, stderr: why } = await runProgram([...start, '--version'] as const, run);
  const { stdout, stderr } = await runProgram([...start, 'plan', '--format', 'json', '--quiet'] as const, run);
  const plan = planIn(stdout);
  return {
    version: version.trim() || why.trim(),
    ...(plan !== undefined && { plan }),
    refused: server.refused(),
    said: saidIn(stdout) || stderr.trim(),
  };
}

function planIn(stdout: string): Plan | undefined {
  const document = parseJsonObject(stdout);
  return document?.format === PLAN_FORMAT ? (document as unknown as Plan) : undefined;
}

/** The problems in a document without a plan. */
function saidIn(stdout: string): string {
  const { diagnostics } = parseJsonObject(stdout) ?? {};
  const told = Array.isArray(diagnostics) ? (diagnostics as unknown as readonly Diagnostic[]) : [];
  return told.map(({ code, summary, detail }) => `${code} ${summary}: ${detail}`).join(' ');
}

async function report(
  context: Context,
  { before, now, reads }: { readonly before: Planned; readonly now: Planned; readonly reads: number },
): Promise<OutcomeWord> {
  const { comparePlans, requestsIn } = await import('../../../usecases/upgrade/compare.ts');
  const { renderDiffs } = await import('../../../report/text/edits.ts');
  const unplanned = [before, now].filter(({ plan }) => plan === undefined);
  const diagnostics = [
    ...unplanned.map(({ version, said }) =>
      diagnose(
        'HW6751',
        `${escapeText(version)} was given a copy of the workspace and the answers of the account: ${escapeText(said)}`,
      ),
    ),
    ...[before, now].flatMap(({ version, refused }) =>
      refused.map((what) =>
        diagnose(
          'HW6752',
          `${escapeText(version)} asked for ${escapeText(what)} while it planned. It was refused, and nothing was sent.`,
        ),
      ),
    ),
  ];
  const differences: readonly PlanDifference[] =
    before.plan === undefined || now.plan === undefined ? [] : comparePlans(before.plan, now.plan);
  const outcome = decideOutcome([
    ...(hasErrors(diagnostics) ? (['error'] as const) : []),
    ...(differences.length > 0 ? (['differences'] as const) : []),
  ]);
  const keepsReviews = before.plan?.digest === now.plan?.digest;
  const versions = { before: before.version, after: now.version };
  const counts = now.plan && { actions: now.plan.actions.length, requests: requestsIn(now.plan), reads };
  await reportResult(context, diagnostics, {
    json: () =>
      renderDocument(
        'hostwright.upgrade-check/1',
        { outcome, diagnostics },
        { versions, ...counts, keepsReviews, differences },
      ),
    text: () => {
      if (unplanned.length > 0 || counts === undefined) return undefined;
      const [old, own] = [escapeText(before.version), `this version (${escapeText(now.version)})`];
      if (differences.length === 0)
        return `${old} and ${own} plan the same: ${plural(counts.actions, 'action')}, ${plural(counts.requests, 'request')}, from ${plural(counts.reads, 'answer')} of the account.`;
      const files = differences.map(({ what, before: gone, after }) => ({ file: what, before: gone, after }));
      return `${renderDiffs(files, { color: context.color.stdout })}\n\n${old} (-) and ${own} (+) do not plan the same.`;
    },
  });
  if (unplanned.length === 0 && !keepsReviews)
    context.hint(
      'The digests differ: what was reviewed with the old version has to be planned once more before it is applied.',
    );
  return outcome;
}

/** The environment of npm, which has no use for what belongs to this program. */
function withoutOurs(env: Context['env']): Context['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('HOSTWRIGHT_')));
}
