// Who is calling: the sandbox's known tokens, their kinds and scopes. All values are obviously fake.
import type { World } from '../world.ts';

export const SESSION_TOKEN = 'sandbox-session';
export const API_KEY = 'sandbox-api-key';
/** An API key of a user who may only look at most sites. */
export const READER_API_KEY = 'sandbox-reader-api-key';
/** Every scope. */
export const OAUTH_TOKEN = 'sandbox-oauth';
export const OAUTH_READ_ONLY_TOKEN = 'sandbox-oauth-read-only';
/** Bears an account and no user. */
export const SYSTEM_KEY = 'sandbox-system-key';
/** What platform infrastructure reports task results with. */
export const BACK_END_KEY = 'sandbox-back-end-key';

export const SCOPES = [
  'billing:read',
  'sites:read',
  'sites:write',
  'domains:read',
  'domains:write',
  'mailspace:read',
  'mailspace:write',
  'panel:read',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface Credential {
  readonly kind: 'session' | 'api-key' | 'oauth' | 'system' | 'back-end';
  readonly userId: string | null;
  readonly accountId: string | null;
  /** Meaningful for OAuth only. */
  readonly scopes: readonly Scope[];
}

const SCOPED_PREFIX = 'sandbox-oauth-scopes.';

/** An OAuth token of the main user with exactly these scopes. */
export function oauthToken(scopes: readonly Scope[]): string {
  return SCOPED_PREFIX + scopes.join('.');
}

/** undefined: refused with 401. */
export function identify(world: World, authorization: string | undefined): Credential | undefined {
  // CNV-05: a request needs a session, an API key or an OAuth token in Authorization.
  if (authorization === undefined || authorization === '') return undefined;
  const bearer = /^Bearer (.+)$/.exec(authorization)?.[1];
  const credential = known(bearer ?? authorization) ?? issued(world, bearer ?? authorization);
  if (credential === undefined) return undefined;
  if (credential.kind !== 'oauth' && credential.kind !== 'session') {
    const reading = world.ambiguities['GAP-01'];
    if (reading !== 'either' && reading !== (bearer === undefined ? 'raw' : 'bearer')) return undefined;
    return credential;
  }
  return bearer === undefined ? undefined : credential;
}

/** A token that was told when its user was made. */
function issued(world: World, token: string): Credential | undefined {
  const user = [...world.state.users.values()].find(({ apiToken }) => apiToken === token);
  return user === undefined ? undefined : { kind: 'api-key', userId: user.id, accountId: null, scopes: [] };
}

const OF_ADA = { userId: 'user-ada', accountId: null, scopes: [] };
const KNOWN: Readonly<Record<string, Credential>> = {
  [SESSION_TOKEN]: { ...OF_ADA, kind: 'session' },
  [API_KEY]: { ...OF_ADA, kind: 'api-key' },
  [READER_API_KEY]: { ...OF_ADA, kind: 'api-key', userId: 'user-rob' },
  [OAUTH_TOKEN]: { ...OF_ADA, kind: 'oauth', scopes: SCOPES },
  [OAUTH_READ_ONLY_TOKEN]: { ...OF_ADA, kind: 'oauth', scopes: SCOPES.filter((scope) => scope.endsWith(':read')) },
  [SYSTEM_KEY]: { kind: 'system', userId: null, accountId: 'acc-acme', scopes: [] },
  [BACK_END_KEY]: { kind: 'back-end', userId: null, accountId: null, scopes: [] },
};

function known(token: string): Credential | undefined {
  if (!token.startsWith(SCOPED_PREFIX)) return Object.hasOwn(KNOWN, token) ? KNOWN[token] : undefined;
  const wanted = token.slice(SCOPED_PREFIX.length).split('.');
  return { ...OF_ADA, kind: 'oauth', scopes: SCOPES.filter((scope) => wanted.includes(scope)) };
}
