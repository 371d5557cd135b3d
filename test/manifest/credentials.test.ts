// What comes from entries of a credentials file: one answer for all that share it, and another after `fresh`.
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/manifest/credentials/source.ts';
import { inFolder } from './support.ts';

const COUNTED = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const n = existsSync('count') ? Number(readFileSync('count', 'utf8')) + 1 : 1;
writeFileSync('count', String(n));
console.log(JSON.stringify({ a: 'first-' + n, b: 'second-' + n }));`;

describe('entries of a credentials file', () => {
  it('share one answer until a worker begins another run', async () => {
    const spec = {
      tokens: [{ name: '*', command: [process.execPath, 'counted.mjs'], json: '/{account}' }],
      secrets: [{ name: 'a', env: 'A' }],
    };
    const files = {
      'counted.mjs': COUNTED,
      'credentials.yaml': JSON.stringify({ apiVersion: 'hostwright/v1', kind: 'Credentials', spec }),
    };
    await inFolder(files, async (folder) => {
      const told: string[] = [];
      const credentials = createCredentials({
        place: { file: path.join(folder, 'credentials.yaml') },
        programEnv: { PATH: process.env.PATH },
        env: (name) => (name === 'A' ? 'from the environment' : undefined),
        home: folder,
        stop: new AbortController().signal,
        onValue: (value) => told.push(value),
      });
      const root = path.join(folder, 'elsewhere');
      const ask = (source: typeof credentials, account: string) =>
        source.get('tokens', { entry: 'clients', account, root });
      expect(await Promise.all([ask(credentials, 'a'), ask(credentials, 'b')])).toEqual([
        { value: 'first-1' },
        { value: 'second-1' },
      ]);
      expect(await ask(credentials.fresh(), 'b')).toEqual({ value: 'second-2' });
      expect(await credentials.get('secrets', { entry: 'a', account: 'a', root })).toEqual({
        value: 'from the environment',
      });
      // Every value is known, so that no text shows it.
      expect(told.sort()).toEqual(['first-1', 'from the environment', 'second-1', 'second-2']);
      for (const account of ['--all', '..', 'a/b'])
        expect(await ask(credentials, account), account).toMatchObject({ diagnostic: { code: 'HW6034' } });
    });
  });
});
