// Programs as users write them: run in their own process, read into documents with places, and refused in words.
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { stepsAfterPlan } from '../../src/report/view/next-steps.ts';
import { validateWorkspace } from '../../src/usecases/validate.ts';
import type { ProgramAccess } from '../../src/manifest/program/run-program.ts';
import type { Harness } from '../support/harness.ts';
import { programAccess } from '../support/processes/programs.ts';
import { isWhole } from '../support/whole.ts';
import { openHarness } from '../support/open-harness.ts';
import { openFolder } from '../support/closing.ts';

const HEAD = "import { Account, App, Contact, DomainRegistration, Site, secret } from 'hostwright/constructs';\n";
const TAIL = '\nexport default app;\n';

/** What `validate hosting.ts` says of a program between its imports and its export. */
async function validated(
  body: string,
  access: ProgramAccess = programAccess(),
  files: Readonly<Record<string, string>> = {},
): Promise<readonly Diagnostic[]> {
  return validatedIn(await opened(body, files), access);
}

const opened = (body: string, files: Readonly<Record<string, string>> = {}): Promise<Harness> =>
  openHarness({ files: { 'hosting.ts': `${HEAD}${body}${TAIL}`, ...files } });

async function validatedIn(one: Harness, access: ProgramAccess = programAccess()): Promise<readonly Diagnostic[]> {
  return (await validateWorkspace(one.session({ programs: access }), ['hosting.ts'])).diagnostics;
}

const said = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map(({ code, source, detail }) => `${code} ${source?.line ?? 0}:${source?.column ?? 0} ${detail}`);

describe('a program by its own path', () => {
  it('is valid where what it declares is', async () => {
    expect(await validated("const app: App = new App();\nnew Site(app, 'shop', { phpVersion: '8.3' });")).toEqual([]);
  });

  it('has every problem at the value in the program', async () => {
    const found = await validated(
      "const app = new App();\nconst base = { shield: { plan: 'huge' } } as const;\nnew Site(app, 'shop', Site.merge(base as object, {\n  caching: { smartCache: 'yes' as never },\n}));",
    );
    expect(found.map(({ code, source, pointer }) => [code, source?.line, source?.column, pointer])).toEqual([
      ['HW1204', 3, 32, '/spec/shield/plan'],
      ['HW1203', 5, 26, '/spec/caching/smartCache'],
    ]);
  });

  it('is named by its line where an action of it fails, and where apply comes next', async () => {
    const body =
      "const app = new App();\nnew Site(app, 'shop', {\n  id: 'site-shop',\n  caching: { cacheExpiration: 1 },\n});";
    const harness = await openHarness({
      files: { 'hosting.ts': `${HEAD}${body}${TAIL}` },
      faults: [{ kind: 'status-before', status: 422, times: 9, match: { method: 'PATCH' } }],
    });
    const { outcome } = await harness.apply({ paths: ['hosting.ts'] }, { programs: programAccess() });
    expect(outcome.diagnostics.map(({ code, source }) => [code, source?.file, source?.line])).toEqual([
      ['HW4003', 'hosting.ts', 5],
    ]);
    const { plan } = await harness.plan({ paths: ['hosting.ts'] }, { programs: programAccess() });
    const [next] = stepsAfterPlan(plan as Plan, { again: '', paths: ['hosting.ts'] });
    expect(next?.command).toBe('hostwright apply hosting.ts');
  });

  it('says where two manifests have one name', async () => {
    const found = await validated("const app = new App();\nnew Site(app, 'shop');\nnew Site(app, 'shop');");
    expect(found.map(({ code, source, detail }) => [code, source?.line, detail.includes('hosting.ts:3')])).toEqual([
      ['HW1301', 4, true],
    ]);
  });

  it('may have checks of its own, told at the construct', async () => {
    const found = await validated(
      "const app = new App().check(Site, ({ props }) => (props.lifecycle?.protect ? undefined : 'sites are protected'));\n  new Site(app, 'shop');",
    );
    expect(said(found)).toEqual(['HW1520 3:3 Sites are protected. Change the declaration or the check.']);
  });

  it('does not take what no manifest can hold', async () => {
    const found = await validated(
      "const app = new App();\nconst owner = new Contact(app, 'acme', {} as never);\nnew Site(app, 'shop', { phpVersion: (() => 1) as never, plan: owner as never, caching: { cacheExpiration: NaN } });",
    );
    expect(found.map(({ code, detail }) => `${code} ${detail.split('.')[0] ?? ''}`)).toEqual([
      'HW1505 `/phpVersion` is a function, and a manifest holds plain values only',
      'HW1505 `/plan` is the Contact acme, and no manifest can stand here',
      'HW1505 `/caching/cacheExpiration` is NaN, which no manifest can hold',
    ]);
  });

  it('has accounts with names of their own, and no references between them', async () => {
    const found = await validated(
      "const app = new App();\nconst [a, b] = [new Account(app, 'acc-acme'), new Account(app, 'acc-b')];\nconst owner = new Contact(a, 'acme', {} as never);\nnew DomainRegistration(b, 'example.com', { contacts: { owner } });\n",
    );
    expect(said(found).filter((line) => line.startsWith('HW1510'))).toEqual([
      'HW1510 5:56 `/contacts/owner` names Contact/acme of the account acc-acme; this manifest belongs to the account acc-b. Declare the referenced object in the same account, or write the values.',
    ]);
  });

  it('is checked for all of its accounts where the workspace names none, and a plan asks for one', async () => {
    const one = await opened(
      "const app = new App();\nfor (const name of ['a', 'b']) new Site(new Account(app, name), 'shop', { plan: name === 'b' ? 'huge' as never : undefined, misspelt: 1 } as never);",
      { 'hostwright.yaml': 'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  synth: { program: hosting.ts }\n' },
    );
    const found = await validatedIn(one);
    expect(found.filter(({ pointer }) => pointer === '/spec/misspelt').map(({ source }) => source?.line)).toEqual([
      3, 3,
    ]);
    expect(found.map(({ code }) => code)).not.toContain('HW6007');
    const { diagnostics } = await one.plan({ paths: ['hosting.ts'] }, { programs: programAccess() });
    expect(diagnostics.map(({ code, detail }) => [code, detail.includes('--config')])).toContainEqual(['HW6007', true]);
  });

  it('makes each account once, and gets no secret of the workspace', async () => {
    const one = await opened(
      "const app = new App();\nfor (const name of ['a', 'a']) new Site(new Account(app, name), 'shop');",
      {
        'hostwright.yaml':
          'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: a\n  baseUrl: http://127.0.0.1:1\n',
      },
    );
    expect((await validatedIn(one)).map(({ code, source }) => [code, source?.line])).toContainEqual(['HW1509', 3]);
    await one.write(
      'hostwright.yaml',
      'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: a\n  baseUrl: http://127.0.0.1:1\n  secrets: { env: [MAIL] }\n  synth: { env: [MAIL] }\n',
    );
    const { diagnostics } = await validateWorkspace(one.session(), ['hosting.ts']);
    expect(diagnostics.map(({ code, source }) => [code, source?.line])).toEqual([['HW6022', 7]]);
  });

  it('is never run where the workspace file or a glob names it', async () => {
    const harness = await openHarness({
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [hosting.ts]\n',
      files: { 'hosting.ts': `${HEAD}const app = new App();${TAIL}` },
    });
    const session = harness.session({ programs: programAccess() });
    expect((await validateWorkspace(session, [])).diagnostics.map(({ code }) => code)).toEqual(['HW1513']);
    expect((await validateWorkspace(session, ['*.ts'])).diagnostics.map(({ code }) => code)).toEqual(['HW1513']);
  });
});

describe('a hostile program', () => {
  const app = 'const app = new App();';
  const limits = { timeMs: 1_500, memoryMb: 48, bytes: 100_000 };
  const more: readonly (readonly [string, string, string])[] = [
    [
      'promises that make more of themselves',
      `${app}\nconst more = async (): Promise<unknown> => (await null, Promise.all([more(), more(), more()]));\nawait more();`,
      'HW1504 1:1 `hosting.ts` needed more than 48 MB',
    ],
    [
      'a queue that never empties',
      `${app}\nconst again = (): void => queueMicrotask(again);\nagain();\nawait null;\nawait new Promise(() => {});`,
      'HW1504 1:1 `hosting.ts` was still running after 1.5 seconds',
    ],
    [
      'no end of its end',
      `${app}\nprocess.on('exit', () => { for (;;); });`,
      'HW1504 1:1 `hosting.ts` was still running after 1.5 seconds',
    ],
    [
      'a promise that nobody waits for',
      `${app}\nvoid Promise.reject(new Error('nobody'));\nawait new Promise((go) => setTimeout(go, 99));`,
      'HW1503 3:21 nobody.',
    ],
    [
      'nothing left of what it was given',
      `${app}\nJSON.stringify = () => 'x';\nArray.prototype.map = () => { throw new Error('map'); };\nnew Site(app, 'shop');`,
      'HW1503 1:1 map.',
    ],
  ];
  it.each<readonly [string, string, string]>([
    ...(isWhole ? more : []),
    ['an endless loop', `${app}\nfor (;;);`, 'HW1504 1:1 `hosting.ts` was still running after 1.5 seconds'],
    [
      'a text of 1 GB',
      `${app}\nconst all: string[] = [];\nfor (;;) all.push('x'.repeat(1e6) + all.length);`,
      'HW1504 1:1 `hosting.ts` needed more than 48 MB',
    ],
    [
      'more than an answer may have',
      `${app}\nnew Site(app, 'x'.repeat(200_000));`,
      'HW1504 1:1 What `hosting.ts` declares is more than',
    ],
    [
      'process.exit(0)',
      `${app}\nprocess.exit(0);`,
      'HW1503 1:1 `hosting.ts` ended before its app was read (exit code 0)',
    ],
    [
      'no end of waiting',
      `${app}\nawait new Promise(() => {});`,
      'HW1503 1:1 `hosting.ts` ended before its app was read (exit code 13). It waits',
    ],
    [
      'junk on file descriptor 3',
      `${app}\n(await import('node:fs')).writeSync(3, 'junk');`,
      'HW1503 1:1 What `hosting.ts` wrote to file descriptor 3',
    ],
    ['null that is thrown', `${app}\nthrow null;`, 'HW1503 1:1 null was thrown'],
    ['an error with escapes', `${app}\nthrow new Error('\\x1b[2Jgone');`, 'HW1503 3:7 \u241b[2Jgone.'],
    [
      'a file outside',
      `${app}\n(await import('node:fs')).readFileSync('/etc/passwd');`,
      'HW1503 3:27 A program may read nothing but the workspace without its secrets, and it tried to read /etc/passwd.',
    ],
    [
      'a file that is written',
      `${app}\n(await import('node:fs')).writeFileSync('x', '');`,
      'HW1503 3:27 A program may write no file',
    ],
    [
      'another program',
      `${app}\n(await import('node:child_process')).execSync('id');`,
      'HW1503 3:38 A program may start no other program.',
    ],
    [
      'a file outside, from a thread',
      `${app}\nconst { Worker } = await import('node:worker_threads');\nconst code = "require('fs').readFileSync('/etc/passwd')";\nawait new Promise((_, fail) => new Worker(code, { eval: true }).on('error', fail));`,
      'HW1503 5:32 A program may start no threads.',
    ],
    [
      'what throws when it is looked at',
      `${app}\nthrow { get message() { throw 1; }, toString() { throw 2; } };`,
      'HW1503 1:1 something was thrown that cannot be shown.',
    ],
    [
      'props that throw when they are read',
      `${app}\nnew Site(app, 'shop', { get caching(): never { throw new Error('no caching'); } });`,
      'HW1503 3:54 no caching.',
    ],
    [
      'an app that throws when it is looked at',
      `${app}\nObject.defineProperty(app, 'synth', { get: () => { throw new Error('gone'); } });`,
      'HW1503 3:58 gone.',
    ],
    ['an enum', `${app}\nenum Size { Big }`, 'HW1502 3:1 '],
    [
      'an app that is none',
      `const app = { a: 1 };`,
      'HW1501 1:1 `hosting.ts` has no app as its default export. It exports default.',
    ],
  ])('%s ends in words', async (_name, body, words) => {
    // Only what never ends is to meet the limit, however slow the machine is.
    const timeMs = words.includes('still running') ? limits.timeMs : 20_000;
    const access = programAccess({ limits: { ...limits, timeMs } });
    const found = said(await validated(body, access));
    expect(found).toHaveLength(1);
    expect(found[0]?.slice(0, words.length)).toBe(words);
  });

  it('reads nothing through a link that leads out', async () => {
    const outside = await openFolder({ secret: 'canary' });
    const harness = await openHarness({
      files: {
        'hosting.ts': `${HEAD}import { readFileSync } from 'node:fs';\n${app}\nnew Site(app, readFileSync('data/link', 'utf8'));${TAIL}`,
        'data/shop': 'shop',
      },
    });
    const { root } = harness;
    const session = harness.session({ programs: programAccess() });
    const validate = async () => said((await validateWorkspace(session, ['hosting.ts'])).diagnostics);
    await symlink('shop', join(root, 'data/link'));
    expect(await validate()).toEqual([]);
    await rm(join(root, 'data/link'));
    await symlink(join(outside, 'secret'), join(root, 'data/link'));
    expect(await validate()).toEqual([
      'HW1521 1:1 `data/link` is a link that leads out of the workspace, and `hosting.ts` was not run. Remove the link, or move its target into the workspace. A program can read only files of the workspace.',
    ]);
  });

  it('may print as much as it likes: what is too much is left out', async () => {
    const access = programAccess();
    const body = `${app}\nfor (let line = 0; line < 20_000; line += 1) console.log('x'.repeat(1000));\nnew Site(app, 'shop');`;
    expect(await validated(body, access)).toEqual([]);
    expect(access.said.join('').length).toBeLessThan(400_000);
  });

  it('is given no secret, and prints to whoever watches', async () => {
    const access = programAccess({ variables: { HOSTWRIGHT_TOKEN: 'canary', STAGE: 'test', OTHER: 'other' } });
    const harness = await openHarness({
      workspace:
        'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  synth: { env: [STAGE] }\n',
      files: {
        'hosting.ts': `${HEAD}const app = new App();\nconsole.log(Object.keys(process.env).sort().join());\nnew Site(app, process.env.STAGE);${TAIL}`,
      },
    });
    const { diagnostics, manifests } = await validateWorkspace(harness.session({ programs: access }), ['hosting.ts']);
    expect([diagnostics, manifests]).toEqual([[], 1]);
    expect(access.said).toEqual(['STAGE,TZ']);
  });
});
