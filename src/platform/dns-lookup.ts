// How the DNS is asked: by the resolver of this machine, or by the name servers that the user names. The only importer
// of node:dns. "No such record" and "no answer" are told apart: a resolver that fails says nothing of a record.
import { Resolver } from 'node:dns/promises';
import type { Lookup, LookupAnswer, RecordType } from '../model/dns.ts';

export interface DnsLookupOptions {
  /** Addresses, with a port where it is not 53: `192.0.2.53`, `[2001:db8::53]:5353`. Empty: what this machine uses. */
  readonly servers: readonly string[];
  /** Aborted: what is asked is not waited for. */
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 3000;
const TRIES = 2;

const WORDS: Readonly<Record<string, string>> = {
  ETIMEOUT: 'the name server did not answer in time',
  ECONNREFUSED: 'no name server could be reached',
  ESERVFAIL: 'the name server failed',
  EREFUSED: 'the name server refused to answer',
  ECANCELLED: 'it was called off',
  EBADNAME: 'the name cannot be asked for',
};

/** Looks at the DNS. Throws for name servers that are no addresses. */
export function createDnsLookup({ servers, signal }: DnsLookupOptions): Lookup {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  signal?.addEventListener('abort', () => resolver.cancel(), { once: true });
  return async (name, type): Promise<LookupAnswer> => {
    if (signal?.aborted === true) return { state: 'failed', reason: WORDS.ECANCELLED as string };
    try {
      return { state: 'answered', values: await ask(resolver, name, type) };
    } catch (error) {
      const code = (error as { readonly code?: unknown }).code;
      if (code === 'ENODATA' || code === 'ENOTFOUND') return { state: 'answered', values: [] };
      return {
        state: 'failed',
        reason: WORDS[String(code)] ?? `the name server gave no usable answer (${String(code)})`,
      };
    }
  };
}

async function ask(resolver: Resolver, name: string, type: RecordType): Promise<readonly string[]> {
  switch (type) {
    case 'A':
      return resolver.resolve4(name);
    case 'AAAA':
      return resolver.resolve6(name);
    case 'CNAME':
      return resolver.resolveCname(name);
    case 'MX':
      return (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`);
    case 'NS':
      return resolver.resolveNs(name);
    case 'TXT':
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  }
}
