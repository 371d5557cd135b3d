// What export does in single cases: what is asked for and what is there already, what cannot be read, what was changed
// a moment ago, and the command itself.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/areas/index.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import { valueAt } from '../../../src/model/json.ts';
import { addDomain } from '../../../src/sandbox/core/state.ts';
import { accessList } from '../../../src/sandbox/shield/state.ts';
import { buildScenario } from '../../../src/sandbox/scenarios.ts';
import type { ExportOptions, ExportResult } from '../../../src/usecases/export.ts';
import { exportAccount } from '../../../src/usecases/export.ts';
import type { Session } from '../../../src/usecases/session.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { workspaceFile } from '../../support/manifests.ts';
import { siteOf, spaceOf, zoneOf } from '../../support/live.ts';

const workspace = (...folders: readonly string[]): string => workspaceFile(`manifests: ${JSON.stringify(folders)}`);

interface Exporting extends Harness {
  readonly exported: (options?: Partial<ExportOptions>, session?: Partial<Session>) => Promise<ExportResult>;
}

async function start(options: HarnessOptions = {}): Promise<Exporting> {
  const harness = await openHarness({ memoryLedger: false, workspace: workspace('live'), ...options });
  const { session } = harness;
  return { ...harness, exported: (given = {}, extra = {}) => exportAccount(session(extra), { targets: [], ...given }) };
}

const codes = ({ diagnostics }: ExportResult): readonly string[] => diagnostics.map(({ code }) => code);
const addresses = ({ manifests = [] }: ExportResult): readonly string[] => manifests.map(({ address }) => address);
const said = (
  result: ExportResult,
  address: string,
): { readonly spec: JsonObject; readonly metadata: JsonObject; readonly text: string } => {
  const found = result.manifests?.find((one) => one.address === address);
  if (found === undefined)
    throw new Error(`no ${address} among ${addresses(result).join(', ')}: ${JSON.stringify(result.diagnostics)}`);
  return {
    spec: valueAt(found.manifest, '/spec') as JsonObject,
    metadata: valueAt(found.manifest, '/metadata') as JsonObject,
    text: found.text,
  };
};

describe('what is asked for', () => {
  it('by kind and by address is all that is read and written, with the fewest requests', async () => {
    const { exported } = await start({ scenario: 'mail' });
    const sites = await exported({ targets: ['Site'] });
    expect(addresses(sites)).toEqual(['Site/blog', 'Site/docs', 'Site/shop']);
    // Two lists, and one read a section of each: hostnames come with the list, hooks are not live.
    const sections = new Set(
      [...registry.values()].flatMap(({ parent, section: { fields } }) =>
        parent === 'Site' ? fields.map((field) => field.split('/')[0]) : [],
      ),
    );
    for (const field of ['domains', 'primaryDomain', 'beforeChange', 'afterChange']) sections.delete(field);
    expect(sites.requests).toBe(2 + 3 * sections.size);
    const one = await exported({ targets: ['Site/shop'] });
    // Other sites have other plans, so which plans there are is asked too.
    expect([addresses(one), one.requests]).toEqual([['Site/shop'], 2 + sections.size + 1]);
    const mail = await exported({ targets: ['Mailspace/shop.example.com'] });
    // One list of mailspaces, four lists in one, three mailboxes, and the only group that has members.
    expect([addresses(mail), mail.requests]).toEqual([['Mailspace/shop.example.com'], 1 + 4 + 3 + 1]);
  });

  it('and is nothing that is live, or nothing that can be exported, is an error; nothing is written', async () => {
    const { exported, root } = await start();
    expect(codes(await exported({ targets: ['Site/shpo'], out: 'live' }))).toEqual(['HW6705']);
    for (const target of ['Contact', 'Site/shop/Caching', 'shop', 'Caching'])
      expect(codes(await exported({ targets: [target], out: 'live' }))).toEqual(['HW6701']);
    expect(await readdir(root)).toEqual(['hostwright.yaml']);
  });
});

describe('what is there already', () => {
  it('is not written again, and keeps its names and its files', async () => {
    const { exported, root, planned } = await start({
      files: {
        'live/shop.yaml':
          'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog }\nspec: { domains: [shop.example.com] }\n',
      },
    });
    const result = await exported({ out: 'live', targets: ['Site'] });
    expect([addresses(result), result.named]).toEqual([['Site/docs', 'Site/site-blog-tmp-sandbox-example'], 1]);
    expect(await readFile(join(root, 'live/shop.yaml'), 'utf8')).toContain(
      'domains: [shop.example.com, www.shop.example.com]',
    );
    expect((await planned()).actions).toEqual([]);
  });

  it('keeps its file, whatever object is in it: another file is taken', async () => {
    const { exported, root, planned } = await start({
      files: {
        'live/sites/shop.yaml':
          'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: our-docs }\nspec: { name: docs }\n',
      },
    });
    const result = await exported({ out: 'live', targets: ['Site/shop'] });
    expect([codes(result), result.manifests?.map(({ file }) => file)]).toEqual([['HW6726'], ['sites/shop-2.yaml']]);
    expect(await readdir(join(root, 'live/sites'))).toEqual(['shop-2.yaml', 'shop.yaml']);
    expect((await planned()).actions).toEqual([]);
  });

  it('is not overwritten, and then nothing is written at all', async () => {
    const { exported, root } = await start();
    await mkdir(join(root, 'live/sites'), { recursive: true });
    await writeFile(join(root, 'live/sites/shop.yaml'), 'mine\n');
    await writeFile(join(root, 'hostwright.yaml'), workspace('elsewhere'));
    expect(codes(await exported({ out: 'live' }))).toEqual(['HW6703']);
    expect(await readdir(join(root, 'live/sites'))).toEqual(['shop.yaml']);
    expect(await readFile(join(root, 'live/sites/shop.yaml'), 'utf8')).toBe('mine\n');
    await writeFile(join(root, 'blocked'), '');
    expect(codes(await exported({ out: 'blocked' }))).toEqual(['HW6704']);
  });

  it('in the ledger gives its name, and no other live object gets it', async () => {
    const { exported, root, apply, planned } = await start({
      files: {
        'live/a.yaml':
          'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: docs, id: site-shop }\nspec: { caching: { smartCache: false } }\n',
      },
    });
    expect((await apply()).outcome.outcome).toBe('done');
    await rm(join(root, 'live/a.yaml'));
    const result = await exported({ out: 'live', targets: ['Site'] });
    expect([addresses(result), result.diagnostics]).toEqual([['Site/blog', 'Site/docs', 'Site/docs-example-com'], []]);
    expect(said(result, 'Site/docs').spec.name).toBe('shop');
    expect(isEmptyPlan(await planned())).toBe(true);
  });

  it('as a contact is named again', async () => {
    const { exported, root } = await start({ scenario: 'registrar' });
    const first = await exported({ out: 'live', targets: ['DomainRegistration'] });
    const contacts = addresses(first).filter((address) => address.startsWith('Contact/'));
    expect(contacts.length).toBeGreaterThan(1);
    await rm(join(root, 'live/registrations'), { recursive: true });
    const again = await exported({ targets: ['DomainRegistration'] });
    expect(addresses(again)).toEqual(addresses(first).filter((address) => !contacts.includes(address)));
    expect(again.manifests?.map(({ text }) => text)).toEqual(
      first.manifests?.filter(({ address }) => !contacts.includes(address)).map(({ text }) => text),
    );
  });

  it('with mistakes, or bound to two objects, stops it', async () => {
    const { exported, write } = await start({
      files: { 'live/a.yaml': 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: a }\nspec: { nmae: x }\n' },
    });
    expect((await exported()).diagnostics.map(({ severity }) => severity)).toContain('error');
    await write(
      'live/a.yaml',
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: a }\nspec: { domains: [shop.example.com, docs.example.com] }\n',
    );
    expect(codes(await exported())).toEqual(['HW2003']);
  });
});

describe('what leads to an object', () => {
  it('is its id, where hostnames do not, or not for sure (GAP-19)', async () => {
    const scenario = () => {
      const { state } = buildScenario('small');
      const docs = siteOf({ state }, 'docs');
      addDomain(state, docs, { id: 'dom-shared', hostname: 'www.shop.example.com' });
      return state;
    };
    const { exported, planned } = await start({ scenario });
    const result = await exported({ out: 'live', targets: ['Site'] });
    expect(['blog', 'docs', 'shop'].map((name) => said(result, `Site/${name}`).metadata)).toEqual([
      { name: 'blog', id: 'site-blog' },
      { name: 'docs', id: 'site-docs' },
      { name: 'shop' },
    ]);
    // One hostname is declared once.
    expect([said(result, 'Site/docs').spec.domains, said(result, 'Site/shop').spec.domains]).toEqual([
      ['docs.example.com', 'www.shop.example.com'],
      ['shop.example.com'],
    ]);
    expect(said(result, 'Site/shop').text).toContain(
      '# Not written: domains: www.shop.example.com: a manifest cannot say it',
    );
    const plan = await planned();
    expect([plan.actions, plan.unmanaged.map(({ identity }) => identity)]).toEqual([[], ['www.shop.example.com']]);
  });
});

describe('what cannot be read', () => {
  it('is left out with a word why, and counts as unknown', async () => {
    const { exported } = await start({ scenario: 'guards' });
    const result = await exported({ targets: ['Site'] });
    expect(
      result.leftOut.filter(({ unknown }) => unknown === true).map(({ address, what }) => [address, what]),
    ).toEqual([
      ['Site/cdn-down', 'caching'],
      ['Site/cdn-down', 'cacheLayers'],
      ['Site/cdn-down', 'edgeRules'],
    ]);
    expect(codes(result)).toEqual(['HW6706', 'HW6706', 'HW6706', 'HW6707', 'HW6707', 'HW6707']);
    // A plan for a site that is locked is blocked (SIT-08).
    expect(result.leftOut.filter(({ what }) => what === undefined)).toEqual(
      expect.arrayContaining([{ address: 'Site/leaving', reason: 'the site is being deleted and is locked' }]),
    );
    expect(said(result, 'Site/cdn-off').text).toContain(
      '# Not written: caching, cacheLayers, edgeRules: the CDN of the site is not active, and no call of the API activates it (GAP-20).',
    );
  });

  it('for want of a credential ends it', async () => {
    const { exported } = await start();
    expect(codes(await exported({}, { token: 'wrong' }))).toEqual(['HW3001']);
    expect(codes(await exported({}, { token: '' }))).toEqual(['HW3002']);
  });
});

describe('what was changed behind our back', () => {
  it('shows: hostnames, settings, rules, Shield, mailboxes, groups and aliases', async () => {
    const { exported, sandbox, planned } = await start({ scenario: 'mail' });
    const shop = siteOf(sandbox);
    const space = spaceOf(sandbox);
    shop.name = 'Shop two';
    shop.primaryDomainId = 'dom-www-shop';
    shop.phpVersion = '8.1';
    shop.cdn.caching.cache_slice = true;
    shop.layers.nginx.on = false;
    shop.edgeRules = shop.edgeRules.filter(({ Guid }) => Guid === 'edge-headers');
    Object.assign(shop.mail ?? {}, { fromLocalPart: 'orders' });
    const [anna] = space.mailboxes;
    Object.assign(anna ?? {}, {
      displayName: 'Anna B',
      quotaMb: 7,
      status: 'suspended',
      allowedIps: ['198.51.100.0/24'],
    });
    const result = await exported({ out: 'live' });
    expect(said(result, 'Site/shop-two').spec).toMatchObject({
      name: 'Shop two',
      primaryDomain: 'www.shop.example.com',
      phpVersion: '8.1',
      caching: { cacheSlice: true },
      cacheLayers: { nginx: false, cdn: true },
      mail: { fromLocalPart: 'orders' },
      edgeRules: [
        {
          name: 'headers',
          enabled: false,
          match: 'all',
          action: { setResponseHeader: { name: 'X-Frame-Options', value: 'DENY' } },
        },
      ],
    });
    const { spec, text } = said(result, 'Mailspace/shop.example.com');
    expect((spec.mailboxes as readonly Json[])[0]).toEqual({
      address: 'anna@shop.example.com',
      displayName: 'Anna B',
      quotaMb: 7,
      status: 'suspended',
      allowedIps: ['198.51.100.0/24'],
      lists: ['news@shop.example.com'],
    });
    expect(text).toContain('# password: { env: ANNA_SHOP_EXAMPLE_COM_PASSWORD }');
    expect((await planned()).actions).toEqual([]);
  });

  it('shows what nobody understands as a notice, and does not write it (GAP-28)', async () => {
    const { exported, sandbox, planned } = await start({ scenario: 'shield' });
    const zone = zoneOf(sandbox, 'premium');
    zone.ddos.sensitivity = 'sometimes' as never;
    zone.accessLists.push(accessList({ id: 'list-bare', number: 299, name: 'Bare', content: '' }));
    const result = await exported({ out: 'live', targets: ['Site/premium', 'Site/intricate'] });
    const { spec, text } = said(result, 'Site/premium');
    expect(valueAt(spec, '/shield/ddos')).toEqual({ executionMode: 'block', challengeWindow: 3600 });
    expect(text).toContain('# Not written, because nobody knows what is live there: sensitivity.');
    expect(valueAt(spec, '/shield/accessLists/0')).toEqual({ name: 'Bare', type: 'ip', content: [] });
    expect(isEmptyPlan(await planned())).toBe(true);
  });
});

describe.each(['small-agency', 'hardened-shop', 'shielded-shop', 'mail-for-a-company'])(
  'example %s, applied',
  (example) => {
    it('is exported, and that plans to nothing', async () => {
      const one = await start({
        example,
        workspace: workspace('live'),
        ...(example === 'mail-for-a-company' && { scenario: 'mail' as const }),
        ...(example === 'shielded-shop' && { scenario: 'shield' as const }),
      });
      await one.apply({ allowDeletes: 9, allowCharges: 9 }, { env: () => 'a-word-that-nobody-may-see' });
      await writeFile(join(one.root, 'hostwright.yaml'), workspace('live'));
      await rm(join(one.root, '.hostwright'), { recursive: true, force: true });
      const result = await one.exported({ out: 'live' });
      expect(codes(result).filter((code) => !['HW6706', 'HW6707', 'HW6726'].includes(code))).toEqual([]);
      expect((await one.planned()).actions).toEqual([]);
    });
  },
);

describe('the command', () => {
  const run = (one: Harness, ...args: readonly string[]) => runCommand(args, { cwd: one.root, url: one.sandbox.url });

  it('prints YAML that can be planned, a list of files, or JSON; hints go to stderr', async () => {
    const one = await start();
    const yaml = await run(one, 'export', 'Site');
    expect([yaml.code, yaml.stdout.match(/^kind: /gm)?.length, yaml.stderr.trim()]).toEqual([
      0,
      3,
      '3 manifests, proven to plan to nothing with 20 reads.',
    ]);
    const json = JSON.parse((await run(one, 'export', 'Site/docs', '--format', 'json')).stdout) as JsonObject;
    expect(json).toMatchObject({
      format: 'hostwright.export/1',
      outcome: 'done',
      exitCode: 0,
      manifests: [{ address: 'Site/docs', file: 'sites/docs.yaml', manifest: { kind: 'Site' } }],
      requests: 9,
    });
    const files = await run(one, 'export', 'Site', '--out', 'live', '--profiles');
    expect([files.code, files.stdout]).toEqual([
      0,
      'live/profiles/cache-layers-caching.yaml\nlive/sites/blog.yaml\nlive/sites/docs.yaml\nlive/sites/shop.yaml\n',
    ]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
    const again = await run(one, 'export', 'Site');
    expect([again.code, again.stdout, again.stderr.trim()]).toEqual([
      0,
      '',
      '0 manifests, proven to plan to nothing with 2 reads. 3 more objects have a manifest already.',
    ]);
  });

  it('ends with 6 when something could not be read, and with 1 when nothing is written', async () => {
    const one = await start({ scenario: 'guards' });
    const part = await run(one, 'export', 'Site/cdn-down', '--quiet', '--timeout', '1s');
    expect([part.code, part.stdout.includes('cdn-down.example.com')]).toEqual([6, true]);
    expect(part.stderr).toContain('`caching` is not written, because what is live there is not known');
    const none = await run(one, 'export', 'Site/nothing');
    expect([none.code, none.stdout]).toEqual([1, '']);
  });
});
