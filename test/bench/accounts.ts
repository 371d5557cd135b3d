// Accounts of any size and the manifests for them, the same each time. A bench site has 4 objects (the site, two
// hostnames, caching); a rich one has more of everything, and no two of them in the same shape.
import { accessList, configuredItem, shieldZone } from '../../src/sandbox/shield/state.ts';
import { addDomain, addSite } from '../../src/sandbox/core/state.ts';
import type { Site, State } from '../../src/sandbox/core/state.ts';
import { scenarioState } from '../../src/sandbox/scenarios.ts';
import { addEdgeRule } from '../../src/sandbox/cdn/edge-rules.ts';

export interface Account {
  readonly build: () => State;
  /** A manifest a site, in order; the site of each is `siteName(number)`. */
  readonly manifests: readonly string[];
}

export const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [sites] }\n';

/** `changed`: which share of the sites the manifests want otherwise than they are. */
export interface Shape {
  readonly count: number;
  readonly changed?: number;
}

const siteName = (number: number): string => `s${String(number).padStart(5, '0')}`;

const numbersOf = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
/** Spread evenly over the account. */
const isChanged = (number: number, share: number): boolean =>
  Math.floor(number * share) > Math.floor((number - 1) * share);

export function benchSites({ count, changed = 0 }: Shape): Account {
  return {
    build: () => scenarioState(`sites:${count}`),
    manifests: numbersOf(count).map((number) => {
      const name = siteName(number);
      const expiration = number * 60 + (isChanged(number, changed) ? 1 : 0);
      return `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name} }\nspec:\n  primaryDomain: ${name}.example.com\n  domains: [${name}.example.com, www.${name}.example.com]\n  caching: { cacheExpiration: ${expiration} }\n`;
    }),
  };
}

const RULES = ['tls', 'old', 'scanners', 'feeds', 'images'] as const;

/** 15 objects: the site, 2 hostnames, caching, 5 edge rules, and 6 more of cache layers and Shield. */
export function richSites({ count, changed = 0 }: Shape): Account {
  return {
    build: () => {
      const state = scenarioState('empty');
      for (const number of numbersOf(count)) addRichSite(state, number);
      return state;
    },
    manifests: numbersOf(count).map((number) => textOf(richManifest(number, isChanged(number, changed)))),
  };
}

/** 20 objects: those of a rich site, 2 more hostnames, and an edge rule, a rule and an access list of Shield more. */
export function largeSites({ count }: Shape): Account {
  return {
    build: () => {
      const state = scenarioState('empty');
      for (const number of numbersOf(count)) addMore(state, addRichSite(state, number));
      return state;
    },
    manifests: numbersOf(count).map((number) => {
      const { spec, ...manifest } = richManifest(number, false);
      const { customRules, accessLists } = spec.shield;
      const shield = {
        ...spec.shield,
        customRules: [...customRules, { ...customRules[0], name: 'Log-in', value: '/login' }],
        accessLists: [...accessLists, { name: 'Branch', type: 'ip', content: ['192.0.2.3'] }],
      };
      const hostnames = MORE.map((word) => `${word}.${siteName(number)}.example.com`);
      const edgeRules = [...spec.edgeRules, edgeRule('feed', siteName(number), number, false)];
      return textOf({ ...manifest, spec: { ...spec, domains: [...spec.domains, ...hostnames], edgeRules, shield } });
    }),
  };
}

const MORE = ['blog', 'docs'] as const;

function addMore(state: State, site: Site): void {
  const { name } = site;
  for (const word of MORE)
    addDomain(state, site, { id: `dom-${word}-${name}`, hostname: `${word}.${name}.example.com` });
  addRule(site, 'feed', RULES.length);
  const { zone } = site.shield;
  zone?.customRules.push(customRule(`log-in-${name}`, 1, 'Log-in', '/login'));
  zone?.accessLists.push(
    accessList({ id: `branch-${name}`, number: 3, name: 'Branch', type: 0, content: '192.0.2.3' }),
  );
}

function addRichSite(state: State, number: number): Site {
  const name = siteName(number);
  const site = addSite(state, { id: `site-${name}`, accountId: 'acc-acme', name, phpVersion: '8.3' });
  addDomain(state, site, { id: `dom-${name}`, hostname: `${name}.example.com` });
  addDomain(state, site, { id: `dom-www-${name}`, hostname: `www.${name}.example.com` });
  site.cdn.caching.cache_expiration = number * 60;
  site.cdn.caching.vary_mobile = number % 3 === 0;
  RULES.forEach((rule, index) => addRule(site, rule, index));
  site.shield.zone = shieldZone({
    tier: 'advanced',
    waf: { enabled: true, executionMode: 1, disabledRules: ['942100'], logOnlyRules: [] },
    customRules: [customRule(`rule-${name}`, number * 10, 'Admin area', '/admin')],
    accessLists: [
      accessList({ id: `list-${name}`, number: number * 10 + 1, name: 'Office', type: 0, content: '192.0.2.1' }),
      accessList({ id: `more-${name}`, number: number * 10 + 2, name: 'Partners', type: 0, content: '192.0.2.2' }),
    ],
  });
  return site;
}

function addRule(site: Site, rule: string, index: number): void {
  const { name } = site;
  addEdgeRule(site, {
    Guid: `edge-${name}-${rule}`,
    Description: rule,
    OrderIndex: index,
    ...(!['tls', 'old'].includes(rule) && { ActionType: 4 }),
    ...(rule === 'old' && {
      ActionType: 1,
      ActionParameter1: `https://${name}.example.com/new`,
      ActionParameter2: '301',
    }),
    Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: null, PatternMatches: [`*/${rule}/*`] }],
  });
}

function customRule(id: string, number: number, name: string, value: string): ReturnType<typeof configuredItem> {
  const configuration = {
    action_type: 1,
    variable_type: 'REQUEST_URI',
    variable_subselector: '',
    operator_type: 2,
    severity_type: 1,
    value,
  };
  return configuredItem({ id, number, name, configuration });
}

/** Which members a manifest has differs from site to site, as between the sites of an agency. */
function richManifest(number: number, changed: boolean) {
  const name = siteName(number);
  const spec = {
    ...(number % 2 === 0 && { phpVersion: '8.3' }),
    primaryDomain: `${name}.example.com`,
    domains: [`${name}.example.com`, `www.${name}.example.com`],
    caching: {
      cacheExpiration: number * 60 + (changed ? 1 : 0),
      ...(number % 3 === 0 && { varyMobile: true }),
      ...(number % 5 === 0 && { smartCache: false, cookieVaryParameters: [] }),
    },
    ...(number % 4 !== 0 && { cacheLayers: { nginx: false, ...(number % 2 === 0 && { cdn: true }) } }),
    edgeRules: RULES.map((rule) => edgeRule(rule, name, number, changed)),
    shield: {
      waf: { executionMode: 'block', ...(number % 3 !== 1 && { disabledRules: [942_100] }) },
      ...(number % 2 === 1 && { ddos: { sensitivity: 'medium' } }),
      customRules: [
        { name: 'Admin area', action: 'block', variable: 'REQUEST_URI', operator: 'contains', value: '/admin' },
      ],
      accessLists: [
        { name: 'Office', type: 'ip', content: ['192.0.2.1'] },
        { name: 'Partners', type: 'ip', content: [changed ? '192.0.2.3' : '192.0.2.2'] },
      ],
    },
  };
  return { apiVersion: 'hostwright/v1', kind: 'Site', metadata: { name }, spec };
}

function edgeRule(rule: string, name: string, number: number, changed: boolean) {
  return {
    name: rule,
    action:
      rule === 'tls'
        ? { forceSsl: {} }
        : rule !== 'old'
          ? { block: {} }
          : { redirect: { to: `https://${name}.example.com/${changed ? 'newer' : 'new'}`, status: 301 } },
    triggers: [{ url: [`*/${rule}/*`] }],
    ...(number % 7 === 0 && { enabled: true }),
  };
}

function textOf(manifest: object): string {
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/** The files of a workspace: several manifests a file, or one each. */
export function filesOf({ manifests }: Pick<Account, 'manifests'>, perFile = 500): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (let from = 0; from < manifests.length; from += perFile)
    files[`sites/${siteName(from + 1)}.yaml`] = manifests.slice(from, from + perFile).join('---\n');
  return files;
}

/** The files of a fleet: a folder for each account, with its workspace and three sites. Nothing of it is to change. */
export function fleetFiles(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    numbersOf(count).flatMap((number) => {
      const account = `acc-${siteName(number).slice(1)}`;
      return [
        [`accounts/${account}/hostwright.yaml`, WORKSPACE.replace('acc-acme', account)],
        [
          `accounts/${account}/sites/all.yaml`,
          ['shop', 'blog', 'docs']
            .map(
              (name) =>
                `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name} }\nspec:\n  primaryDomain: ${name}.${account}.example.com\n  domains: [${name}.${account}.example.com]\n  caching: { smartCache: false }\n`,
            )
            .join('---\n'),
        ],
      ];
    }),
  );
}
