// The schema of what `get` prints as JSON: every field is explained and has an example, and its examples hold. What
// Hostwright writes is held to it in the session of `get`.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { expectExplained } from '../support/written-schemas.ts';

const schema = JSON.parse(readFileSync(new URL('../../schemas/get.schema.json', import.meta.url), 'utf8')) as {
  readonly examples: readonly object[];
};
const isDocument = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(schema);

it('every field is explained, has an example, and says what its absence means', () => {
  expectExplained(schema, 15);
});

it('its examples hold, and other documents do not', () => {
  const [example] = schema.examples;
  expect(isDocument(example), JSON.stringify(isDocument.errors)).toBe(true);
  for (const wrong of [{ items: [{}] }, { format: 'hostwright.get/2' }, { notRead: [{ of: 'shop' }] }])
    expect(isDocument({ ...example, ...wrong })).toBe(false);
});
