// The use case behind HTTPS_PROXY and HTTP_PROXY: what is wrong with them, before anything is sent.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Proxies } from '../../platform/proxies.ts';
import { proxyAddress } from '../../platform/proxies.ts';

export type { Proxies } from '../../platform/proxies.ts';

/** One error for each that is no address of a proxy. */
export function checkProxies({ https, http }: Proxies): readonly Diagnostic[] {
  return Object.entries({ HTTPS_PROXY: https, HTTP_PROXY: http }).flatMap(([name, value]): readonly Diagnostic[] => {
    if (value === undefined || proxyAddress(value) !== undefined) return [];
    const detail = `${name} is not the address of an HTTP proxy. Write it like http://proxy.example.com:3128, or unset it.`;
    return [diagnose('HW6575', detail)];
  });
}
