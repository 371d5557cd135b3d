// What two resources of one configuration must not both be about. One walk of Terraform plans each resource once, with one
// process of the provider; so what comes a second time is another resource, or one that is to be replaced.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';

export interface Claim {
  readonly address: Address;
  /** Of the live object; absent: the state has none. */
  readonly id?: string;
  /** The state has nothing of it. */
  readonly isNew: boolean;
  /** What only one resource of an account can have: `SiteDomain/www.example.com`. */
  readonly names: readonly string[];
}

export interface Claims {
  /** Why a resource must not be planned beside those before it. */
  readonly claim: (claim: Claim) => Diagnostic | undefined;
  /**
   * Claims the live object that a create binds to, by its kind and id. Returns HW6911 if another resource of this walk has
   * it.
   */
  readonly bind: (address: Address, id: string) => Diagnostic | undefined;
  /** The state has a resource at this address, and its object is there. */
  readonly stored: (address: Address) => void;
  /** The state has a resource at this address, and its object is gone. */
  readonly lost: (address: Address) => void;
  readonly isLost: (address: Address) => boolean;
}

export function createClaims(): Claims {
  const stored = new Set<Address>();
  const lost = new Set<Address>();
  const planned = new Set<Address>();
  const holders = new Map<string, Address>();
  const taken = (name: string, address: Address): Address | undefined => {
    const holder = holders.get(name);
    holders.set(name, holder ?? address);
    return holder === address ? undefined : holder;
  };
  const claimAll = (address: Address, names: readonly string[]): Diagnostic | undefined => {
    const twice = names.flatMap((name) => {
      const holder = taken(name, address);
      return holder === undefined ? [] : [`${address} and ${holder} both have ${name}`];
    });
    return twice.length === 0
      ? undefined
      : diagnose(
          'HW6911',
          `${twice.join('. ')}. Each would undo the other: remove it from one of them. To move a hostname to another site, use \`hand_over\` and \`move_from\`.`,
        );
  };
  return {
    stored: (address) => void stored.add(address),
    lost: (address) => void lost.add(address),
    isLost: (address) => lost.has(address),
    claim: ({ address, id, isNew, names }) => {
      if (isNew && stored.has(address)) return replaced(address);
      if (planned.has(address))
        return diagnose(
          'HW6911',
          `Two resources are ${address}: each would undo the other. Give one of them another name, or take it out.`,
        );
      planned.add(address);
      if (!isNew) stored.add(address);
      return claimAll(address, [...(id === undefined ? [] : [idName(id)]), ...names]);
    },
    bind: (address, id) => claimAll(address, [idName(id)]),
  };
}

function idName(id: string): string {
  return `id ${id}`;
}

function replaced(address: Address): Diagnostic {
  return diagnose(
    'HW6912',
    `${address} is in the state, and is planned anew. If it is tainted, or \`-replace\` was given: nothing is replaced here, because what is live would be lost, and what was bought would be bought again. Run \`terraform untaint\`, or leave \`-replace\` out; what differs is changed in place. To begin anew on purpose, destroy it first, as \`deletion\` says, and apply then. If another resource has the same name: give one of them another.`,
  );
}
