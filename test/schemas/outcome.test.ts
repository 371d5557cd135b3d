// The schema of outcomes that other programs read: every field is explained, its examples hold, and it takes what
// Hostwright writes and nothing that is cut off.
import { describe, expect, it, test } from 'vitest';
import { EXIT_CODES } from '../../src/model/plan/outcome.ts';
import type { Outcome } from '../../src/model/plan/outcome.ts';
import { renderOutcomeJson } from '../../src/report/json/index.ts';
import { error, outcomeOf, warning } from '../report/samples.ts';
import { openHarness } from '../support/open-harness.ts';
import { fieldsOf, findOutcomeProblem, outcomeSchema } from '../support/written-schemas.ts';

test('every field is explained, has an example, and says what its absence means', () => {
  const fields = fieldsOf(outcomeSchema);
  expect(fields.length).toBeGreaterThan(25);
  for (const { at, field, required } of fields) {
    expect(field.description, at).toMatch(/^[A-Z].*\.$/);
    expect(field.description, at).toMatch(required ? /Required\.$/ : /Absent: .*\.$/);
    expect(field.examples?.length, at).toBeGreaterThan(0);
  }
  for (const example of outcomeSchema.examples as readonly unknown[])
    expect(findOutcomeProblem(example)).toBeUndefined();
});

const written = (parts: Partial<Outcome>): unknown => JSON.parse(renderOutcomeJson(outcomeOf(parts)));

describe('what Hostwright writes is an outcome', () => {
  const results = [
    'done',
    'already-done',
    'failed',
    'skipped',
    'blocked',
    'waiting',
    'unknown-outcome',
    'not-started',
  ] as const;
  it('with every result', () =>
    expect(
      findOutcomeProblem(
        written({
          actions: results.map((result) => ({
            address: 'Site/shop',
            verb: 'create',
            result,
            reason: 'so',
            outputs: { id: '1' },
          })),
        }),
      ),
    ).toBeUndefined());
  it.each(Object.entries(EXIT_CODES))('ending with %s', (outcome, exitCode) =>
    expect(
      findOutcomeProblem(written({ outcome: outcome as Outcome['outcome'], exitCode, diagnostics: [error, warning] })),
    ).toBeUndefined(),
  );
  it('and may grow', () => expect(findOutcomeProblem({ ...(written({}) as object), later: 1 })).toBeUndefined());

  it('after a run, one that failed and one that found nothing to do', async () => {
    const harness = await openHarness({
      example: 'small-agency',
      faults: [{ kind: 'status-before', status: 422, match: { method: 'PATCH', path: '*/cdn/caching' }, times: 1 }],
    });
    const runs = [await harness.apply(), await harness.apply(), await harness.apply()].map(({ outcome }) => outcome);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['partly-applied', 'done', 'done']);
    for (const outcome of runs) expect(findOutcomeProblem(JSON.parse(renderOutcomeJson(outcome)))).toBeUndefined();
  });
});

describe('what is no outcome', () => {
  const whole = written({ actions: [{ address: 'Site/shop', verb: 'create', result: 'done' }] }) as Record<
    string,
    unknown
  >;
  it.each(Object.keys(whole))('one without %s', (key) =>
    expect(findOutcomeProblem(JSON.parse(JSON.stringify({ ...whole, [key]: undefined })))).toBeDefined(),
  );
  it.each<[string, object]>([
    ['another format', { format: 'hostwright.outcome/2' }],
    ['a word that is none', { outcome: 'fine' }],
    ['a code that is none', { exitCode: 7 }],
    ['a result that is none', { actions: [{ address: 'Site/shop', verb: 'create', result: 'fine' }] }],
    [
      'an output that is no text',
      { actions: [{ address: 'Site/shop', verb: 'create', result: 'done', outputs: { id: 1 } }] },
    ],
  ])('%s', (_name, wrong) => expect(findOutcomeProblem({ ...whole, ...wrong })).toBeDefined());
});
