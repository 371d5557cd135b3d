// What programs share: code of a monorepo, parts of a manifest that several classes fill, rules for what is not theirs, and
// an account that lasts from test to test.
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { App, Mailspace, Site } from '../../src/constructs/index.ts';
import { openSandbox, Template } from '../../src/testing/index.ts';
import { synthWorkspace } from '../../src/usecases/synth.ts';
import { validateWorkspace } from '../../src/usecases/validate.ts';
import { programAccess } from '../support/processes/programs.ts';
import { openHarness } from '../support/open-harness.ts';

const program = (imports: string, body: string): string =>
  `import { App, Site } from 'hostwright/constructs';\n${imports}\nconst app = new App();\n${body}\nexport default app;\n`;
const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1" }\n';

describe('code of a monorepo', () => {
  it.each([
    ['npm and yarn', 'node_modules/@acme/own', 'packages/own'],
    ['pnpm', 'accounts/acme/node_modules/@acme/own', 'packages/own'],
  ])('is imported through the link that %s makes, in TypeScript too', async (_who, link, target) => {
    const harness = await openHarness({
      files: {
        '.git/HEAD': '',
        'packages/own/package.json': '{ "name": "@acme/own", "type": "module", "exports": "./index.ts" }',
        'packages/own/index.ts': 'export const ttl: number = 60;',
        'accounts/acme/hostwright.yaml': WORKSPACE,
        'accounts/acme/hosting.ts': program(
          "import { ttl } from '@acme/own';",
          "new Site(app, 'shop', { caching: { cacheExpiration: ttl } });",
        ),
      },
    });
    await mkdir(dirname(join(harness.root, link)), { recursive: true });
    await symlink(join(harness.root, target), join(harness.root, link));
    const cwd = join(harness.root, 'accounts/acme');
    const session = harness.session({ cwd, programs: programAccess() });
    const { diagnostics, manifests } = await validateWorkspace(session, ['hosting.ts']);
    expect([diagnostics, manifests]).toEqual([[], 1]);
  });

  it('is read through a link to a folder of the workspace, beside a file that is secret', async () => {
    const harness = await openHarness({
      files: {
        '.env': 'SECRET=1',
        'code/ttl.ts': 'export const ttl: number = 60;',
        'hosting.ts': program(
          "import { ttl } from './linked/ttl.ts';",
          "new Site(app, 'shop', { caching: { cacheExpiration: ttl } });",
        ),
      },
    });
    await symlink(join(harness.root, 'code'), join(harness.root, 'linked'));
    const { diagnostics, manifests } = await validateWorkspace(harness.session({ programs: programAccess() }), [
      'hosting.ts',
    ]);
    expect([diagnostics, manifests]).toEqual([[], 1]);
  });

  it.each([
    ['./lib', "There is no file './lib': write './lib.ts'"],
    ['./lib.js', "There is no file './lib.js': write './lib.ts'"],
    ['./other', "There is no file './other'"],
  ])('is named by its whole name: %s', async (name, words) => {
    const harness = await openHarness({
      files: {
        'lib.ts': 'export const ttl = 60;',
        'hosting.ts': program(`import { ttl } from '${name}';`, 'void ttl;'),
      },
    });
    const { diagnostics } = await validateWorkspace(harness.session({ programs: programAccess() }), ['hosting.ts']);
    expect(diagnostics.map(({ code, source, detail }) => [code, source?.line, detail.split('. ')[0]])).toEqual([
      ['HW1503', 2, words],
    ]);
  });
});

describe('a manifest that several fill', () => {
  it('takes more by the rules of merge, until its app is read', () => {
    const app = new App();
    const mail = new Mailspace(app, 'example.com', { package: 'mail_5' } as never);
    mail
      .add({ groups: [{ email: 'a@example.com', name: 'A' }] })
      .add({ groups: [{ email: 'b@example.com', name: 'B' }] });
    expect((mail.props as { groups?: readonly { email: string }[] }).groups?.map(({ email }) => email)).toEqual([
      'a@example.com',
      'b@example.com',
    ]);
    app.synth();
    expect(() => mail.add({})).toThrow('Mailspace/example.com is changed after its app was read');
  });

  it('can be adjusted by the app, before its checks are asked', () => {
    const app = new App();
    new Site(app, 'shop', { caching: { smartCache: true } });
    new Site(app, 'docs');
    app.adjust(Site, ({ name }) => (name === 'shop' ? { caching: { cacheExpiration: 60 } } : undefined));
    const seen: unknown[] = [];
    app.check(Site, ({ props }) => void seen.push(props.caching));
    expect(Template.fromApp(app).all('Site')).toEqual([
      { name: 'shop', props: { caching: { smartCache: true, cacheExpiration: 60 } } },
      { name: 'docs', props: {} },
    ]);
    expect(seen).toEqual([{ smartCache: true, cacheExpiration: 60 }, undefined]);
    expect(Template.fromApp(app).find('Site', 'shop')).toEqual({ caching: { smartCache: true, cacheExpiration: 60 } });
  });
});

describe('an account that lasts', () => {
  const shop = (cacheExpiration: number): App => {
    const app = new App();
    new Site(app, 'shop', { id: 'site-shop', caching: { cacheExpiration } });
    return app;
  };

  it('shows what a change of the program does to what it made before', async () => {
    const box = openSandbox({ scenario: 'small' });
    const before = JSON.stringify(box.state());
    expect((await box.apply(shop(7200))).again.actions).toEqual([]);
    expect(JSON.stringify(box.state())).not.toBe(before);
    const { actions } = await box.plan(shop(60));
    expect(actions.flatMap(({ changes }) => changes.map(({ path }) => path))).toEqual(['/cacheExpiration']);
    expect((await box.plan(shop(7200))).actions).toEqual([]);
  });
});

describe('an item of a list under another name', () => {
  it('is renamed by a program too, with `renamedFrom` where its content changes: one update, no delete', async () => {
    const shop = (name: string, to: string, more: { readonly renamedFrom?: string } = {}): App => {
      const app = new App();
      const rule = { name, ...more, action: { redirect: { to } }, triggers: [{ url: ['*/old/*'] }] };
      new Site(app, 'blog', { id: 'site-blog', edgeRules: [rule] });
      return app;
    };
    const box = openSandbox({ scenario: 'small' });
    await box.apply(shop('old', 'https://shop.example.com/'));
    for (const renamed of [
      shop('other', 'https://shop.example.com/'),
      shop('moved', 'https://www.example.com/', { renamedFrom: 'other' }),
    ]) {
      const { actions } = await box.plan(renamed);
      expect(actions.map(({ verb, expect: { renamedFrom } }) => [verb, renamedFrom !== undefined])).toEqual([
        ['update', true],
      ]);
      expect((await box.apply(renamed)).again.actions).toEqual([]);
    }
  });
});

describe('synth --check', () => {
  it('finds a date of today in a manifest', async () => {
    const harness = await openHarness({
      files: { 'hosting.ts': program('', 'new Site(app, `shop-${new Date().getFullYear()}`);') },
    });
    const { diagnostics } = await synthWorkspace(harness.session({ programs: programAccess() }), { check: true });
    expect(diagnostics.map(({ code, source }) => [code, source?.line])).toEqual([['HW1507', 4]]);
    expect(diagnostics[0]?.detail).toContain('a clock that is 400 days ahead');
  });
});
