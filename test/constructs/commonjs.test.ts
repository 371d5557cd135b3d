// `require` works wherever `import` does, and both give the same classes: a package that requires them makes constructs for
// a program that imports them.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeOf } from '../../.ci/test-all.ts';
import { isWhole } from '../support/whole.ts';

const root = join(import.meta.dirname, '../..');
const FILES = {
  'hostwright.yaml':
    'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1" }\n',
  'hosting.ts': `import { App, Site } from 'hostwright/constructs';
import shop from 'own';
const app = new App();
new Site(app, 'docs');
shop(app);
export default app;
`,
  'node_modules/own/package.json': '{ "main": "index.js" }',
  'node_modules/own/index.js': `const { Site } = require('hostwright/constructs');
module.exports = (app) => new Site(app, 'shop', { caching: { cacheExpiration: 60 } });
`,
  'script.cjs': `const { App, Site } = require('hostwright/constructs');
const { Template } = require('hostwright/testing');
void Promise.all([import('hostwright/constructs'), import('hostwright/testing')]).then(([constructs, testing]) => {
  const app = new App();
  new constructs.Site(app, 'shop');
  testing.Template.fromApp(app).count('Site', 1);
  const { file, line, column } = app.children[0].calls[0];
  console.log(constructs.Site === Site, testing.Template === Template, file === __filename, line, column);
});
`,
  'types.cts': "import { App } from 'hostwright/constructs';\nexport const app: App = new App();\n",
  'types.mts': `import { App, Site } from 'hostwright/constructs';
import { Template } from 'hostwright/testing';
import { app } from './types.cjs';
new Site(app, 'shop');
export const same: App = app;
Template.fromApp(app).has('Site', 'shop', { caching: { cacheExpiration: 60 } });
`,
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostwright-commonjs-'));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await symlink(root, join(folder, 'node_modules/hostwright'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The oldest versions that are supported cannot require ES modules; of those that can, two that do it differently. */
const VERSIONS = [process.versions.node, ...(isWhole ? ['20.18.1', '22.11.0', '22.18.0', '24.21.0'] : [])];

it.for(VERSIONS)('what is required is what is imported, on Node.js %s', async (version, { skip }) => {
  const nodes = join(folder, version);
  await mkdir(nodes);
  const found = version === process.versions.node ? { node: process.execPath } : await nodeOf(version, nodes);
  if ('reason' in found) return skip(found.reason);
  const run = (...args: readonly string[]) =>
    promisify(execFile)(found.node, ['--no-warnings', ...args], { cwd: folder }).then(({ stdout }) => stdout.trim());
  expect(await run('script.cjs')).toBe('true true true 5 3');
  // In the process that a program runs in too, and where no folder says which package it is.
  expect(await run(join(root, 'dist/main.js'), 'validate', 'hosting.ts')).toMatch(/^Valid: 2 manifests/);
});

it.each([
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
])('has one set of types for both: %o', async (resolution) => {
  const compilerOptions = { ...resolution, noEmit: true, strict: true, types: [], target: 'es2022' };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.mts'] }));
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  await expect(promisify(execFile)(process.execPath, [compiler, '-p', folder])).resolves.toMatchObject({ stdout: '' });
});

it.each(['constructs', 'testing'])('has types where TypeScript knows no `exports`: %s', (name) => {
  const options = { moduleResolution: ts.ModuleResolutionKind.Node10 };
  const { resolvedModule } = ts.resolveModuleName(`hostwright/${name}`, join(folder, 'types.cts'), options, ts.sys);
  expect(resolvedModule?.resolvedFileName).toBe(join(root, `dist/${name}.d.ts`));
});
