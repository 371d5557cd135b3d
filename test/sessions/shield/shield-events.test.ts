// `get shield-events`: every page is read once, whatever the platform says of the next, and nothing is kept back.
import { describe, expect, it } from 'vitest';
import { getRows } from '../../../src/usecases/get/get.ts';
import { findGetKind } from '../../../src/usecases/get/kinds.ts';
import type { GetKind } from '../../../src/model/shown.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';

async function read(site: string, limit: number, options: HarnessOptions = {}, date?: string) {
  const harness = await openHarness({ scenario: 'shield', ...options });
  const result = await getRows(harness.session(), {
    kind: findGetKind('shield-events') as GetKind,
    site: `id:${site}`,
    limit,
    detailed: false,
    ...(date !== undefined && { date }),
  });
  const asked = harness.sandbox.requests.filter(({ path }) => path.includes('/shield/events'));
  return { ...result, rows: result.shown?.rows ?? [], asked };
}

describe('shield events', () => {
  it.each(['snake', 'camel'])(
    'SHD-24, GAP-29.case = %s: are read page by page to the end, each once',
    async (reading) => {
      const { rows, outcome, cuts, asked } = await read('site-basic', 1000, {
        ambiguities: { 'GAP-29.case': reading },
      });
      expect([outcome, cuts, rows.length]).toEqual(['done', [], 37]);
      expect(new Set(rows.map(({ object }) => JSON.stringify(object))).size).toBe(37);
      expect(asked).toHaveLength(2);
    },
  );

  it('SHD-24: stop at the limit, read no more than that takes, and say so', async () => {
    const { rows, cuts, asked } = await read('site-basic', 10);
    expect([rows.length, cuts, asked.length]).toEqual([10, [{ shown: 10, of: undefined }], 1]);
  });

  it('SHD-24: of another day are asked for with the month first', async () => {
    const { rows, outcome, asked } = await read('site-basic', 10, {}, '2020-12-31');
    expect([outcome, rows, asked.length]).toEqual(['done', [], 1]);
    expect(asked[0]?.path).toContain('date=12-31-2020');
  });

  it('SHD-02: a site without Shield has none; one that cannot be read is unknown', async () => {
    expect(await read('site-none', 10)).toMatchObject({ outcome: 'done', rows: [] });
    expect(await read('site-down', 10)).toMatchObject({
      outcome: 'error',
      shown: { notRead: [{ of: 'down', what: 'events of Shield' }] },
    });
  });

  it('are a table or one JSON document, also under their other name', async () => {
    const harness = await openHarness({ scenario: 'shield' });
    const at = new Date(harness.sandbox.clock.now()).toISOString().slice(0, 10);
    const run = (...args: readonly string[]) =>
      runCommand([...args, '--date', at], { cwd: harness?.root ?? '', url: harness?.sandbox.url ?? '' });
    const human = await run('get', 'shield-events', '--site', 'id:site-basic', '--limit', '3');
    expect([human.code, human.stdout.trim().split('\n').length]).toEqual([0, 4]);
    expect(human.stderr).toContain('--limit N');
    expect(await run('get', 'se', '--site', 'id:site-basic', '--limit', '3')).toEqual(human);
    const json = JSON.parse((await run('get', 'se', '--site', 'id:site-basic', '-o', 'json')).stdout) as {
      readonly items: readonly unknown[];
    };
    expect(json).toMatchObject({ format: 'hostwright.get/1', kind: 'shield-events', outcome: 'done' });
    expect(json.items).toHaveLength(37);
  });
});
