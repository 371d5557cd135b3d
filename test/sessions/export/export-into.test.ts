// Export into manifests that are there: what they lack is added, comments and layout stay, and a plan finds nothing
// new.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { ExportResult } from '../../../src/usecases/export.ts';
import { exportAccount } from '../../../src/usecases/export.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { workspaceFile } from '../../support/manifests.ts';
import { containing, matching } from '../../support/matchers.ts';

const WORKSPACE = workspaceFile('');
const DOCS = `# Docs.
apiVersion: hostwright/v1
kind: Site
metadata: { name: manual, id: site-docs }
lifecycle: { ignore: [/caching] }
spec:
  name: docs   # as it is called
  phpVersion: "8.3" # ours
`;
const MAIL = `apiVersion: hostwright/v1
kind: Mailspace
metadata: { name: shop.example.com }
spec:
  # The people.
  mailboxes:
  - address: ben@shop.example.com   # on leave
    status: suspended
  groups: []
`;

const write = (one: Harness, targets: readonly string[], out?: string): Promise<ExportResult> =>
  exportAccount(one.session(), { targets, ...(out !== undefined && { out }) });
const textIn = (one: Harness, file: string): Promise<string> => readFile(join(one.root, file), 'utf8');

describe('manifests that are there', () => {
  it('get the sections and the items that they lack, and nothing else', async () => {
    const harness = await openHarness({
      workspace: WORKSPACE,
      scenario: 'mail',
      files: { 'a.yaml': DOCS, 'b.yaml': MAIL },
    });
    const before = await harness.planned();
    const result = await write(harness, ['Site/manual', 'Mailspace/shop.example.com'], '.');
    expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.edited?.map(({ file }) => file).sort()).toEqual(['a.yaml', 'b.yaml']);
    const [docs, mail] = [await textIn(harness, 'a.yaml'), await textIn(harness, 'b.yaml')];
    expect(docs.split('\n')).toEqual(expect.arrayContaining(DOCS.split('\n')));
    expect(docs).toContain('domains: [docs.example.com]');
    expect(docs).not.toContain('smartCache');
    expect(mail).toContain(
      '  - address: ben@shop.example.com   # on leave\n    status: suspended\n  - address: anna@shop.example.com\n',
    );
    expect(mail).toContain('email: everyone@shop.example.com');
    const after = await harness.planned();
    expect(after.actions.map(({ address }) => address)).toEqual(before.actions.map(({ address }) => address));
    // Nothing can be done with a domain that is not verified yet, so it is not written either.
    expect(after.unmanaged.map(({ identity }) => identity)).toEqual(['shop.example.org']);
    expect(harness.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
    const again = await write(harness, ['Site/manual', 'Mailspace/shop.example.com'], '.');
    expect(again.edited).toEqual([]);
    expect(await textIn(harness, 'a.yaml')).toBe(docs);
  });

  it('stay as they are where they cannot be edited, and the others get what they lack', async () => {
    const odd = 'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog }\nspec: { name: blog, ? caching }\n';
    const harness = await openHarness({ workspace: WORKSPACE, files: { 'a.yaml': DOCS, 'b.yaml': odd } });
    const result = await write(harness, ['Site'], '.');
    const stuck = result.diagnostics.filter(({ severity }) => severity !== 'info');
    expect(stuck).toMatchObject([
      {
        code: 'HW6713',
        severity: 'warning',
        detail: containing('Its manifest is as it was.'),
        frame: matching(/^spec:\n/),
      },
    ]);
    expect(result.edited?.map(({ file }) => file)).toEqual(['a.yaml']);
    expect(result.manifests?.map(({ address }) => address)).toEqual(['Site/shop']);
    expect(await textIn(harness, 'b.yaml')).toBe(odd);
  });

  it('of what could not be read are told of each time, but for what they say or ignore', async () => {
    const harness = await openHarness({
      workspace: WORKSPACE,
      files: { 'a.yaml': DOCS.replace('  phpVersion: "8.3" # ours\n', '  cacheLayers: { redis: false }\n') },
      faults: ['variants', 'cache', 'cdn/caching'].map((part) => ({
        kind: 'status-before',
        status: 422,
        match: { method: 'GET', path: `/api/sites/site-docs/${part}` },
        times: 99,
      })),
    });
    const result = await write(harness, ['Site/manual'], '.');
    expect(result.leftOut).toMatchObject([{ address: 'Site/manual', what: 'phpVersion', unknown: true }]);
    expect(result.diagnostics).toMatchObject([{ code: 'HW6706', address: 'Site/manual' }]);
    expect(result.edited).toHaveLength(1);
  });

  it('of what no manifest can say stay as they are, however often', async () => {
    const harness = await openHarness({ workspace: WORKSPACE, scenario: 'hostile' });
    expect((await write(harness, ['Mailspace'], 'live')).manifests).not.toEqual([]);
    const again = await write(harness, ['Mailspace'], 'live');
    expect(again.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(again.diagnostics.map(({ code, address }) => [code, address])).toContainEqual([
      'HW6723',
      'Mailspace/hostile.example.net/MailGroup',
    ]);
    expect([again.manifests, again.edited]).toEqual([[], []]);
  });

  it('stay as they are where nothing is to be written', async () => {
    const harness = await openHarness({ workspace: WORKSPACE, files: { 'a.yaml': DOCS } });
    expect((await write(harness, ['Site/manual'])).edited ?? []).toEqual([]);
    expect(await textIn(harness, 'a.yaml')).toBe(DOCS);
  });

  it('of a whole account are complete, and plan to nothing', async () => {
    const harness = await openHarness({
      workspace: WORKSPACE,
      files: { 'a.yaml': DOCS.replace('"8.3" # ours', '"8.2"').replace('  phpVersion: "8.2"\n', '') },
    });
    const result = await write(harness, [], 'live');
    expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.edited?.map(({ file }) => file)).toEqual(['a.yaml']);
    expect(isEmptyPlan(await harness.planned())).toBe(true);
  });
});
