// Manifests that are remembered between runs: the same result as without, and nothing else is believed.
import { describe, expect, it } from 'vitest';
import { dataKinds, registry } from '../../../src/areas/index.ts';
import type { MemoryStore } from '../../../src/manifest/remembered.ts';
import { readManifests } from '../../../src/manifest/read/read.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFolder } from '../../manifest/support.ts';

const LONG = `# ${'x'.repeat(70_000)}\n`;
const site = (name: string, more = ''): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name}, id: site-${name} }\nspec: { ${more} }\n`;
const FILES = {
  'a.yaml': `${LONG}${site('a', 'caching: { cacheExpiration: 60 }')}---\n${site('b')}`,
  'c.yaml': site('c', 'profiles: [fast]'),
  'fast.yaml':
    'apiVersion: hostwright/v1\nkind: SiteProfile\nmetadata: { name: fast }\nspec: { caching: { smartCache: true } }\n',
  'other.yaml': 'services: []\n',
};

function store(version = 'one', files = new Map<string, Buffer>()) {
  let writes = 0;
  const memory: MemoryStore = {
    version,
    read: (name) => files.get(name),
    write: (name, parts) => {
      writes += 1;
      files.set(name, Buffer.concat(parts));
    },
  };
  return { memory, files, writes: () => writes };
}

/** Everything that a run is told, places included. */
async function readIn(folder: string, memory?: MemoryStore): Promise<string> {
  const options = { cwd: folder, root: folder, registry, dataKinds, ...(memory !== undefined && { memory }) };
  const { manifests, collections, documents, diagnostics } = await readManifests(['.'], options);
  const places = documents.map(({ place }) => ['/spec', '/metadata/name'].map((at) => place(at).value));
  const named = manifests.map(({ sourceOf }) => sourceOf('/metadata/name'));
  return JSON.stringify({ manifests, collections, diagnostics, places, named });
}

describe('manifests that are remembered', () => {
  it('come to the same as parsed ones, with their places, and are written once', () =>
    inFolder(FILES, async (folder) => {
      const { memory, writes } = store();
      const parsed = await readIn(folder);
      expect(await readIn(folder, memory)).toBe(parsed);
      expect(await readIn(folder, memory)).toBe(parsed);
      expect(writes()).toBe(1);
      await writeFile(join(folder, 'c.yaml'), site('c'));
      const changed = await readIn(folder);
      expect(changed).not.toBe(parsed);
      expect(await readIn(folder, memory)).toBe(changed);
      expect(writes()).toBe(2);
    }));

  it('are still compared with each other', () =>
    inFolder(FILES, async (folder) => {
      const { memory } = store();
      await readIn(folder, memory);
      await writeFile(join(folder, 'd.yaml'), site('a'));
      const parsed = await readIn(folder);
      expect(parsed).toContain('HW1301');
      expect(await readIn(folder, memory)).toBe(parsed);
    }));

  it('are not those in which anything is wrong: no secret is kept', () =>
    inFolder({ ...FILES, 'bad.yaml': site('bad', 'password: hunter2') }, async (folder) => {
      const { memory, files } = store();
      expect(await readIn(folder, memory)).toContain('bad.yaml');
      const kept = Buffer.concat([...files.values()]).toString();
      expect(kept).toContain('cacheExpiration');
      expect(kept).not.toContain('hunter2');
    }));

  it('believes nothing that is damaged, of another version, or of another text', () =>
    inFolder(FILES, async (folder) => {
      const { memory, files } = store();
      const parsed = await readIn(folder, memory);
      const [[name, whole]] = [...files] as [[string, Buffer]];
      for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 25)) {
        const spoilt = Buffer.from(whole);
        spoilt[at] = (spoilt[at] as number) ^ 1;
        files.set(name, spoilt);
        expect(await readIn(folder, memory)).toBe(parsed);
      }
      files.set(name, whole.subarray(0, whole.length - 9));
      expect(await readIn(folder, memory)).toBe(parsed);
      files.set(name, whole);
      const other = store('two', files);
      expect(await readIn(folder, other.memory)).toBe(parsed);
      expect(other.writes()).toBe(1);
    }));
});
