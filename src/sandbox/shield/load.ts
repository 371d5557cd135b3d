// Puts the Shield of each site into the store of a copy: its zone, bot detection, rules, limits and lists, as they were
// read. How they are wrapped and spelled is settled by how they were.
import {
  knownSites,
  numberOr,
  rowIn,
  settleEmptyText,
  textOr,
  textOrNull,
  textsIn,
  timeOrNull,
  unread,
} from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/answers.ts';
import { isRecord } from '../core/http/endpoint.ts';
import type { Row } from '../core/http/endpoint.ts';
import type { Site } from '../core/state.ts';
import { inSnakeCase } from './shapes.ts';
import { TIERS, accessList, configuredItem, shieldZone } from './state.ts';
import type { AccessList, BotDetection, ConfiguredItem, ShieldItem, ShieldZone } from './state.ts';

export function loadShield(copying: Copying): void {
  const { state } = copying;
  loadTypes(copying);
  unread(state, 'the managed rules of the WAF', 'managedRules');
  for (const site of knownSites(copying)) loadZone(copying, site);
}

function loadTypes({ answers, state, settle }: Copying): void {
  const [site] = answers.sitesWith('shield/access_lists/enums');
  if (site === undefined) return unread(state, 'the types of access lists', 'accessListTypes');
  const body = answers.body(`/api/sites/${site}/shield/access_lists/enums`);
  const rows = Array.isArray(body) ? body : isRecord(body) && Array.isArray(body['types']) ? body['types'] : undefined;
  settle('GAP-29.enums', Array.isArray(body) ? 'objects' : rows === undefined ? 'map' : 'wrapped');
  const pairs =
    rows?.filter(isRecord).map((row) => [String(row['name']), Number(row['value'] ?? row['id'])] as const) ??
    Object.entries(isRecord(body) ? body : {}).map(([name, value]) => [name, Number(value)] as const);
  state.accessListTypes = [...pairs].sort((left, right) => left[1] - right[1]).map(([name]) => name);
}

function loadZone(copying: Copying, site: Site): void {
  const { answers, state, settle } = copying;
  const path = `/api/sites/${site.id}/shield`;
  const [body, refused] = [answers.object(path), answers.refusal(path)];
  const plan = state.plans.find(({ shortName }) => shortName === site.package);
  if (refused?.code === 'shield_not_in_plan' && plan !== undefined) Object.assign(plan, { shield: false });
  if (refused?.status === 502) site.shield.upstreamDown = true;
  if (refused?.code === 'shield_not_active' || refused?.code === 'shield_not_in_plan') return;
  if (body === undefined) return unread(site, `the Shield of site ${site.id}`, 'shield');
  settle('GAP-29.zone', isRecord(body['shield']) ? 'wrapped' : 'bare');
  const row = isRecord(body['shield']) ? body['shield'] : body;
  const [waf, ddos] = [rowIn(row, 'waf'), rowIn(row, 'ddos')];
  const zone = shieldZone({
    active: row['active'] === true,
    tier: textOr(row['plan'], 'basic') as ShieldZone['tier'],
    whitelabel: row['whitelabel_response_pages'] === true,
    waf: {
      enabled: waf['enabled'] === true,
      executionMode: 0,
      disabledRules: textsIn(waf['disabled_rules']),
      logOnlyRules: textsIn(waf['log_only_rules']),
    },
    learning: { on: waf['learning_mode'] === true, untilMs: timeOrNull(waf['learning_mode_until']) },
    ddos: {
      sensitivity: numberOr(ddos['sensitivity'], 0),
      executionMode: 0,
      challengeWindow: numberOr(ddos['challenge_window'], 0),
    },
  });
  site.shield.zone = zone;
  if (!TIERS.includes(zone.tier)) unread(zone, `what the Shield plan ${zone.tier} is`, 'tier');
  loadMode(copying, zone.waf, waf['execution_mode'], 'GAP-28', MODES.waf);
  loadMode(copying, zone.ddos, ddos['execution_mode'], 'GAP-28.ddos', MODES.ddos);
  loadBots(copying, site.id, zone);
  loadItems(copying, path, zone);
}

/** GAP-28: each reading of the texts, and what it writes. */
const MODES = {
  waf: {
    capital: ['Log', 'Block'],
    lower: ['log', 'block'],
    upper: ['LOG', 'BLOCK'],
    digits: ['0', '1'],
    words: ['Detection', 'Prevention'],
  },
  ddos: {
    digits: ['0', '1'],
    words: ['Observe', 'Mitigate'],
    'like-waf': ['Log', 'Block', 'log', 'block', 'LOG', 'BLOCK'],
  },
} as const;

function loadMode(
  { settle }: Copying,
  owner: { executionMode: number },
  shown: unknown,
  gap: string,
  readings: Readonly<Record<string, readonly string[]>>,
): void {
  const found = Object.entries(readings).find(([, texts]) => texts.includes(String(shown)));
  if (found === undefined) return unread(owner, `what the execution mode ${String(shown)} is`, 'executionMode');
  settle(gap, found[0]);
  owner.executionMode = found[1].indexOf(String(shown)) % 2;
}

function loadBots({ answers, settle }: Copying, site: string, zone: ShieldZone): void {
  const body = answers.object(`/api/sites/${site}/shield/bot_detection`);
  if (body === undefined) return unread(zone, `the bot detection of site ${site}`, 'bots');
  const wrapped = body['bot_detection'] ?? body['botDetection'];
  const row = inSnakeCase(isRecord(wrapped) ? wrapped : body);
  const isNested = isRecord(row['ip_address']);
  settle('GAP-29.bots', isRecord(wrapped) ? 'wrapped' : isNested ? 'nested' : 'flat');
  const [integrity, address, print] = [
    rowIn(row, 'request_integrity'),
    rowIn(row, 'ip_address'),
    rowIn(row, 'browser_fingerprint'),
  ];
  zone.bots = {
    execution_mode: row['execution_mode'],
    request_integrity_sensitivity: row['request_integrity_sensitivity'] ?? integrity['sensitivity'],
    ip_address_sensitivity: row['ip_address_sensitivity'] ?? address['sensitivity'],
    browser_fingerprint_sensitivity: row['browser_fingerprint_sensitivity'] ?? print['sensitivity'],
    browser_fingerprint_aggression: row['browser_fingerprint_aggression'] ?? print['aggression'],
    browser_fingerprint_complex_enabled: row['browser_fingerprint_complex_enabled'] ?? print['complex_enabled'],
  } as BotDetection;
}

function loadItems(copying: Copying, path: string, zone: ShieldZone): void {
  const rules = rowsOf(copying, path, 'waf_custom_rules');
  const limits = rowsOf(copying, path, 'rate_limits');
  const lists = rowsOf(copying, path, 'access_lists')?.filter((row) => inSnakeCase(row)['read_only'] !== true);
  if (rules === undefined) unread(zone, 'the custom rules of a Shield zone', 'customRules');
  else zone.customRules = rules.map((row, index) => ruleOf(copying, row, index));
  if (limits === undefined) unread(zone, 'the rate limits of a Shield zone', 'rateLimits');
  else zone.rateLimits = limits.map((row, index) => limitOf(copying, row, index));
  if (lists === undefined) unread(zone, 'the access lists of a Shield zone', 'accessLists');
  else zone.accessLists = lists.map((row, index) => listOf(copying, `${path}/access_lists`, row, index));
}

function rowsOf({ answers, settle }: Copying, shield: string, name: string): readonly Row[] | undefined {
  const path = `${shield}/${name}`;
  const body = answers.body(path);
  const rows = answers.rows(path, name, 'data', 'custom_lists', 'customLists');
  if (rows !== undefined)
    settle('GAP-29', Array.isArray(body) ? 'bare' : isRecord(body) && 'data' in body ? 'data' : 'wrapped');
  return rows;
}

/** `named`: its own key, in snake case like the row. */
function headOf({ settle }: Copying, row: Row, named: string, index: number): Pick<ShieldItem, 'id' | 'number'> {
  const id = row['id'] ?? row[named];
  settle('GAP-29.id', row['id'] !== undefined ? 'id' : id === undefined ? 'none' : 'named');
  if (typeof id === 'number') settle('GAP-29.ids', 'integer');
  return {
    id: typeof id === 'number' ? String(id) : textOr(id, `row-${index}`),
    number: typeof id === 'number' ? id : -1 - index,
  };
}

/** A rule or a limit, whose configuration, spelled as it was, stands in it or beside its other keys. */
function configuredOf(
  copying: Copying,
  row: Row,
  index: number,
): { readonly item: ConfiguredItem; readonly configuration: Row } {
  const { settle } = copying;
  const snake = inSnakeCase(row);
  if ('ruleName' in row) settle('GAP-29.case', 'camel');
  const nested = row['rule_configuration'] ?? row['ruleConfiguration'];
  settle('GAP-29.nesting', isRecord(nested) ? 'nested' : 'flat');
  const beside = Object.entries(row).filter(
    ([key]) => !/^(id|rule_?[iI]d|rule_?[nN]ame|rule_?[dD]escription)$/.test(key),
  );
  settleEmptyText(copying, snake, 'rule_description');
  const item = configuredItem({
    ...headOf(copying, snake, 'rule_id', index),
    name: textOr(snake['rule_name'], ''),
    description: textOrNull(snake['rule_description']),
  });
  return { item, configuration: isRecord(nested) ? nested : Object.fromEntries(beside) };
}

function ruleOf(copying: Copying, row: Row, index: number): ConfiguredItem {
  const { item, configuration } = configuredOf(copying, row, index);
  const plain = inSnakeCase(configuration);
  if ('variable_types' in plain) copying.settle('GAP-29.variables', 'map');
  copying.settle('GAP-29.beyond', 'is_negated' in plain ? 'shown' : 'hidden');
  return { ...item, configuration: plain };
}

function limitOf(copying: Copying, row: Row, index: number): ConfiguredItem {
  const { item, configuration } = configuredOf(copying, row, index);
  const keys = Object.keys(configuration);
  copying.settle('GAP-30.read', keys.some((key) => key.includes('_')) ? 'snake' : 'as-sent');
  copying.settle(
    'GAP-30.defaults',
    keys.some((key) => /^(counterKeyType|counter_key_type)$/.test(key)) ? 'added' : 'verbatim',
  );
  return { ...item, configuration: { ...configuration } };
}

function listOf(copying: Copying, path: string, given: Row, index: number): AccessList {
  const { answers, settle } = copying;
  const row = inSnakeCase(given);
  const head = headOf(copying, row, 'list_id', index);
  const body = answers.object(`${path}/${head.id}`);
  const view = body === undefined ? undefined : inSnakeCase(body);
  const inner = view?.['access_list'];
  if (view !== undefined) settle('GAP-29.one', isRecord(inner) ? 'wrapped' : 'bare');
  const shown = isRecord(inner) ? inner : view;
  settle('GAP-31', 'content' in row ? 'present' : 'absent');
  settleEmptyText(copying, row, 'description');
  const content = row['content'] ?? shown?.['content'];
  const list = accessList({
    ...head,
    name: textOr(row['name'], ''),
    description: textOrNull(row['description']),
    type: numberOr(row['type'], 0),
    checksum: textOrNull(row['checksum']),
    content: textOr(content, ''),
  });
  if (content === undefined) unread(list, `the content of the access list ${list.name}`, 'content');
  return list;
}
