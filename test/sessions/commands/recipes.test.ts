// docs/recipes.md, followed from the page: the YAML is written into the manifests of an exported account and applied, the
// commands are run, and the account is looked at.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { isMap, isScalar, isSeq, parseAllDocuments, parseDocument } from 'yaml';
import type { Document, YAMLMap } from 'yaml';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Ended } from '../../support/processes/run-here.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/recipes.md'), 'utf8');
const recipes = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)]] as const),
);

let folder = '';
let sandbox: Sandbox | undefined;
afterEach(async () => {
  await sandbox?.close();
  if (folder !== '') await rm(folder, { recursive: true, force: true });
  [sandbox, folder] = [undefined, ''];
});

function named({ registrar }: Sandbox['state'], wanted: string) {
  return [...registrar.registrations.values()].find(({ name }) => name === wanted);
}

interface Recipe {
  readonly scenario?: string;
  /** What an id on the page stands for, from what the commands before it printed. */
  readonly id?: (printed: string) => string;
  /** What the YAML said until then. */
  readonly before?: (yaml: string) => string;
  /** What was done, as the account shows it. */
  readonly done: (sandbox: Sandbox, printed: string) => void | Promise<void>;
}

const RECIPES: Readonly<Record<string, Recipe>> = {
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

it('has a recipe each, and no other', () => {
  expect([...recipes.keys()]).toEqual(Object.keys(RECIPES));
});

it.each(Object.entries(RECIPES))('%s', async (title, { scenario, id, before, done }) => {
  folder = await mkdtemp(join(memoryFolder, 'hostwright-recipes-'));
  // A minute passes with each request, so that nothing has to be waited for.
  let isFollowed = false;
  const one = (sandbox = await startSandbox({
    ...(scenario !== undefined && { scenario }),
    hooks: {
      before: ({ path }) => {
        one.clock.advance(60_000);
        if (isFollowed && path.includes('/logs/')) (process.listeners('SIGINT').at(-1) as () => void)();
      },
    },
  }));
  const env = { ANNA_PASSWORD: 'a-new-pass-word' };
  const run = (...words: readonly string[]): Promise<Ended> =>
    runCommand(words, { cwd: folder, url: one.url, env, clock: one.clock });
  let printed = '';
  const ends = async (...words: readonly string[]): Promise<void> => {
    // Somebody who follows a log ends it with Ctrl-C.
    isFollowed = words.includes('--follow');
    const { code, stdout, stderr } = await run(...words);
    printed += `${words.join(' ')}\n${stdout}${stderr}`;
    expect(isFollowed ? [130] : [0, 2, 3], printed).toContain(code);
  };
  await ends('init', '--account', 'acc-acme', '--api-url', one.url, '--start', 'export', '--yes');
  const blocks = recipes.get(title) ?? [];
  for (const [, language, text = ''] of blocks) {
    if (language === 'yaml') {
      if (before !== undefined) {
        await edit(before(text));
        await ends('apply', '--yes');
      }
      await edit(text);
      await ends('plan');
      const isAppliedByThePage = blocks.some(([, , other = '']) => other.startsWith('hostwright apply'));
      if (!isAppliedByThePage) await ends('apply', '--yes', '--allow-deletes', '1');
    } else
      for (const line of text.trim().split('\n')) {
        const words = line
          .replace('ID', id?.(printed) ?? 'ID')
          .split(' ')
          .slice(1);
        await ends(...words, ...(/^(apply|site (backup|restore|purge))/.test(words.join(' ')) ? ['--yes'] : []));
      }
  }
  await done(one, printed);
  await ends('plan');
  expect(printed.slice(printed.lastIndexOf('plan\n'))).toMatch(/No changes|no changes/);
});

/** Writes what the page shows into the manifests of the same kind and name; where there is none, into a new file. */
async function edit(text: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    /^(manifests.*|hostwright)\.yaml$/.test(name),
  );
  const manifests = await Promise.all(
    files.map(async (name) => [name, parseDocument(await readFile(join(folder, name), 'utf8'))] as const),
  );
  for (const given of parseAllDocuments(text) as readonly Document[]) {
    const of = (document: Document): string =>
      `${String(document.get('kind'))}/${String(document.getIn(['metadata', 'name']))}`;
    const [name, document] = manifests.find(([, known]) => of(known) === of(given)) ?? [];
    if (name === undefined || document === undefined) {
      await mkdir(join(folder, 'manifests/more'), { recursive: true });
      await writeFile(join(folder, `manifests/more/${of(given).replace('/', '-')}.yaml`), given.toString());
      continue;
    }
    merge(document.get('spec') as YAMLMap, given.get('spec') as YAMLMap);
    await writeFile(join(folder, name), document.toString());
  }
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
