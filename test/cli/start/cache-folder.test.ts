// The folder for what can be worked out again: where it is, and that nothing is read from it that others could have
// written.
import { chmod, link, mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CacheOwner } from '../../../src/cli/start/cache-folder.ts';
import { cachePath, openCache } from '../../../src/cli/start/cache-folder.ts';
import { openFolder } from '../../support/closing.ts';

let home: string;
let folder: string;
let owner: CacheOwner;
beforeEach(async () => {
  home = await openFolder();
  folder = join(home, '.cache', 'hostwright');
  owner = { env: { HOME: home }, platform: 'linux', uid: process.geteuid?.() };
});

const put = (text = 'kept', name = 'code-a', as = owner): void => openCache(as)?.write(name, [Buffer.from(text)]);
const got = (name = 'code-a', as = owner): string | undefined => openCache(as)?.read(name)?.toString();

describe('the cache folder', () => {
  it.each([
    ['linux', { HOME: '/home/ann' }, '/home/ann/.cache/hostwright'],
    ['linux', { HOME: '/home/ann', XDG_CACHE_HOME: '/var/ann' }, '/var/ann/hostwright'],
    ['linux', { HOME: '/home/ann', XDG_CACHE_HOME: 'relative' }, '/home/ann/.cache/hostwright'],
    ['linux', { HOME: 'here' }, undefined],
    ['linux', {}, undefined],
    ['darwin', { HOME: '/Users/ann' }, '/Users/ann/Library/Caches/hostwright'],
    ['win32', { LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local' }, 'C:\\Users\\ann\\AppData\\Local\\hostwright'],
    ['win32', { HOME: '/home/ann' }, undefined],
  ] as const)('is where %s keeps such things, given %o: %s', (platform, env, expected) => {
    expect(cachePath({ platform, env })).toBe(expected);
  });

  it('keeps a file whole, for the user alone, and leaves nothing else behind', async () => {
    put('first');
    put('second');
    expect(got()).toBe('second');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'code-a'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['code-a']);
  });

  it('is not used where the user says so', () => {
    put();
    expect(openCache({ ...owner, env: { HOME: home, HOSTWRIGHT_CACHE: 'off' } })).toBeUndefined();
    expect(openCache(owner, ['plan', '--no-cache'])).toBeUndefined();
    expect(openCache(owner, ['plan', '--', '--no-cache'])).toBeDefined();
  });

  it.each(['.git', 'hostwright.yaml'])(
    'is none below a folder with %s, where a file may come with a branch',
    async (name) => {
      const checkout = join(home, 'checkout');
      await mkdir(join(checkout, '.cache', 'hostwright'), { recursive: true, mode: 0o700 });
      await symlink(checkout, join(home, 'link'));
      const within = (folder: string): CacheOwner => ({
        ...owner,
        env: { HOME: home, XDG_CACHE_HOME: join(folder, '.cache') },
      });
      expect(openCache(within(checkout))).toBeDefined();
      await writeFile(join(checkout, name), '');
      expect(openCache(within(checkout))).toBeUndefined();
      expect(openCache(within(join(home, 'link')))).toBeUndefined();
    },
  );

  it('is not believed where others could have written it', async () => {
    const refused: Readonly<Record<string, () => Promise<unknown>>> = {
      'a folder that others may write to': () => chmod(folder, 0o770),
      'a folder that is a link': async () => {
        await rename(folder, join(home, 'elsewhere'));
        await symlink(join(home, 'elsewhere'), folder);
      },
      'a file that others may write to': () => chmod(join(folder, 'code-a'), 0o622),
      'a file that is a link': async () => {
        await rename(join(folder, 'code-a'), join(home, 'code-a'));
        await symlink(join(home, 'code-a'), join(folder, 'code-a'));
      },
      'a file with a second name': () => link(join(folder, 'code-a'), join(home, 'other')),
      'a folder in place of the file': async () => {
        await rm(join(folder, 'code-a'));
        await mkdir(join(folder, 'code-a'));
      },
    };
    for (const [what, spoil] of Object.entries(refused)) {
      await rm(join(home, '.cache'), { recursive: true, force: true });
      await rm(join(home, 'elsewhere'), { recursive: true, force: true });
      put();
      expect(got(), what).toBe('kept');
      await spoil();
      expect(got(), what).toBeUndefined();
    }
  });

  it('is neither read nor written by another user', async () => {
    put();
    const other = { ...owner, uid: 4711 };
    expect(got('code-a', other)).toBeUndefined();
    put('foreign', 'code-b', other);
    expect(await readdir(folder)).toEqual(['code-a']);
    // As with `sudo`, which leaves HOME as it is.
    await rm(join(home, '.cache'), { recursive: true });
    await chmod(home, 0o777);
    if (process.geteuid?.() !== 0) put('foreign', 'code-b', other);
    expect(await readdir(home)).toEqual([]);
  });

  it('that cannot be made is done without', async () => {
    await writeFile(join(home, '.cache'), 'a file');
    put();
    expect(got()).toBeUndefined();
  });

  it('does not grow for ever', async () => {
    for (let number = 0; number < 40; number += 1) {
      put('old', `code-${number}`);
      await utimes(join(folder, `code-${number}`), number + 1, number + 1);
    }
    put('new', 'code-new');
    const files = await readdir(folder);
    expect(files).toHaveLength(32);
    expect(files).toContain('code-new');
    expect(files).not.toContain('code-0');
  });
});
