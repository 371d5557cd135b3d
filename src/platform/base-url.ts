// Where requests may go: one origin, over HTTPS unless it is this machine.
import { isLoopback } from '../model/hostname.ts';

export interface BaseUrl {
  readonly origin: string;
  /** A path that the base URL itself has, without its last slash. */
  readonly prefix: string;
}

/** A base URL in its parts; throws, in a sentence for a diagnostic, for one that must not be used. */
export function parseBaseUrl(baseUrl: string): BaseUrl {
  const parsed = baseUrlOrProblem(baseUrl);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

function baseUrlOrProblem(baseUrl: string): BaseUrl | string {
  if (!URL.canParse(baseUrl)) return 'The base URL is not a URL.';
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The base URL must begin with https://.';
  if (url.username !== '' || url.password !== '') return 'The base URL must not hold a user name or password.';
  if (url.search !== '' || url.hash !== '') return 'The base URL must not have a query or a fragment.';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'The token would travel unencrypted: the base URL must begin with https:// unless it is this machine.';
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}
