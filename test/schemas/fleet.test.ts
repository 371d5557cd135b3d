// The schemas of what `fleet` writes: every field is explained and has an example, and its examples hold.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expectExplained, findFleetProblem, findFleetReportProblem } from '../support/written-schemas.ts';

const schemas = (
  [
    ['fleet', findFleetProblem],
    ['fleet-report', findFleetReportProblem],
  ] as const
).map(([name, find]) => ({
  name,
  find,
  schema: JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8')) as {
    readonly examples: readonly object[];
  },
}));

it.each(schemas)('$name: every field is explained, has an example, and says what its absence means', ({ schema }) => {
  expectExplained(schema, 15);
});

it.each(schemas)('$name: its examples hold, and other documents do not', ({ name, schema, find }) => {
  const [example] = schema.examples;
  expect(find(example)).toBeUndefined();
  for (const wrong of [{ accounts: [{}] }, { format: `hostwright.${name}/2` }, { outcome: 'sites' }])
    expect(find({ ...example, ...wrong })).toBeDefined();
});
