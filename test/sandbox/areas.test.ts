// Each area of the sandbox can be taken out: its folder and its line in `areas.ts`. What is left still has its types and
// starts.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { afterAll, expect, it } from 'vitest';

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

const options = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
  ts.sys,
  ROOT,
).options;
const host = ts.createCompilerHost(options);
const parsed = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says of the sandbox where these folders are not. */
function problemsWithout(gone: readonly string[]): readonly string[] {
  const isGone = (path: string) => gone.some((area) => path.startsWith(join(SANDBOX, area, '/')));
  const getSourceFile: typeof host.getSourceFile = (path, target) => {
    if (path === LIST) return ts.createSourceFile(path, listWithout(gone), target);
    if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, target));
    return parsed.get(path);
  };
  const fileExists = (path: string) => !isGone(path) && host.fileExists(path);
  const files = globSync('**/*.ts', { cwd: SANDBOX, absolute: true }).filter((path) => !isGone(path));
  const program = ts.createProgram(files, options, { ...host, getSourceFile, fileExists });
  return files
    .flatMap((path) => program.getSemanticDiagnostics(program.getSourceFile(path)))
    .map(({ messageText, file }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

const copies = mkdtempSync(join(tmpdir(), 'areas-'));
afterAll(() => rmSync(copies, { recursive: true }));

it('core imports no area, and an area imports core and the billing that it buys with', () => {
  const arrows = globSync('*/**/*.ts', { cwd: SANDBOX }).flatMap((file) => {
    const from = file.split('/')[0] ?? '';
    const imports = readFileSync(join(SANDBOX, file), 'utf8').matchAll(/(?:from|module) '(\.{1,2}\/[^']+)'/g);
    const allowed = [from, 'core', ...(BUILT_ON_BILLING.includes(from) ? ['billing'] : [])];
    const targets = [...imports].map(([, path = '']) => join(file, '..', path));
    return targets.filter((path) => !allowed.includes(path.split('/')[0] ?? '')).map((path) => `${file} -> ${path}`);
  });
  expect(arrows.filter((arrow) => !arrow.startsWith('scenarios/'))).toEqual([]);
});

it.each(AREAS)('without %s the rest has its types', (area) => {
  expect(problemsWithout(goneWith(area))).toEqual([]);
});

it('without any one of them the rest starts and answers', () => {
  symlinkSync(join(ROOT, 'node_modules'), join(copies, 'node_modules'));
  writeFileSync(join(copies, 'package.json'), '{ "type": "module" }');
  for (const area of AREAS) {
    cpSync(SANDBOX, join(copies, area), { recursive: true });
    for (const one of goneWith(area)) rmSync(join(copies, area, one), { recursive: true });
    writeFileSync(join(copies, area, 'areas.ts'), listWithout(goneWith(area)));
  }
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
