// One live object is adopted: a manifest of its own, its id in one that is there, or its lines in the manifest of its
// root; and a plan finds nothing.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { ImportOptions, ImportResult } from '../../../src/usecases/import.ts';
import { importObject } from '../../../src/usecases/import.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { workspaceFile } from '../../support/manifests.ts';
import { containing, matching } from '../../support/matchers.ts';

const WORKSPACE = workspaceFile('');

async function start(files: Readonly<Record<string, string>> = {}, options: HarnessOptions = {}): Promise<Harness> {
  return openHarness({ workspace: WORKSPACE, files, ...options });
}

const toManifest = (one: Harness, address: string, options: Partial<ImportOptions> = {}): Promise<ImportResult> =>
  importObject(one.session(), { address, dryRun: false, ...options });
const textIn = (one: Harness, file: string): Promise<string> => readFile(join(one.root, file), 'utf8');
const reported = ({ diagnostics }: ImportResult): readonly string[] =>
  diagnostics.map(({ code, detail }) => `${code} ${detail}`);
const isReadOnly = ({ sandbox }: Harness): boolean => sandbox.requests.every(({ method }) => method === 'GET');

const DOCS =
  '# Docs.\napiVersion: hostwright/v1\nkind: Site\nmetadata:\n  name: docs   # as we call it\nspec:\n  name: Manual\n';

describe('a root', () => {
  it('gets a manifest with its id, whole, where export would put it', async () => {
    const one = await start();
    const result = await toManifest(one, 'Site/main-shop', { id: 'site-shop' });
    expect(reported(result)).toEqual([]);
    expect(result).toMatchObject({ written: true, files: [{ file: 'sites/main-shop.yaml' }] });
    const text = await textIn(one, 'sites/main-shop.yaml');
    expect(text).toBe(result.files?.[0]?.after);
    expect(text).toContain('metadata:\n  name: main-shop\n  id: site-shop\n');
    expect(text).toContain('domains: [shop.example.com, www.shop.example.com]');
    const plan = await one.planned();
    expect(plan.actions).toEqual([]);
    expect(isReadOnly(one)).toBe(true);
    expect(reported(await toManifest(one, 'Site/main-shop', { id: 'site-shop' }))).toEqual([containing('HW6721')]);
  });

  it('gets it in the file that is named, and no file is overwritten', async () => {
    const one = await start({ 'mine/a.yaml': '# not yours\n' });
    expect((await toManifest(one, 'Site/docs', { id: 'site-docs', out: 'mine/docs.yaml' })).files).toMatchObject([
      { file: 'mine/docs.yaml' },
    ]);
    expect(await textIn(one, 'mine/docs.yaml')).toContain('id: site-docs');
    const result = await toManifest(one, 'Site/blog', { id: 'site-blog', out: 'mine/a.yaml' });
    expect(result).toMatchObject({ written: false, diagnostics: [{ code: 'HW6703' }] });
    expect(await textIn(one, 'mine/a.yaml')).toBe('# not yours\n');
  });

  it('is bound by its id where a manifest of that name is there; what differs is told, and no error', async () => {
    const one = await start({ 'all.yaml': DOCS });
    const result = await toManifest(one, 'Site/docs', { id: 'site-docs' });
    expect(reported(result)).toEqual([matching(/^HW6722 .*would change Site\/docs;/)]);
    expect(await textIn(one, 'all.yaml')).toBe(DOCS.replace('# as we call it\n', '# as we call it\n  id: site-docs\n'));
    expect((await one.planned()).actions).toMatchObject([
      { address: 'Site/docs', changes: [{ path: '/name', was: 'docs', value: 'Manual' }] },
    ]);
  });

  it.each([
    ['[live]', 'live/sites/docs.yaml'],
    ['["!live/old/**", "live/**/*.yaml", more]', 'live/sites/docs.yaml'],
    ['[one.yaml, more]', 'sites/docs.yaml'],
  ])('gets it where the workspace reads manifests, and is told where it does not: %s', async (manifests, file) => {
    const one = await start({ 'one.yaml': '# nothing yet\n' }, { workspace: workspaceFile(`manifests: ${manifests}`) });
    const result = await toManifest(one, 'Site/docs', { id: 'site-docs' });
    expect(result).toMatchObject({ written: true, files: [{ file }] });
    const isRead = file.startsWith('live');
    expect(reported(result)).toEqual(isRead ? [] : [matching(/^HW6724 `sites\/docs.yaml` is written, but/)]);
    expect(reported(await toManifest(one, 'Site/blog', { id: 'site-blog', out: 'other/blog.yaml' }))).toEqual([
      containing('HW6724'),
    ]);
    expect(reported(await toManifest(one, 'Site/docs', { id: 'site-docs' }))).toEqual([
      containing(isRead ? 'HW6721' : 'HW6703'),
    ]);
  });

  it('is only shown in a dry run', async () => {
    const one = await start({ 'all.yaml': DOCS });
    expect(await toManifest(one, 'Site/docs', { id: 'site-docs', dryRun: true })).toMatchObject({
      written: false,
      files: [{ file: 'all.yaml' }],
    });
    expect(await toManifest(one, 'Site/blog', { id: 'site-blog', dryRun: true })).toMatchObject({
      written: false,
      files: [{ file: 'sites/blog.yaml' }],
    });
    expect(await textIn(one, 'all.yaml')).toBe(DOCS);
    await expect(textIn(one, 'sites/blog.yaml')).rejects.toThrow('ENOENT');
  });

  it('of mail and of names comes with the people in it', async () => {
    const one = await start({}, { scenario: 'registrar' });
    const result = await toManifest(one, 'DomainRegistration/plain.com', { id: 'reg-plain.com' });
    expect(reported(result)).toEqual([]);
    expect(result.files?.map(({ file }) => file.split('/')[0])).toEqual(['registrations', 'contacts', 'contacts']);
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it.each([
    ['no id', 'Site/new', {}, 'which live object is meant'],
    ['an id that is not there', 'Site/new', { id: 'mail-shop' }, 'no Site with the id mail-shop'],
    ['an id that another manifest has', 'Site/new', { id: 'site-blog' }, 'Site/blog has that id'],
    ['a manifest that is bound to another', 'Site/blog', { id: 'site-docs' }, 'bound to site-blog'],
    ['a kind that is none', 'Sites/new', { id: 'site-docs' }, 'can be imported'],
    ['a kind of data', 'Contact/new', { id: 'site-docs' }, 'can be imported'],
  ] as const)('is refused for %s', async (_what, address, options, words) => {
    const blog =
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog, id: site-blog }\nspec: { name: blog }\n';
    const one = await start({ 'all.yaml': blog });
    const result = await toManifest(one, address, options);
    expect(reported(result)).toEqual([containing(words)]);
    expect(result).toMatchObject({ written: false });
    expect(result.files).toBeUndefined();
    expect(await textIn(one, 'all.yaml')).toBe(blog);
  });

  it.each([
    ['Site/new', 'a root'],
    ['Site/blog/SiteMail', 'what is in one'],
  ])('is refused with a token that the platform refuses: %s, %s', async (address) => {
    const one = await start({
      'all.yaml':
        'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog, id: site-blog }\nspec: { name: blog }\n',
    });
    const result = await importObject(one.session({ token: 'wrong' }), { address, id: 'site-docs', dryRun: false });
    expect(reported(result)).toEqual([matching(/^HW3001 .*Nothing more was sent/)]);
    expect(result.written).toBe(false);
  });

  it('is refused under another hostname than its own', async () => {
    const one = await start({}, { scenario: 'mail' });
    expect(reported(await toManifest(one, 'Mailspace/wrong.example.com', { id: 'mail-shop' }))).toEqual([
      matching(/^HW6716 .*is shop\.example\.com, .*Import Mailspace\/shop\.example\.com/),
    ]);
    expect((await toManifest(one, 'Mailspace/SHOP.example.com', { id: 'mail-shop' })).written).toBe(true);
  });

  it('is refused for an id that the ledger holds for another manifest', async () => {
    const one = await start({
      'all.yaml':
        'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: manual, id: site-docs }\nspec: { name: Manual }\n',
    });
    expect((await one.apply()).outcome.outcome).toBe('done');
    await one.write('all.yaml', '# gone\n');
    expect(reported(await toManifest(one, 'Site/docs', { id: 'site-docs' }))).toEqual([
      containing('Site/manual has that id'),
    ]);
  });
});

describe('what is in a root', () => {
  const MAIL =
    'apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: shop.example.com }\nspec:\n  # The people.\n  mailboxes:\n  - address: ben@shop.example.com\n    status: suspended\n';

  it('gets its lines in the manifest of its root, all that can be read', async () => {
    const one = await start({ 'mail.yaml': MAIL }, { scenario: 'mail' });
    const result = await toManifest(one, 'Mailspace/shop.example.com/Mailbox/anna@shop.example.com', {
      id: 'mbx-anna',
    });
    expect(reported(result)).toEqual([]);
    const lines = `${MAIL}  - address: anna@shop.example.com\n    displayName: Anna\n    quotaMb: 2048\n    status: active\n    allowedIps: [192.0.2.0/24]\n`;
    expect((await textIn(one, 'mail.yaml')).startsWith(lines)).toBe(true);
    const plan = await one.planned();
    expect(isEmptyPlan(plan)).toBe(true);
    expect(plan.unmanaged.map(({ identity }) => identity)).toEqual(['cleo@shop.example.com']);
    expect(reported(await toManifest(one, 'Mailspace/shop.example.com/Mailbox/anna@shop.example.com'))).toEqual([
      containing('HW6721'),
    ]);
  });

  it('begins the list or the section where there is none', async () => {
    const one = await start(
      {
        'mail.yaml': MAIL,
        'shop.yaml':
          'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { name: shop }\n',
      },
      { scenario: 'mail' },
    );
    expect(reported(await toManifest(one, 'Mailspace/shop.example.com/MailAlias/sales@shop.example.com'))).toEqual([]);
    expect(await textIn(one, 'mail.yaml')).toContain(
      '  aliases:\n  - address: sales@shop.example.com\n    target: anna@shop.example.com\n',
    );
    expect(reported(await toManifest(one, 'Site/shop/SiteMail'))).toEqual([]);
    expect(await textIn(one, 'shop.yaml')).toContain('spec: { name: shop, mail: { fromLocalPart:');
    expect(isEmptyPlan(await one.planned())).toBe(true);
  });

  it('is refused with the reason where its root could not be looked for', async () => {
    const one = await start(
      {
        'shop.yaml':
          'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { name: shop }\n',
      },
      { faults: [{ kind: 'status-before', status: 403, match: { method: 'GET', path: '/api/sites' }, times: 99 }] },
    );
    expect(reported(await toManifest(one, 'Site/shop/SiteMail'))).toEqual([matching(/^HW6716 .*403/)]);
  });

  it.each([
    ['whose root has no manifest', 'Site/docs/SiteDomain/docs.example.com', {}, 'Site/docs has no manifest'],
    ['that is not there', 'Mailspace/shop.example.com/Mailbox/no@shop.example.com', {}, 'has none that is called that'],
    [
      'with another id',
      'Mailspace/shop.example.com/Mailbox/anna@shop.example.com',
      { id: 'mbx-ben' },
      'has the id mbx-anna',
    ],
    [
      'of a list that removes what it does not name',
      'Site/shop/EdgeRule/force ssl',
      {},
      'what such a list does not name is removed',
    ],
  ] as const)('is refused where it is one %s', async (_what, address, options, words) => {
    const one = await start(
      {
        'mail.yaml': MAIL,
        'shop.yaml':
          'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop, id: site-shop }\nspec: { name: shop }\n',
      },
      { scenario: 'mail' },
    );
    const result = await toManifest(one, address, options);
    expect(reported(result)).toEqual([containing(words)]);
    expect(await textIn(one, 'mail.yaml')).toBe(MAIL);
  });
});
