// What no manifest declares: recorded, changed by a colleague in the dashboard, reported by `drift`, accepted or declared.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DriftItem } from '../../../src/model/plan/drift.ts';
import { planOutcome } from '../../../src/model/plan/plan-outcome.ts';
import { addDomain, addSite, addTask } from '../../../src/sandbox/core/state.ts';
import { addMailspace } from '../../../src/sandbox/mail/state.ts';
import { addRegistration } from '../../../src/sandbox/registration/state.ts';
import type { DriftOptions } from '../../../src/usecases/drift.ts';
import { driftWorkspace } from '../../../src/usecases/drift.ts';
import { recordObserved } from '../../../src/usecases/observed/record.ts';
import { acceptLive } from '../../../src/usecases/write/accept.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { manifest, siteManifest, workspaceFile } from '../../support/manifests.ts';
import { openHarness } from '../../support/open-harness.ts';
import { matching } from '../../support/matchers.ts';

const RECORDING = workspaceFile('observed: observed');
const docs = (spec: object, rest?: object) => siteManifest('docs', spec, rest);
const edgeRule = (Guid: string, Description: string, OrderIndex: number) => ({
  ...{ Guid, Description, OrderIndex, ActionType: 4, ActionParameter1: null, ActionParameter2: null },
  ...{ ActionParameter3: null, TriggerMatchingType: 0, Enabled: true, ExtraActions: [] },
  Triggers: [{ Type: 0, PatternMatchingType: 0, Parameter1: null, PatternMatches: ['*/a/*'] }],
});

async function started(
  spec: object = { caching: { smartCache: false } },
  options: HarnessOptions = {},
): Promise<Harness> {
  const one = await openHarness({
    scenario: 'small',
    workspace: RECORDING,
    files: { 'sites/docs.json': docs(spec) },
    ledger: true,
    ...options,
  });
  one.site('shop').edgeRules = [edgeRule('g1', 'one', 0), edgeRule('g2', 'two', 1)];
  return one;
}

async function recorded(spec?: object): Promise<Harness> {
  const one = await started(spec);
  const { diagnostics, manifests } = await recordObserved(one.session());
  expect({ codes: diagnostics.map(({ code }) => code), count: manifests?.length }).toEqual({
    codes: ['HW6746'],
    count: 5,
  });
  return one;
}

async function drifted(one: Harness, options: Partial<DriftOptions> = {}) {
  const result = await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [], ...options });
  if (result.plan?.drift === undefined) throw new Error(JSON.stringify(result.diagnostics));
  return { ...result, plan: { ...result.plan, drift: result.plan.drift } };
}

/** `Site/docs/Caching undeclared changed /varyCookie: - -> true`. */
const lines = (items: readonly DriftItem[]) =>
  items.flatMap(({ address, class: which, is, fields }) =>
    (fields.length === 0
      ? ['']
      : fields.map(({ path, applied, live }) => ` ${path}: ${JSON.stringify(applied)} -> ${JSON.stringify(live)}`)
    ).map((field) => `${address} ${which} ${is}${field}`),
  );
const reported = async (one: Harness, options?: Partial<DriftOptions>) =>
  lines((await drifted(one, options)).plan.drift);
const read = (one: Harness, file: string) => readFile(join(one.root, 'observed', file), 'utf8');

/** A colleague in the dashboard. */
function click(one: Harness): void {
  one.site('docs').cdn.caching.vary_cookie = true;
  one.site('docs').phpVersion = '8.2';
  one.site('blog').layers.cdn.on = false;
  addDomain(one.sandbox.state, one.site('blog'), { hostname: 'new.example.com' });
  const shop = one.site('shop');
  shop.edgeRules = [edgeRule('g2', 'two', 0), { ...edgeRule('g3', 'three', 1), Enabled: false }];
  shop.domains = shop.domains.filter(({ hostname }) => hostname !== 'www.shop.example.com');
  shop.cdn.caching.cookie_vary_parameters = [];
  if (shop.mail !== null) shop.mail.fromName = 'Sale';
  addSite(one.sandbox.state, { id: 'site-trial', accountId: 'acc-acme', name: 'trial' });
}
const CLICKED = [
  'Site/blog/CacheLayer/cdn undeclared changed /enabled: true -> false',
  'Site/blog/SiteDomain/new.example.com undeclared extra',
  'Site/docs/Caching undeclared changed /varyCookie: false -> true',
  'Site/docs/PhpVersion undeclared changed /version: "8.3" -> "8.2"',
  'Site/shop/Caching undeclared changed /cookieVaryParameters: ["currency"] -> []',
  'Site/shop/EdgeRule/one undeclared missing',
  'Site/shop/EdgeRule/three undeclared extra',
  'Site/shop/SiteDomain/www.shop.example.com undeclared missing',
  'Site/shop/SiteMail undeclared changed /fromName: "The Shop" -> "Sale"',
  'Site/trial undeclared extra',
];

it('all that a colleague changed and no manifest declares is named, with before and after, and exits with 2', async () => {
  const one = await recorded();
  expect(await reported(one)).toEqual([]);
  expect(planOutcome(await drifted(one), { detailed: true, stopped: false })).toBe('done');
  click(one);
  expect(await reported(one)).toEqual(CLICKED);
  expect(planOutcome(await drifted(one), { detailed: true, stopped: false })).toBe('differences');
});

it('no plan acts on it, and no apply', async () => {
  const one = await recorded();
  click(one);
  expect((await one.planned()).actions).toEqual([]);
  const { outcome } = await one.apply();
  expect(outcome).toMatchObject({ exitCode: 0 });
  expect(one.writes()).toEqual([]);
  expect(await reported(one)).toEqual(CLICKED);
});

it('who may have done it is reported where the history of the platform says so', async () => {
  const one = await recorded();
  one.site('docs').phpVersion = '8.2';
  addTask(one.sandbox.state, {
    ...{ siteId: 'site-docs', name: 'site.variant.php', status: 'OK', createdAt: one.sandbox.clock.now() + 1000 },
    performedBy: { id: 'user-ada', name: 'Ada Vries', email: 'ada@acme.example' },
  });
  const { plan } = await drifted(one);
  expect(plan.drift).toMatchObject([
    { class: 'undeclared', activity: [{ name: 'site.variant.php', by: 'Ada Vries' }] },
  ]);
});

it('what is accepted is taken as it is, and nothing else with it', async () => {
  const one = await recorded();
  click(one);
  const accept = (...addresses: string[]) => acceptLive(one.session(), { paths: [], addresses, dryRun: false });
  const from = one.sandbox.requests.length;
  const first = await accept('Site/shop/EdgeRule/one', 'Site/docs/Caching');
  expect(one.sandbox.requests.slice(from).filter(({ path }) => /site-(?!shop|docs)/.test(path))).toEqual([]);
  expect(first).toMatchObject({ written: true, diagnostics: [] });
  expect(first.files?.map(({ file }) => file)).toEqual(['observed/sites/docs.yaml', 'observed/sites/shop.yaml']);
  const left = CLICKED.filter((line) => !/EdgeRule\/one|docs\/Caching/.test(line));
  expect(await reported(one)).toEqual(left);
  await accept('Site/shop/EdgeRule/three', 'Site/trial');
  expect(await reported(one)).toEqual(left.filter((line) => !/three|trial/.test(line)));
  await accept('Site/*');
  expect(await reported(one)).toEqual([]);
  // A recording anew says the same.
  const before = await read(one, 'sites/shop.yaml');
  await recordObserved(one.session());
  expect(await read(one, 'sites/shop.yaml')).toBe(before);
});

it('a root that is gone is reported, and accepted away', async () => {
  const one = await recorded();
  one.sandbox.state.sites.delete('site-blog');
  expect(await reported(one)).toEqual(['Site/blog undeclared missing']);
  await acceptLive(one.session(), { paths: [], addresses: ['Site/blog'], dryRun: false });
  expect(await reported(one)).toEqual([]);
  expect(await readdir(join(one.root, 'observed/sites'))).toEqual(['docs.yaml', 'shop.yaml']);
});

it('to declare a line is to take it out of what is only observed, whichever side says it', async () => {
  const one = await recorded();
  click(one);
  await one.write('sites/docs.json', docs({ caching: { smartCache: false, varyCookie: false }, phpVersion: '8.3' }));
  expect((await reported(one)).filter((line) => line.includes('docs'))).toEqual([
    'Site/docs/Caching differs changed /varyCookie: undefined -> true',
    'Site/docs/PhpVersion differs changed /version: undefined -> "8.2"',
  ]);
  await one.apply();
  expect((await reported(one)).filter((line) => line.includes('docs'))).toEqual([]);
  // What is declared no more is as our own run left it.
  await one.write('sites/docs.json', docs({}));
  expect((await reported(one)).filter((line) => line.includes('docs'))).toEqual([]);
});

it('what a manifest ignores, what --ignore names and what a target leaves out is not reported', async () => {
  const one = await recorded();
  click(one);
  await one.write('sites/docs.json', docs({ caching: {} }, { lifecycle: { ignore: ['/caching/varyCookie'] } }));
  const rest = CLICKED.filter((line) => !line.includes('docs/Caching'));
  expect(await reported(one)).toEqual(rest);
  expect(await reported(one, { ignore: ['Site/*'] })).toEqual([]);
  const since = one.sandbox.requests.length;
  expect(await reported(one, { targets: ['Site/docs'] })).toEqual(rest.filter((line) => line.startsWith('Site/docs')));
  const paths = one.sandbox.requests.slice(since).map(({ path }) => path.split('?')[0]);
  expect(paths.filter((path) => !path?.startsWith('/api/sites/site-docs')).sort()).toEqual([
    '/api/domains',
    '/api/sites',
  ]);
  // Of manifests that are named alone nobody knows what the others declare.
  expect(await reported(one, { paths: ['sites'] })).toEqual([]);
});

it('nothing fails before anything is recorded: drift says what is not watched', async () => {
  const one = await started();
  const first = await drifted(one);
  expect(first.plan.drift).toEqual([]);
  expect(first.plan.notWatched).toContain('EdgeRule');
  expect(first.plan.notWatched).toContain('Caching');
  expect(first.diagnostics).toEqual([]);
  await recordObserved(one.session());
  const { plan } = await drifted(one);
  expect(plan.notWatched).toEqual([]);
});

it('what cannot be read is named and is no difference, and not named any more when it is read', async () => {
  const one = await recorded();
  one.site('shop').cdn.upstreamDown = true;
  const { plan: after, diagnostics } = await drifted(one);
  expect(after.drift).toEqual([]);
  expect(diagnostics.map(({ code, address }) => `${code} ${address ?? ''}`)).toContain('HW2603 Site/shop/EdgeRule');
  one.site('shop').cdn.upstreamDown = false;
  expect(await drifted(one)).toMatchObject({ plan: { drift: [] }, diagnostics: [] });
});

it('what is about a person and what is secret is in no file, and reported until it is declared', async () => {
  const one = await started({});
  addRegistration(one.sandbox.state.registrar, { name: 'acme.example', accountId: 'acc-acme' });
  addMailspace(one.sandbox.state.mail, {
    ...{ id: 'mail-acme', domain: 'acme.example', accountId: 'acc-acme', token: 'tokentok', package: 'mail_20' },
  });
  const { diagnostics } = await recordObserved(one.session());
  expect(diagnostics.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
    matching(/^HW6746 DomainRegistration\/acme.example\/RegistrationOwner: .*nobody who holds it/),
    matching(/^HW6746 User\/user-ada, User\/user-rob: .*person/),
  ]);
  const files = (await readdir(join(one.root, 'observed'), { recursive: true })).filter((file) =>
    file.endsWith('.yaml'),
  );
  const all = (await Promise.all(files.map((file) => read(one, file)))).join('\n');
  expect(files.length).toBeGreaterThan(3);
  for (const { email } of one.sandbox.state.users.values()) expect(all).not.toContain(email);
  expect(all).not.toMatch(/password|firstName|lastName|streetAddress|phone/);
  for (const { id, email, firstName, lastName } of one.sandbox.state.users.values())
    await one.write(`users/${id}.json`, manifest('User', id, { email, fname: firstName, lname: lastName }));
  const after = await recordObserved(one.session());
  expect(after.diagnostics.filter(({ detail }) => detail.includes('User'))).toEqual([]);
});

it('HW1017: an observed manifest is no manifest, whatever glob leads to it', async () => {
  const one = await recorded();
  await one.write('hostwright.yaml', workspaceFile('manifests: ["**/*.yaml"]'));
  expect((await one.plan()).diagnostics.map(({ code }) => code)).toContain('HW1017');
  // As it advises.
  await one.write('hostwright.yaml', workspaceFile('manifests: ["**/*.{yaml,json}"], observed: observed'));
  expect((await one.plan()).diagnostics).toEqual([]);
  expect((await one.plan({ paths: ['.'] })).diagnostics).toEqual([]);
});

it('HW1018: a folder that was changed by hand is not believed, and recording writes it anew', async () => {
  const one = await recorded();
  for (const [file, from, to] of [
    ['sites/shop.yaml', 'state: observed', 'state: present'],
    ['sites/shop.yaml', 'cacheExpiration: 3600', 'cacheExpiration: [1]'],
    ['observed.yaml', 'account: acc-acme', 'account: acc-other'],
  ] as const) {
    const text = await read(one, file);
    await one.write(`observed/${file}`, text.replace(from, to));
    const { diagnostics } = await driftWorkspace(one.session(), { paths: [], targets: [], ignore: [] });
    expect(
      diagnostics.map(({ code }) => code),
      to,
    ).toEqual(['HW1018']);
    await recordObserved(one.session());
    expect(await reported(one)).toEqual([]);
  }
});

it('HW6745: a workspace without a folder to record in gets an error, and none once it names one', async () => {
  const one = await started({}, { workspace: workspaceFile('') });
  expect((await recordObserved(one.session())).diagnostics.map(({ code }) => code)).toEqual(['HW6745']);
  await one.write('hostwright.yaml', RECORDING);
  expect((await recordObserved(one.session())).diagnostics.map(({ code }) => code)).toEqual(['HW6746']);
});

it('the story of examples/what-nobody-declared: a value, a rule and a site of a colleague, and one way back', async () => {
  const one = await openHarness({ example: 'what-nobody-declared', scenario: 'small', ledger: true });
  one.site('shop').edgeRules = [edgeRule('g1', 'one', 0)];
  one.site('shop').cdn.caching.vary_cookie = false;
  await recordObserved(one.session());
  expect(await reported(one)).toEqual([]);
  one.site('shop').cdn.caching.vary_cookie = true;
  one.site('shop').edgeRules = [];
  addSite(one.sandbox.state, { id: 'site-trial', accountId: 'acc-acme', name: 'trial' });
  expect((await one.planned()).actions).toEqual([]);
  const changed = [
    'Site/shop/Caching undeclared changed /varyCookie: false -> true',
    'Site/shop/EdgeRule/one undeclared missing',
    'Site/trial undeclared extra',
  ];
  expect(await reported(one)).toEqual(changed);
  // A value comes back by being declared, as every value does.
  const file = join(one.root, 'sites/shop.yaml');
  await one.write('sites/shop.yaml', `${await readFile(file, 'utf8')}    varyCookie: false\n`);
  expect((await one.apply()).outcome).toMatchObject({ exitCode: 0 });
  expect(one.site('shop').cdn.caching.vary_cookie).toBe(false);
  expect(await reported(one)).toEqual(changed.slice(1));
  await acceptLive(one.session(), { paths: [], addresses: ['Site/*'], dryRun: false });
  expect(await reported(one)).toEqual([]);
});
