// Whether a list of addresses that somebody wants can be had: valid, on a served domain, free.
import { domainOf, readAddress } from '../../core/names.ts';
import { isServed, isTaken } from '../server.ts';
import type { Principal } from '../server.ts';
import type { Mailspace } from '../state.ts';
import type { World } from '../../core/world.ts';

/** `owner`: whose addresses they may be already. Bare local parts are not documented here, so they are no addresses. */
export function readAddresses(
  world: World,
  space: Mailspace,
  given: unknown,
  owner: Principal | undefined,
): { readonly addresses: string[] } | { readonly problem: string } {
  if (!Array.isArray(given)) return { problem: 'Addresses come as a list' };
  const addresses: string[] = [];
  for (const text of given.map(String)) {
    const address = readAddress(text);
    if (address === undefined) return { problem: `'${text}' is not an address` };
    // MDM-09: there are no addresses on a domain that is not served.
    if (!isServed(space, domainOf(address))) return { problem: `${address} is not on a domain of this mailspace` };
    if (address === owner?.email || isTaken(world, space, address, owner)) return { problem: `${address} is in use` };
    if (!addresses.includes(address)) addresses.push(address);
  }
  return { addresses };
}
