// `doctor`: what this credential may do, what the account has, which settings count. The options of all commands are the
// list of settings: what one takes from the environment is a setting. No value is shown that could be a secret.
import type { Command, Option } from 'commander';
import { engines, version } from '../../../package.json';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { decideOutcome } from '../../model/plan/outcome.ts';
import { renderDoctorJson } from '../../report/json/index.ts';
import type { GivenSetting } from '../../usecases/doctor/settings.ts';
import type { CliCommand } from '../command.ts';
import { optionsOf, rootOf } from '../start/environment.ts';
import type { Context } from '../context.ts';
import { startProgress } from '../context.ts';
import { textOptions } from '../report.ts';
import { checkAccess, createSession } from '../settings.ts';

const HELP = `
Only reads are sent, a dozen at most, and nothing is written. What only a write would show is said to be not known. Secrets are set or not
set here: no value is shown. Where jobs of the repository use Hostwright, GitHub or GitLab is asked whether their environment is closed to branches, with
GITHUB_TOKEN or GITLAB_TOKEN.

Exit code: 1 when there is a problem, else 0. Warnings, and what is not known, do not count.`;

export function addDoctor(program: CliCommand): void {
  const command = program.command('doctor');
  command
    .description('Check the token, the account, the settings, the ledger and the secrets.')
    .option('--verbose', 'The reads that were sent, too.')
    .addHelpText('after', HELP)
    .examples(['hostwright doctor', 'only reads'])
    .runs((context, options: { readonly verbose?: boolean }) => doctor(context, command, options));
}

async function doctor(
  context: Context,
  command: Command,
  { verbose = false }: { readonly verbose?: boolean },
): Promise<OutcomeWord> {
  await startProgress(context);
  const { token, ...session } = createSession(context);
  const { examine } = await import('../../usecases/doctor/doctor.ts');
  const { doctorBlocks } = await import('../../report/blocks/doctor.ts');
  const { writeText } = await import('../../report/text/write.ts');
  const { forgeFindings } = await import('./ci/environments.ts');
  const examined = await examine(
    // A token that no header can carry is reported as a problem and not sent.
    { ...session, token: checkAccess(context.env).length === 0 ? token : undefined },
    {
      version,
      node: process.version,
      nodeNeeded: engines.node.replace(/^\D+/, ''),
      settings: givenSettings(command, context.env),
      problems: [...context.invalidValues, ...checkAccess(context.env)],
    },
  );
  const report = { ...examined, findings: [...examined.findings, ...(await forgeFindings(context))] };
  context.progress.stop();
  const hasProblem = report.findings.some(({ verdict }) => verdict === 'problem');
  const outcome = decideOutcome([
    ...(context.stop.aborted ? (['interrupted'] as const) : []),
    ...(hasProblem ? (['error'] as const) : []),
  ]);
  context.output.result(
    context.json
      ? renderDoctorJson(report, outcome)
      : writeText(doctorBlocks(report, { verbose }), textOptions(context)),
  );
  return outcome;
}

/** What the workspace file calls them. */
const NAMES: Readonly<Record<string, string>> = { 'api-url': 'baseUrl' };
/** Settings whose values are shown, with their defaults. Of all others the report only says whether they are set. */
const FALLBACKS: Readonly<Record<string, string>> = {
  config: 'hostwright.yaml, here or above',
  account: 'none',
  'api-url': 'none',
  'guards-from': 'the file as it is here',
  parallelism: '16 requests, 10 actions',
  'max-rps': 'as many as the platform takes',
  timeout: '2m',
  'lock-timeout': 'not at all',
  deadline: 'none',
};
const SECRETS = ['HOSTWRIGHT_TOKEN', 'HOSTWRIGHT_CREDENTIALS', 'HOSTWRIGHT_DATABASE_URL', 'HOSTWRIGHT_NOTIFY_SECRET'];
const NOT_SET = 'not set';

/** The settings as flags and environment give them. */
function givenSettings(command: Command, env: Context['env']): readonly GivenSetting[] {
  const options = optionsOf(rootOf(command)).map((option): GivenSetting => {
    const name = nameOf(option);
    const key = option.attributeName();
    const flag =
      command.getOptionValueSourceWithGlobals(key) === 'cli'
        ? command.optsWithGlobals<Record<string, string>>()[key]
        : undefined;
    const environment = env[option.envVar as string] || undefined;
    const shown = Object.hasOwn(FALLBACKS, name);
    return {
      name: NAMES[name] ?? name,
      ...(flag !== undefined && { flag: shown ? flag : 'set' }),
      ...(environment !== undefined && { environment: shown ? environment : 'set' }),
      fallback: FALLBACKS[name] ?? NOT_SET,
    };
  });
  return [
    ...options,
    {
      name: 'HOSTWRIGHT_TRUSTED_ROOT',
      ...(env.HOSTWRIGHT_TRUSTED_ROOT?.trim() && { environment: env.HOSTWRIGHT_TRUSTED_ROOT }),
      fallback: 'none',
    },
    ...SECRETS.map((name) => ({ name, ...(env[name]?.trim() && { environment: 'set' }), fallback: NOT_SET })),
  ];
}

function nameOf({ long }: Option): string {
  return (long ?? '').replace(/^--/, '');
}
