// The right line, every error, and nothing in silence: what is said of a program, and where.
import { describe, expect, it } from 'vitest';
import { synthWorkspace } from '../../src/usecases/synth.ts';
import { validateWorkspace } from '../../src/usecases/validate.ts';
import type { Harness } from '../support/harness.ts';
import { programAccess } from '../support/processes/programs.ts';
import { openHarness } from '../support/open-harness.ts';
import { containing } from '../support/matchers.ts';

const HEAD =
  "import { App, Construct, Mailspace, Site, secret, type SiteProps } from 'hostwright/constructs';\nconst app = new App();\n";
const TAIL = '\nexport default app;\n';

const opened = (body: string, files: Readonly<Record<string, string>> = {}): Promise<Harness> =>
  openHarness({ files: { 'hosting.ts': `${HEAD}${body}${TAIL}`, ...files } });

async function validated(body: string, files: Readonly<Record<string, string>> = {}) {
  const one = await opened(body, files);
  return (await validateWorkspace(one.session({ programs: programAccess() }), ['hosting.ts'])).diagnostics;
}

/** The text that is underlined, with its line. */
async function underlined(body: string, files: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const texts: Readonly<Record<string, string>> = { 'hosting.ts': `${HEAD}${body}${TAIL}`, ...files };
  return (await validated(body, files)).map(({ source }) => {
    const { file = '', line = 0, column = 0, endColumn = 0 } = source ?? {};
    const text = texts[file]?.split('\n')[line - 1] ?? '';
    return `${file}:${line} ${text.slice(column - 1, endColumn - 1)}`;
  });
}

describe('the place of a value', () => {
  it.each([
    [
      'of two layers, the one that says it',
      'const brochure = { caching: { cacheExpiration: -7 } };\nconst shop = { caching: { cacheExpiration: 900, smartCache: true } };\nconst sells = false;\nnew Site(app, "a", Site.merge(brochure, sells ? shop : undefined));',
      'hosting.ts:3 -7',
    ],
    [
      'of a condition, the branch that was taken',
      'const big = Date.now() < 0;\nnew Site(app, "a", {\n  caching: big ? { cacheExpiration: 600 } : { cacheExpiration: -7 },\n});',
      'hosting.ts:5 -7',
    ],
    [
      'a spread after a property',
      'const over = { cacheExpiration: -7 };\nnew Site(app, "a", {\n  caching: { cacheExpiration: -7, ...over },\n});',
      'hosting.ts:3 -7',
    ],
    [
      'a parameter, where only the caller knows',
      'const siteOf = (name: string, over: SiteProps) =>\n  new Site(app, name, Site.merge({ caching: { cacheExpiration: 3600 } }, over));\nsiteOf("a", { caching: { cacheExpiration: -7 } });',
      'hosting.ts:4 over',
    ],
    [
      'what a function was given',
      'const cached = (over: SiteProps) => Site.merge({ caching: { cacheExpiration: 3600 } }, over);\nnew Site(app, "a", cached({\n  caching: { cacheExpiration: -7 },\n}));',
      'hosting.ts:5 -7',
    ],
    [
      'an item of a list, wherever merging put it',
      'new Site(app, "a", Site.merge({ edgeRules: [{ name: "x", action: { type: "block" }, triggers: [{ type: "url", patterns: ["/x*"] }] }] } as object, {\n  edgeRules: [\n    { name: "y", enabled: -7, action: { type: "block" }, triggers: [{ type: "url", patterns: ["/y*"] }] },\n  ],\n} as object));',
      'hosting.ts:5 -7',
    ],
    [
      'no merge but that of our classes',
      'const lodash = { merge: (...all: object[]) => all[0] as object };\nnew Site(app, "a", lodash.merge({ caching: { cacheExpiration: -7 } }, { caching: { cacheExpiration: -7 } }));',
      'hosting.ts:4 lodash.merge({ caching: { cacheExpiration: -7 } }, { caching: { cacheExpiration: -7 } })',
    ],
  ])('is %s', async (_what, body, expected) => {
    expect((await underlined(body)).filter((one) => !one.includes('"'))).toEqual([expected]);
  });

  it('is in a plan the line that a reviewer has to read', async () => {
    const one = await opened(
      'const brochure = { caching: { cacheExpiration: 43_200 } };\nconst shop = { caching: { cacheExpiration: 900 } };\nfor (const [name, sells] of [["shop", false]] as const)\n  new Site(app, name, Site.merge({ id: "site-shop" }, brochure, sells ? shop : undefined));',
    );
    const { plan } = await one.plan({ paths: ['hosting.ts'] }, { programs: programAccess() });
    const change = plan?.actions.flatMap(({ changes }) => changes).find(({ path }) => path.includes('cacheExpiration'));
    expect(change).toBeDefined();
    expect(plan?.actions.map(({ source }) => source?.line)).toContain(3);
  });

  it('has the calls with it that led there', async () => {
    const client = `import { Construct, Site } from 'hostwright/constructs';
export class Client extends Construct {
  constructor(scope: Construct, name: string) {
    super(scope, name);
    new Site(this, 'a');
  }
}
`;
    const body = 'const { Client } = await import("./client.ts");\nnew Client(app, "one");\nnew Client(app, "two");';
    const found = await validated(body, { 'client.ts': client });
    expect(
      found.map(({ code, source, detail }) => [code, source?.file, source?.line, detail.split('. ').at(-1)]),
    ).toEqual([['HW1301', 'client.ts', 5, 'It was called at `hosting.ts:4` and `hosting.ts:5`.']]);
  });
});

describe('errors of a line that makes many manifests', () => {
  it('are told for each value', async () => {
    const found = await validated(
      'for (const [name, seconds] of [["a", 60], ["b", -6], ["c", -7], ["d", -8], ["e", -9]] as const)\n  new Site(app, name, { caching: { cacheExpiration: seconds } });',
    );
    expect(found.map(({ detail }) => /is (-\d)/.exec(detail)?.[1])).toEqual(['-6', '-7', '-8', '-9']);
  });

  it('are told once where they are the same, secrets too', async () => {
    const found = await validated(
      'for (let row = 0; row < 60; row += 1)\n  new Mailspace(app, `a${row}.example.com`, { package: "mail_5", mailboxes: [{ address: `info@a${row}.example.com`, password: secret.env("MAIL") }] });',
    );
    expect(found).toMatchObject([
      { code: 'HW1401', detail: containing('60 fields refer to it. The environment variable `MAIL` is not listed.') },
    ]);
  });
});

describe('what a program does at its end', () => {
  it('is waited for, though it does not wait itself', async () => {
    const body =
      'async function main() {\n  await new Promise((go) => setImmediate(go));\n  new Site(app, "late");\n}\nmain();';
    expect(await synthWorkspace((await opened(body)).session({ programs: programAccess() }), {})).toMatchObject({
      diagnostics: [],
      files: 1,
    });
  });

  it.each([
    ['a promise that fails', 'void Promise.reject(new Error("nobody waits"));'],
    ['a timer that fails', 'setTimeout(() => { throw new Error("nobody waits"); }, 1);'],
  ])('fails where it fails, though nobody waits: %s', async (_what, body) => {
    const found = await validated(body);
    expect(found.map(({ code, source, detail }) => [code, source?.line, detail.split('.')[0]])).toEqual([
      ['HW1503', 3, 'nobody waits'],
    ]);
  });

  it('makes nothing after its app was read', async () => {
    const found = await validated(
      'app.check(Site, (site) => void new Site(site.scope as Construct, "b"));\nnew Site(app, "a");',
    );
    expect(found.map(({ detail }) => detail.split(',')[0])).toEqual(['TypeError: b is made after its app was read']);
  });

  it('removes all made files only where somebody says so', async () => {
    const one = await opened('new Site(app, "a");');
    const session = one.session({ programs: programAccess() });
    expect(await synthWorkspace(session, {})).toMatchObject({ written: true });
    await one.write('hosting.ts', `${HEAD}${TAIL}`);
    const refused = await synthWorkspace(session, {});
    expect([refused.written, refused.diagnostics.map(({ code }) => code)]).toEqual([false, ['HW1524']]);
    const asked: string[] = [];
    const confirm = (question: string) => Promise.resolve(asked.push(question) > 0);
    expect(await synthWorkspace(session, { confirm })).toMatchObject({ written: true, files: 0 });
    expect(asked).toEqual(['`hosting.ts` declares no manifest, and 1 file in `manifests` would be removed.']);
  });

  it('changes no list after it was given', async () => {
    const found = await validated(
      'const mailboxes: { address: string }[] = [];\nnew Mailspace(app, "example.com", {\n  package: "mail_5",\n  mailboxes,\n});\nmailboxes.push({ address: "a@example.com" });',
    );
    expect(found.map(({ code, source, detail }) => [code, source?.line, detail.split('.')[0]])).toEqual([
      ['HW1523', 6, '`/mailboxes` was changed after `new Mailspace` had taken it'],
    ]);
  });
});

describe('a check', () => {
  const GROUP = 'class Client extends Construct {}\n';

  it.each([
    ['a group of your own', `${GROUP}app.check(Client, () => 'no clients');\nnew Client(app, 'one');`, 5],
    ['the app', "app.check(App, () => 'no apps');", 2],
    ['a manifest', "app.check(Site, () => 'no sites');\nnew Site(app, 'a');", 4],
  ])('is asked about %s', async (_what, body, line) => {
    const found = await validated(body);
    expect(found.filter(({ code }) => code === 'HW1520').map(({ source }) => source?.line)).toEqual([line]);
  });

  it('says which field it is about, and warns', async () => {
    const found = await validated(
      "app.check(Site, () => [{ message: 'an hour is long', at: 'caching/cacheExpiration', severity: 'warning' }, 'and no']);\nnew Site(app, 'a', {\n  caching: { cacheExpiration: 3600 },\n});",
    );
    expect(found.map(({ code, severity, source }) => [code, severity, source?.line])).toEqual([
      ['HW1520', 'error', 4],
      ['HW1525', 'warning', 5],
    ]);
  });

  it.each([
    ['true', '() => true as never', 'true (boolean)'],
    ['a promise', 'async () => undefined as never', 'a promise, and nobody waits for it'],
  ])('that answers %s fails in a sentence', async (_what, rule, words) => {
    const found = await validated(`app.check(Site, ${rule});\nnew Site(app, 'a');`);
    expect(found.map(({ detail }) => detail)).toEqual([containing(`The check of Site answered ${words}`)]);
  });
});
