// What a program declares, as documents like those of YAML: values with their places in the program, account by account.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Code, Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, diagnosticSource } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { addressOf } from '../../model/address.ts';
import { isProgram, loadText, staysInside } from '../read/load.ts';
import type { ParsedDocument } from '../read/parse.ts';
import { problemAt } from '../read/parse.ts';
import type { SourceText } from '../read/source-text.ts';
import type { Place } from '../read/yaml-values.ts';
import { listOf, quote, visible } from '../../model/format.ts';
import { capital } from '../../model/common/sentence.ts';
import type { AnsweredAccount, AnsweredFailure, AnsweredProblem, Answer, ClaimedPlace } from './answer.ts';
import { answerIn } from './answer.ts';
import type { ProgramPlaces } from './places.ts';
import { programPlaces } from './places.ts';
import type { ProgramAccess, ProgramEnd, ProgramRun } from './run-program.ts';
import { isSandboxed, LIMITS, runProgram } from './run-program.ts';

export interface ProgramAccount {
  /** null: the workspace that names the program. */
  readonly name: string | null;
  /** What its workspace file is to say beside the account. */
  readonly spec: JsonObject;
  /** The call that made it; its value is not the document. */
  readonly head: ParsedDocument;
  readonly documents: readonly ParsedDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ReadProgram {
  readonly accounts: readonly ProgramAccount[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ProgramFile extends Omit<ProgramRun, 'shown'> {
  /** The program as the user named it, and its text. */
  readonly source: SourceText;
  /** What names of other files are shown relative to. */
  readonly cwd: string;
}

/** Runs a program, and takes in what it declares. */
export async function readProgram(file: ProgramFile, access: ProgramAccess): Promise<ReadProgram> {
  const { source } = file;
  const nothing = (code: Code, what: string): ReadProgram => ({
    accounts: [],
    diagnostics: [diagnose(code, what, diagnosticSource({ file: source.name, line: 1, column: 1 }))],
  });
  const { credentialPath, ask } = access;
  const credential =
    access.credential ?? (credentialPath === undefined || (await isSandboxed(access)) ? undefined : credentialPath);
  if (credential !== undefined && (await ask?.(source.name, credential)) !== true)
    return nothing(
      'HW1506',
      `${quote(source.name)} is a program, and it was not run: a credential is at hand (${visible(credential)}), and a program that a change brings could read it.`,
    );
  const ended = await runProgram({ ...file, shown: source.name }, access);
  if (ended.end !== 'answer') return nothing(...troubleOf(ended, source.name, access));
  const answer = answerIn(ended.text);
  if (answer === undefined)
    return nothing('HW1503', `What ${quote(source.name)} wrote to file descriptor 3 is no answer of ours.`);
  const sources = await sourcesOf(answer, file);
  const { failure } = answer;
  return failure === undefined
    ? accountsOf(answer, sources)
    : { accounts: [], diagnostics: [failureOf(failure, sources)] };
}

function troubleOf(
  ended: Exclude<ProgramEnd, { readonly end: 'answer' }>,
  name: string,
  { limits }: ProgramAccess,
): readonly [Code, string] {
  const { timeMs, memoryMb, bytes } = { ...LIMITS, ...limits };
  const shown = quote(name);
  switch (ended.end) {
    case 'time':
      return ['HW1504', `${shown} was still running after ${timeMs / 1000} seconds, and was stopped.`];
    case 'memory':
      return ['HW1504', `${shown} needed more than ${memoryMb} MB of memory, and was stopped.`];
    case 'size':
      return ['HW1504', `What ${shown} declares is more than ${Math.round(bytes / 1024 / 1024)} MiB.`];
    case 'stopped':
      return ['HW1503', `${shown} was stopped before it had ended.`];
    case 'link':
      return ['HW1521', `${quote(ended.link)} is a link that leads out of the workspace, and ${shown} was not run.`];
    case 'entries':
      return [
        'HW1522',
        `There are more than ${ended.entries} files and folders beside ${shown}, and it was not run: not all of them were looked at for links that lead out.`,
      ];
    case 'no start':
      return ['HW1503', `Node.js could not be started for ${shown}: ${visible(ended.reason)}.`];
    case 'no answer':
      return ['HW1503', `${shown} ended before its app was read (${endOf(ended)}).${hintOf(ended)}`];
  }
}

function endOf({ code, signal }: Extract<ProgramEnd, { readonly end: 'no answer' }>): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
}

function hintOf({ code, printed }: Extract<ProgramEnd, { readonly end: 'no answer' }>): string {
  if (code === 13) return ' It waits for something that never comes: an `await` outside of functions does not end.';
  const last = printed
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => /^\w*Error\b/.test(line));
  return last === undefined ? ' It must not end the process itself.' : ` ${visible(last).slice(0, 300)}.`;
}

/** The text of each file that a place is in. */
export interface Source {
  readonly text: SourceText;
  readonly places: ProgramPlaces;
}

export interface Sources {
  readonly program: Source;
  readonly others: ReadonlyMap<string, Source>;
}

/** Only programs inside the workspace are read: a program could name any file, to have lines of it shown. */
async function sourcesOf({ accounts, groups, failure, stripped }: Answer, file: ProgramFile): Promise<Sources> {
  const claimed = [
    ...accounts.flatMap(({ calls, manifests }) => [...calls, ...manifests.flatMap((one) => one.calls)]),
    ...groups.flatMap(({ calls }) => calls),
    ...(failure?.frames ?? []),
  ].map(({ file: name }) => name);
  const others = new Map<string, Source>();
  for (const name of new Set(claimed)) {
    const found = pathOf(name);
    if (found === undefined || !isProgram(found)) continue;
    if (!(await staysInside(file.root, path.relative(file.root, found))) && found !== file.program) continue;
    const isItself = found === file.program;
    const shown = isItself ? file.source.name : path.relative(file.cwd, found);
    const { source } = isItself ? { source: file.source } : await loadText(shown, found);
    if (source === undefined) continue;
    others.set(name, { text: source, places: programPlaces(stripped.get(name) ?? source.text) });
  }
  const [own] = [...others.values()].filter(({ text }) => text === file.source);
  return { program: own ?? { text: file.source, places: programPlaces(file.source.text) }, others };
}

function pathOf(name: string): string | undefined {
  if (!name.startsWith('file:')) return path.isAbsolute(name) ? name : undefined;
  try {
    return fileURLToPath(name);
  } catch {
    return undefined;
  }
}

function failureOf({ cause, message, frames }: AnsweredFailure, { program, others }: Sources): Diagnostic {
  const text = visible(message.split('\n')[0] ?? '').replace(/[\s.]+$/, '');
  const known = frames.flatMap((frame) => {
    const source = others.get(frame.file)?.text;
    return source === undefined ? [] : [{ source, offset: source.offsetAt(frame) }];
  });
  const [first, ...callers] = known.map(({ source, offset }) => source.range([offset, offset + 1]));
  const source = first ?? program.text.range([0, 0]);
  const at = known[0]?.source ?? program.text;
  const from =
    callers.length === 0
      ? ''
      : ` It was called at ${listOf(
          callers.map((one) => quote(`${one.file}:${one.line}`)),
          'and',
        )}.`;
  const what: Readonly<Record<AnsweredFailure['cause'], readonly [Code, string]>> = {
    'no app': ['HW1501', `${quote(program.text.name)} has no app as its default export. ${text}.`],
    syntax: ['HW1502', `${text}.`],
    threw: ['HW1503', `${text}.${from}`],
  };
  const [code, words] = what[cause];
  return diagnose(code, words, { source, ...(first !== undefined && { frame: at.frame(source) }) });
}

/** What an answer declares, account by account, with what is wrong with it. */
export function accountsOf({ accounts, groups }: Answer, sources: Sources): ReadProgram {
  const named = accounts.filter(({ name }) => name !== null);
  const alone = accounts.find(({ name }) => name === null);
  const seen = new Map<string, AnsweredAccount>();
  const diagnostics: Diagnostic[] = [];
  for (const account of named) {
    const first = seen.get(account.name as string);
    if (first === undefined) seen.set(account.name as string, account);
    else
      diagnostics.push(
        problemAt(
          headOf(account, sources),
          '',
          'HW1509',
          `The account ${quote(account.name as string)} is made at ${whereOf(headOf(first, sources))} already.`,
        ),
      );
  }
  const [homeless] = alone?.manifests ?? [];
  if (named.length > 0 && homeless !== undefined)
    diagnostics.push(
      problemAt(
        documentOf(homeless.value, homeless.calls, sources),
        '',
        'HW1512',
        'This manifest belongs to no account, and others of the program do.',
      ),
    );
  for (const { calls, problems } of groups) diagnostics.push(...problemsOf(documentOf({}, calls, sources), problems));
  return { accounts: accounts.map((account) => accountIn(account, sources)), diagnostics };
}

function whereOf(document: ParsedDocument): string {
  const { source, value } = document.place('');
  const { file, line } = source.range(value);
  return quote(`${file}:${line}`);
}

function headOf({ spec, calls }: AnsweredAccount, sources: Sources): ParsedDocument {
  return documentOf(spec, calls, sources);
}

function accountIn(account: AnsweredAccount, sources: Sources): ProgramAccount {
  const head = headOf(account, sources);
  // What no document can hold was left out: what could be said of the rest, and of others that name it, is beside the
  // point.
  const isWhole = account.manifests.every(({ problems }) => problems.every(({ code }) => !LOSING.includes(code)));
  const documents = account.manifests.map(({ value, calls, problems }) => {
    const document = documentOf(value, calls, sources);
    return { document, diagnostics: problemsOf(document, problems) };
  });
  return {
    name: account.name,
    spec: isJsonObject(account.spec) ? account.spec : {},
    head,
    documents: isWhole ? documents.map(({ document }) => document) : [],
    diagnostics: [...problemsOf(head, account.problems), ...documents.flatMap(({ diagnostics }) => diagnostics)],
  };
}

/** Where a value could not be taken as it is, and stands for nothing. */
const LOSING: readonly AnsweredProblem['code'][] = ['HW1505', 'HW1510'];

function problemsOf(document: ParsedDocument, problems: readonly AnsweredProblem[]): readonly Diagnostic[] {
  const { kind, name } = headIn(document.value);
  const address = kind === undefined || name === undefined ? undefined : addressOf(null, kind, name);
  return problems.map(({ code, pointer, what }) =>
    problemAt(document, propsPlace(document, pointer), code, sentenceOf(code, pointer, what), address),
  );
}

/** What a manifest is called, where it is one. */
export function headIn(value: Json): { readonly kind?: string; readonly name?: string } {
  const [kind, name] = [valueAt(value, '/kind'), valueAt(value, '/metadata/name')];
  return { ...(typeof kind === 'string' && { kind }), ...(typeof name === 'string' && { name }) };
}

function sentenceOf(code: AnsweredProblem['code'], pointer: string, what: string): string {
  const said = visible(what)
    .slice(0, 1_000)
    .replace(/[\s.]+$/, '');
  return code === 'HW1520' || code === 'HW1525' ? `${capital(said)}.` : `${quote(pointer)} ${said}.`;
}

const META = '/metadata/';

/** From a pointer into the props to one into the document. */
function propsPlace({ value }: ParsedDocument, pointer: string): string {
  if (pointer === '' || pointer.startsWith('/lifecycle')) return pointer;
  const [, field = ''] = pointer.split('/');
  const metadata = isJsonObject(value) ? value.metadata : undefined;
  return isJsonObject(metadata) && field !== 'name' && Object.hasOwn(metadata, field)
    ? `/metadata${pointer}`
    : `/spec${pointer}`;
}

/** One manifest with its places: those of the innermost call that somebody can mend, which is none of a package. */
function documentOf(value: Json, calls: readonly ClaimedPlace[], { program, others }: Sources): ParsedDocument {
  const known = calls.filter(({ file }) => others.has(file));
  const own = known.filter(({ file }) => !file.includes('/node_modules/'));
  const isManifest = isJsonObject(value) && isJsonObject(value.spec);
  // A class without a constructor of its own calls that of its base where the class stands; the props of a manifest are
  // where `super` is given them.
  const usable = own.length > 0 ? own : known;
  const isMade = ({ file, ...at }: ClaimedPlace): boolean => {
    const { text, places } = others.get(file) as Source;
    const by = places.made(text.offsetAt(at));
    return by === 'new' || (by === 'super' && isManifest);
  };
  const first = Math.max(usable.findIndex(isMade), 0);
  const [made, ...callers] = usable.slice(first);
  const { text: source, places } = (made && others.get(made.file)) ?? program;
  const offset = made === undefined ? 0 : source.offsetAt(made);
  const around: Place = { value: [offset, Math.min(offset + 1, source.text.length)] };
  const find = (pointer: string): Place | undefined => {
    if (pointer === `${META}name`) return places.name(offset);
    const below = ['/spec', META.slice(0, -1)].find((one) => isManifest && pointer.startsWith(`${one}/`));
    if (below !== undefined) return places.find(offset, pointer.slice(below.length), valueAt(value, below));
    return places.find(offset, pointer.startsWith('/lifecycle') ? pointer : '', value);
  };
  const calledAt = callers.map((caller) => `${others.get(caller.file)?.text.name ?? ''}:${caller.line}`);
  return {
    source,
    value,
    place: (pointer) => ({ ...(find(pointer) ?? around), source, pointer, shared: false }),
    ...(calledAt.length > 0 && { calledAt }),
  };
}
