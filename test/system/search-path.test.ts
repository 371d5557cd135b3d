// Programs of the PATH are used only where no other user can replace them.
import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../src/system/search-path.ts';
import { openFolder } from '../support/closing.ts';

const NOBODY = 65_534;

async function program(folder: string, { uid, mode = 0o755 }: { readonly uid?: number; readonly mode?: number } = {}) {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'tool');
  await writeFile(file, '#!/bin/sh\n');
  await chmod(file, mode);
  if (uid !== undefined) await chown(file, uid, uid);
  return file;
}

describe('a program of the PATH', () => {
  it.skipIf(process.getuid?.() !== 0)('that another user owns, or whose folder they own, is not used', async () => {
    const folder = await openFolder();
    const [theirs, own, shared] = ['theirs', 'own', 'shared'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const foreign = await program(theirs, { uid: NOBODY });
    const mine = await program(own);
    await program(shared);
    await chown(shared, NOBODY, NOBODY);
    expect(findProgram('tool', { PATH: theirs }, [])).toEqual({
      reason: expect.stringContaining('another user owns it') as string,
    });
    expect(findProgram('tool', { PATH: shared }, [])).toHaveProperty('reason');
    expect(findProgram('tool', { PATH: `${theirs}:${shared}:${own}` }, [])).toEqual({ program: mine });
    expect(findProgram('tool', { PATH: theirs, HOSTWRIGHT_TRUSTED_ROOT: theirs }, [])).toEqual({ program: foreign });
    // A link of ours to a program of theirs is theirs.
    const linked = join(folder, 'linked');
    await mkdir(linked);
    await symlink(foreign, join(linked, 'tool'));
    expect(findProgram('tool', { PATH: linked }, [])).toHaveProperty('reason');
  });

  it('that every user can change is not used', async () => {
    const folder = await openFolder();
    await program(folder, { mode: 0o777 });
    expect(findProgram('tool', { PATH: folder }, [])).toHaveProperty('reason');
    await program(folder);
    expect(findProgram('tool', { PATH: folder }, [])).toEqual({ program: join(folder, 'tool') });
  });
});
