// The schema of what `fleet` writes: every field is explained and has an example, and its examples hold.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { fieldsOf } from '../support/written-schemas.ts';

const schema = JSON.parse(readFileSync(new URL('../../schemas/fleet.schema.json', import.meta.url), 'utf8')) as {
  readonly examples: readonly object[];
};
const isFleet = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(
  schema,
);

it('every field is explained, has an example, and says what its absence means', () => {
  const fields = fieldsOf(schema);
  expect(fields.length).toBeGreaterThan(15);
  for (const { at, field, required } of fields) {
    expect(field.description, at).toMatch(/^[A-Z`].*\.$/);
    expect(field.description, at).toMatch(required ? /Required\.$/ : /Absent: .*\.$/);
    expect(field.examples?.length, at).toBeGreaterThan(0);
  }
});

it('its examples hold, and other documents do not', () => {
  const [example] = schema.examples;
  expect(isFleet(example), JSON.stringify(isFleet.errors)).toBe(true);
  for (const wrong of [{ accounts: [{}] }, { format: 'hostwright.fleet/2' }, { command: 'sites' }])
    expect(isFleet({ ...example, ...wrong })).toBe(false);
});
