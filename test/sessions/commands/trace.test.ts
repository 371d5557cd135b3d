// `test --url` and `test`: what the rules of a site do with a request, by manifests and as they are live.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { renderTestsJson, renderTraceJson } from '../../../src/report/json/trace.ts';
import { traceReport } from '../../../src/report/blocks/trace.ts';
import { writePage } from '../../../src/report/page.ts';
import type { Trace, TracedRequest } from '../../../src/model/plan/trace.ts';
import { acceptLive } from '../../../src/usecases/write/accept.ts';
import { traceWorkspace } from '../../../src/usecases/trace/request.ts';
import { testWorkspace } from '../../../src/usecases/trace/tests.ts';
import { validateWorkspace } from '../../../src/usecases/validate.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing } from '../../support/matchers.ts';

const HEAD = 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec:\n';
const RULES = `  domains: [shop.example.com, www.shop.example.com]
  caching: { cacheExpiration: 7200 }
  edgeRules:
    - { name: old, triggers: [{ url: [/old/*] }], action: { redirect: { to: "https://shop.example.com{{path}}/new" } } }
    - { name: abroad, match: all, triggers: [{ url: [/admin/*] }, { country: { none: [NL] } }], action: { block: {} } }
    - { name: fresh, triggers: [{ url: [/cart] }], action: { cacheTime: { seconds: 0 } }, extraActions: [{ disableShield: {} }] }
    - { name: off, enabled: false, triggers: [{ url: [/old/*] }], action: { block: {} } }
`;
const SHIELD = `  shield:
    customRules:
      - { name: Scanners, action: block, variable: REQUEST_HEADERS, subselector: User-Agent, operator: contains, value: sqlmap }
    rateLimits:
      - name: Login
        action: block
        requestCount: 5
        timeframe: 10
        conditions: [{ variable: REQUEST_URI, operator: beginsWith, value: /login }]
    accessLists:
      - { name: Office, type: cidr, content: [198.51.100.0/24] }
`;

async function start(spec: string): Promise<Harness> {
  return openHarness({ files: { 'sites/shop.yaml': `${HEAD}${spec}` } });
}
async function traced(at: Harness, url: string, more: Partial<TracedRequest> = {}, live = false) {
  return traceWorkspace(at.session(), { url: new URL(url), method: 'GET', ...more }, { paths: [], live });
}
async function traceOf(...given: Parameters<typeof traced>): Promise<Trace> {
  const { trace, diagnostics } = await traced(...given);
  expect(diagnostics).toEqual([]);
  return trace as Trace;
}
const heldOf = ({ kinds }: Trace): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    kinds.flatMap(({ entries }) => entries.map(({ name, held }): [string, unknown] => [String(name), held])),
  );
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const schemaOf = (name: string) =>
  ajv.compile(
    JSON.parse(readFileSync(new URL(`../../../schemas/${name}.schema.json`, import.meta.url), 'utf8')) as object,
  );

describe('a request', () => {
  it('is answered by the rule that surely matches; one that is off is none, and Shield is left to `unless`', async () => {
    const trace = await traceOf(await start(RULES + SHIELD), 'https://www.shop.example.com/old/x');
    expect(trace.answer).toEqual({ redirect: 'https://shop.example.com/old/x/new' });
    expect(trace.unless).toEqual([
      'Whether `Scanners` matches is not known: the header `user-agent`.',
      'Whether `Office` matches is not known: the address of the visitor.',
    ]);
    expect(heldOf(trace)).toMatchObject({ old: true, abroad: false, fresh: false, Login: false });
    expect(heldOf(trace)).not.toHaveProperty('off');
  });

  it('is not certain where an edge rule may match, and is where the visitor is known', async () => {
    const at = await start(RULES);
    const path = 'https://shop.example.com/admin/x';
    expect((await traceOf(at, path)).answer).toEqual({
      unknown: ['Whether `abroad` matches is not known: the country.'],
    });
    expect((await traceOf(at, path, { country: 'NL' })).answer).toEqual({ passes: true });
    expect((await traceOf(at, path, { country: 'BE' })).answer).toEqual({ block: true });
  });

  it('is not certain between two that answer differently, nor where a list names it', async () => {
    const at = await start(
      `${RULES}    - { name: all, triggers: [{ url: ["*"] }], action: { block: {} }, accept: [{ code: HW2702, reason: A test. }] }\n${SHIELD}`,
    );
    const { answer } = await traceOf(at, 'https://shop.example.com/old/x', { ip: '198.51.100.7' });
    expect(answer).toEqual({
      unknown: [
        '`old` and `all` answer differently, and in which order the platform carries them out is not documented.',
        '`Office` matches the request, and what it does is set in the dashboard.',
      ],
    });
  });

  it('that an edge rule lets past Shield is not surely blocked by Shield', async () => {
    const at = await start(RULES + SHIELD);
    const headers = { 'user-agent': 'sqlmap/1' };
    expect((await traceOf(at, 'https://shop.example.com/', { headers })).answer).toEqual({ block: true });
    expect((await traceOf(at, 'https://shop.example.com/cart', { headers })).answer).toEqual({
      unknown: [
        '`fresh` lets the request past Shield, and in which order the platform carries them out is not documented.',
      ],
    });
  });

  it('that may be let past Shield is not said to be', async () => {
    const at = await start(`  domains: [shop.example.com]
  shield:
    customRules:
      - { name: Office, action: allow, variable: REMOTE_ADDR, operator: strEq, value: 198.51.100.7 }
      - { name: Trace, action: block, variable: REQUEST_METHOD, operator: strEq, value: TRACE }
`);
    const { answer } = await traceOf(at, 'https://shop.example.com/', { method: 'TRACE' });
    expect(answer).toEqual({ unknown: ['Whether `Office` matches is not known: the address of the visitor.'] });
  });

  it('is kept as long as a rule says, else as `caching` says; what no manifest has is not known', async () => {
    const at = await start(RULES);
    expect((await traceOf(at, 'https://shop.example.com/')).times).toEqual({ cacheTime: 7200 });
    const { times, notRead } = await traceOf(at, 'https://shop.example.com/cart');
    expect(times).toEqual({ cacheTime: 0 });
    expect(notRead).toEqual(['shield/customRules', 'shield/rateLimits', 'shield/accessLists']);
  });

  it('is not certain where an action may answer in place of the site, and no rule says how', async () => {
    const at = await start(`  domains: [shop.example.com]
  caching: { cacheExpiration: 7200 }
  edgeRules:
    - { name: token, triggers: [{ url: [/private/*] }], action: { enableTokenAuthentication: {} } }
    - { name: script, triggers: [{ url: [/app/*] }, { country: [NL] }], action: { type: RunEdgeScript, parameter1: "42" } }
    - { name: fresh, triggers: [{ url: [/news/*] }], action: { type: OverrideCacheTimePublic, parameter1: "60" } }
    - { name: limit, triggers: [{ url: [/login] }], action: { type: SetRequestsPerSecondLimit, parameter1: "5" } }
  shield:
    rateLimits:
      - name: Login
        action: block
        requestCount: 5
        timeframe: 10
        conditions: [{ variable: REQUEST_URI, operator: beginsWith, value: /login }]
`);
    const of = (path: string) => traceOf(at, `https://shop.example.com${path}`, path === '/' ? {} : { country: 'BE' });
    expect((await of('/private/x')).answer).toEqual({
      unknown: ['`token` matches the request, and only requests with a valid token are answered.'],
    });
    expect((await of('/app/x')).answer).toEqual({
      unknown: ['`script` matches the request, and what its script answers is not in the rule.'],
    });
    expect((await of('/')).answer).toEqual({ unknown: ['Whether `script` matches is not known: the country.'] });
    expect(await of('/news/x')).toMatchObject({ answer: { passes: true }, times: { cacheTime: 60 } });
    // One request reaches no limit, of an edge rule or of Shield.
    const login = await of('/login');
    expect([login.answer, heldOf(login)]).toMatchObject([{ passes: true }, { limit: true, Login: true }]);
  });

  it('HW6740: the hostname of no manifest is found on the account', async () => {
    const at = await start('  name: Shop\n');
    const [problem] = (await traced(at, 'https://shop.example.com/')).diagnostics;
    expect(problem).toMatchObject({ code: 'HW6740', detail: containing('add --live') });
    expect((await traceOf(at, 'https://shop.example.com/', {}, true)).root).toBe('Site/shop');
    const nowhere = await traced(at, 'https://nowhere.example/', {}, true);
    expect(nowhere.diagnostics.map(({ code }) => code)).toEqual(['HW6740']);
  });

  it('by live rules is answered as by the manifests that were applied, and reads alone are sent', async () => {
    const at = await start(RULES.replace('www.shop.example.com', 'www.example.com').replace(/ {2}domains.*\n/, ''));
    expect((await at.apply({ allowDeletes: 10 })).outcome.outcome).toBe('done');
    const before = at.sandbox.requests.length;
    const live = await traceOf(at, 'https://shop.example.com/old/x', {}, true);
    expect(at.sandbox.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
    expect(live.answer).toEqual({ redirect: 'https://shop.example.com/old/x/new' });
    expect(live.times.cacheTime).toBe(7200);
  });

  it('by live rules that could not be read is not answered; those that share a position are rules all the same', async () => {
    const rules = '/api/sites/site-shop/edge_rules';
    const harness = await openHarness({
      files: { 'sites/shop.yaml': `${HEAD}  name: Shop\n` },
      faults: [{ kind: 'status-before', status: 403, match: { method: 'GET', path: rules }, times: 99 }],
    });
    const trace = await traceOf(harness, 'https://shop.example.com/', {}, true);
    const unknown = [containing(`What \`edgeRules\` says is not known: GET ${rules}`)];
    expect(trace).toMatchObject({ answer: { unknown }, notRead: ['edgeRules'], times: { cacheTime: { unknown } } });
    await harness.close();
    const read = await traceOf(await start('  name: Shop\n'), 'https://shop.example.com/', {}, true);
    expect(read.notRead).toEqual([]);
    expect(Object.keys(heldOf(read))).toEqual(expect.arrayContaining(['old shop']));
  });

  it('is shown as text, Markdown and JSON, and a header or cookie only by its name', async () => {
    const visitor = { ip: '203.0.113.9', headers: { 'user-agent': 'secret-one' }, cookies: { session: 'secret-two' } };
    const url = 'https://shop.example.com/old/x';
    const trace = await traceOf(await start(RULES + SHIELD), url, visitor);
    const shown = { trace, request: { url: new URL(url), ...visitor }, live: false };
    const json = renderTraceJson(shown, { outcome: 'done', diagnostics: [] });
    const isDocument = schemaOf('trace');
    expect(isDocument(JSON.parse(json)), JSON.stringify(isDocument.errors)).toBe(true);
    const { blocks } = traceReport(shown);
    const text = writePage(blocks, 'human', { color: false, width: 100 });
    expect(text).toContain('Answer: a redirect to https://shop.example.com/old/x/new.');
    expect(text).toContain('yes  old: redirect: {to: "https://shop.example.com{{path}}/new"}');
    const markdown = writePage(blocks, 'markdown', { color: false, width: 100 });
    expect(markdown).toContain('**Answer:** a redirect to `https://shop.example.com/old/x/new`.');
    for (const form of [json, text, markdown]) expect(form).not.toContain('secret');
    expect(markdown).not.toContain('203.0.113.9');
  });
});

describe('the tests of a manifest', () => {
  const withTests = (...tests: readonly string[]) =>
    `${RULES}${SHIELD}  tests:\n${tests.map((one) => `    - ${one}\n`).join('')}`;
  it('pass where all is as expected', async () => {
    const at = await start(
      withTests(
        '{ url: /old/x, expect: { redirect: "https://shop.example.com/old/x/new", rules: [old] } }',
        '{ url: "https://www.shop.example.com/admin/x", country: BE, expect: { block: true } }',
        '{ url: /admin/x, country: NL, expect: { passes: true, cacheTime: 7200, rules: [] } }',
        '{ url: /, headers: [{ name: User-Agent, value: sqlmap }], expect: { block: true } }',
      ),
    );
    const { tests, diagnostics } = await testWorkspace(at.session(), []);
    expect(diagnostics).toEqual([]);
    expect(tests.map(({ url, failures }) => [url, failures])).toEqual([
      ['/old/x', []],
      ['https://www.shop.example.com/admin/x', []],
      ['/admin/x', []],
      ['/', []],
    ]);
    expect(
      (await validateWorkspace(at.session(), [])).diagnostics.filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
    const isDocument = schemaOf('test');
    expect(isDocument(JSON.parse(renderTestsJson(tests, { outcome: 'done', diagnostics })))).toBe(true);
  });

  it.each([
    [
      '{ url: /old/x, expect: { passes: true } }',
      'An answer of the site itself is expected; it is a redirect to `https://shop.example.com/old/x/new`.',
    ],
    [
      '{ url: /admin/x, expect: { block: true } }',
      'that is not certain. Whether `abroad` matches is not known: the country.',
    ],
    ['{ url: /cart, expect: { rules: [old] } }', '`old` does not match.'],
    ['{ url: /cart, expect: { rules: [] } }', '`fresh` matches too.'],
    ['{ url: /cart, expect: { cacheTime: 60 } }', 'A `cacheTime` of 60 is expected; it is 0.'],
    ['{ url: /cart, expect: { browserCacheTime: 60 } }', 'nothing sets one.'],
  ])('HW2721 %s, in `test` and `validate`, at its line', async (test, said) => {
    const at = await start(withTests(test));
    const [failed] = (await testWorkspace(at.session(), [])).diagnostics;
    expect(failed).toMatchObject({ code: 'HW2721', detail: containing(said) });
    expect(failed?.source?.line).toBe(`${HEAD}${withTests()}`.split('\n').length);
    const { diagnostics } = await validateWorkspace(at.session(), []);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([failed]);
    // What is tried needs no account, and stops no plan of it.
    expect((await at.plan()).plan).toBeDefined();
  });

  it('of a profile are tried in each site that uses it, and not in the profile', async () => {
    const at = await start('  profiles: [closed]\n  domains: [shop.example.com]\n');
    await at.write(
      'sites/closed.yaml',
      `apiVersion: hostwright/v1
kind: SiteProfile
metadata: { name: closed }
spec:
  edgeRules: [{ name: admin, triggers: [{ url: [/admin/*] }], action: { block: {} } }]
  tests: [{ url: /admin/x, expect: { block: true } }, { url: /, expect: { block: true } }]
`,
    );
    const { tests, diagnostics } = await testWorkspace(at.session(), []);
    expect(tests.map(({ root, failures }) => [root, failures.length])).toEqual([
      ['Site/shop', 0],
      ['Site/shop', 1],
    ]);
    expect(diagnostics.map(({ code, source }) => [code, source?.file])).toEqual([['HW2721', 'sites/closed.yaml']]);
  });

  it('HW2721 helps by what `test --url` shows, HW2722 by the whole address', async () => {
    const at = await start(withTests('{ url: /admin/x, expect: { block: true } }'));
    await at.write('sites/shop.yaml', `${HEAD}${withTests('{ url: /admin/x, country: BE, expect: { block: true } }')}`);
    expect((await testWorkspace(at.session(), [])).diagnostics).toEqual([]);
    const bare = (url: string) => `${HEAD}  edgeRules: []\n  tests: [{ url: ${url}, expect: { passes: true } }]\n`;
    await at.write('sites/shop.yaml', bare('/x'));
    expect((await testWorkspace(at.session(), [])).diagnostics.map(({ code }) => code)).toEqual(['HW2722']);
    await at.write('sites/shop.yaml', bare('"https://shop.example.com/x"'));
    expect((await testWorkspace(at.session(), [])).diagnostics).toEqual([]);
  });
});

it('the example: its tests pass, nothing warns, drift that is accepted keeps both; as it advises, a broken rule is told', async () => {
  const at = await openHarness({ example: 'tested-rules' });
  expect((await validateWorkspace(at.session(), [])).diagnostics).toEqual([]);
  expect((await at.planned()).actions.length).toBeGreaterThan(0);
  const file = join(at.root, 'sites/shop.yaml');
  expect((await at.apply({ allowDeletes: 20 })).outcome.outcome).toBe('done');
  const office = at.sandbox.state.sites.get('site-shop')?.edgeRules.find(({ Description }) => Description === 'office');
  if (office !== undefined) office.ActionParameter1 = 'X-Elsewhere';
  await acceptLive(at.session(), { paths: [], addresses: ['Site/shop/EdgeRule/office'], dryRun: false });
  expect(await readFile(file, 'utf8')).toMatch(/X-Elsewhere[^]*accept:\n +- \{ code: HW2707[^]*tests:/);
  await at.write('sites/shop.yaml', (await readFile(file, 'utf8')).replace('      match: all\n', ''));
  const { diagnostics } = await testWorkspace(at.session(), []);
  expect(diagnostics.map(({ code }) => code)).toEqual(expect.arrayContaining(['HW2721']));
});
