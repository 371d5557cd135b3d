// What differs between a wanted and a live document of one object, as RFC 6902 operations. Both sides are normalised
// before; must not know any kind's name.
import jsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import type { Json, JsonObject } from '../model/json.ts';
import { covers, isJsonObject, sameJson, valueAt } from '../model/json.ts';
import { fieldsWith } from '../model/kind/kind.ts';
import type { FieldRule, Kind } from '../model/kind/kind.ts';
import type { Change } from '../model/plan/plan.ts';
import type { RotationTokens, SecretSource } from '../model/secret.ts';
import { rotationTokensIn, placeOfSecret, secretsOf } from '../model/secret.ts';
import { escapePointer } from '../model/json.ts';

/**
 * The changes that make the live document what is declared, in the order of the kind's fields. Undeclared fields never
 * appear.
 */
export function diffSpec(kind: Kind, desired: JsonObject, observed: JsonObject): readonly Change[] {
  return comparedFields(kind, desired, 'updatable').flatMap((field) =>
    diffField(field, desired[field] as Json, observed[field]),
  );
}

/** Whether all that is declared is live, without a list of what differs. */
export function isAsDeclared(kind: Kind, desired: JsonObject, observed: JsonObject): boolean {
  return (
    comparedFields(kind, desired, 'updatable').every((field) => covers(observed[field], desired[field])) &&
    immutableDifferences(kind, desired, observed).length === 0
  );
}

/** Declared fields that differ and cannot be changed in place. */
export function immutableDifferences(kind: Kind, desired: JsonObject, observed: JsonObject): readonly string[] {
  return comparedFields(kind, desired, 'immutable').filter((field) => !sameJson(desired[field], observed[field]));
}

/**
 * The secrets that are to be written to a live object: those whose declared rotation token is another than the recorded
 * one, and those that were never written. Without a record nothing is: what is live was set by somebody, and is not
 * overwritten because a ledger is missing.
 */
export function dueSecrets(kind: Kind, desired: JsonObject, recorded: RotationTokens = {}): readonly Change[] {
  return secretsOf(kind, desired).flatMap(({ field, source }): readonly Change[] => {
    const rotationToken = Object.hasOwn(recorded, field) ? recorded[field] : undefined;
    const differs =
      rotationToken === false ||
      (rotationToken !== undefined && source.rotate !== undefined && rotationToken !== source.rotate);
    if (!differs || !Object.values(kind.update).some(({ writes }) => writes.includes(field))) return [];
    return [
      rotationToken === false
        ? secretChange(field, source)
        : { ...secretChange(field, source), op: 'replace', ...(rotationToken !== null && { was: rotationToken }) },
    ];
  });
}

/**
 * The rotation tokens that stand alone and are declared otherwise than recorded. Without a record nothing is done, as with
 * secrets.
 */
export function dueRotationTokens(kind: Kind, desired: JsonObject, recorded: RotationTokens = {}): readonly Change[] {
  return fieldsWith(kind.fields, 'rotation-token').flatMap((field): readonly Change[] => {
    const [value, was] = [desired[field], recorded[field]];
    if (value === undefined || !Object.hasOwn(recorded, field) || value === was) return [];
    const path = `/${escapePointer(field)}`;
    return [
      typeof was === 'string'
        ? { op: 'replace', path, was, value, rotationToken: true }
        : { op: 'add', path, value, rotationToken: true },
    ];
  });
}

/** The change that sets a secret: its place and its rotation token. */
export function secretChange(field: string, source: SecretSource): Change {
  return {
    op: 'add',
    path: `/${escapePointer(field)}`,
    secret: placeOfSecret(source),
    ...(source.rotate !== undefined && { value: source.rotate }),
  };
}

/** Fields with a declared rotation token of which nobody recorded with which token they were last written. */
export function unknownRotationTokens(
  kind: Kind,
  desired: JsonObject,
  live: JsonObject,
  recorded: RotationTokens = {},
): readonly string[] {
  if (!hasRotationTokens(kind)) return [];
  const exists = (field: FieldRule | undefined): boolean =>
    field?.rule !== 'rotation-token' || live[field.existsWhile] === true;
  return Object.entries(rotationTokensIn(kind, desired)).flatMap(([field, rotationToken]) =>
    rotationToken === null || Object.hasOwn(recorded, field) || !exists(kind.fields[field]) ? [] : [field],
  );
}

function hasRotationTokens({ fields }: Kind): boolean {
  return fieldsWith(fields, 'writeOnly').length + fieldsWith(fields, 'rotation-token').length > 0;
}

function comparedFields(kind: Kind, desired: JsonObject, rule: 'updatable' | 'immutable'): readonly string[] {
  return fieldsWith(kind.fields, rule).filter((field) => field in desired);
}

function diffField(field: string, desired: Json, observed: Json | undefined): readonly Change[] {
  const path = `/${escapePointer(field)}`;
  if (observed === undefined) return [{ op: 'add', path, value: desired }];
  // Lists and sets change as a whole: an index says nothing to a reader, and the API writes them whole.
  if (!isJsonObject(desired) || !isJsonObject(observed)) {
    return sameJson(desired, observed) ? [] : [{ op: 'replace', path, was: observed, value: desired }];
  }
  if (covers(observed, desired)) return [];
  const before = { [field]: pickDeclared(observed, desired) };
  return jsonPatch.compare(before, { [field]: desired }).map((operation) => withPrevious(operation, before));
}

/** Only what is declared is compared, at every depth. */
function pickDeclared(observed: JsonObject, desired: JsonObject): JsonObject {
  const entries = Object.entries(desired)
    .filter(([key]) => Object.hasOwn(observed, key))
    .map(([key, value]) => {
      const live = observed[key] as Json;
      return [key, isJsonObject(value) && isJsonObject(live) ? pickDeclared(live, value) : live] as const;
    });
  return Object.fromEntries(entries);
}

function withPrevious(operation: Operation, before: JsonObject): Change {
  const { op, path } = operation as { op: 'add' | 'replace'; path: string };
  const was = valueAt(before, path);
  return { op, path, ...(was !== undefined && { was }), value: (operation as { value: Json }).value };
}
