// What it takes to keep what an answer tells only once: a file that is begun before the request and filled right after
// its answer, or a command that takes it.
import type { Address } from './address.ts';
import type { Json, JsonObject } from './json.ts';
import { isJsonObject } from './json.ts';
import type { Fields } from './kind/field.ts';
import type { SecretDestination } from './plan/step.ts';

export type { SecretDestination } from './plan/step.ts';

/** Why nothing can be kept there, in words that go on from the name of the place, and what to do. */
export interface Objection {
  readonly reason: string;
  readonly remedy: string;
}

/** Files are named as manifests name them: relative to the folder of the workspace file. */
export interface SecretSink {
  /** Why what is told of an object cannot be kept there; undefined when it can. */
  readonly objection: (to: SecretDestination, address: Address) => Promise<Objection | undefined>;
  /** Makes the place ready, or says why not. A file that is there already is never overwritten. */
  readonly reserve: (to: SecretDestination, address: Address) => Promise<Reserved | { readonly reason: string }>;
  /**
   * What a run has kept there, or as much of it as can be read: `encrypted` has the names of the rest. Undefined when
   * it did not come to that, or nobody can tell.
   */
  readonly read: (to: SecretDestination) => Promise<JsonObject | undefined>;
}

export interface Reserved {
  /** Writes to stable storage; resolves with the reason when that fails. `open`: what of it is no secret. */
  readonly fill: (text: string, open: JsonObject) => Promise<string | undefined>;
  /** Ends it. A file that is still blank goes. */
  readonly release: () => Promise<void>;
}

/** The field of a kind that says where to what is told once; undefined when it tells nothing like that. */
export function secretFieldOf({ fields }: { readonly fields: Fields }): string | undefined {
  return Object.keys(fields).find((name) => 'secretFile' in (fields[name] ?? {}));
}

/** Where to what is told once is declared to go, with its field; undefined when nothing is declared. */
export function secretDestinationOf(
  kind: { readonly fields: Fields },
  spec: JsonObject,
): { readonly field: string; readonly to: SecretDestination } | undefined {
  const field = secretFieldOf(kind);
  const to = field === undefined ? undefined : asDestination(spec[field]);
  return field === undefined || to === undefined ? undefined : { field, to };
}

/** The destination in a field; undefined where there is none. */
export function asDestination(value: Json | undefined): SecretDestination | undefined {
  if (!isJsonObject(value)) return undefined;
  if (typeof value.file === 'string') return { file: value.file };
  return typeof value.sink === 'string' ? { sink: value.sink } : undefined;
}

/** What messages call it. */
export function showDestination(to: SecretDestination): string {
  return 'file' in to ? `the file ${to.file}` : `the sink ${to.sink}`;
}
