// The use case `doctor`: what this credential may do, what the account has, and whether everything around a run is as
// it should be, as far as reads tell. Works with whatever is there: without a workspace file, a token or a platform it
// says the rest.
import { dirname } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DoctorReport, Finding } from '../../model/doctor.ts';
import type { LoadedWorkspace } from '../../manifest/workspace.ts';
import type { Observation, ProbedSandbox, SystemSandbox } from '../../system/sandbox.ts';
import { createRedactor } from '../../platform/redact.ts';
import { tokenFor, tokenPlace } from '../connect.ts';
import type { Session } from '../session.ts';
import { bareWorkspace, findWorkspace, NO_WORKSPACE_FILE } from '../workspace-file.ts';
import { accountFindings, featureFindings, platformFindings } from './account.ts';
import { attentionFindings } from './attention.ts';
import { credentialFindings } from './credential.ts';
import { checkOf } from './finding.ts';
import { ledgerFindings } from './ledger.ts';
import { probeOptions, readPlatform } from './reads.ts';
import { entryFindings, secretFindings } from './secrets.ts';
import type { GivenSetting } from './settings.ts';
import { settingsTable } from './settings.ts';
import { claimsOf } from './token.ts';

const workspaceFile = checkOf('settings', 'workspace file');
const answers = checkOf('platform', 'answers');

/** What only the command line knows. */
export interface DoctorFacts {
  readonly version: string;
  readonly node: string;
  /** The oldest version of Node.js that will do. */
  readonly nodeNeeded: string;
  readonly settings: readonly GivenSetting[];
  /** What is wrong with values in the environment. */
  readonly problems: readonly Diagnostic[];
}

/** Looks at everything, and says what is so. */
export async function examine(given: Session, facts: DoctorFacts): Promise<DoctorReport> {
  const loaded = await findWorkspace(given);
  const account = given.overrides.account || loaded.spec?.account;
  const baseUrl = given.overrides.baseUrl || loaded.spec?.baseUrl;
  const root = loaded.file === undefined ? given.cwd : dirname(loaded.file);
  const found = await tokenFor(given, { ...loaded.spec, root, account: account ?? '' });
  const session = { ...given, token: 'error' in found ? undefined : found.token };
  const alone = loaded.file === undefined && account !== undefined && baseUrl !== undefined;
  const workspace = loaded.workspace ?? (alone ? bareWorkspace(session.cwd, account, baseUrl) : undefined);
  const reads: DoctorReport['requests'][number][] = [];
  const isConnected = session.token !== undefined && session.token !== '' && baseUrl !== undefined;
  const onRead = (path: string, answer: string): void => {
    reads.push({ path, account: true, answer });
  };
  const [online, ledger, secrets] = await Promise.all([
    lookOnline(session, loaded, { account, baseUrl }),
    workspace === undefined ? [] : ledgerFindings(session, workspace, isConnected ? onRead : undefined),
    workspace === undefined ? [] : secretFindings(session, workspace),
  ]);
  const findings = [
    ...programFindings(facts),
    ...(loaded.spec?.synth === undefined ? [] : [await sandboxFinding(session)]),
    ...fileFindings(loaded, {
      problems: [...facts.problems, ...(session.notices ?? []), ...('error' in found ? [found.error] : [])],
    }),
    ...(await entryFindings(session, loaded.spec ?? {}, { root, account: account ?? '' })),
    ...online.findings,
    ...ledger,
    ...secrets,
  ];
  return withoutSecrets(session, {
    findings,
    settings: settingsTable(loaded.spec, facts.settings),
    requests: [...online.requests, ...reads],
  });
}

function programFindings({ version, node, nodeNeeded }: DoctorFacts): readonly Finding[] {
  const old = isOlder(node, nodeNeeded);
  return [
    checkOf('program', 'hostwright').ok(`Hostwright ${version}.`),
    checkOf('program', 'node')[old ? 'problem' : 'ok'](
      `Node.js ${node}; ${nodeNeeded} or newer is needed.`,
      old ? 'Install a newer Node.js.' : undefined,
    ),
  ];
}

/** Reports the sandbox around a program of the workspace: what its probe observed at this start, and nothing else. */
async function sandboxFinding({ programs }: Session): Promise<Finding> {
  const { probeSandbox, systemSandbox } = await import('../../system/sandbox.ts');
  const check = checkOf('program', 'sandbox');
  const given = programs?.sandbox;
  const sandbox = given === undefined && programs !== undefined ? await systemSandbox(programs) : given;
  if (programs === undefined || sandbox === undefined || sandbox === 'none')
    return check.ok(
      'Programs run with the permissions of Node.js alone: no sandbox (bwrap or unshare) passed its test here. That stops mistakes, and no attacker.',
    );
  const observations: readonly Observation[] = isProbed(sandbox)
    ? sandbox.observations
    : ((await probeSandbox(sandbox, programs)) ?? []);
  const seen = observations.map(
    ({ subject, isClosed, seen }) => `${subject} ${isClosed ? 'closed' : 'OPEN'} (${seen})`,
  );
  return check.ok(
    `Programs run with the permissions of Node.js, in ${sandbox.name}. A test inside it observed: ${seen.length === 0 ? 'nothing, as it did not start' : seen.join('; ')}.`,
  );
}

function isProbed(sandbox: SystemSandbox | ProbedSandbox): sandbox is ProbedSandbox {
  return 'observations' in sandbox;
}

function isOlder(version: string, needed: string): boolean {
  const parts = (text: string): readonly number[] =>
    text
      .replace(/^v/, '')
      .split('.')
      .map((part) => Number.parseInt(part, 10));
  const [have, want] = [parts(version), parts(needed)];
  const at = want.findIndex((part, index) => part !== have[index]);
  return at !== -1 && (have[at] ?? 0) < (want[at] as number);
}

function fileFindings(
  { file, spec, diagnostics }: LoadedWorkspace,
  { problems }: Pick<DoctorFacts, 'problems'>,
): readonly Finding[] {
  const reported = (list: readonly Diagnostic[]) =>
    list.map(({ code, severity, summary, detail, source }) =>
      checkOf('settings', code)[severity === 'error' ? 'problem' : 'warning'](
        `${summary}${source === undefined ? '' : ` (${source.file}:${source.line})`}.`,
        detail,
      ),
    );
  const none = workspaceFile.warning(
    'There is no workspace file here or in a folder above.',
    'Run `hostwright init`, or name the file with --config.',
  );
  const found =
    file === undefined ? [none] : spec === undefined ? [] : [workspaceFile.ok(`The workspace file is ${file}.`)];
  return [...found, ...reported(diagnostics.filter(({ code }) => code !== NO_WORKSPACE_FILE)), ...reported(problems)];
}

interface Place {
  readonly account: string | undefined;
  readonly baseUrl: string | undefined;
}

async function lookOnline(
  session: Session,
  { spec }: LoadedWorkspace,
  { account, baseUrl }: Place,
): Promise<Pick<DoctorReport, 'findings' | 'requests'>> {
  const { token, clock } = session;
  const said = (...findings: readonly Finding[]) => ({ findings, requests: [] });
  const noUrl = answers.problem(
    'It is not said where the API is.',
    'Set `baseUrl` in the workspace file, the flag --api-url or HOSTWRIGHT_API_URL.',
  );
  const variable = tokenPlace(spec ?? {});
  const noToken = checkOf('credential', 'token').problem(
    'There is no token, so nothing was sent.',
    `${spec?.credentialEntry === undefined ? 'Set' : 'Mend'} ${variable}${spec?.credentialEntry === undefined ? ' to' : ', so that it gives'} a session token, an API key or an OAuth access token. A read-only one is enough for plan, drift and this command.`,
  );
  if (token === undefined || token === '') return said(...(baseUrl === undefined ? [noUrl] : []), noToken);
  if (baseUrl === undefined) return said(noUrl);
  const sendAs = spec?.credential?.sendAs;
  const looks = await readPlatform({
    ...probeOptions(session, token, baseUrl),
    ...(account !== undefined && { account }),
    ...(sendAs !== undefined && { authorization: sendAs }),
  });
  if ('refused' in looks)
    return said(
      answers.problem(`Nothing was sent: ${looks.refused}`, 'Correct the base URL, the account or the token.'),
    );
  const credential = credentialFindings({
    looks,
    claims: claimsOf(token),
    variable,
    declared: spec?.credential,
    nowMs: clock.now(),
  });
  const inside = looks.wide.length > 1;
  return {
    findings: [
      ...platformFindings(looks, baseUrl),
      ...credential,
      ...(inside
        ? [
            ...accountFindings(looks, account),
            ...featureFindings(looks),
            ...attentionFindings(looks, account, clock.now()),
          ]
        : []),
    ],
    requests: looks.requests,
  };
}

/** A platform, a proxy or a helper of Git may say back what it was sent. */
function withoutSecrets({ token = '' }: Session, { findings, settings, requests }: DoctorReport): DoctorReport {
  const { text } = createRedactor([token]);
  return {
    findings: findings.map((one) => ({
      ...one,
      says: text(one.says),
      ...(one.remedy !== undefined && { remedy: text(one.remedy) }),
    })),
    settings,
    requests: requests.map((one) => ({ ...one, path: text(one.path), answer: text(one.answer) })),
  };
}
