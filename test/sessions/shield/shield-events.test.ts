// The built command `shield events` and its use case: every page is read once, whatever the platform says of the next,
// and nothing is kept back.
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/json.ts';
import { shieldEvents } from '../../../src/workflow/site/shield-events.ts';
import { runCommand } from '../../support/command.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

async function read(site: string, limit: number, options: HarnessOptions = {}, date?: string) {
  harness = await startHarness({ scenario: 'shield', ...options });
  const taken: Json[] = [];
  const pages: number[] = [];
  const result = await shieldEvents(
    harness.session(),
    `id:${site}`,
    { limit, ...(date !== undefined && { date }) },
    (entries) => {
      taken.push(...entries);
      pages.push(entries.length);
    },
  );
  const asked = harness.sandbox.requests.filter(({ path }) => path.includes('/shield/events'));
  return { taken, pages, result, asked };
}

describe('shield events', () => {
  it.each(['snake', 'camel'])(
    'SHD-24, GAP-29.case = %s: are read page by page to the end, each once',
    async (reading) => {
      const { taken, pages, result, asked } = await read('site-basic', 1000, {
        ambiguities: { 'GAP-29.case': reading },
      });
      expect(result).toMatchObject({ outcome: 'done', value: { entries: 37, more: false } });
      expect(pages).toEqual([25, 12]);
      expect(new Set(taken.map((one) => JSON.stringify(one))).size).toBe(37);
      expect(asked).toHaveLength(2);
    },
  );

  it('stop at the limit, and read no more than that takes', async () => {
    const { result, asked } = await read('site-basic', 10);
    expect(result).toMatchObject({ outcome: 'done', value: { entries: 10, more: true } });
    expect(asked).toHaveLength(1);
  });

  it('of another day are asked for with the month first', async () => {
    const { result, asked } = await read('site-basic', 10, {}, '2020-12-31');
    expect(result).toMatchObject({ outcome: 'done', value: { entries: 0, more: false } });
    expect(asked[0]?.path).toContain('/shield/events');
  });

  it('of a site without Shield say what the platform says', async () => {
    const { result } = await read('site-none', 10);
    expect(result.outcome).toBe('error');
    expect(JSON.stringify(result.diagnostics)).toContain('shield_not_active');
  });

  it('are lines, or one JSON document', async () => {
    harness = await startHarness({ scenario: 'shield' });
    const at = new Date(harness.sandbox.clock.now()).toISOString().slice(0, 10);
    const run = (...args: readonly string[]) =>
      runCommand(['shield', 'events', 'id:site-basic', '--date', at, ...args], {
        cwd: harness?.root ?? '',
        url: harness?.sandbox.url ?? '',
      });
    const human = await run('--limit', '3');
    expect([human.code, human.stdout.trim().split('\n').length]).toEqual([0, 3]);
    expect(human.stderr).toContain('--limit N');
    const json = JSON.parse((await run('--limit', '60', '--format', 'json')).stdout) as {
      readonly entries: readonly unknown[];
      readonly outcome: string;
    };
    expect([json.entries.length, json.outcome]).toEqual([37, 'done']);
  }, 60_000);
});
