// Answers that no document promises: values of another type, keys that are gone, lists that are none, deep nesting,
// megabytes, names that mean something to JavaScript. Whatever comes, a command ends with a documented word, and what
// was made is never made twice.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { OUTCOME_WORDS } from '../support/words.ts';
import { openHarness } from '../support/open-harness.ts';
import type { Proxy } from '../support/servers/proxy.ts';
import { runsOf } from '../support/property-runs.ts';
import { startProxy } from '../support/servers/proxy.ts';

const RUNS = runsOf(10);

let proxy: Proxy | undefined;
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
});

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** JSON texts that may stand where any value stood. */
const INSTEAD: readonly string[] = [
  'null',
  'true',
  '-1',
  '1e309',
  '""',
  '[]',
  '{}',
  '"\\u0000\\u001b[2J\\u202e"',
  '"__proto__"',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '[null,[],{},"x"]',
  '"../../etc/passwd"',
  '"id/with?query#and%2f"',
  '"\\ud800"',
  JSON.stringify('x'.repeat(1_000_000)),
  deep(3000),
  deep(50_000),
  '{"toString":1,"hasOwnProperty":2,"length":-1}',
];

/** The text with its nth value (of all that there are, counted in order) replaced. */
function damage(body: string, nth: number, instead: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  const places: (readonly [holder: Record<string, unknown> | unknown[], key: string | number])[] = [];
  const walk = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const key of Object.keys(at)) {
      places.push([at as Record<string, unknown>, key]);
      walk((at as Record<string, unknown>)[key]);
    }
  };
  walk(value);
  if (places.length === 0 || nth % (places.length + 1) === places.length) return instead;
  const [holder, key] = places[nth % (places.length + 1)] as (typeof places)[number];
  (holder as Record<string, unknown>)[key] = '\u0000here\u0000';
  return JSON.stringify(value).replace(JSON.stringify('\u0000here\u0000'), () => instead);
}

const damages = fc.array(fc.record({ at: fc.nat(60), nth: fc.nat(400), instead: fc.constantFrom(...INSTEAD) }), {
  minLength: 1,
  maxLength: 4,
});

describe.each([
  { example: 'small-agency' },
  { example: 'hardened-shop' },
  { example: 'a-site-from-nothing', ledger: true },
  { example: 'mail-for-a-company', scenario: 'mail' },
] as const)('damaged answers to $example', (options) => {
  it('end in diagnostics, in a plan and in an apply, and make nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(damages, async (wanted) => {
        const one = await openHarness(options);
        let answers = 0;
        const between = await startProxy(one.sandbox.url, (_request, answer) => {
          const now = answers;
          answers += 1;
          return wanted.reduce(
            (changed, { at, nth, instead }) =>
              at === now ? { ...changed, body: damage(changed.body, nth, instead) } : changed,
            answer,
          );
        });
        proxy = between;
        const through = { overrides: { baseUrl: between.url }, env: () => 'Correct-Horse-9' };
        const { diagnostics } = await one.plan({}, through);
        for (const { code, detail } of diagnostics)
          expect([/^HW\d{4}$/.test(code), detail !== ''], code).toEqual([true, true]);
        answers = 0;
        const { outcome } = await one.apply({ allowDeletes: 3 }, through);
        expect(OUTCOME_WORDS).toContain(outcome.outcome);
        expect(() => JSON.stringify(outcome)).not.toThrow();
        expect([...one.sandbox.creations].filter(([, times]) => times > 1)).toEqual([]);
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
        await between.close();
        await one.close();
        proxy = undefined;
      }),
      { numRuns: RUNS },
    );
  });
});
