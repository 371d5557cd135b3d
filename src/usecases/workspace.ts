// What a use case starts from: the workspace and its manifests expanded. Only files are read; where there is a problem
// in one, Git is asked whether it tracks it. Every problem found is collected; a caller that sees an error goes no further.
import path from 'node:path';
import type { DesiredCollection, Manifest } from '../model/desired.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Workspace } from '../model/workspace.ts';
import { dataKinds, registry } from '../areas/index.ts';
import type { LoadedText } from '../manifest/read/load.ts';
import { fromFolder, isInside, isProgram, realPathOf, repositoryOf } from '../manifest/read/load.ts';
import type { ParsedDocument } from '../manifest/read/parse.ts';
import type { ProgramOptions, ReadCache } from '../manifest/read/read.ts';
import { placesOfSecrets, readDocuments, readManifests, readTexts } from '../manifest/read/read.ts';
import { exceptIn } from '../manifest/workspace.ts';
import { withGit } from './git.ts';
import type { InMemory, Session } from './session.ts';
import { findWorkspace, NO_WORKSPACE_FILE } from './workspace-file.ts';

export interface OpenedWorkspace {
  readonly workspace?: Workspace;
  /** The workspace file itself. */
  readonly file?: string;
  readonly manifests: readonly Manifest[];
  /** Empty when there are errors, and where the objects are only counted. */
  readonly declared: readonly DesiredCollection[];
  /** How many objects are declared, where they are only counted. */
  readonly objects?: number;
  /** The documents behind the manifests, profiles merged into them; empty when there are errors. */
  readonly documents: readonly ParsedDocument[];
  /** Every file that was read, and what its name and the paths are relative to. */
  readonly texts: readonly LoadedText[];
  /** What was found in them. */
  readonly known?: ReadCache;
  readonly reading?: Reading;
  readonly diagnostics: readonly Diagnostic[];
}

/** No manifest, and nothing wrong. */
export const NOTHING_READ: OpenedWorkspace = { manifests: [], declared: [], documents: [], texts: [], diagnostics: [] };

/**
 * The workspace file and the manifests named, or all that the workspace names. `mayBeEmpty`: there need be none yet.
 * `remembered`: files that have not changed since an earlier run are not parsed again. Whoever writes to the account or
 * to files does not ask for that. `counted`: nothing more is asked of the objects than how many there are.
 */
export async function openWorkspace(
  session: Session,
  paths: readonly string[],
  { offline, ...how }: Pick<Reading, 'mayBeEmpty' | 'remembered' | 'counted'> & { readonly offline?: true } = {},
): Promise<OpenedWorkspace> {
  if (session.inMemory !== undefined) return openInMemory(session.inMemory, how);
  const { workspace, file, ...found } = await findWorkspace(session, offline === true ? { offline } : {});
  const diagnostics = await markTracked(session, session.cwd, found.diagnostics);
  if (workspace === undefined) return { ...NOTHING_READ, diagnostics };
  const { root, shared = [] } = workspace;
  const except = workspace.observed === undefined ? [] : [seenFrom(session.cwd, root, exceptIn(workspace.observed))];
  const where =
    paths.length > 0 ? { paths: [...paths, ...except], cwd: session.cwd } : { paths: workspace.manifests, cwd: root };
  const read = await readPaths(session, {
    ...how,
    ...where,
    root,
    secrets: workspace,
    ...(paths.length > 0 && {
      ...programsOf(session, workspace),
      context: workspace.manifests.map((pattern) => seenFrom(session.cwd, root, pattern)),
    }),
    ...(shared.length > 0 && {
      shared: shared.map((folder) => path.relative(where.cwd, path.resolve(root, folder))),
    }),
  });
  return {
    ...read,
    workspace,
    ...(file !== undefined && { file }),
    diagnostics: [...diagnostics, ...read.diagnostics],
  };
}

/** A path or glob of the workspace file as it is written from another folder. */
function seenFrom(cwd: string, root: string, pattern: string): string {
  if (pattern.startsWith('!')) return `!${seenFrom(cwd, root, pattern.slice(1))}`;
  return path.isAbsolute(pattern) ? pattern : path.join(path.relative(cwd, root), pattern);
}

async function openInMemory(
  { workspace, documents: given }: InMemory,
  how: Pick<Reading, 'counted'>,
): Promise<OpenedWorkspace> {
  const { collections, ...read } = await readDocuments(given, { registry, dataKinds, ...how });
  return { ...read, declared: collections, texts: [], workspace };
}

/** The same for what never leaves the machine: manifests that are named need no workspace file. */
export async function openOffline(
  session: Session,
  paths: readonly string[],
  how: Pick<Reading, 'counted'> = {},
): Promise<OpenedWorkspace> {
  const opened = await openWorkspace(session, paths, {
    ...how,
    remembered: true,
    // A program can say itself which accounts it is about.
    ...(paths.some(isProgram) && { offline: true }),
  });
  const alone =
    paths.length > 0 &&
    opened.workspace === undefined &&
    opened.diagnostics.every(({ code }) => code === NO_WORKSPACE_FILE);
  return alone
    ? readPaths(session, { ...how, paths, cwd: session.cwd, root: session.cwd, ...programsOf(session, undefined) })
    : opened;
}

/** How programs are run that are named by their own path. */
function programsOf(
  { programs, stop }: Session,
  workspace: Workspace | undefined,
): { readonly programs?: ProgramOptions } {
  if (programs === undefined) return {};
  const { synth, secrets, account } = workspace ?? {};
  return {
    programs: {
      access: programs,
      variables: (synth?.env ?? []).filter((name) => secrets?.env.includes(name) !== true),
      secret: placesOfSecrets(workspace),
      ...(account !== undefined && account !== '' && { account }),
      stop,
    },
  };
}

/** How manifests were looked for. */
export interface Reading {
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly root: string;
  readonly secrets?: Workspace;
  /** Folders that other workspaces read too, relative to `cwd`. */
  readonly shared?: readonly string[];
  /** The manifests of the workspace where others were named, relative to `cwd`. */
  readonly context?: readonly string[];
  readonly mayBeEmpty?: true;
  readonly remembered?: true;
  readonly counted?: true;
  readonly programs?: ProgramOptions;
}

async function readPaths(session: Session, reading: Reading): Promise<Omit<OpenedWorkspace, 'workspace'>> {
  const { paths, secrets, remembered, ...where } = reading;
  const { collections, ...read } = await readManifests(paths, {
    ...where,
    stdin: session.stdin,
    registry,
    dataKinds,
    ...(session.sources !== undefined && { sources: path.resolve(session.cwd, session.sources) }),
    ...(secrets !== undefined && { secrets }),
    ...(remembered === true && session.memory !== undefined && { memory: session.memory }),
  });
  const diagnostics = await markTracked(session, where.cwd, read.diagnostics);
  return { ...read, declared: collections, reading, diagnostics };
}

/** The same, those marked that show lines of files that Git tracks. Git is asked only where there are lines. */
async function markTracked(
  session: Session,
  cwd: string,
  diagnostics: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const repository = repositoryOf(cwd);
  const framed = diagnostics.flatMap(({ source, frame }) =>
    source === undefined || frame === undefined ? [] : source.file,
  );
  if (repository === undefined || framed.length === 0) return diagnostics;
  const top = realPathOf(repository) ?? repository;
  // A link that Git tracks says nothing of what it leads to.
  const places = new Map(
    [...new Set(framed)].flatMap((name) => {
      const real = realPathOf(path.resolve(cwd, name));
      return real !== undefined && isInside(top, real) ? [[name, fromFolder(top, real)]] : [];
    }),
  );
  const tracked = await trackedAmong(session, top, [...places.values()]);
  return diagnostics.map((diagnostic) =>
    tracked.has(places.get(diagnostic.source?.file ?? '') ?? '') ? { ...diagnostic, isTracked: true } : diagnostic,
  );
}

/** More are too long for a command line on some systems; then all are listed. */
const MOST_PATHS = 500;

/** Which of these paths from the top of a repository Git tracks; none where it cannot be asked. */
async function trackedAmong(session: Session, top: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const named = paths.length > MOST_PATHS ? [] : paths;
  return withGit<ReadonlySet<string>>(
    session,
    top,
    async (git) => {
      const listed = await git.run(['--literal-pathspecs', 'ls-files', '-z', '--', ...named]);
      return new Set(listed.toString('utf8').split('\0').filter(Boolean));
    },
    () => new Set(),
  );
}

/** The workspace as it would be with other files: nothing is read again. */
export async function withTexts(opened: OpenedWorkspace, texts: readonly LoadedText[]): Promise<OpenedWorkspace> {
  const { workspace } = opened;
  const { collections, ...read } = await readTexts({ texts, diagnostics: [] }, [], {
    mayBeEmpty: true,
    registry,
    dataKinds,
    ...(workspace !== undefined && { secrets: workspace }),
  });
  return { ...opened, ...read, declared: collections };
}
