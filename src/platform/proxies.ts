// Through which proxy an origin is reached: as HTTPS_PROXY and HTTP_PROXY say, and never so that a credential travels
// unencrypted. What NO_PROXY leaves out is undici's to decide.
import { isLoopback } from '../model/hostname.ts';

/** What HTTPS_PROXY, HTTP_PROXY and NO_PROXY hold; absent: not set. */
export interface Proxies {
  readonly https?: string;
  readonly http?: string;
  readonly none?: string;
  /** The file that NODE_EXTRA_CA_CERTS names. */
  readonly extraAuthorities?: string;
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

/** Where a request goes: the origin, and the proxy on the way there. */
export interface Way {
  readonly origin: string;
  readonly proxies: Proxies;
}

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly hostname?: string;
  readonly port?: number;
  readonly message: string;
}

/**
 * Returns the error of a connection in words that name the hop that failed and what to set, with the `code` and `syscall` of
 * the given error; returns other errors unchanged.
 */
export function connectionError(thrown: unknown, way: Way): unknown {
  const system = systemError(thrown);
  if (system === undefined) return thrown;
  const { code, message } = describeFailure(system, way) ?? {};
  if (message === undefined) return thrown;
  return Object.assign(new Error(message), {
    code: code ?? system.code,
    ...(system.syscall !== undefined && { syscall: system.syscall }),
  });
}

const TLS_MISMATCH = /wrong version number|packet length too long|http request|unsupported protocol|unknown protocol/i;
const UNKNOWN_AUTHORITY = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY)/;

function describeFailure(
  error: SystemError,
  way: Way,
): { readonly message: string; readonly code?: string } | undefined {
  const { code = '', message } = error;
  const hop = hopOf(error, way);
  const refusal = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (refusal !== undefined) {
    const remedy = refusal === '407' ? `. Set user and password in ${variableOf(way)}` : '';
    return {
      message: `the proxy ${proxyOrigin(way)} refuses to connect to ${way.origin} (${refusal})${remedy}`,
      code: 'ERR_PROXY_CONNECT',
    };
  }
  if (UNKNOWN_AUTHORITY.test(code)) return { message: unknownAuthority(way) };
  if (code === 'CERT_HAS_EXPIRED') return { message: `the certificate of ${tlsPeer(way)} has expired` };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { message: `the certificate of ${tlsPeer(way)} is for another host name` };
  if ((code === 'EPROTO' || code.startsWith('ERR_SSL_')) && TLS_MISMATCH.test(message))
    return { message: noTls(way), code: 'ERR_SSL_WRONG_VERSION_NUMBER' };
  if (code.startsWith('ERR_SSL_')) return { message: `the TLS handshake with ${tlsPeer(way)} failed (${code})` };
  switch (code) {
    case 'ECONNREFUSED':
      return { message: `connection refused by ${hop}` };
    case 'ENOTFOUND':
      return { message: `the DNS has no address for the host of ${hop}` };
    case 'EAI_AGAIN':
      return { message: `no DNS server responded for the host of ${hop}` };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return { message: `there is no network route to ${hop}` };
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return error.syscall === undefined && code === 'ETIMEDOUT'
        ? undefined
        : { message: `no connection in time with ${hop}` };
    default:
      return undefined;
  }
}

function unknownAuthority(way: Way): string {
  const { extraAuthorities } = way.proxies;
  const remedy =
    extraAuthorities === undefined
      ? 'If you trust that authority, set NODE_EXTRA_CA_CERTS to a PEM file with its certificate'
      : `NODE_EXTRA_CA_CERTS is ${extraAuthorities}: check that this file can be read and contains the certificate of that authority`;
  return `the certificate of ${tlsPeer(way)} is signed by an unknown authority. ${remedy}`;
}

function noTls(way: Way): string {
  return isSecureProxy(way)
    ? `the proxy ${proxyOrigin(way)} does not use TLS. Write http:// in ${variableOf(way)}`
    : `${way.origin} does not use TLS. Check the scheme and the port of the address`;
}

/** A handshake with a proxy comes before that with the origin, and the error does not tell which failed. */
function tlsPeer(way: Way): string {
  return isSecureProxy(way) ? `${way.origin} or of the proxy ${proxyOrigin(way)}` : way.origin;
}

function isSecureProxy(way: Way): boolean {
  return proxyOrigin(way)?.startsWith('https:') === true;
}

/** Returns the hop that an error names by its port or host name: the proxy, or the origin. */
function hopOf({ hostname, port, message }: SystemError, way: Way): string {
  const proxy = proxyOrigin(way);
  if (proxy === undefined) return way.origin;
  const { hostname: proxyHost, port: proxyPort, protocol } = new URL(proxy);
  const named = proxyPort === '' ? (protocol === 'https:' ? '443' : '80') : proxyPort;
  const isProxy =
    hostname === undefined
      ? String(port ?? /:(\d+)\b/.exec(message)?.[1]) === named
      : hostname === proxyHost.replace(/^\[|\]$/g, '');
  return isProxy ? `the proxy ${proxy} (${variableOf(way)})` : way.origin;
}

/** The address of the proxy without the credentials in it. */
function proxyOrigin({ origin, proxies }: Way): string | undefined {
  const proxy = proxyFor(origin, proxies);
  return proxy === undefined ? undefined : new URL(proxy).origin;
}

function variableOf({ origin }: Way): string {
  return origin.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
}

/** Returns the first error with a code among an error and its causes. */
function systemError(thrown: unknown): SystemError | undefined {
  let current = thrown;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (/^Proxy response/.test(current.message)) return { message: current.message };
    const nested: unknown = current instanceof AggregateError ? current.errors[0] : undefined;
    const failure: SystemError = current;
    // An error of several addresses has the port in the first of its errors.
    if (failure.code !== undefined && nested === undefined) return failure;
    current = current.cause ?? nested;
  }
  return undefined;
}
