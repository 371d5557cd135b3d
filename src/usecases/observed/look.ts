// How the account is seen whole, for what no manifest declares: every root that could be read, under the name that a
// manifest, or what was observed before, gives it.
import type { Address } from '../../model/address.ts';
import { addressOf, kindOf } from '../../model/address.ts';
import type { Collection } from '../../model/kind/kind.ts';
import { isInState } from '../../model/kind/kind.ts';
import type { ObservedFolder } from '../../manifest/observed.ts';
import { nameLiveRoots } from '../write/documents.ts';
import type { Addressed, Inside, LiveRoots, ReadingAccount } from '../write/live.ts';
import { readInside, readRoots, ROOT_KINDS, whyIdle } from '../write/live.ts';
import type { Gap, Seen } from './compose.ts';
import { seen } from './compose.ts';

export interface Look {
  readonly roots: readonly Seen[];
  /** The kinds of roots of which all were read. */
  readonly kinds: readonly string[];
  /** Ids of all live roots, by kind: of those too that nothing more is read of. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>;
  readonly gaps: readonly Gap[];
}

/** Reads the account whole, or only these roots. */
export async function lookAround(
  account: ReadingAccount,
  before: ObservedFolder | undefined,
  within?: ReadonlySet<Address>,
): Promise<Look> {
  const kinds = within === undefined ? undefined : new Set([...within].map(kindOf));
  const asked = ROOT_KINDS.filter(({ kind }) => kinds?.has(kind) !== false);
  const live = await Promise.all(asked.map((kind) => readRoots(account, kind)));
  const named = namesFor(account, live, before).filter(({ address }) => within?.has(address) !== false);
  const idle = named.flatMap((root) => {
    const reason = whyIdle(root);
    return reason === undefined || isInState(root.kind, root.member, 'platform-managed')
      ? []
      : [{ address: root.address, reason }];
  });
  const open = named.filter((root) => whyIdle(root) === undefined);
  const inside = await readInside(account, open);
  const roots: Seen[] = [];
  for (const root of open) {
    const own: Inside = inside.get(root.address) ?? new Map<string, Collection>();
    const locked = [...own.values()].find((one) => one.state === 'blocked' && one.root !== undefined);
    if (locked !== undefined && locked.state === 'blocked') idle.push({ address: root.address, reason: locked.reason });
    else roots.push(seen(root, own));
  }
  const read = live.filter(({ collection }) => isWhole(collection));
  return {
    roots,
    kinds: read.map(({ kind }) => kind.kind),
    ids: new Map(live.map(({ kind, members }) => [kind.kind, new Set(members.map(({ id }) => id))])),
    gaps: [
      ...live
        .filter((one) => !read.includes(one))
        .map(({ kind, collection }) => ({
          address: kind.kind,
          reason: 'reason' in collection ? collection.reason : 'its list may be cut off',
        })),
      ...idle,
      ...roots.flatMap((root) => root.gaps),
    ],
  };
}

/** A feature that is off has nothing live. */
function isWhole(list: Collection): boolean {
  return list.state === 'read' ? list.incomplete === undefined : list.state === 'blocked' && list.off === true;
}

function namesFor(
  { opened, ledger }: ReadingAccount,
  live: readonly LiveRoots[],
  before: ObservedFolder | undefined,
): readonly Addressed[] {
  const earlier = new Map(
    (before?.manifests ?? []).map(({ manifest: { kind, id, name } }) => [`${kind} ${id ?? ''}`, name]),
  );
  const declared = opened.declared.flatMap(({ parent, members }) => (parent === null ? members : []));
  const taken = [
    ...declared.map(({ kind, identity }) => ({ kind, name: identity })),
    ...(before?.manifests ?? []).map(({ manifest }) => manifest),
  ];
  const known: Addressed[] = [];
  const others: Pick<Addressed, 'kind' | 'member'>[] = [];
  for (const { kind, members, named } of live)
    for (const member of members) {
      const name = earlier.get(`${kind.kind} ${member.id}`);
      const address = named.get(member.id) ?? (name === undefined ? undefined : addressOf(null, kind.kind, name));
      if (address === undefined) others.push({ kind, member });
      else known.push({ kind, member, address });
    }
  return [...known, ...nameLiveRoots(others, ledger, { manifests: taken, files: [] })];
}
