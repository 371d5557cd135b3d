// What is live is written as manifests, and a plan of them has nothing to do: for every scenario, whatever is called
// what, twice the same bytes.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { ExportOptions, ExportResult } from '../../../src/usecases/export.ts';
import { exportAccount } from '../../../src/usecases/export.ts';
import type { Session } from '../../../src/usecases/session.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { workspaceFile } from '../../support/manifests.ts';

const WORKSPACE = workspaceFile('manifests: [live, by-hand]');

interface Exporting extends Harness {
  readonly exported: (options?: Partial<ExportOptions>, session?: Partial<Session>) => Promise<ExportResult>;
}

async function start(options: HarnessOptions): Promise<Exporting> {
  const harness = await openHarness({ workspace: WORKSPACE, ...options });
  const { session } = harness;
  return { ...harness, exported: (given = {}, extra = {}) => exportAccount(session(extra), { targets: [], ...given }) };
}

async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const),
    ),
  );
}

function errorsOf({ diagnostics }: ExportResult): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code, detail }) => `${code} ${detail}`);
}

const SCENARIOS = [
  'empty',
  'small',
  'guards',
  'hostile',
  'shield',
  'mail',
  'panel',
  'registrar',
  'billing-3ds',
  'sites:60',
  'mailboxes:40',
  'mailboxes:510',
  'registrations:20',
  'panel:20',
];

describe.each(SCENARIOS)('scenario %s', (scenario) => {
  it('is written, plans to nothing by the real command, and is written the same twice', async () => {
    const { exported, plan, root } = await start({ scenario });
    const first = await exported({ out: 'live' });
    expect(errorsOf(first)).toEqual([]);
    const written = await filesIn(join(root, 'live'));
    expect(written).toEqual(Object.fromEntries((first.manifests ?? []).map(({ file, text }) => [file, text])));
    if (Object.keys(written).length === 0) return;
    await mkdir(join(root, 'by-hand'), { recursive: true });
    await writeFile(join(root, 'by-hand/none.yaml'), '# nothing yet\n');
    const { plan: made, diagnostics } = await plan();
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(made?.actions).toEqual([]);
    expect(made !== undefined && isEmptyPlan(made)).toBe(true);
    expect([made?.blocked, made?.unknown, made?.waiting, made?.manual, made?.deferred]).toEqual([[], [], [], [], []]);
    // What no manifest names is what a comment tells of.
    const reported = first.leftOut.map(({ address, reason = '' }) => `${address} ${reason}`);
    for (const { collection, identity } of made?.unmanaged ?? [])
      expect(reported.some((one) => collection.startsWith(one.split(' ')[0] as string) && one.includes(identity))).toBe(
        true,
      );
    const again = await exported();
    expect(errorsOf(again)).toEqual([]);
    expect([again.manifests, again.named]).toEqual([
      [],
      first.manifests?.filter(({ address }) => !address.startsWith('Contact/')).length,
    ]);
    // In whatever order the platform lists it, the same bytes.
    const other = await start({ scenario, ambiguities: { listOrder: 'reshuffled' } });
    expect((await other.exported()).manifests?.map(({ text }) => text)).toEqual(
      first.manifests?.map(({ text }) => text),
    );
  });
});
