// What `--target` names: each address or glob must name something that is declared, live or in flight. One that names
// nothing is an error, because an empty plan would look like success.
import type { Address } from '../../model/address.ts';
import { compareText, parentOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Kind } from '../../model/kind/kind.ts';
import { memberAddress } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { addressPattern } from '../../planner/targets.ts';
import { registry } from '../../areas/index.ts';
import { didYouMean, quote } from '../../model/format.ts';
import type { LiveAccount } from './read-account.ts';

interface Targets {
  readonly targets: readonly Address[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The addresses that the patterns name, and an error for each that names none. */
export function chooseTargets(
  patterns: readonly string[],
  live: Pick<LiveAccount, 'declared' | 'observed'>,
  ledger: Pick<LedgerView, 'inFlight'>,
): Targets {
  if (patterns.length === 0) return { targets: [], diagnostics: [] };
  const known = knownAddresses(live, ledger);
  const unread = [...live.observed].flatMap(([collection, { state }]) => (state === 'read' ? [] : [`${collection}/`]));
  const found = patterns.map((pattern) => {
    const names = addressPattern(pattern);
    const addresses = known.filter(names);
    // What is in a list that could not be read may be there.
    return addresses.length === 0 && unread.some((list) => pattern.startsWith(list)) ? [pattern] : addresses;
  });
  return {
    targets: outermost(found.flat()),
    diagnostics: patterns.flatMap((pattern, index) =>
      found[index]?.length === 0 ? [matchesNothing(pattern, known)] : [],
    ),
  };
}

/** Without what is in another one of them. */
function outermost(addresses: readonly Address[]): readonly Address[] {
  const all = new Set(addresses);
  const isInside = (address: Address): boolean => {
    for (let owner = parentOf(address); owner !== null; owner = parentOf(owner)) if (all.has(owner)) return true;
    return false;
  };
  return [...all].filter((address) => !isInside(address)).sort(compareText);
}

/** Everything that can be named, with all that it is in. */
export function knownAddresses(
  { declared, observed }: Pick<LiveAccount, 'declared' | 'observed'>,
  { inFlight }: Pick<LedgerView, 'inFlight'>,
): readonly Address[] {
  const known = new Set<Address>();
  const add = (address: Address): void => {
    for (let own: Address | null = address; own !== null; own = parentOf(own)) known.add(own);
  };
  for (const { collection, kind, parent, members } of declared) {
    add(collection);
    for (const { address } of members) add(address);
    const live = observed.get(collection);
    // A root is known by the name of its manifest, not by that of the live object.
    if (parent !== null && live?.state === 'read')
      for (const { identity } of live.members)
        add(memberAddress({ kind, parent }, registry.get(kind) as Kind, identity));
  }
  for (const { action } of inFlight) add(action.address);
  return [...known].sort(compareText);
}

/** A target that names nothing would make an empty plan, which looks like success. */
export function matchesNothing(pattern: string, known: readonly Address[]): Diagnostic {
  const detail = `${quote(pattern)} names nothing that is declared, live in it, or in flight.${didYouMean(pattern, known)} Write an address as the plan does, such as Site/shop or Site/shop/SiteDomain/www.example.com, or a glob, such as Site/*/Caching.`;
  return diagnose('HW6155', detail);
}
