// The one way from paths to wanted objects: load, parse, validate, expand. With one error nothing is wanted at all.
import path from 'node:path';
import { addressOf } from '../../model/address.ts';
import type { DataKinds } from '../../model/kind/data-kind.ts';
import type { DesiredCollection, Manifest } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, diagnosticSource, hasErrors, sortDiagnostics } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import type { Registry } from '../../model/kind/kind.ts';
import { countObjects, expandManifests } from './expand.ts';
import type { Loaded, LoadedText, LoadOptions } from './load.ts';
import { isInside, isNothing, isProgram, loadTexts, repositoryOf } from './load.ts';
import type { ParsedDocument } from './parse.ts';
import { knownDocuments, parseYaml, problemAt } from './parse.ts';
import { syntaxAdvice } from './slips/syntax-advice.ts';
import { userKindOf } from './profile-kinds.ts';
import type { SourceText } from './source-text.ts';
import type { SecretPlaces } from '../references/secrets.ts';
import { secretProblems } from '../references/secrets.ts';
import type { Memory, MemoryStore } from '../remembered.ts';
import { openMemory } from '../remembered.ts';
import { withoutSensitiveLines } from './sensitive-values.ts';
import { foldRepeats, isOurs, mayHoldOurs, validateDocuments } from './validate.ts';
import { inThousands, listOf, quote } from '../../model/format.ts';
import type { ProgramAccess } from '../program/run-program.ts';

export interface ReadOptions {
  /**
   * What relative paths are seen from, and shown relative to. For the globs of a workspace file that is the workspace's
   * folder.
   */
  readonly cwd: string;
  readonly root: string;
  readonly stdin?: () => Promise<Uint8Array>;
  readonly registry: Registry;
  /** Kinds that stand for nothing live; absent: none. */
  readonly dataKinds?: DataKinds;
  /** Where secrets may come from; absent where there is no workspace. */
  readonly secrets?: SecretPlaces;
  /** Folders, relative to `cwd`, of profiles and contacts that other workspaces read too. */
  readonly shared?: readonly string[];
  /** Where the rest of the workspace is, of which profiles and contacts are read too. Absent: all of it is named. */
  readonly context?: readonly string[];
  /** That there is no manifest is no error. */
  readonly mayBeEmpty?: true;
  /** The wanted objects are only counted. */
  readonly counted?: true;
  /** Where what was read is remembered; absent: every file is parsed. */
  readonly memory?: MemoryStore;
  /** How programs are run that are named by their own path. Absent: none is. */
  readonly programs?: ProgramOptions;
  /** The path of a file of places: made YAML is shown at the lines of its program. */
  readonly sources?: string;
}

export interface ProgramOptions {
  readonly access: ProgramAccess;
  /** Names of variables that programs are given. */
  readonly variables: readonly string[];
  /** Absolute places of secrets: programs read none of them. */
  readonly secret: readonly string[];
  /** Of what a program declares, only that of this account is wanted. Absent: everything. */
  readonly account?: string;
  readonly stop?: AbortSignal;
}

export interface ReadResult {
  readonly manifests: readonly Manifest[];
  /** Empty when there are errors, and where the objects are only counted. */
  readonly collections: readonly DesiredCollection[];
  /** How many objects are wanted, where they are only counted; 0 when there are errors. */
  readonly objects?: number;
  /** The documents behind the manifests, profiles merged into them; empty when there are errors. */
  readonly documents: readonly ParsedDocument[];
  /** What was read, documents of other programs too. */
  readonly texts: readonly LoadedText[];
  readonly known: ReadCache;
  readonly diagnostics: readonly Diagnostic[];
}

/** What was found in texts, so that the same text need not be parsed and checked again. */
export interface ReadCache {
  readonly documents: ReadonlyMap<SourceText, readonly ParsedDocument[]>;
  /** The values that the schema of their kind takes. */
  readonly sound: ReadonlySet<Json>;
}

/** Reads and checks all manifests that the paths name. */
export async function readManifests(paths: readonly string[], options: ReadOptions): Promise<ReadResult> {
  const { secrets, cwd, root, shared = [], context = [] } = options;
  const secret = placesOfSecrets(secrets);
  const own = await loadTexts(paths, { ...options, secret });
  const common = await loadShared(shared, { cwd, root, secret });
  const known = new Set(own.texts.map(({ file }) => file));
  const rest = await loadContext(context, { cwd, root, secret });
  const sharedFiles = new Set(common.texts.map(({ file }) => file));
  const loaded = {
    texts: [
      ...own.texts,
      ...common.texts.filter(({ file }) => !known.has(file)),
      ...rest.filter(({ file }) => !known.has(file) && !sharedFiles.has(file)),
    ],
    diagnostics: [...own.diagnostics, ...common.diagnostics],
  };
  if (options.sources !== undefined) return readWithSources(options.sources, loaded, paths, options);
  if (!loaded.texts.some(isProgramText)) {
    const sources = loaded.texts.map(({ source }) => source);
    return readTexts(loaded, paths, options, openMemory(options.memory, root, sources));
  }
  const { texts, diagnostics, elsewhere } = await runPrograms(loaded, options);
  const read = await readTexts({ texts, diagnostics }, paths, {
    ...options,
    ...(elsewhere.length > 0 && { mayBeEmpty: true }),
  });
  // Each account has names of its own, so each is looked at by itself.
  const others = await Promise.all(elsewhere.map((documents) => readDocuments(documents, options)));
  const isWanted = options.programs?.account === undefined;
  return others.reduce<ReadResult>(
    (all, other) => ({
      ...all,
      ...(isWanted && {
        manifests: [...all.manifests, ...other.manifests],
        collections: [...all.collections, ...other.collections],
        ...(options.counted === true && { objects: (all.objects ?? 0) + (other.objects ?? 0) }),
        documents: [...all.documents, ...other.documents],
      }),
      diagnostics: sortDiagnostics([
        ...all.diagnostics,
        ...(isWanted ? other.diagnostics : other.diagnostics.filter(({ severity }) => severity === 'error')),
      ]),
    }),
    read,
  );
}

/** The files in folders that several workspaces of a repository read. Links in them stay in the repository. */
export async function loadShared(
  folders: readonly string[],
  { cwd, root, secret = [] }: Pick<LoadOptions, 'cwd' | 'root' | 'secret'>,
): Promise<Loaded> {
  if (folders.length === 0) return { texts: [], diagnostics: [] };
  // Git keeps no empty folder, so a clone has none. A file would be there: its absence is an error.
  const missing = folders.filter(
    (folder) => !/\.(ya?ml|json)$/.test(folder) && !isProgram(folder) && isNothing(path.resolve(cwd, folder)),
  );
  const { texts, diagnostics } = await loadTexts(
    folders.filter((folder) => !missing.includes(folder)),
    { cwd, root: repositoryOf(root) ?? root, secret },
  );
  return {
    texts: texts.map((text) => ({ ...text, named: false, isShared: true })),
    // A folder that is there and holds nothing yet is no error.
    diagnostics: [
      ...diagnostics.filter(({ code }) => code !== 'HW1002'),
      ...missing.map((folder) =>
        diagnose('HW6661', `The shared folder ${quote(folder)} is not there, so nothing is shared from it.`),
      ),
    ],
  };
}

/** The other files of the workspace that may hold a profile or a contact. What is wrong with the rest is not told. */
async function loadContext(
  paths: readonly string[],
  options: Pick<LoadOptions, 'cwd' | 'root' | 'secret'>,
): Promise<readonly LoadedText[]> {
  if (paths.length === 0) return [];
  const { texts } = await loadTexts(paths, { ...options, mayBeEmpty: true });
  return texts
    .filter(({ source }) => !isProgram(source.name) && MAY_BE_SHARED.test(source.text))
    .map((text) => ({ ...text, named: false, isContext: true }));
}

/** Most files of a workspace are sites: those are not parsed where only profiles and contacts are looked for. */
const MAY_BE_SHARED = /\bkind\b[^\n]*(?:Profile|Contact)/;

/** YAML that a program made, with its places in that program. */
async function readWithSources(
  file: string,
  { texts, diagnostics }: Loaded,
  paths: readonly string[],
  options: ReadOptions,
): Promise<ReadResult> {
  const { readSources } = await import('../program/sources.ts');
  const { relocate, diagnostics: found } = await readSources(file, options);
  const read = texts.map((text) => {
    if (relocate === undefined || isProgramText(text)) return { text, diagnostics: [] };
    const { documents, diagnostics: own } = documentsOf(text);
    return { text: { ...text, documents: relocate(text, documents) }, diagnostics: own };
  });
  const all = [...diagnostics, ...found, ...read.flatMap((one) => one.diagnostics)];
  return readTexts({ texts: read.map(({ text }) => text), diagnostics: all }, paths, options);
}

/** A program that was not run yet. */
export function isProgramText({ source: { name }, documents }: LoadedText): boolean {
  return documents === undefined && isProgram(name);
}

/** The texts with what their programs declare; `elsewhere`: the documents of each account that is not the one wanted. */
async function runPrograms(
  { texts, diagnostics }: Loaded,
  { programs, cwd, root }: ReadOptions,
): Promise<Loaded & { readonly elsewhere: readonly (readonly ParsedDocument[])[] }> {
  const { readProgram } = await import('../program/documents.ts');
  const found = [...diagnostics];
  const elsewhere: (readonly ParsedDocument[])[] = [];
  const read: LoadedText[] = [];
  for (const text of texts) {
    const { source, file = '', named } = text;
    if (!isProgramText(text)) {
      read.push(text);
    } else if (programs === undefined || !named) {
      read.push({ ...text, documents: [] });
      const what = `${quote(source.name)} is a program, which is run only where a command is given its own path.`;
      found.push(diagnose('HW1513', what));
    } else {
      const { access, variables, secret, account, stop } = programs;
      const program = await readProgram(
        { program: file, source, root, cwd, variables, secret, ...(stop !== undefined && { stop }) },
        access,
      );
      const wanted = program.accounts.filter(({ name }) => name === null || name === account);
      const others = program.accounts.filter((one) => !wanted.includes(one));
      found.push(...program.diagnostics, ...program.accounts.flatMap((one) => one.diagnostics));
      elsewhere.push(...others.map(({ documents }) => documents));
      read.push({ ...text, documents: wanted.flatMap(({ documents }) => documents) });
      if (account !== undefined && wanted.length === 0 && others.length > 0)
        found.push(
          diagnose(
            'HW1512',
            `${quote(source.name)} has manifests for ${listOf(
              others.map(({ name }) => quote(name ?? '')),
              'and',
            )}, and none for ${quote(account)}.`,
          ),
        );
    }
  }
  return { texts: read, diagnostics: found, elsewhere };
}

/** The same for texts that are there already. */
export async function readTexts(
  loaded: Loaded,
  paths: readonly string[],
  options: Pick<ReadOptions, 'registry' | 'dataKinds' | 'secrets' | 'mayBeEmpty' | 'counted'>,
  memory?: Memory,
): Promise<ReadResult> {
  const valid = new Set<Json>();
  const found = loaded.texts.map((text) => ({
    ...onlySharable(rememberedIn(text, memory, valid) ?? documentsOf(text), text, options.dataKinds),
    isContext: text.isContext === true,
  }));
  const texts = withNeeded(found);
  const documents = texts.flatMap((text) => text.documents);
  const early = [...loaded.diagnostics, ...texts.flatMap(({ diagnostics }) => diagnostics)];
  if (documents.length === 0 && options.mayBeEmpty !== true && !hasErrors(early)) early.push(nothingFound(paths));
  const { sound, ...read } = await readDocuments(documents, options, early, valid);
  if (memory !== undefined) remember(texts, { diagnostics: read.diagnostics, sound }, memory);
  // Of what several workspaces read, each uses some.
  const shared = new Set(loaded.texts.filter(({ isShared }) => isShared === true).map(({ source }) => source.name));
  const diagnostics = read.diagnostics.filter(
    ({ code, source }) => code !== 'HW1323' || !shared.has(source?.file ?? ''),
  );
  // What a program declares is not what another text of it would have declared.
  const known = new Map(
    loaded.texts.flatMap(({ source, documents: made }, index) =>
      made === undefined ? [[source, found[index]?.documents ?? []] as const] : [],
    ),
  );
  return { ...read, diagnostics: foldMany(diagnostics), texts: loaded.texts, known: { documents: known, sound } };
}

/** Nobody reads more of one file at once. */
const SHOWN_PER_FILE = 100;

/** Of a file with very many mistakes the first, errors before all else, and how many more there are. */
function foldMany(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= SHOWN_PER_FILE) return diagnostics;
  const files = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    const { file } = one.source ?? {};
    const known = files.get(file ?? '');
    if (known !== undefined) known.push(one);
    else if (file !== undefined) files.set(file, [one]);
  }
  const folded = [...files.values()].flatMap((all) => {
    // The rest of a single document is counted already.
    const problems = all.filter(({ code }) => code !== 'HW1214');
    const errors = problems.filter(({ severity }) => severity === 'error');
    const shown = [...new Set([...errors, ...problems])].slice(0, SHOWN_PER_FILE);
    const left = problems.length - shown.length;
    if (left === 0) return all;
    const more = `${all.length > problems.length ? 'more than ' : ''}${inThousands(left)}`;
    const { source } = shown.at(-1) as Diagnostic;
    return [...shown, { ...diagnose('HW1214', `And ${more} more in this file.`), ...(source && { source }) }];
  });
  return sortDiagnostics([...diagnostics.filter(({ source }) => source === undefined), ...folded]);
}

/** The documents of a text that was found sound before, added to those whose schema takes them. */
function rememberedIn(
  { source, documents }: LoadedText,
  memory: Memory | undefined,
  valid: Set<Json>,
): TextDocuments | undefined {
  // What a program declares depends on more than its own text.
  const found = documents === undefined ? memory?.find(source.text) : undefined;
  if (found === undefined) return undefined;
  for (const [index, value] of found.values.entries()) if (found.valid[index] === true) valid.add(value);
  return { documents: knownDocuments(source, found.values), diagnostics: [], isKnown: true };
}

/** Texts in which nothing at all is wrong; what is wrong between texts is found anew in every run. */
function remember(
  texts: readonly TextDocuments[],
  { diagnostics, sound }: { readonly diagnostics: readonly Diagnostic[]; readonly sound: ReadonlySet<Json> },
  memory: Memory,
): void {
  const troubled = new Set(diagnostics.map(({ source }) => source?.file));
  for (const { documents, diagnostics: own, isKnown = false } of texts) {
    const [first] = documents;
    if (isKnown || first === undefined || own.length > 0 || troubled.has(first.source.name)) continue;
    const values = documents.map(({ value }) => value);
    memory.note(first.source.text, { values, valid: values.map((value) => sound.has(value)) });
  }
  memory.save();
}

/**
 * The same for documents that are values already, wherever they came from. With an error in `found`, which is what was
 * found on the way to them, nothing is wanted either.
 */
export async function readDocuments(
  documents: readonly ParsedDocument[],
  { registry, dataKinds, secrets, counted }: Pick<ReadOptions, 'registry' | 'dataKinds' | 'secrets' | 'counted'>,
  found: readonly Diagnostic[] = [],
  valid: ReadonlySet<Json> = new Set(),
): Promise<Omit<ReadResult, 'texts' | 'known'> & { readonly sound: ReadonlySet<Json> }> {
  const checked = validateDocuments(documents, registry, dataKinds, valid);
  const all = [...found, ...checked.diagnostics, ...(await secretProblems(checked.secrets, secrets))];
  const diagnostics = withoutSensitiveLines(foldRepeats(withoutConsequences(all), documents), documents, registry);
  const failed = hasErrors(diagnostics);
  return {
    manifests: checked.manifests,
    collections: failed || counted === true ? [] : expandManifests(checked.manifests, registry),
    ...(counted === true && { objects: failed ? 0 : countObjects(checked.manifests, registry) }),
    documents: failed ? [] : checked.documents,
    sound: checked.sound,
    diagnostics: sortDiagnostics(diagnostics),
  };
}

/** What cannot be told while something else could not be read: it may be there that a name is declared, or used. */
const UNKNOWN_WHILE_BROKEN: ReadonlySet<string> = new Set(['HW1320', 'HW1331']);

/** What may follow from an error is left out, and so are notes: the error comes first. */
function withoutConsequences(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = found.filter(({ severity, code }) => severity === 'error' && code !== 'HW1002');
  if (errors.length === 0) return found;
  const isBroken = errors.some(({ code }) => /^HW1(0|1)/.test(code) || ['HW1210', 'HW1212'].includes(code));
  return found.filter(
    ({ code, severity }) => (severity !== 'info' || code === 'HW1214') && !(isBroken && UNKNOWN_WHILE_BROKEN.has(code)),
  );
}

/** The sound manifests in texts of which nobody asks what is wrong with them. */
export function manifestsIn(
  texts: readonly LoadedText[],
  registry: Registry,
  dataKinds: DataKinds,
  known?: ReadCache,
): readonly Manifest[] {
  const documentsIn = (text: LoadedText): readonly ParsedDocument[] =>
    known?.documents.get(text.source) ?? onlySharable(documentsOf(text), text, dataKinds).documents;
  return validateDocuments(texts.flatMap(documentsIn), registry, dataKinds, known?.sound).manifests;
}

/**
 * Absolute places that secrets are taken from and written to. One that has the whole workspace in it says of no file
 * that it is a secret.
 */
export function placesOfSecrets(secrets: SecretPlaces): readonly string[] {
  if (secrets === undefined) return [];
  const { root } = secrets;
  return [...secrets.secrets.files, ...secrets.secrets.keep]
    .map((place) => path.resolve(root, place))
    .filter((place) => !isInside(place, root));
}

interface TextDocuments {
  readonly documents: readonly ParsedDocument[];
  readonly diagnostics: readonly Diagnostic[];
  /** They were remembered, or made by a program: not to be remembered. */
  readonly isKnown?: boolean;
}

/** Of a file that several workspaces read, what may be shared: anything else would be declared in each account. */
function onlySharable(
  found: TextDocuments,
  { isShared, isContext }: LoadedText,
  dataKinds: DataKinds | undefined,
): TextDocuments {
  if (isShared !== true && isContext !== true) return found;
  const isSharable = ({ value }: ParsedDocument): boolean => {
    const kind = valueAt(value, '/kind');
    return typeof kind === 'string' && (dataKinds?.has(kind) === true || userKindOf(kind) !== undefined);
  };
  if (isContext === true)
    return {
      ...found,
      documents: found.documents.filter(isSharable),
      diagnostics: found.diagnostics.filter(({ code }) => code !== 'HW1007'),
    };
  const refused = found.documents.filter((document) => !isSharable(document));
  return {
    ...found,
    documents: found.documents.filter(isSharable),
    diagnostics: [
      ...found.diagnostics,
      ...refused.map((document) =>
        problemAt(document, '/kind', 'HW1011', 'Several workspaces read this file, each for its own account.'),
      ),
    ],
  };
}

/**
 * Of the rest of the workspace only the profiles and contacts that the named files use and do not declare themselves:
 * what is wrong with any other is not in the way.
 */
function withNeeded(texts: readonly (TextDocuments & { readonly isContext: boolean })[]): readonly TextDocuments[] {
  const named = texts.filter(({ isContext }) => !isContext);
  if (named.length === texts.length) return texts;
  const own = named.flatMap(({ documents }) => documents.map(({ value }) => value));
  const declared = new Set(own.map(keyOf));
  const said = JSON.stringify(own);
  if (!/"(?:profiles|ref)":/.test(said)) return named;
  const isNeeded = ({ value }: ParsedDocument): boolean => {
    const [kind, name] = [valueAt(value, '/kind'), valueAt(value, '/metadata/name')].map(String) as [string, string];
    const words = [name, addressOf(null, kind, name)].map((word) => JSON.stringify(word));
    return !declared.has(keyOf(value)) && words.some((word) => said.includes(word));
  };
  return texts.map((text) => (text.isContext ? { ...text, documents: text.documents.filter(isNeeded) } : text));
}

function keyOf(value: Json): string {
  return JSON.stringify([valueAt(value, '/kind'), valueAt(value, '/metadata/name')]);
}

/** The documents of a file that are ours. In a file that was only found, those of other programs are passed over. */
function documentsOf({ source, named, documents: made }: LoadedText): TextDocuments {
  if (made !== undefined) return { documents: made, diagnostics: [], isKnown: true };
  const start = diagnosticSource({ file: source.name, line: 1, column: 1 });
  const skipped = (what: string) => diagnose('HW1007', what, start);
  if (source.text.startsWith(LFS_POINTER))
    return {
      documents: [],
      diagnostics: [
        diagnose(
          'HW1019',
          'It is a pointer of Git LFS in place of the file. Run `git lfs pull` to get the file.',
          start,
        ),
      ],
    };
  if (!named && !mayHoldOurs(source.text))
    return { documents: [], diagnostics: [skipped('Nothing in this file is a Hostwright document.')] };
  const parsed = parseYaml(source, syntaxAdvice);
  if (parsed.documents.length === 0 && parsed.diagnostics.length === 0) {
    return {
      documents: [],
      diagnostics: [
        diagnose(
          'HW1006',
          source.name === '-' ? 'Nothing came from standard input.' : `The file ${quote(source.name)} is empty.`,
          start,
        ),
      ],
    };
  }
  if (named) {
    // What is no mapping at all is told by validation.
    const isForeign = ({ value }: ParsedDocument) => isJsonObject(value) && !isOurs(value);
    const refused = parsed.documents.filter(isForeign).map(notOurs);
    return {
      documents: parsed.documents.filter((document) => !isForeign(document)),
      diagnostics: [...parsed.diagnostics, ...refused],
    };
  }
  const documents = parsed.documents.filter(({ value }) => isOurs(value) && valueAt(value, '/kind') !== 'Workspace');
  const wrapped = parsed.documents.filter(({ value }) => !isOurs(value) && isListOfOurs(value));
  const foreign = parsed.documents.length - documents.length - wrapped.length;
  const unread = wrapped.map((document) =>
    problemAt(
      document,
      '',
      'HW1019',
      'The document is a list of manifests. Write each manifest as a document, with `---` between them.',
    ),
  );
  return {
    documents,
    diagnostics:
      foreign === 0
        ? [...parsed.diagnostics, ...unread]
        : [...parsed.diagnostics, ...unread, skipped(`Documents of this file that are no manifests: ${foreign}.`)],
  };
}

/** The first line of a file that Git LFS stores elsewhere. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** True for a list of manifests, or a `kind: List` of them, as other tools write. */
function isListOfOurs(value: Json): boolean {
  const items = Array.isArray(value) ? value : valueAt(value, '/items');
  return Array.isArray(items) && items.some((item) => isOurs(item as Json));
}

function notOurs(document: ParsedDocument): Diagnostic {
  return problemAt(
    document,
    '/apiVersion',
    'HW1008',
    'The file was named, so every document in it has to be a manifest.',
  );
}

function nothingFound(paths: readonly string[]): Diagnostic {
  return diagnose(
    'HW1002',
    `No manifest was found in ${paths.slice(0, 5).map(quote).join(', ')}${paths.length > 5 ? ' and the rest' : ''}.`,
  );
}
