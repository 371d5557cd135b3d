// The process that a program runs in. It is given no secret, loads the program, and writes what its app declares to file
// descriptor 3 as one JSON document. What the program prints goes where it always goes.
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Synthesis } from '../app.ts';
import type { Place } from '../place.ts';
import { closeWaysOut } from './fence.ts';
import { installHooks } from './install-hooks.ts';
import { probe } from './probe.ts';

/** Why there is no {@link Synthesis}. */
interface Failure {
  readonly format: 'hostwright.synth/1';
  readonly failure: {
    readonly cause: 'no app' | 'syntax' | 'threw';
    readonly message: string;
    /** Calls of the user's own files, the innermost first. */
    readonly frames: readonly Place[];
  };
}

const ANSWER = 3;
const FRAMES = 8;
const MESSAGE_LENGTH = 2_000;
const OWN = new URL('.', import.meta.url).href;

// Taken before the program could change them.
const { stringify } = JSON;
const exit = process.exit.bind(process);
const isApp = (value: unknown): value is { readonly synth: () => Synthesis } =>
  typeof value === 'object' && value !== null && 'synth' in value && typeof value.synth === 'function';

const program = process.argv[2] ?? '';
if (program === '--probe-sandbox') {
  writeSync(ANSWER, stringify(await probe(process.argv[3] ?? '')));
  exit(0);
}
shiftClock(Number(process.argv[3] ?? 0));
const { stripped } = installHooks();
closeWaysOut();
// bwrap and the shell in unshare set them.
for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) delete process.env[name];
// The event that gives a new thread away is over before the program begins.
await new Promise((go) => setImmediate(go));

let loaded: Readonly<Record<string, unknown>> | undefined;

// What nobody waits for fails all the same: it would be missing in silence.
process.on('uncaughtException', (error) => end(failed('threw', error)));
process.on('unhandledRejection', (error) => end(failed('threw', error)));
// Once nothing is left to do: a program may begin something at its end and not wait for it.
process.on('beforeExit', () => {
  if (loaded !== undefined) end(read(loaded));
});
try {
  loaded = (await import(pathToFileURL(program).href)) as Readonly<Record<string, unknown>>;
} catch (error) {
  end(failed(causeOf(error), error));
}

/**
 * From here on `Date` is so many milliseconds ahead: whatever a program that is run a second time makes of the date is not
 * the same then.
 */
function shiftClock(ms: number): void {
  if (ms === 0) return;
  const now = Date.now.bind(Date);
  const shifted = (): number => now() + ms;
  globalThis.Date = new Proxy(Date, {
    construct: (real, given: readonly unknown[]) =>
      Reflect.construct(real, given.length === 0 ? [shifted()] : given) as Date,
    apply: (real) => new real(shifted()).toString(),
    get: (real, name, self) => (name === 'now' ? shifted : (Reflect.get(real, name, self) as unknown)),
  });
}

function end(result: Synthesis | Failure): void {
  answer(result);
  exit(0);
}

function read(exported: Readonly<Record<string, unknown>>): Synthesis | Failure {
  try {
    if (!isApp(exported.default)) {
      const names = Object.keys(exported);
      const what = names.length === 0 ? 'It exports nothing.' : `It exports ${names.slice(0, 10).join(', ')}.`;
      return { format: 'hostwright.synth/1', failure: { cause: 'no app', message: what, frames: [] } };
    }
    return exported.default.synth();
  } catch (error) {
    return failed('threw', error);
  }
}

/** An error of the syntax was thrown by what strips types, or by the loader before any line ran. */
function causeOf(error: unknown): 'syntax' | 'threw' {
  if (!(error instanceof SyntaxError)) return 'threw';
  return 'place' in error || !/\n\s+at .*file:/.test(String(error.stack)) ? 'syntax' : 'threw';
}

function failed(cause: 'syntax' | 'threw', error: unknown): Failure {
  return {
    format: 'hostwright.synth/1',
    failure: { cause, message: messageOf(error).slice(0, MESSAGE_LENGTH), frames: framesOf(error) },
  };
}

/** Anything can be thrown, and what is thrown can throw again when it is looked at. */
function messageOf(error: unknown): string {
  try {
    const { code, permission = '', resource = '' } = (error ?? {}) as Readonly<Record<string, string | undefined>>;
    if (code === 'ERR_ACCESS_DENIED') return refusalOf(permission, resource);
    const missing = missingIn(error);
    if (missing !== undefined) return missing.message;
    if (error instanceof Error) return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
    return `${String(error)} was thrown, which is no Error`;
  } catch {
    return 'something was thrown that cannot be shown';
  }
}

/** An import of a file that is not there, which Node.js says without its line; mostly it lacks the ending. */
function missingIn(error: unknown): { readonly message: string; readonly place: Place } | undefined {
  const { code, message = '' } = (error ?? {}) as { readonly code?: string; readonly message?: string };
  const [, wanted = '', from = ''] = /^Cannot find module '(.+)' imported from (.+)$/.exec(message) ?? [];
  if (code !== 'ERR_MODULE_NOT_FOUND' || from === '') return undefined;
  const importer = from.startsWith('file:') ? fileURLToPath(from) : from;
  const shown = relative(dirname(importer), wanted).split(sep).join('/');
  const written = shown.startsWith('.') ? shown : `./${shown}`;
  const lines = readFileSync(importer, 'utf8').split('\n');
  const line = Math.max(
    lines.findIndex((one) => one.includes(`'${written}'`) || one.includes(`"${written}"`)),
    0,
  );
  const column = Math.max(lines[line]?.indexOf(written) ?? 0, 1);
  const meant = [`${wanted}.ts`, wanted.replace(/\.([cm]?)js$/, '.$1ts'), join(wanted, 'index.ts')].find(
    (one) => one !== wanted && existsSync(one),
  );
  const hint =
    meant === undefined
      ? ''
      : `: write '${written.startsWith('..') ? '' : './'}${relative(dirname(importer), meant).split(sep).join('/')}'`;
  return { message: `There is no file '${written}'${hint}`, place: { file: from, line: line + 1, column } };
}

/** What Node.js does not let a program do here. */
function refusalOf(permission: string, resource: string): string {
  const what: Readonly<Record<string, string>> = {
    FileSystemRead: 'A program may read nothing but the workspace without its secrets, and it tried to read',
    FileSystemWrite: 'A program may write no file, and it tried to write',
    ChildProcess: 'A program may start no other program',
    WorkerThreads: 'A program may start no threads',
    Signal: 'A program may send no signal to others',
  };
  return `${what[permission] ?? `A program may not use ${permission}`}${resource === '' || permission === 'ChildProcess' || permission === 'WorkerThreads' ? '' : ` ${resource}`}`;
}

function framesOf(error: unknown): readonly Place[] {
  try {
    if (!(error instanceof Error)) return [];
    const { place = missingIn(error)?.place } = error as { readonly place?: Place };
    if (place !== undefined) return [place];
    // Node.js says the place of what it cannot link in front of the stack: the line, that line itself, and marks.
    const [, at, where = '', marks = ''] = /^(file:\S+?):(\d+)\n[^\n]*\n( *)\^/.exec(String(error.stack)) ?? [];
    if (at !== undefined) return [{ file: at, line: Number(where), column: marks.length + 1 }];
    return [...String(error.stack).matchAll(/(file:\/\/[^\s()]+?):(\d+):(\d+)/g)]
      .map(([, file = '', line, column]) => ({ file, line: Number(line), column: Number(column) }))
      .filter(({ file }) => !file.startsWith(OWN) && !file.includes('/node_modules/'))
      .slice(0, FRAMES);
  } catch {
    return [];
  }
}

/** The files whose types were stripped come along: whoever reads the answer looks for places in them. */
function answer(result: Synthesis | Failure): void {
  let text: string;
  try {
    text = stringify({ ...result, stripped: stripped() });
  } catch (error) {
    text = stringify(failed('threw', error));
  }
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(ANSWER, bytes, at);
    } catch (error) {
      // The pipe is full; whoever reads it is at work.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
