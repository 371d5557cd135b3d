// How the raw store looks as JSON: whole, or as a person would write it down by hand to compare with.
import { primaryHostname } from './present.ts';
import type { Site, State } from './state.ts';

/**
 * What a hand-written fixture can say: no generated ids of domains and tasks, no times, everything in a stable order.
 * Hostnames map to how they were attached.
 */
export function snapshotOf(state: State): unknown {
  const sites = [...state.sites.values()].sort(byId).map((site) => [site.id, siteSnapshot(state, site)]);
  const tasks = [...state.tasks.values()]
    .sort((left, right) => left.id - right.id)
    .map(({ siteId, name, status }) => ({ site: siteId, name, status }));
  return plain({
    sites: fromEntries(sites as [string, unknown][]),
    tasks,
    ...Object.assign({}, ...state.areas.map((area) => area.snapshot?.(state))),
  });
}

function siteSnapshot({ areas }: State, site: Site): unknown {
  const hostnames = [...site.domains].sort((left, right) => (left.hostname < right.hostname ? -1 : 1));
  return {
    account: site.accountId,
    name: site.name,
    package: site.package,
    phpVersion: site.phpVersion,
    suspended: site.suspended,
    pendingDelete: site.pendingDelete,
    primaryDomain: primaryHostname(site),
    // A list of pairs would survive duplicates; they show as `cname+cname`.
    domains: fromEntries(
      hostnames.reduce<[string, unknown][]>((pairs, { hostname, method }) => {
        const last = pairs.at(-1);
        if (last?.[0] === hostname) last[1] = `${String(last[1])}+${method}`;
        else pairs.push([hostname, method]);
        return pairs;
      }, []),
    ),
    cdn: { zone: site.cdn.zone, purges: site.cdn.purges, caching: site.cdn.caching },
    ...Object.assign({}, ...areas.map((area) => area.siteSnapshot?.(site))),
  };
}

function byId(left: { id: string }, right: { id: string }): number {
  return left.id < right.id ? -1 : 1;
}

/** By name, sorted. A name that comes twice shows as a list. */
export function byName(pairs: readonly (readonly [name: string, content: unknown])[]): unknown {
  const grouped = new Map<string, unknown[]>();
  for (const [name, content] of pairs) grouped.set(name, [...(grouped.get(name) ?? []), content]);
  return Object.fromEntries(
    [...grouped]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, contents]) => [name, contents.length === 1 ? contents[0] : contents]),
  );
}

/** A part of a snapshot, by name; nothing where there are none. */
export function section(
  part: string,
  pairs: readonly (readonly [name: string, content: unknown])[],
): Readonly<Record<string, unknown>> {
  return pairs.length === 0 ? {} : { [part]: byName(pairs) };
}

/** Object.fromEntries keeps `__proto__` an own key; assignment would not. */
function fromEntries(pairs: readonly [string, unknown][]): unknown {
  return Object.fromEntries(pairs);
}

/** Maps become objects; a copy, so that nobody changes the store through it. */
export function plain(value: unknown): unknown {
  if (value instanceof Map) return plain(Object.fromEntries([...value].map(([key, item]) => [String(key), item])));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
