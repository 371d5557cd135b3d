// docs/recipes.md as tests follow it: its blocks, what each recipe comes to, and what its YAML makes of manifests.
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isMap, isScalar, isSeq, parseAllDocuments, parseDocument } from 'yaml';
import type { Document, YAMLMap } from 'yaml';
import type { Sandbox } from '../../src/sandbox/server.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
/** The blocks of each recipe that has any: the whole, the language, the text. */
export const recipes = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)]] as const)
    .filter(([, blocks]) => blocks.length > 0),
);

function named({ registrar }: Sandbox['state'], wanted: string) {
  return [...registrar.registrations.values()].find(({ name }) => name === wanted);
}

export interface Recipe {
  readonly scenario?: string;
  /** What an id on the page stands for, from what the commands before it printed. */
  readonly id?: (printed: string) => string;
  /** What the YAML said until then. */
  readonly before?: (yaml: string) => string;
  /** Paths of fields that the page says to remove first, as `Site/shop spec.caching.cacheExpiration`. */
  readonly without?: readonly string[];
  /** What was done, as the account shows it. */
  readonly done: (sandbox: Sandbox, printed: string) => void | Promise<void>;
}

const rulesOf = ({ state }: Sandbox, id: string): string => JSON.stringify(state.sites.get(id)?.edgeRules);
const hostnamesOf = ({ state }: Sandbox, id: string): readonly string[] | undefined =>
  state.sites.get(id)?.domains.map(({ hostname }) => hostname);

export const RECIPES: Readonly<Record<string, Recipe>> = {
  'Redirect a path': {
    done: (sandbox) => expect(rulesOf(sandbox, 'site-shop')).toContain('https://shop.example.com/new'),
  },
  'Block a country for one path': {
    done: (sandbox) => expect(rulesOf(sandbox, 'site-docs')).toContain('admin only from home'),
  },
  'Allow only some countries': {
    done: (sandbox) => expect(rulesOf(sandbox, 'site-docs')).toContain('only these countries'),
  },
  'Add a hostname, or make it the primary one': {
    done: (sandbox) => {
      expect(hostnamesOf(sandbox, 'site-shop')?.toSorted()).toEqual([
        'shop.example.com',
        'shop.example.net',
        'www.shop.example.com',
      ]);
      const shop = sandbox.state.sites.get('site-shop');
      expect(shop?.domains.find(({ id }) => id === shop.primaryDomainId)?.hostname).toBe('shop.example.net');
    },
  },
  'Move a hostname to another site': {
    done: (sandbox, printed) => {
      expect(printed).toContain('www.shop.example.com');
      expect([hostnamesOf(sandbox, 'site-shop'), hostnamesOf(sandbox, 'site-docs')]).toEqual([
        ['shop.example.com'],
        ['docs.example.com', 'www.shop.example.com'],
      ]);
    },
  },
  'Add a mailbox, an alias and a group': {
    scenario: 'mail',
    done: ({ state }, printed) => {
      const space = state.mail.spaces.get('mail-shop');
      expect(JSON.stringify(space?.mailboxes), printed).toContain('anna@shop.example.com');
      expect(JSON.stringify(space)).toContain('sales@shop.example.com');
      expect(JSON.stringify(space?.groups)).toContain('team@shop.example.com');
    },
  },
  'Change a password': {
    scenario: 'mail',
    before: (yaml) => yaml.replace('2026-2', '2026-1'),
    done: ({ state }, printed) => {
      const [mailbox] = state.mail.spaces.get('mail-shop')?.mailboxes ?? [];
      expect(mailbox, printed).toMatchObject({ password: 'a-new-pass-word' });
    },
  },
  'Change the PHP version, with a backup': {
    done: ({ state, requests }) => {
      expect(JSON.stringify(state.sites.get('site-shop'))).toContain('"8.3"');
      expect(requests.some(({ method, path }) => method !== 'GET' && path.includes('/backups/'))).toBe(true);
    },
  },
  'Set one value on many sites': {
    without: ['Site/shop spec.caching.cacheExpiration'],
    done: ({ state }) => expect(state.sites.get('site-shop')?.cdn.caching.cache_expiration).toBe(7200),
  },
  'Buy a domain name': {
    scenario: 'registrar',
    done: ({ state }, printed) => expect(named(state, 'brand-new.com'), printed).toBeDefined(),
  },
  'Renew, lock or unlock a domain name': {
    scenario: 'registrar',
    done: ({ state }) => expect(named(state, 'unrenewed.com')).toMatchObject({ autoRenew: true, locked: true }),
  },
  'Restore a site': {
    id: (printed) => /before-restore .*?(\S+)$/m.exec(printed.slice(printed.indexOf('get archives')))?.[1] ?? '',
    done: (_, printed) => expect(printed).toMatch(/`content` of shop .* is restored from `before-restore`/),
  },
  'Read a log': {
    done: (_, printed) => expect(printed).toContain('--watch'),
  },
  'Purge the cache': {
    done: ({ requests }) =>
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toContain(
        'POST /api/sites/site-shop/cdn/caching/purge',
      ),
  },
};

/** Files with what the page shows in the manifests of the same kind and name; where there is none, in a new file. */
export async function editedFiles(
  folder: string,
  text: string,
  without: readonly string[] = [],
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /^(manifests.*|hostwright)\.yaml$/.test(name),
  );
  const manifests = await Promise.all(
    names.map(async (name) => [name, parseDocument(await readFile(join(folder, name), 'utf8'))] as const),
  );
  for (const given of parseAllDocuments(text) as readonly Document[]) {
    const of = (document: Document): string =>
      `${String(document.get('kind'))}/${String(document.getIn(['metadata', 'name']))}`;
    const [name, document] = manifests.find(([, known]) => of(known) === of(given)) ?? [];
    if (name === undefined || document === undefined) {
      files.set(`manifests/more/${of(given).replace('/', '-')}.yaml`, given.toString());
      continue;
    }
    merge(document.get('spec') as YAMLMap, given.get('spec') as YAMLMap);
    for (const one of without) {
      const [address, path = ''] = one.split(' ');
      if (address === of(given)) document.deleteIn(path.split('.'));
    }
    files.set(name, document.toString());
  }
  return files;
}

/** Items of a list are told apart by their first key; a list with texts in it is written as it is shown. */
function merge(into: YAMLMap, from: YAMLMap): void {
  for (const { key, value } of from.items) {
    const known = into.get(key, true);
    if (isMap(known) && isMap(value)) merge(known, value);
    else if (isSeq(known) && isSeq(value) && value.items.every(isMap))
      for (const item of value.items) {
        const first = item.items[0]?.key;
        const same = (known.items as YAMLMap[]).find((other) => isMap(other) && other.get(first) === item.get(first));
        if (same === undefined) known.add(item);
        else merge(same, item);
      }
    else into.set(isScalar(key) ? key.value : key, value);
  }
}
