// What the form of a token tells: the documents show none (GAP-01), so only what a signed web token says of itself in
// the clear is taken: when it ends, and its scopes.
import type { JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';

export interface TokenClaims {
  readonly expiresAtMs?: number;
  readonly scopes?: readonly string[];
}

/** What the token says of itself; undefined when it is no signed web token. */
export function claimsOf(token: string): TokenClaims | undefined {
  const [head = '', body = '', signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0 || parse(head)?.alg === undefined) return undefined;
  const claims = parse(body);
  if (claims === undefined) return undefined;
  const { exp, scope, scp, scopes } = claims;
  const listed = [scope, scp, scopes].flatMap((value) =>
    typeof value === 'string'
      ? value.split(' ')
      : Array.isArray(value)
        ? value.filter((item) => typeof item === 'string')
        : [],
  );
  return { ...(typeof exp === 'number' && { expiresAtMs: exp * 1000 }), ...(listed.length > 0 && { scopes: listed }) };
}

function parse(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
