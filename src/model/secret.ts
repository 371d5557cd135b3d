// How what cannot be read stands in a manifest and in the ledger: a secret by its place and its rotation token (`rotate`),
// never by its value; anything else by such a token alone.
import type { Check } from './common/checks.ts';
import { recordOf } from './common/checks.ts';
import type { Json, JsonObject } from './json.ts';
import { isJsonObject } from './json.ts';
import type { Fields } from './kind/field.ts';
import { fieldsWith } from './kind/field.ts';
import type { SecretReference } from './plan/step.ts';

/**
 * The value of a writeOnly field in a manifest: where the secret is, and its rotation token: the secret is written again
 * when that changes.
 */
export type SecretSource = SecretPlace & { readonly rotate?: string };

/** Where the secret of a change comes from. */
export type SecretPlace = SecretReference['$secret'];

/**
 * The rotation token with which a secret was last written; null: without one. `false`: never written, because what should
 * have done it stopped before. A field without a record was not written by us, and what is live there is not known.
 */
export type RotationToken = string | null | false;

export type RotationTokens = Readonly<Record<string, RotationToken>>;

/** Returns true for rotation tokens by field, as a store may hold them. */
export const areRotationTokens: Check = recordOf(
  (value) => value === null || value === false || typeof value === 'string',
);

/** The source in a writeOnly field, or undefined for anything else. */
export function secretSourceOf(value: Json | undefined): SecretSource | undefined {
  if (!isJsonObject(value)) return undefined;
  const named = [value.env, value.file, value.entry].filter((place) => typeof place === 'string');
  return named.length === 1 ? (value as unknown as SecretSource) : undefined;
}

/** The place alone, as a plan names it. */
export function placeOfSecret(source: SecretSource): SecretPlace {
  if ('env' in source) return { env: source.env };
  return 'file' in source ? { file: source.file } : { entry: source.entry };
}

/** The declared secrets of an object, in the order of its kind's fields. */
export function secretsOf(
  { fields }: { readonly fields: Fields },
  spec: JsonObject,
): readonly { readonly field: string; readonly source: SecretSource }[] {
  return fieldsWith(fields, 'writeOnly').flatMap((field) => {
    const source = secretSourceOf(spec[field]);
    return source === undefined ? [] : [{ field, source }];
  });
}

/** The rotation tokens that an object declares, by field; null: none, of something that can have one. */
export function rotationTokensIn(
  kind: { readonly fields: Fields },
  spec: JsonObject,
): Readonly<Record<string, string | null>> {
  const alone = fieldsWith(kind.fields, 'rotation-token').map((field) => [field, textOrNull(spec[field])] as const);
  return Object.fromEntries([
    ...secretsOf(kind, spec).map(({ field, source }) => [field, source.rotate ?? null] as const),
    ...alone,
  ]);
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * The rotation tokens to record once the object is known: nothing that is recorded is changed, and what was never written
 * by us begins with the token that is declared.
 */
export function rotationTokensOnceKnown(
  rotationTokens: ReturnType<typeof rotationTokensIn>,
  recorded: RotationTokens = {},
): RotationTokens {
  return { ...rotationTokens, ...recorded };
}
