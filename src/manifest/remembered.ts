// What is remembered of manifests between runs, so that a file that has not changed is not parsed and checked again: the
// values in it, by the hash of its text. Only files in which nothing is wrong are remembered, so no secret is that
// somebody wrote into a manifest: that is an error. It may be thrown away at any time, and where a file is changed, of
// another version or not the user's alone, nothing of it is believed.
// Without it `validate` of 1,000 files takes 2.2 times the CPU (docs/design/speed.md).
import { hash as digest } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../model/json.ts';

/** Where it is kept. Reading gives nothing where there is nothing, or nothing that can be trusted. */
export interface MemoryStore {
  /** Of the program, schemas included: what another version has found valid is not believed. */
  readonly version: string;
  readonly read: (name: string) => Uint8Array | undefined;
  readonly write: (name: string, parts: readonly Uint8Array[]) => void;
}

/** The documents of one text, and which of them their schema takes as they stand. */
export interface RememberedText {
  readonly values: readonly Json[];
  readonly valid: readonly boolean[];
}

export interface Memory {
  readonly find: (text: string) => RememberedText | undefined;
  readonly note: (text: string, remembered: RememberedText) => void;
  /** Keeps it for the next run, where this one found anything new. */
  readonly save: () => void;
}

/** Below that, reading what was remembered takes longer than parsing: the size of all texts together. */
const WORTH_IT = 4 * 1024;
/** What is kept of one workspace; what was used longest ago goes. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** What is remembered of the workspace in a folder; undefined where it would not be worth it. */
export function openMemory(
  store: MemoryStore | undefined,
  root: string,
  texts: readonly { readonly text: string }[],
): Memory | undefined {
  if (store === undefined || texts.reduce((sum, { text }) => sum + text.length, 0) < WORTH_IT) return undefined;
  const name = `manifests-${hash(root).slice(0, 32)}`;
  const kept = linesIn(store.read(name), store.version);
  const used = new Map<string, string>();
  let isNew = false;
  return {
    find: (text) => {
      const key = hash(text);
      const line = kept.get(key);
      if (line === undefined) return undefined;
      used.set(key, line);
      return JSON.parse(line) as RememberedText;
    },
    note: (text, remembered) => {
      const line = JSON.stringify(remembered);
      // JSON has no `-0` and no `.inf`, and what is remembered has to be what was read.
      if (!isDeepStrictEqual(JSON.parse(line), remembered)) return;
      used.set(hash(text), line);
      isNew = true;
    },
    save: () => {
      if (isNew) store.write(name, written(store.version, new Map([...used, ...kept])));
    },
  };
}

/** The version and a hash of all that follows, then a line for each text. */
function written(version: string, lines: ReadonlyMap<string, string>): readonly Uint8Array[] {
  const taken: string[] = [];
  let length = 0;
  for (const [key, line] of lines) {
    length += line.length;
    if (length > MAX_CHARACTERS) break;
    taken.push(`${key} ${line}`);
  }
  const body = Buffer.from(taken.join('\n'));
  return [Buffer.from(`${version} ${hash(body)}\n`), body];
}

function linesIn(bytes: Uint8Array | undefined, version: string): ReadonlyMap<string, string> {
  const end = bytes?.indexOf(0x0a) ?? -1;
  if (bytes === undefined || end === -1) return new Map();
  const body = bytes.subarray(end + 1);
  if (Buffer.from(bytes.subarray(0, end)).toString() !== `${version} ${hash(body)}`) return new Map();
  const lines = Buffer.from(body).toString().split('\n');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
}

function hash(content: string | Uint8Array): string {
  return digest('sha256', content);
}
