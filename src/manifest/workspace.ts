// Which workspace a run is in: finds its file, checks it like any other document, fills in what it leaves out. Flags
// and environment beat the file; the caller has merged the two. Must never take in a token.
import path from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, hasErrors, sortDiagnostics } from '../model/diagnostic.ts';
import type { WorkspaceFile } from '../model/generated/workspace.ts';
import type { Json } from '../model/json.ts';
import { sameJson } from '../model/json.ts';
import type { LedgerSetting, Workspace } from '../model/workspace.ts';
import { decode } from './read/decode.ts';
import { ANY_MANIFEST, findUpward, loadText, repositoryOf, staysInsideNow, WORKSPACE_FILE } from './read/load.ts';
import type { ParsedDocument } from './read/parse.ts';
import { parseYaml, problemAt, problemAtKey } from './read/parse.ts';
import { isCredentialName } from './credentials/variables.ts';
import { isReservedName } from './references/secrets.ts';
import type { SourceText } from './read/source-text.ts';
import { validateWorkspace } from './generated/workspace-validator.js';
import { quote } from '../model/format.ts';
import { isLoopback } from '../model/hostname.ts';
import { untrusted, untrustedMessage } from '../system/trusted-file.ts';

export interface WorkspaceOptions {
  readonly cwd: string;
  /** The file itself, relative to `cwd`; without it `hostwright.yaml` is looked for from `cwd` upward. */
  readonly file?: string;
  readonly overrides: { readonly account?: string; readonly baseUrl?: string };
  /** Folders whose files are used whoever owns them. Absent: none. */
  readonly trustedRoots?: readonly string[];
  /** Nothing will be sent: it need not say which account it is about, nor where the API is. */
  readonly offline?: true;
}

export interface LoadedWorkspace {
  /** Absent when there are errors. */
  readonly workspace?: Workspace;
  /** The workspace file, where one was found. */
  readonly file?: string;
  /** What the file itself says, before flags, environment and defaults; absent where its schema does not hold. */
  readonly spec?: WorkspaceFile['spec'];
  readonly diagnostics: readonly Diagnostic[];
}

/** What is searched where no file says it. */
export const DEFAULT_MANIFESTS: readonly string[] = [ANY_MANIFEST];
/** What only a request needs. */
const WHERE = ['HW6007', 'HW6008'];
const DEFAULT_LEDGER = '.hostwright/ledger.jsonl';
const DEFAULT_REMOTE = 'origin';
/** The environment variable with the address of a database, where nothing else is said. */
export const DATABASE_VARIABLE = 'HOSTWRIGHT_DATABASE_URL';
const DEFAULT_REF = 'refs/hostwright/ledger';

/** Finds, reads and checks the workspace file. */
export async function loadWorkspace({
  cwd,
  file,
  overrides,
  trustedRoots: roots = [],
  offline,
}: WorkspaceOptions): Promise<LoadedWorkspace> {
  const found = file === undefined ? findUpward(cwd, WORKSPACE_FILE) : path.resolve(cwd, file);
  if (found === undefined) {
    return {
      diagnostics: [
        diagnose('HW6001', `There is no ${quote(WORKSPACE_FILE)} in ${quote(cwd)} or in a folder above it.`),
      ],
    };
  }
  // A file that the user names is used. One that was found decides where the token is sent.
  const problem = file === undefined ? untrusted(found, { use: 'input', roots }) : undefined;
  if (problem !== undefined) return { file: found, diagnostics: [diagnose('HW6011', untrustedMessage(problem))] };
  const { source, diagnostic } = await loadText(file ?? path.relative(cwd, found), found);
  if (source === undefined) return { file: found, diagnostics: diagnostic === undefined ? [] : [diagnostic] };
  const { document, content, diagnostics: early } = await parseWorkspace(source);
  if (document === undefined || content === undefined) return { file: found, diagnostics: sortDiagnostics(early) };
  const workspace = merge(content, path.dirname(found), overrides);
  const meaning = meaningOf(document, workspace, overrides);
  const diagnostics = sortDiagnostics([...early, ...meaning.filter(({ code }) => !(offline && WHERE.includes(code)))]);
  return { file: found, spec: content.spec, diagnostics, ...(!hasErrors(diagnostics) && { workspace }) };
}

/** What the bytes of a workspace file say that lies elsewhere; undefined where it is broken. */
export async function readSpec(name: string, bytes: Uint8Array): Promise<WorkspaceFile['spec'] | undefined> {
  const { source } = decode(name, bytes);
  return source === undefined ? undefined : (await parseWorkspace(source)).content?.spec;
}

/** What a workspace file says in these bytes of another commit, wherever it would lie. */
export async function readFormerWorkspace(
  name: string,
  bytes: Uint8Array,
  { root, overrides }: Pick<Workspace, 'root'> & Pick<WorkspaceOptions, 'overrides'>,
): Promise<{ readonly workspace?: Workspace; readonly diagnostics: readonly Diagnostic[] }> {
  const { source, diagnostic } = decode(name, bytes);
  if (source === undefined) return { diagnostics: diagnostic === undefined ? [] : [diagnostic] };
  const { content, diagnostics } = await parseWorkspace(source);
  return content === undefined ? { diagnostics } : { workspace: merge(content, root, overrides), diagnostics };
}

/** True when the workspace file says what it said in these earlier bytes, however it is written. */
export async function saysTheSame(name: string, file: string, earlier: Uint8Array): Promise<boolean> {
  const [now, then] = await specsOf(name, file, earlier);
  return now !== undefined && then !== undefined && sameJson(now as unknown as Json, then as unknown as Json);
}

/** True when it names the same manifests as in these earlier bytes: what else it says may differ. */
export async function readsTheSame(name: string, file: string, earlier: Uint8Array): Promise<boolean> {
  const [now, then] = (await specsOf(name, file, earlier)).map((content) =>
    content === undefined ? undefined : JSON.stringify([content.spec.manifests, content.spec.shared]),
  );
  return now !== undefined && now === then;
}

async function specsOf(
  name: string,
  file: string,
  earlier: Uint8Array,
): Promise<readonly (WorkspaceFile | undefined)[]> {
  return Promise.all(
    [(await loadText(name, file)).source, decode(name, earlier).source].map(async (source) =>
      source === undefined ? undefined : (await parseWorkspace(source)).content,
    ),
  );
}

interface ParsedWorkspace {
  readonly document?: ParsedDocument;
  /** Absent when there are errors: only what the schema found sound is looked at for its meaning. */
  readonly content?: WorkspaceFile;
  readonly diagnostics: readonly Diagnostic[];
}

async function parseWorkspace(source: SourceText): Promise<ParsedWorkspace> {
  const sound = parseYaml(source);
  // What helps with slips, and what says why it is no workspace, know the schemas of all kinds, which take long to load.
  const parsed =
    sound.diagnostics.length === 0
      ? sound
      : parseYaml(source, (await import('./read/slips/syntax-advice.ts')).syntaxAdvice);
  const document = parsed.documents[0];
  if (document === undefined || parsed.documents.length > 1) {
    if (hasErrors(parsed.diagnostics)) return { diagnostics: parsed.diagnostics };
    const what = `${quote(source.name)} holds ${parsed.documents.length} documents.`;
    const extra = parsed.documents[1];
    return {
      diagnostics: [extra === undefined ? diagnose('HW6006', what) : problemAt(extra, '', 'HW6006', what)],
    };
  }
  const ofSchema = validateWorkspace(document.value)
    ? []
    : (await import('./read/validate.ts')).checkDocument(document, ['Workspace']);
  const diagnostics = [...parsed.diagnostics, ...ofSchema];
  return {
    document,
    diagnostics,
    ...(!hasErrors(diagnostics) && { content: document.value as unknown as WorkspaceFile }),
  };
}

/** What counts where no file says anything. */
export const NO_GUARDS: Workspace['guards'] = { allowDeletes: 0, allowCharges: 0 };

function guardsOf(guards: WorkspaceFile['spec']['guards']): Workspace['guards'] {
  return {
    allowDeletes: guards?.allowDeletes ?? NO_GUARDS.allowDeletes,
    allowCharges: guards?.allowCharges ?? NO_GUARDS.allowCharges,
    ...(guards?.maxSpend !== undefined && { maxSpend: `${guards.maxSpend.amount} ${guards.maxSpend.currency}` }),
    ...(guards?.unreviewed === 'refuse' && { unreviewed: guards.unreviewed }),
  };
}

function merge({ spec }: WorkspaceFile, root: string, overrides: WorkspaceOptions['overrides']): Workspace {
  return {
    root,
    // An empty variable is one that is not set.
    account: overrides.account || (spec.account ?? ''),
    baseUrl: tidyUrl(overrides.baseUrl || (spec.baseUrl ?? '')),
    // What was observed is declared by nobody, whatever the globs lead to.
    manifests: [
      ...(spec.manifests ?? DEFAULT_MANIFESTS),
      ...(spec.observed === undefined ? [] : [exceptIn(spec.observed)]),
    ],
    ...(spec.observed !== undefined && { observed: spec.observed }),
    ...(spec.shared !== undefined && { shared: spec.shared }),
    ledger: ledgerOf(spec.ledger ?? {}),
    ...(spec.ledger !== undefined && { namesLedger: true as const }),
    ...(spec.rehearse === true && { rehearse: true as const }),
    guards: guardsOf(spec.guards),
    ...(spec.dismissed !== undefined && { dismissed: spec.dismissed }),
    ...(spec.credentialEnv !== undefined && { credentialEnv: spec.credentialEnv }),
    ...(spec.credentialEntry !== undefined && { credentialEntry: spec.credentialEntry }),
    ...(spec.credential !== undefined && { credential: spec.credential }),
    ...(spec.callback !== undefined && { callback: spec.callback }),
    ...(spec.notify !== undefined && { notify: spec.notify }),
    ...(spec.synth !== undefined && { synth: spec.synth }),
    secrets: {
      ...spec.secrets,
      env: spec.secrets?.env ?? [],
      files: spec.secrets?.files ?? [],
      keep: spec.secrets?.keep ?? [],
    },
  };
}

/** The glob that leaves a folder out. */
export function exceptIn(folder: string): string {
  return `!${path.posix.normalize(folder).replace(/\/$/, '')}/**`;
}

/**
 * The ref that a new workspace keeps its ledger in, so that several accounts can share a repository. It stands beside
 * the former default and not below it: Git has no ref below another one.
 */
export function ledgerRefOf(account: string): string {
  const name = account.replaceAll(/[^A-Za-z0-9_-]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `refs/hostwright/ledgers/${name}`;
}

/** Where the ledger is, with everything that is left out filled in. */
export function ledgerOf({ file, git, postgres }: NonNullable<WorkspaceFile['spec']['ledger']>): LedgerSetting {
  if (git !== undefined) return { git: { remote: git.remote ?? DEFAULT_REMOTE, ref: git.ref ?? DEFAULT_REF } };
  if (postgres?.entry !== undefined) return { postgres: { entry: postgres.entry } };
  if (postgres !== undefined) return { postgres: { env: postgres.env ?? DATABASE_VARIABLE } };
  return { file: file ?? DEFAULT_LEDGER };
}

/** Reports a ledger with more than one location. Whether its file is inside the workspace is checked with the other files. */
function ledgerProblems(document: ParsedDocument): readonly Diagnostic[] {
  const { spec } = document.value as unknown as WorkspaceFile;
  const places = Object.keys(spec.ledger ?? {});
  if (places.length <= 1) return [];
  return [
    problemAtKey(
      document,
      '/spec/ledger',
      'HW6020',
      `The ledger has several locations: ${places.map(quote).join(' and ')}.`,
    ),
  ];
}

/** A credential that is said to come from the environment and from an entry. */
function twiceProblems(document: ParsedDocument): readonly Diagnostic[] {
  const { spec } = document.value as unknown as WorkspaceFile;
  const twice = (pointer: string, names: readonly [string, string]): Diagnostic =>
    problemAtKey(document, pointer, 'HW6035', `Both ${quote(names[0])} and ${quote(names[1])} are given.`);
  const { postgres } = spec.ledger ?? {};
  return [
    ...(spec.credentialEnv !== undefined && spec.credentialEntry !== undefined
      ? [twice('/spec/credentialEntry', ['credentialEnv', 'credentialEntry'])]
      : []),
    ...(postgres?.env !== undefined && postgres.entry !== undefined
      ? [twice('/spec/ledger/postgres/entry', ['env', 'entry'])]
      : []),
  ];
}

function meaningOf(
  document: ParsedDocument,
  workspace: Workspace,
  overrides: WorkspaceOptions['overrides'],
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [...twiceProblems(document)];
  if (workspace.account === '') {
    const several =
      workspace.synth === undefined
        ? ''
        : ' Where its program declares accounts, name one of them, or the workspace file of one by `--config`.';
    diagnostics.push(
      problemAtKey(document, '/spec', 'HW6007', `The workspace does not say which account it is about.${several}`),
    );
  } else diagnostics.push(...givenProblems({ account: workspace.account }));
  if (workspace.baseUrl === '')
    diagnostics.push(problemAtKey(document, '/spec', 'HW6008', 'The workspace does not say where the API is.'));
  else {
    const problem = urlProblem(workspace.baseUrl);
    if (overrides.baseUrl) diagnostics.push(...givenProblems({ baseUrl: workspace.baseUrl }));
    else if (problem !== undefined)
      diagnostics.push(problemAt(document, '/spec/baseUrl', 'HW6002', `The base URL ${problem}`));
  }
  for (const [index, name] of workspace.secrets.env.entries()) {
    if (isReservedName(name))
      diagnostics.push(
        problemAt(document, `/spec/secrets/env/${index}`, 'HW6004', `Manifests may not refer to ${quote(name)}.`),
      );
  }
  for (const [index, name] of (workspace.synth?.env ?? []).entries()) {
    const why = isReservedName(name)
      ? 'belongs to Hostwright itself'
      : workspace.secrets.env.includes(name)
        ? 'is a secret by `secrets.env`'
        : isCredentialName(name)
          ? 'is the name of a credential'
          : undefined;
    if (why !== undefined)
      diagnostics.push(
        problemAt(
          document,
          `/spec/synth/env/${index}`,
          'HW6022',
          `The program must not be given ${quote(name)}, which ${why}.`,
        ),
      );
  }
  diagnostics.push(...ledgerProblems(document));
  const files = [
    ...('file' in workspace.ledger ? [{ pointer: '/spec/ledger/file', file: workspace.ledger.file }] : []),
    ...workspace.secrets.files.map((file, index) => ({ pointer: `/spec/secrets/files/${index}`, file })),
    ...workspace.secrets.keep.map((file, index) => ({ pointer: `/spec/secrets/keep/${index}`, file })),
    ...(workspace.observed === undefined ? [] : [{ pointer: '/spec/observed', file: workspace.observed }]),
    ...(['program', 'out'] as const).flatMap((name) => {
      const file = workspace.synth?.[name];
      return file === undefined ? [] : [{ pointer: `/spec/synth/${name}`, file }];
    }),
  ];
  for (const { pointer, file } of files) {
    if (path.isAbsolute(file) || !staysInsideNow(workspace.root, file)) {
      diagnostics.push(
        problemAt(document, pointer, 'HW6003', `The path ${quote(file)} leads out of ${quote(workspace.root)}.`),
      );
    }
  }
  return [...diagnostics, ...sharedProblems(document, workspace)];
}

/** Folders that are shared are reviewed with the rest: they are in the same repository. */
function sharedProblems(document: ParsedDocument, { root, shared = [] }: Workspace): readonly Diagnostic[] {
  if (shared.length === 0) return [];
  const repository = repositoryOf(root);
  return shared.flatMap((folder, index) =>
    repository !== undefined && staysInsideNow(repository, path.relative(repository, path.resolve(root, folder)))
      ? []
      : [
          problemAt(
            document,
            `/spec/shared/${index}`,
            'HW6010',
            repository === undefined
              ? `${quote(folder)} is to be shared, and ${quote(root)} is in no Git repository.`
              : `The folder ${quote(folder)} leads out of the repository ${quote(repository)}.`,
          ),
        ],
  );
}

/** What is wrong with what no file says: a flag or the environment does. */
export function givenProblems({
  account,
  baseUrl,
}: {
  readonly account?: string;
  readonly baseUrl?: string;
}): readonly Diagnostic[] {
  const problem = baseUrl === undefined ? undefined : urlProblem(baseUrl);
  return [
    ...(account === undefined || /^[A-Za-z0-9._:-]{1,100}$/.test(account)
      ? []
      : [diagnose('HW6009', `The account ${quote(account)} that was given by flag or environment is no id.`)]),
    ...(problem === undefined
      ? []
      : [diagnose('HW6002', `The base URL that was given by flag or environment ${problem}`)]),
  ];
}

/** Why the platform's token must not be sent there, or undefined; to be said behind what it is about. */
export function urlProblem(text: string): string | undefined {
  const problem = hostProblem(text, 'the token');
  if (problem !== undefined) return problem;
  return /\/api\/*$/.test(new URL(text).pathname)
    ? 'ends in `/api`; every path of the API starts with that already.'
    : undefined;
}

/** Why `what` must not be sent there, or undefined. */
function hostProblem(text: string, what: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a whole URL. Begin with https://, such as https://api.example.com.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `starts with ${quote(url.protocol)}.`;
  if (url.username !== '' || url.password !== '') return 'holds a user name or password.';
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#'))
    return 'holds a query or fragment.';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return `would send ${what} unencrypted to ${quote(url.host)}.`;
  return undefined;
}

/** Without the slash at the end: paths start with one. */
function tidyUrl(text: string): string {
  return text.trim().replace(/\/+$/, '');
}
