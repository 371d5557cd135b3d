// Through which proxy an origin is reached: as HTTPS_PROXY and HTTP_PROXY say, and never so that a credential travels
// unencrypted. What NO_PROXY leaves out is undici's to decide.
import { isLoopback } from '../model/hostname.ts';

/** What HTTPS_PROXY, HTTP_PROXY and NO_PROXY hold; absent: not set. */
export interface Proxies {
  readonly https?: string;
  readonly http?: string;
  readonly none?: string;
}

/**
 * The address of a proxy, with its scheme; undefined for what is none. Without a scheme it is reached over HTTP, as
 * everywhere.
 */
export function proxyAddress(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) ? address : undefined;
}

/** The proxy for an origin; undefined when it is reached directly. */
export function proxyFor(origin: string, { https, http }: Proxies): string | undefined {
  const { protocol } = new URL(origin);
  const text = protocol === 'https:' ? https : http;
  const address = text === undefined ? undefined : proxyAddress(text);
  // http:// is for this machine alone: through a proxy elsewhere the credential would leave it, for everybody to read.
  if (address === undefined || (protocol === 'http:' && !isLoopback(new URL(address).hostname))) return undefined;
  return address;
}
