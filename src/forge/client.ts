// How GitHub is talked to: which server, as whom, what is tried again. Reads and what may be repeated are; a request
// that makes something is sent once, and whoever makes it looks before it tries again.
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { endpointOf } from '../platform/endpoint.ts';
import type { Proxies } from '../platform/proxies.ts';
import { proxiedFetch } from '../platform/undici-transport.ts';

export interface ForgeAccess {
  /** `https://api.github.com`, or the address that an own server tells its jobs. */
  readonly apiUrl: string;
  readonly token: string;
  readonly owner: string;
  readonly repo: string;
  /** Who writes our comments and issues: of nobody else's is anything believed. */
  readonly author: string;
  readonly version: string;
  readonly proxies?: Proxies;
  /** Milliseconds of a pause of 1; tests have no time. */
  readonly pauseMs?: number;
  /** Instead of the pauses between writes that GitHub asks for; tests have no time. */
  readonly pacing?: object;
  /** Told when a limit of requests makes it wait. */
  readonly onWait?: (seconds: number) => void;
}

/**
 * Where GitHub is and which repository is meant; else a sentence for a diagnostic. The token goes nowhere unencrypted.
 */
export function findForge({
  apiUrl,
  token,
  repository,
}: {
  readonly apiUrl: string;
  readonly token: string;
  readonly repository: string;
}): Pick<ForgeAccess, 'apiUrl' | 'token' | 'owner' | 'repo'> | string {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? [];
  if (owner === undefined || repo === undefined)
    return 'Name the repository as owner/name: --repository, or GITHUB_REPOSITORY.';
  if (!/^[\x21-\x7e]+$/.test(token))
    return 'GITHUB_TOKEN holds no token. In a workflow: `env: { GITHUB_TOKEN: ${{ github.token }} }`.';
  try {
    const { origin, prefix } = endpointOf(apiUrl);
    return { apiUrl: `${origin}${prefix}`, token, owner, repo };
  } catch {
    return 'GITHUB_API_URL is not the address of an API: it begins with https://, unless it is this machine.';
  }
}

const Client = Octokit.plugin(paginateRest, retry, throttling);

/** GitHub, and the repository it is about. */
export interface Forge {
  readonly client: InstanceType<typeof Client>;
  readonly at: { readonly owner: string; readonly repo: string };
  readonly author: string;
}

/** A limit of requests is waited for when it ends this soon. */
const PATIENCE_S = 120;
const RETRIES = 2;
/** Of a request that makes something: whoever sends it looks whether it arrived. */
export const ONCE = { request: { retries: 0 } } as const;

export function openForge({
  apiUrl,
  token,
  owner,
  repo,
  author,
  version,
  proxies = {},
  pauseMs = 1000,
  pacing = {},
  onWait = () => undefined,
}: ForgeAccess): Forge {
  const wait = (seconds: number, _options: unknown, _client: unknown, count: number): boolean => {
    const waits = seconds <= PATIENCE_S && count < RETRIES;
    if (waits) onWait(seconds);
    return waits;
  };
  const silent = (): void => undefined;
  const proxied = proxiedFetch(new URL(apiUrl).origin, proxies);
  const client = new Client({
    auth: token,
    baseUrl: apiUrl,
    userAgent: `hostwright/${version}`,
    ...(proxied !== undefined && { request: { fetch: proxied } }),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    retry: { retries: RETRIES, retryAfterBaseValue: pauseMs, doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
    throttle: { onRateLimit: wait, onSecondaryRateLimit: wait, retryAfterBaseValue: pauseMs, ...pacing },
  });
  return { client, at: { owner, repo }, author };
}

/**
 * What GitHub said to a request that it refused, or that did not arrive, in a few words; undefined: the error is no
 * answer of it.
 */
export function forgeError(error: unknown): { readonly status: number; readonly said: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, name, message, response } = error as Error & {
    readonly status?: unknown;
    readonly response?: unknown;
  };
  // Where no answer came the client makes up a status of 500.
  if (name === 'HttpError' && typeof status === 'number')
    return {
      status,
      said: `${message.replace(/ - https?:\/\/\S*$/, '')}${response === undefined ? '' : ` (${status})`}`,
    };
  return name === 'GraphqlResponseError' ? { status: 200, said: message } : undefined;
}
