// Each area of the sandbox can be taken out: its folder and its line in `areas.ts`. What is left still has its types and
// starts.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWhole } from '../support/whole.ts';

const ROOT = join(import.meta.dirname, '../..');
const SANDBOX = join(ROOT, 'src/sandbox');
const LIST = join(SANDBOX, 'areas.ts');
const AREAS = ['billing', 'cdn', 'mail', 'panel', 'registration', 'shield', 'site', 'user'];

/** Whose purchases an area makes: the only way in which one area may need another. */
const BUILT_ON_BILLING = ['mail', 'panel', 'registration', 'site'];

const goneWith = (area: string) => (area === 'billing' ? [area, ...BUILT_ON_BILLING] : [area]);

function listWithout(gone: readonly string[]): string {
  const lines = new RegExp(`^(import .* from './(${gone.join('|')})/area.ts';|  (${gone.join('|')}),)\n`, 'gm');
  return readFileSync(LIST, 'utf8').replace(lines, '');
}

const copies = mkdtempSync(join(tmpdir(), 'areas-'));
afterAll(() => rmSync(copies, { recursive: true }));

// One copy for each area, named after it, in which it is not.
beforeAll(() => {
  symlinkSync(join(ROOT, 'node_modules'), join(copies, 'node_modules'));
  writeFileSync(join(copies, 'package.json'), '{ "type": "module" }');
  for (const area of AREAS) {
    cpSync(SANDBOX, join(copies, area), { recursive: true });
    for (const one of goneWith(area)) rmSync(join(copies, area, one), { recursive: true });
    writeFileSync(join(copies, area, 'areas.ts'), listWithout(goneWith(area)));
  }
});

it('core imports no area, and an area imports core and the billing that it buys with', () => {
  const arrows = globSync('*/**/*.ts', { cwd: SANDBOX }).flatMap((file) => {
    const from = file.split('/')[0] ?? '';
    const imports = readFileSync(join(SANDBOX, file), 'utf8').matchAll(/(?:from|module) '(\.{1,2}\/[^']+)'/g);
    const allowed = [from, 'core', ...(BUILT_ON_BILLING.includes(from) ? ['billing'] : [])];
    const targets = [...imports].map(([, path = '']) => join(file, '..', path));
    return targets.filter((path) => !allowed.includes(path.split('/')[0] ?? '')).map((path) => `${file} -> ${path}`);
  });
  expect(arrows).toEqual([]);
});

it.runIf(isWhole)('without any one of them the rest has its types', () => {
  const config = { extends: join(ROOT, 'tsconfig.json'), include: AREAS.map((area) => `${area}/**/*.ts`) };
  writeFileSync(join(copies, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', copies, '--noEmit'], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

it('without any one of them the rest starts and answers', () => {
  const script = `
    const answers = {};
    for (const area of ${JSON.stringify(AREAS)}) {
      const { openSandbox } = await import(${JSON.stringify(pathToFileURL(copies).href)} + '/' + area + '/server.ts');
      const { app } = openSandbox({ scenario: 'small' });
      const incoming = { socket: { remoteAddress: '127.0.0.1' } };
      const headers = { authorization: 'Bearer sandbox-session' };
      const ask = async (path) => (await app.fetch(new Request('http://sandbox' + path, { headers }), { incoming })).status;
      answers[area] = [await ask('/api/tasks/501'), await ask('/_sandbox/state'), await ask('/')];
    }
    console.log(JSON.stringify(answers));`;
  const told = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { cwd: ROOT });
  expect(JSON.parse(told.toString())).toEqual(Object.fromEntries(AREAS.map((area) => [area, [200, 200, 200]])));
});
