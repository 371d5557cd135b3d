// What it takes to keep what an answer tells only once: a file that is begun before the request, filled right after its
// answer.
import type { Json, JsonObject } from './json.ts';
import { isJsonObject } from './json.ts';
import type { Fields } from './kind/field.ts';

/** Files are named as manifests name them: relative to the folder of the workspace file. */
export interface SecretSink {
  /** Why nothing can be kept there, in words that go on from the file's name; undefined when it can. */
  readonly objection: (file: string) => Promise<string | undefined>;
  /** Makes the file, blank and with room; or says why not. What is there already is never overwritten. */
  readonly reserve: (file: string) => Promise<Reserved | { readonly reason: string }>;
  /** What a run has kept there; undefined when it did not come to that. */
  readonly read: (file: string) => Promise<JsonObject | undefined>;
}

export interface Reserved {
  /** Writes the text to stable storage; resolves with the reason when that fails. */
  readonly fill: (text: string) => Promise<string | undefined>;
  /** Ends it. A file that is still blank goes. */
  readonly release: () => Promise<void>;
}

/** The field of a kind that names a file for what is told once; undefined when it tells nothing like that. */
export function secretFieldOf({ fields }: { readonly fields: Fields }): string | undefined {
  for (const name in fields) if (fields[name]?.secretFile === true) return name;
  return undefined;
}

/** The file that is declared to take what is told once, with its field; undefined when none is. */
export function secretFileOf(
  kind: { readonly fields: Fields },
  spec: JsonObject,
): { readonly field: string; readonly file: string } | undefined {
  const field = secretFieldOf(kind);
  const value: Json | undefined = field === undefined ? undefined : spec[field];
  return field !== undefined && isJsonObject(value) && typeof value.file === 'string'
    ? { field, file: value.file }
    : undefined;
}
