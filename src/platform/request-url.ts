// Where requests may go: one origin, over HTTPS unless it is this machine, and the paths on it that may be asked for.
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

/**
 * What is wrong with a path, or null. Ids in it come from answers, so a path that a URL parser would read as another
 * one (dots, doubled or backward slashes), or that names another host, is refused before the credential is attached.
 */
export function checkPath(path: string): string | null {
  const end = path.indexOf('?');
  const bare = end === -1 ? path : path.slice(0, end);
  if (!path.startsWith('/')) return 'it does not begin with a slash';
  if (/[\u0000-\u0020\u007f\\#]/.test(path)) return 'it holds a space, a backslash, a # or a control character';
  if (/[^\u0021-\u007e]/.test(path)) return 'it holds a character that is not percent-encoded';
  if (bare.includes('//')) return 'it holds two slashes in a row';
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(bare)) return 'it holds a segment of dots';
  return null;
}

export interface PathSubject {
  /** The list: `sites` of `/api/sites/s1/cdn`. */
  readonly list: string;
  /** The object in it, as the path names it; undefined for the list itself. */
  readonly object: string | undefined;
  /** True for what is inside the object: its settings, a list of its own. */
  readonly isInside: boolean;
}

/** What this path is about, whatever its query asks for. */
export function pathSubject(path: string): PathSubject {
  const [plain = ''] = path.split('?');
  const [, , list = '', object = '', ...inside] = plain.split('/');
  return { list, object: object === '' ? undefined : object, isInside: inside.length > 0 };
}
