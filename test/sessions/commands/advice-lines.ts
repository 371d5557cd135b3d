// What `explain` says to do about a code that a command line is told: the line that is told the code, the edit that is
// advised, and what is typed then.
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/model/json.ts';
import { oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { CONTACT, manifest, siteManifest, workspaceFile } from '../../support/manifests.ts';

export interface Line {
  readonly of?: HarnessOptions;
  readonly files?: Readonly<Record<string, string>>;
  /** What the account has to be like. */
  readonly account?: (sandbox: Sandbox) => unknown;
  /** What is typed before, and how it ends. */
  readonly first?: readonly string[];
  /** What happens then, before anybody is told. */
  readonly meanwhile?: (one: Harness) => unknown;
  /** As a shell would take it, with variables of the environment before it. */
  readonly told: string;
  readonly follow?: (one: Harness) => unknown;
  /** Absent: the same line. The last one is looked at. */
  readonly then?: readonly string[];
  /** How it ends then; absent: 0. */
  readonly code?: number;
  /** What stands on standard input of the first. */
  readonly input?: string;
}

const write =
  (file: string, text: string) =>
  (one: Harness): Promise<void> =>
    one.write(file, text);
const remove =
  (file: string) =>
  ({ root }: Harness): Promise<void> =>
    rm(join(root, file), { recursive: true, force: true });
const edit =
  (file: string, change: (text: string) => string) =>
  async (one: Harness): Promise<void> =>
    one.write(file, change(await readFile(join(one.root, file), 'utf8')));
const mend = ({ sandbox }: Harness): void => sandbox.setFaults([]);
const later =
  (minutes: number) =>
  ({ sandbox }: Harness): void =>
    sandbox.clock.advance(minutes * 60_000);
const of = ({ state }: Sandbox, name: string) => state.sites.get(`site-${name}`)!;
const read = (status: number, path: string) =>
  ({ faults: [{ kind: 'status-before', status, match: { method: 'GET', path }, times: 99 }] }) as const;

const once = (status: number, method: string) =>
  ({ faults: [{ kind: 'status-before', status, match: { method }, times: 1 }] }) as const;

const shop = { 'sites/shop.yaml': siteManifest('shop', { caching: { cacheExpiration: 600 } }) };
const mail = (mailboxes: readonly JsonObject[]): string => manifest('Mailspace', 'shop.example.com', { mailboxes });
const LOCK = '.hostwright/ledger.jsonl.lock';
/** Another run, on another machine, holds the ledger. */
export const hold = write(
  LOCK,
  JSON.stringify({
    hostname: 'runner-7',
    pid: 4711,
    user: 'alice',
    runId: 'run-other',
    token: 'abc-1',
    since: '2026-01-15T09:00:00.000Z',
    started: '',
    space: '',
  }),
);
/** It is over. */
export const release = remove(LOCK);
const NOTIFYING =
  'HOSTWRIGHT_NOTIFY_SECRET=whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE= hostwright drift --notify https://hooks.example.com/hostwright';
const INIT = 'init new --api-url http://127.0.0.1:1 --account acc-acme --ledger file --ci none --yes';
/** A workspace file of a token that reads sites, and of one that writes them. */
const [reading, writing] = ['sites:read', 'sites:read, sites:write'].map((scopes) =>
  workspaceFile(`manifests: [sites], credential: { type: oauth, scopes: [${scopes}] }`),
) as [string, string];
const NAME = [
  manifest('Contact', 'acme', CONTACT),
  manifest('DomainRegistration', 'brand-new.com', {
    order: { action: 'register', maxPrice: { amount: '30.00', currency: 'EUR' } },
    contacts: { owner: { ref: 'Contact/acme' } },
  }),
].join('\n---\n');
const fleet = {
  'accounts/a/hostwright.yaml': workspaceFile('manifests: [sites]'),
  'accounts/a/sites/shop.yaml': shop['sites/shop.yaml'],
};

export const LINES: Readonly<Record<string, Line>> = {
  HW2002: {
    files: shop,
    first: ['apply --yes'],
    meanwhile: edit('sites/shop.yaml', (text) => text.replace('site-shop', 'site-docs')),
    told: 'plan',
    then: ['hostwright ledger forget Site/shop', 'plan'],
  },
  HW2101: {
    files: shop,
    first: ['plan --out plan.json'],
    meanwhile: edit('plan.json', (text) => text.replaceAll('600', '601')),
    told: 'apply plan.json',
    then: ['plan --out plan.json', 'apply plan.json'],
  },
  HW2102: {
    files: shop,
    first: ['plan --out plan.json'],
    told: 'apply plan.json --account acc-other',
    then: ['apply plan.json'],
  },
  HW2104: {
    files: shop,
    first: ['plan --out plan.json'],
    meanwhile: write('sites/shop.yaml', siteManifest('shop', { caching: { cacheExpiration: 601 } })),
    told: 'apply --expect plan.json',
    then: ['plan --out plan.json', 'apply plan.json'],
  },
  HW2156: {
    files: { ...shop, 'other/docs.yaml': siteManifest('docs', {}) },
    first: ['plan --out plan.json'],
    told: 'apply plan.json other',
    then: ['apply plan.json sites/'],
  },
  HW2157: {
    files: shop,
    first: ['plan --out plan.json'],
    meanwhile: write('sites/shop.yaml', siteManifest('shop', {})),
    told: 'apply plan.json',
    then: ['plan --out plan.json', 'apply plan.json'],
  },
  HW2203: {
    files: {
      ...shop,
      'hostwright.yaml': reading,
    },
    told: `HOSTWRIGHT_TOKEN=${oauthToken(['sites:read'])} hostwright apply --yes`,
    follow: write('hostwright.yaml', writing),
    then: [`HOSTWRIGHT_TOKEN=${oauthToken(['sites:read', 'sites:write'])} hostwright apply --yes`],
  },
  HW2301: {
    files: { 'sites/shop.yaml': siteManifest('shop', { mail: { fromName: 'The Shop' } }) },
    account: (sandbox) => Object.assign(of(sandbox, 'shop').mail!.suspension, { abuse: true }),
    told: 'plan',
    then: ['run unblock-mail Site/shop --yes', 'plan'],
  },
  HW2601: { files: shop, told: 'drift --ignore Site/docs', then: ['drift --ignore Site/shop/Caching'] },
  HW2602: {
    of: read(403, '/api/sites/site-docs/tasks'),
    files: { 'sites/docs.yaml': siteManifest('docs', { phpVersion: '8.3' }) },
    first: ['apply --yes'],
    meanwhile: ({ sandbox }) => (of(sandbox, 'docs').phpVersion = '8.2'),
    told: 'drift -o json',
    follow: mend,
    code: 2,
  },
  HW6745: {
    files: shop,
    told: 'export --observed',
    follow: write('hostwright.yaml', workspaceFile('manifests: [sites], observed: observed')),
    then: ['export --observed'],
  },
  HW6747: {
    files: { ...shop, 'hostwright.yaml': workspaceFile('manifests: [sites], observed: observed') },
    told: 'export --observed Site/shop',
    then: ['export --observed'],
  },
  HW3001: {
    files: shop,
    told: 'HOSTWRIGHT_TOKEN=nobody hostwright plan',
    then: ['hostwright doctor', 'hostwright plan'],
  },
  HW3002: { files: shop, told: 'HOSTWRIGHT_TOKEN= hostwright plan', then: ['hostwright plan'] },
  HW3004: { of: { faults: [{ kind: 'not-a-list', times: 1 }] }, files: shop, told: 'get contacts', follow: mend },
  HW3050: { files: shop, told: 'plan --api-url http://127.0.0.1:1', then: ['hostwright doctor', 'hostwright plan'] },
  HW3075: {
    told: 'get --raw /api/sites/nobody/variants',
    then: ['export --out .', 'get --raw /api/sites/site-shop/variants'],
  },
  HW3101: {
    of: read(403, '/api/sites'),
    files: { 'sites/shop.yaml': siteManifest('shop', { domains: ['shop.example.com'] }) },
    told: 'dns --no-lookup',
    follow: mend,
    code: 3,
  },
  HW3102: {
    files: { 'sites/docs.yaml': siteManifest('docs', { domains: ['docs.example.com'] }) },
    told: 'hostwright dns --resolver 127.0.0.1:1',
    then: ['hostwright dns --no-lookup'],
  },
  HW4003: { of: once(422, 'PATCH'), files: shop, told: 'apply --yes', follow: mend, then: ['plan', 'apply --yes'] },
  HW4005: { of: once(401, 'PATCH'), files: shop, told: 'apply --yes' },
  HW4006: {
    files: { ...shop, 'hostwright.yaml': workspaceFile('manifests: [sites], credential: { type: oauth }') },
    told: `HOSTWRIGHT_TOKEN=${oauthToken(['sites:read'])} hostwright apply --yes`,
    follow: write('hostwright.yaml', writing),
    then: [`HOSTWRIGHT_TOKEN=${oauthToken(['sites:read', 'sites:write'])} hostwright apply --yes`],
  },
  HW4007: {
    of: { scenario: 'mail' },
    files: {
      'hostwright.yaml': workspaceFile('manifests: [sites], secrets: { env: [ALICE_PASSWORD] }'),
      'sites/mail.json': mail([{ address: 'alice@shop.example.com', password: { env: 'ALICE_PASSWORD' } }]),
    },
    told: 'hostwright apply --yes',
    then: ['ALICE_PASSWORD=a-long-pass-word hostwright apply --yes'],
  },
  HW4501: {
    account: (sandbox) => (of(sandbox, 'shop').suspended = true),
    told: 'get metrics --site id:site-shop',
    // The invoice is paid.
    follow: ({ sandbox }) => (of(sandbox, 'shop').suspended = false),
  },
  HW4503: {
    first: ['run check-mail Site/id:site-shop --yes'],
    told: 'run check-mail Site/id:site-shop --yes',
    follow: later(5),
  },
  HW4504: {
    told: 'run backup Site/id:site-shop --name nightly --yes',
    then: ['run backup Site/id:site-shop --name another --yes'],
  },
  HW4507: {
    files: { 'sites/new.yaml': manifest('Site', 'new') },
    told: 'run restart Site/new --yes',
    then: ['hostwright get tasks --site id:site-shop'],
  },
  HW4508: {
    files: shop,
    told: 'run restart Site/shpo --yes',
    then: ['run restart Site/shop --yes', 'run restart Site/id:site-docs --yes'],
  },
  HW4509: {
    told: 'run sso Site/id:site-shop --user nobody --yes',
    then: ['hostwright get cms-users --site id:site-shop', 'hostwright run sso Site/id:site-shop --user admin --yes'],
  },
  HW4570: { of: read(403, '/api/sites/site-docs'), told: 'get sites', follow: mend },
  HW4571: { told: 'get site nope', then: ['get sites', 'get site shop', 'get site id:site-shop'] },
  HW4572: {
    account: (sandbox) => (of(sandbox, 'docs').name = 'shop'),
    told: 'get tasks --site shop',
    then: ['get tasks --site id:site-shop'],
  },
  HW4582: {
    told: 'run restore Site/id:site-shop --volume contents --archive nightly --yes',
    then: ['run restore Site/id:site-shop --volume content --archive nightly --yes'],
  },
  HW4583: {
    of: { scenario: 'registrar' },
    told: 'run epp-code DomainRegistration/plan.com --yes',
    then: [
      'hostwright get registrations',
      'hostwright get prices free.com',
      'run epp-code DomainRegistration/plain.com --yes',
    ],
  },
  HW4586: {
    of: { scenario: 'mail' },
    files: { 'sites/mail.json': mail([]) },
    first: ['dns --no-lookup --check --yes'],
    told: 'dns --no-lookup --check --yes',
    follow: later(5),
    code: 3,
  },
  HW4587: {
    of: { scenario: 'registrar' },
    told: 'run delete DomainContact/801 --yes',
    then: ['hostwright get contacts', 'run delete-unused DomainContact --yes'],
  },
  HW4588: {
    of: { scenario: 'shield' },
    first: ['ledger init', 'run learn Site/id:site-premium --days 3 --yes'],
    meanwhile: hold,
    told: 'run learn Site/id:site-premium --days 2 --yes',
    follow: release,
  },
  HW4590: {
    of: { scenario: 'mail' },
    told: `HOSTWRIGHT_TOKEN=${oauthToken(['sites:read'])} hostwright get mailspaces`,
    then: [`HOSTWRIGHT_TOKEN=${oauthToken(['mailspace:read'])} hostwright get mailspaces`, 'hostwright get mailspaces'],
  },
  HW5004: {
    files: shop,
    meanwhile: hold,
    told: 'apply --yes',
    then: ['hostwright ledger unlock --force --yes', 'apply --yes'],
  },
  HW5010: {
    files: shop,
    first: ['apply --yes'],
    told: 'ledger forget Site/shpo',
    then: ['hostwright ledger list', 'ledger forget Site/shop'],
  },
  HW6155: { files: shop, told: 'plan --target Site/shpo/Caching', then: ['hostwright plan --target "Site/*/Caching"'] },
  HW6501: { files: shop, told: "HOSTWRIGHT_TOKEN='a b' hostwright plan", then: ['hostwright plan'] },
  HW6502: {
    files: shop,
    first: ['plan --out plan.json'],
    meanwhile: edit('plan.json', (text) => text.replace('hostwright.plan/1', 'hostwright.plan/2')),
    told: 'apply plan.json',
    then: ['hostwright plan --out plan.json', 'apply plan.json'],
  },
  HW6503: {
    files: shop,
    first: ['plan --out plan.json'],
    meanwhile: edit('plan.json', (text) => text.slice(0, text.length / 2)),
    told: 'apply plan.json',
    then: ['hostwright plan --out plan.json', 'apply plan.json'],
  },
  HW6504: { files: shop, told: 'apply plan.json', then: ['hostwright plan --out plan.json', 'apply plan.json'] },
  HW6505: { files: shop, told: 'plan --out hostwright.yaml', then: ['plan --out plan.json'] },
  HW6506: {
    files: shop,
    told: 'plan --out plans/plan.json',
    follow: ({ root }) => mkdir(join(root, 'plans')),
    then: ['hostwright plan --out plans/plan.json'],
  },
  HW6507: {
    files: shop,
    first: ['plan --out plan.json'],
    told: 'apply --expect not-a-digest',
    then: ['hostwright plan --saved plan.json --verbose', 'hostwright apply --expect plan.json'],
  },
  HW6508: { files: shop, told: 'apply', then: ['apply --approve create,update'] },
  HW6509: { told: 'explain --schema Nope', then: ['hostwright explain --schema', 'hostwright explain --schema Site'] },
  HW6512: {
    files: shop,
    first: ['plan --out plan.json'],
    told: 'apply plan.json --approve create',
    then: ['hostwright apply plan.json'],
  },
  HW6513: { told: 'get logs --site id:site-shop --query x', then: ['get logs summary --site id:site-shop'] },
  HW6514: {
    files: shop,
    told: 'run restart Site/shop',
    then: ['hostwright run restart Site/shop --yes'],
  },
  HW6515: { files: shop, told: 'HOSTWRIGHT_DEADLINE=soon hostwright doctor -o json', then: ['hostwright doctor'] },
  HW6516: {
    told: `HOSTWRIGHT_TOKEN= hostwright ${INIT} --start export`,
    then: [
      `HOSTWRIGHT_TOKEN= hostwright ${INIT} --start empty`,
      'hostwright export --out new/manifests --config new/hostwright.yaml',
    ],
  },
  HW6517: {
    told: 'HOSTWRIGHT_TOKEN= HOSTWRIGHT_API_URL= hostwright init new',
    then: [
      'HOSTWRIGHT_TOKEN= HOSTWRIGHT_API_URL= hostwright init new --api-url https://api.example.com --account 8c0f3f0e --start empty --yes',
    ],
  },
  HW6518: {
    told: 'HOSTWRIGHT_TOKEN=nobody hostwright init new --account acc-acme --ledger file --ci none --yes',
    then: ['HOSTWRIGHT_TOKEN= hostwright init new --account acc-acme --ledger file --ci none --yes'],
  },
  HW6519: {
    files: { file: '' },
    told: 'init file --account acc-acme --ledger file --ci none --yes',
    then: ['hostwright init client-a --account acc-acme --ledger file --ci none --yes'],
  },
  HW6520: {
    files: shop,
    first: ['apply --yes'],
    told: 'drift --notify http://hooks.example.com/hostwright',
    then: [NOTIFYING],
  },
  HW6521: {
    files: shop,
    first: ['apply --yes'],
    told: 'HOSTWRIGHT_NOTIFY_SECRET=short hostwright drift --notify https://hooks.example.com/hostwright',
    then: [NOTIFYING],
  },
  HW6529: {
    files: { 'new/manifests/mine.yaml': shop['sites/shop.yaml'] },
    told: 'init new --account acc-acme --ledger file --ci none --yes --start export',
    then: [
      'init new --account acc-acme --ledger file --ci none --yes --start empty',
      'export --config new/hostwright.yaml --out new/manifests',
    ],
  },
  HW6530: {
    told: `HOSTWRIGHT_TOKEN= hostwright ${INIT} --lang ts --start example`,
    then: [`HOSTWRIGHT_TOKEN= hostwright ${INIT} --lang ts`],
  },
  HW6734: {
    first: ['init --ci shell'],
    meanwhile: edit('ci/hostwright.sh', (text) => text.replace('set -u', 'set -ex')),
    told: 'init --ci shell --update',
    follow: remove('ci/hostwright.sh'),
  },
  HW6541: {
    told: 'explain Sitee',
    then: [
      'hostwright explain',
      'hostwright explain Site.caching',
      'hostwright explain HW2204',
      'hostwright explain O-18',
    ],
  },
  HW6542: { told: 'explain Site.caching.smrtCache', then: ['hostwright explain Site.caching'] },
  HW6543: {
    files: { 'editor/site.schema.json': 'mine' },
    told: 'explain --schema --out editor',
    then: ['hostwright explain --schema --out .hostwright/schemas'],
  },
  HW6573: { told: 'get sitez', then: ['get sites'] },
  HW6575: { files: shop, told: 'HTTP_PROXY=socks5://proxy.example hostwright plan', then: ['hostwright plan'] },
  HW6576: { files: shop, told: 'NODE_TLS_REJECT_UNAUTHORIZED=0 hostwright plan', then: ['hostwright plan'] },
  HW6578: {
    told: 'get --raw https://elsewhere.example/api/sites',
    then: ["hostwright get --raw '/api/orders?page=2'"],
  },
  HW6601: {
    files: shop,
    told: 'plan --report html=nosuch/plan.html',
    then: ['hostwright plan --report html=plan.html'],
  },
  HW6701: { told: 'export Contact --out .', then: ['hostwright export Site --out .'] },
  HW6703: {
    files: { 'docs/sites/shop.yaml': '# mine\n' },
    told: 'export Site/shop --out docs',
    then: ['hostwright export --out exported/'],
  },
  HW6704: {
    files: { blocked: '' },
    told: 'export Site/shop --out blocked',
    follow: remove('blocked'),
  },
  HW6705: { told: 'export Site/shpo --out .', then: ['hostwright export --out .'] },
  HW6706: {
    of: read(403, '/api/sites/site-docs/*'),
    told: 'export Site --out .',
    follow: mend,
    then: ['export Site --out again'],
  },
  HW6713: {
    files: {
      'sites/shop.yaml':
        'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec:\n  phpVersion: &php "8.2"\n  mail:\n    fromName: *php\n',
    },
    first: ['apply --yes'],
    meanwhile: ({ sandbox }) => (of(sandbox, 'shop').phpVersion = '8.3'),
    told: 'drift --accept Site/shop/PhpVersion',
    follow: edit('sites/shop.yaml', (text) => text.replace('&php "8.2"', '"8.3"').replace('*php', '"8.2"')),
    then: ['drift'],
  },
  HW6714: {
    account: (sandbox) => (of(sandbox, 'shop').phpVersion = '8.3'),
    files: { 'sites/shop.yaml': siteManifest('shop', { phpVersion: '8.2' }) },
    input: siteManifest('shop', { phpVersion: '8.2' }),
    told: 'drift - --accept Site/shop/PhpVersion',
    then: ['drift sites/shop.yaml --accept Site/shop/PhpVersion'],
  },
  HW6716: {
    files: shop,
    told: 'drift --accept Site/none/Caching',
    then: ['drift --ignore Site/shop/Caching'],
  },
  HW6722: {
    files: { 'sites/docs.yaml': siteManifest('docs', { phpVersion: '8.3' }).replace(',"id":"site-docs"', '') },
    account: (sandbox) => (of(sandbox, 'docs').phpVersion = '8.2'),
    told: 'export Site/docs --id site-docs',
    then: ['plan', 'hostwright drift --accept Site/docs/PhpVersion', 'export Site/docs --id site-docs'],
  },
  HW6724: {
    told: 'export Site/docs --id site-docs --out other/docs.yaml',
    follow: async ({ root }) => {
      await mkdir(join(root, 'sites'));
      await rename(join(root, 'other/docs.yaml'), join(root, 'sites/docs.yaml'));
    },
    then: ['export Site/docs --id site-docs'],
  },
  HW6726: {
    told: 'export Site/shop --out .',
    then: ['hostwright ledger init', 'hostwright apply --yes', 'export Site/docs --out .'],
  },
  HW6727: {
    first: ['ledger init'],
    meanwhile: hold,
    told: 'export Site/shop --out .',
    follow: release,
    then: ['hostwright apply --yes', 'drift'],
  },
  HW7030: {
    files: { 'a-file': '' },
    told: 'terraform install --dir a-file',
    then: ['hostwright terraform install --dir plugins'],
  },
  HW6901: { files: fleet, told: "fleet plan 'none/*'", then: ["hostwright fleet plan 'accounts/*'"] },
  HW6902: {
    files: {
      ...fleet,
      'accounts/b/hostwright.yaml': workspaceFile('manifests: [sites]'),
      'accounts/b/sites/none.yaml': '',
    },
    told: "fleet list 'accounts/*'",
    follow: write('accounts/b/hostwright.yaml', workspaceFile('manifests: [sites]', 'acc-other')),
  },
  HW6904: {
    files: fleet,
    told: "fleet apply 'accounts/*' --yes --max-accounts-changed 0",
    then: ["fleet plan 'accounts/*'", "hostwright fleet apply 'accounts/*' --yes --max-accounts-changed 50"],
  },
  HW6905: {
    of: { scenario: 'registrar' },
    files: { 'accounts/a/hostwright.yaml': workspaceFile('manifests: [sites]'), 'accounts/a/sites/name.yaml': NAME },
    first: ["fleet ledger init 'accounts/*'"],
    told: "fleet apply 'accounts/*' --yes --allow-charges 1 --max-spend 0.01EUR",
    then: [
      "fleet plan 'accounts/*'",
      "hostwright fleet apply 'accounts/*' --yes --allow-charges 1 --max-spend 500.00EUR",
    ],
  },
  HW6907: {
    files: fleet,
    told: "fleet plan 'accounts/*' --account acc-acme",
    then: ['hostwright fleet plan accounts/a'],
  },
  HW6908: {
    files: fleet,
    told: "fleet apply 'accounts/*'",
    then: ["fleet plan 'accounts/*' --report json=plan.json", "fleet apply 'accounts/*' --expect plan.json"],
  },
  HW6909: {
    files: fleet,
    told: "fleet apply 'accounts/*' --expect nowhere.json",
    then: [
      "hostwright fleet plan 'accounts/*' --report json=plan.json",
      "hostwright fleet apply 'accounts/*' --expect plan.json",
    ],
  },
  HW6910: {
    files: { ...fleet, 'part-1.json': '{}' },
    told: 'fleet report part-1.json',
    then: [
      "hostwright fleet plan 'accounts/*' --shard 1/1 --report json=part-1.json",
      'hostwright fleet report part-1.json',
    ],
  },
};
