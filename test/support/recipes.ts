// docs/recipes.md as tests follow it: its blocks, what each recipe comes to, and what its YAML makes of manifests.
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isMap, isScalar, isSeq, parseAllDocuments, parseDocument } from 'yaml';
import type { Document, YAMLMap } from 'yaml';
import type { Sandbox } from '../../src/sandbox/server.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
/** The blocks of each recipe: the whole, the language, the text. */
export const recipes = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)]] as const),
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
  /** What was done, as the account shows it. */
  readonly done: (sandbox: Sandbox, printed: string) => void | Promise<void>;
}

export const RECIPES: Readonly<Record<string, Recipe>> = {
  'Restore a site': {
    id: (printed) => /before-restore .* (\S+)$/m.exec(printed)?.[1] ?? '',
    done: (_, printed) => expect(printed).toMatch(/`content` of shop .* is restored from `before-restore`/),
  },
  'Look into a log': {
    done: (_, printed) => expect(printed).toContain('--follow'),
  },
  'Purge the cache': {
    done: ({ requests }) =>
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toContain(
        'POST /api/sites/site-shop/cdn/caching/purge',
      ),
  },
  'Rotate a password': {
    scenario: 'mail',
    before: (yaml) => yaml.replace('2026-2', '2026-1'),
    done: ({ state }, printed) => {
      const [mailbox] = state.mail.spaces.get('mail-shop')?.mailboxes ?? [];
      expect(mailbox, printed).toMatchObject({ password: 'a-new-pass-word' });
    },
  },
  'Renew a name': {
    scenario: 'registrar',
    done: ({ state }) => expect(named(state, 'unrenewed.com')?.autoRenew).toBe(true),
  },
  'Lock a name': {
    scenario: 'registrar',
    done: ({ state }) => expect(named(state, 'plain.com')?.locked).toBe(true),
  },
  'Block a country': {
    done: ({ state }) => expect(JSON.stringify(state.sites.get('site-docs')?.edgeRules)).toContain('Blocked countries'),
  },
  'Move a hostname to another site': {
    done: ({ state }, printed) => {
      expect(printed).toContain('www.shop.example.com');
      const hostnames = (id: string) => state.sites.get(id)?.domains.map(({ hostname }) => hostname);
      expect([hostnames('site-shop'), hostnames('site-docs')]).toEqual([
        ['shop.example.com'],
        ['docs.example.com', 'www.shop.example.com'],
      ]);
    },
  },
  'Buy a name': {
    scenario: 'registrar',
    done: ({ state }, printed) => expect(named(state, 'brand-new.com'), printed).toBeDefined(),
  },
};

/** Files with what the page shows in the manifests of the same kind and name; where there is none, in a new file. */
export async function editedFiles(folder: string, text: string): Promise<ReadonlyMap<string, string>> {
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
