// What the platform answers, without what would let somebody in: passwords, tokens, authorisation codes.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';

const SECRET = /pass(word|wd|phrase)|secret|auth_?code|epp_?code|(api|access|refresh)_?(token|key)|private_?key|totp/i;

/** The same value; whatever stands under the name of a secret is left out, at every depth. */
export function withoutSecrets(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (namesSecret(key, item) ? [] : [[key, withoutSecretsIn(item)]])),
  );
}

/** A flag or a number tells nothing (`authcode_behavior`, `requires_password: true`). */
export function namesSecret(key: string, value: Json): boolean {
  if (typeof value === 'boolean' || typeof value === 'number' || key === 'authcode_behavior') return false;
  return SECRET.test(key);
}

/** Of any JSON value. */
export function withoutSecretsIn(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutSecretsIn(item));
  return isJsonObject(value) ? withoutSecrets(value) : value;
}
