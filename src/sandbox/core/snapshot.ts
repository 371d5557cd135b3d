// How the raw store looks as JSON: whole, or as a person would write it down by hand to compare with.
import { primaryHostname } from './present.ts';
import type { ShieldItem, ShieldZone } from '../shield/state.ts';
import { mailSnapshot } from '../mail/snapshot.ts';
import { panelSnapshot } from '../panel/snapshot.ts';
import { registrationSnapshot } from '../registration/snapshot.ts';
import type { Site, State } from './state.ts';

/** Everything, as it is stored. */
export function rawState(state: State): unknown {
  return plain(state);
}

/**
 * What a hand-written fixture can say: no generated ids of domains and tasks, no times, everything in a stable order.
 * Hostnames map to how they were attached.
 */
export function snapshotOf(state: State): unknown {
  const sites = [...state.sites.values()].sort(byId).map((site) => [site.id, siteSnapshot(site)]);
  const tasks = [...state.tasks.values()]
    .sort((left, right) => left.id - right.id)
    .map(({ siteId, name, status }) => ({ site: siteId, name, status }));
  const mailspaces = mailSnapshot(state.mail);
  return plain({
    sites: fromEntries(sites as [string, unknown][]),
    tasks,
    ...(mailspaces === undefined ? {} : { mailspaces }),
    ...panelSnapshot(state),
    ...registrationSnapshot(state.registrar),
  });
}

function siteSnapshot(site: Site): unknown {
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
    edgeRules: fromEntries(edgeRulesByDescription(site)),
    shield: shieldSnapshot(site.shield.zone),
    php: site.phpVersion,
    layers: fromEntries(Object.entries(site.layers).map(([layer, { on }]) => [layer, on])),
    backups: fromEntries(site.volumes.map(({ label, archives }) => [label, archives.map(({ name }) => name).sort()])),
    restarts: site.restarts,
    mail:
      site.mail === null
        ? null
        : {
            fromLocalPart: site.mail.fromLocalPart,
            fromName: site.mail.fromName,
            configured: site.mail.configured,
            unblocks: site.mail.unblocks.length,
          },
    logins: site.traffic.logins,
  };
}

/** Items by name, without their ids, and without events. */
function shieldSnapshot(zone: ShieldZone | null): unknown {
  if (zone === null) return null;
  const { active, tier, waf, learning, ddos, whitelabel, bots } = zone;
  const named = (items: readonly ShieldItem[]): unknown =>
    fromEntries(
      [...items]
        .sort((left, right) => (left.name < right.name ? -1 : 1))
        .reduce<[string, unknown][]>((pairs, { id: _id, number: _number, hidden: _hidden, name, ...content }) => {
          // A name that comes twice shows its items as a list.
          const last = pairs.at(-1);
          if (last?.[0] === name) last[1] = [last[1], content].flat();
          else pairs.push([name, content]);
          return pairs;
        }, []),
    );
  return {
    active,
    plan: tier,
    learning: learning.on,
    ddos,
    whitelabel,
    bots,
    waf: { ...waf, disabledRules: [...waf.disabledRules].sort(), logOnlyRules: [...waf.logOnlyRules].sort() },
    customRules: named(zone.customRules),
    rateLimits: named(zone.rateLimits),
    accessLists: named(zone.accessLists),
  };
}

/** Without their Guids, which the platform makes. A description that comes twice shows its rules as a list. */
function edgeRulesByDescription(site: Site): [string, unknown][] {
  const grouped = new Map<string, unknown[]>();
  for (const { Guid: _made, Description, ...content } of site.edgeRules) {
    grouped.set(Description ?? '', [...(grouped.get(Description ?? '') ?? []), content]);
  }
  return [...grouped]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([description, rules]) => [description, rules.length === 1 ? rules[0] : rules]);
}

function byId(left: { id: string }, right: { id: string }): number {
  return left.id < right.id ? -1 : 1;
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
