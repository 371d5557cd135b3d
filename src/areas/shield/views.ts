// Shield: the rules of its WAF and the account's own, and what it logged, challenged and blocked on one day. What most of
// these answers look like is not documented (GAP-29): they are read with either spelling, and passed through.
import type { Json, JsonObject } from '../../model/json.ts';
import { ANY_LIST, isJsonObject } from '../../model/json.ts';
import { objectAt, rowsAt } from '../../model/kind/rows.ts';
import type { AccountReader, Place } from '../common/view.ts';
import { defineView, inside, inWords, sitePath, sitesOf, noteIfUnread } from '../common/view.ts';
import { configurationOf, idIn, keyIn } from './kinds/wire.ts';
import { zoneIn } from './kinds/zone/wire.ts';

/** Where there is no Shield there are no rules and no events. */
const NO_SHIELD = [
  [403, 'shield_not_in_plan'],
  [409, 'shield_not_active'],
  [409, 'cdn_not_active'],
] as const;

interface Rule {
  readonly site: Place;
  readonly source: 'WAF' | 'own rule' | 'rate limit' | 'access list';
  /** Of a rule of the WAF: the group that it is in. */
  readonly group: string | null;
  /** Of a rule of the WAF: whether it blocks. */
  readonly state: string | null;
  readonly row: JsonObject;
}

const shieldRules = defineView<Rule>({
  called: [
    ['shield-rules', 'shield-rule', 'sr'],
    'rules of the WAF itself, own rules, rate limits, access lists',
    { takes: ['site'] },
  ],
  isOrdered: true,
  items: async (reader, { parent }) => {
    const zones = await inside(reader, await sitesOf(reader, parent), {
      path: (site) => sitePath(site, '/shield'),
      what: 'Shield',
      absences: NO_SHIELD,
      items: (answer, site) => {
        const zone = zoneIn(answer);
        return zone?.active === true ? [{ site, zone }] : [];
      },
    });
    return (await Promise.all(zones.map(({ site, zone }) => rulesIn(reader, site, zone)))).flat();
  },
  id: ({ row }) => idIn(row) ?? '',
  names: ({ row }) => [keyIn(row, 'rule_name'), row.name],
  object: ({ site, source, group, row }) => ({ site: site.id, source, ...(group !== null && { group }), ...row }),
  columns: {
    site: ({ site }) => site.label,
    source: ({ source }) => source,
    id: ({ row }) => idIn(row) ?? null,
    name: ({ row }) => textIn(row, ['rule_name', 'name']) ?? textIn(row, ['description', 'message']),
    state: ({ state }) => state,
    group: ({ group }) => group,
  },
  wide: {
    description: ({ row }) => textIn(row, ['rule_description', 'description']),
    configuration: ({ row }) => {
      const { configuration, isNested } = configurationOf(row);
      return isNested ? inWords(configuration) : null;
    },
  },
});

async function rulesIn(reader: AccountReader, site: Place, zone: JsonObject): Promise<readonly Rule[]> {
  const own = (source: Rule['source'], plural: string, camel: string): Promise<readonly Rule[]> =>
    inside(reader, [site], {
      path: () => sitePath(site, `/shield/${plural}`),
      what: `${source}s of Shield`,
      absences: NO_SHIELD,
      items: (answer) =>
        rowsAt(answer, ['', `/${plural}`, `/${camel}`, '/custom_lists', '/customLists', '/data', ANY_LIST]).map(
          (row) => ({
            site,
            source,
            group: null,
            state: typeof row.enabled === 'boolean' ? (row.enabled ? 'on' : 'off') : null,
            row,
          }),
        ),
    });
  const lists = await Promise.all([
    inside(reader, [site], {
      path: () => sitePath(site, '/shield/waf/rules'),
      what: 'rules of the WAF',
      absences: NO_SHIELD,
      items: (answer) => managedRules(answer, site, zone),
    }),
    own('own rule', 'waf_custom_rules', 'wafCustomRules'),
    own('rate limit', 'rate_limits', 'rateLimits'),
    own('access list', 'access_lists', 'accessLists'),
  ]);
  return lists.flat();
}

/** Groups with a list of rules in each (SHD-12); a row without one is a rule itself. */
function managedRules(answer: Json, site: Place, zone: JsonObject): readonly Rule[] {
  const { disabled, logOnly, enabled } = wafOf(zone);
  return rowsAt(answer, ['', '/rules', '/groups', '/data', ANY_LIST]).flatMap((group) => {
    const inner = Object.values(group).find(
      (value): value is readonly JsonObject[] => Array.isArray(value) && value.length > 0 && value.every(isJsonObject),
    );
    const named = inner === undefined ? null : textIn(group, ['name', 'group_name', 'title', 'id']);
    return (inner ?? [group]).map((row): Rule => {
      const id = idIn(row) ?? '';
      const state = !enabled
        ? 'WAF off'
        : disabled.includes(id)
          ? 'disabled'
          : logOnly.includes(id)
            ? 'log only'
            : 'on';
      return { site, source: 'WAF', group: named, state, row };
    });
  });
}

function wafOf(zone: JsonObject): {
  readonly disabled: readonly string[];
  readonly logOnly: readonly string[];
  readonly enabled: boolean;
} {
  const waf = isJsonObject(zone.waf) ? zone.waf : {};
  const ids = (key: string): readonly string[] => {
    const value = keyIn(waf, key);
    return Array.isArray(value) ? value.map(String) : [];
  };
  return { disabled: ids('disabled_rules'), logOnly: ids('log_only_rules'), enabled: waf.enabled !== false };
}

function textIn(row: JsonObject, keys: readonly string[]): string | null {
  const found = keys.map((key) => keyIn(row, key)).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
}

interface Event {
  readonly site: Place;
  readonly number: number;
  readonly entry: JsonObject;
}

const shieldEvents = defineView<Event>({
  called: [
    ['shield-events', 'shield-event', 'se'],
    'what Shield logged, challenged and blocked on one day',
    { takes: ['site', 'date', 'limit'], limit: 100 },
  ],
  isOrdered: true,
  items: async (reader, { parent }) => {
    const found = await Promise.all((await sitesOf(reader, parent)).map((site) => eventsOf(reader, site)));
    return found.flat();
  },
  id: ({ site, number }) => `${site.id}/${number}`,
  object: ({ site, entry }) => ({ site: site.id, ...entry }),
  columns: {
    site: ({ site }) => site.label,
    // Every key is named: what an event holds is not documented.
    event: ({ entry }) => inWords(entry),
  },
});

/** A page names the token of the next (SHD-24). One that comes twice would lead round in a circle. */
async function eventsOf(reader: AccountReader, site: Place): Promise<readonly Event[]> {
  const events: Event[] = [];
  const seen = new Set<string>();
  const most = reader.limit ?? Number.MAX_SAFE_INTEGER;
  try {
    for (let token: string | undefined; ;) {
      const query = new URLSearchParams({
        ...(reader.date !== undefined && { date: monthFirst(reader.date) }),
        ...(token !== undefined && { continue: token }),
      }).toString();
      const page = objectAt(await reader.read(sitePath(site, `/shield/events${query === '' ? '' : `?${query}`}`)));
      // An empty list may read as null (CNV-02); without one there is nothing to show.
      const entries = page.logs === null ? [] : rowsAt(page, '/logs');
      events.push(...entries.map((entry, index) => ({ site, number: events.length + index + 1, entry })));
      const next = page.continuationToken;
      const isLast = page.hasMoreData !== true || typeof next !== 'string' || next === '' || seen.has(next);
      if (events.length > most || (events.length === most && !isLast)) {
        reader.cuts.push({ shown: most, of: undefined });
        return events.slice(0, most);
      }
      if (isLast) return events;
      seen.add(next);
      token = next;
    }
  } catch (error) {
    noteIfUnread(reader, reader.failed(error, NO_SHIELD), { of: site.label, what: 'events of Shield' });
    return events;
  }
}

/** The platform writes days as MM-DD-YYYY (SHD-24). */
function monthFirst(date: string): string {
  const [year, month, day] = date.split('-');
  return `${month}-${day}-${year}`;
}

export const shieldViews = [shieldRules, shieldEvents];
