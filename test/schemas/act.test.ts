// The schema of what actions and looks at one thing print as JSON: every field is explained and has examples that hold.
// What commands print is held to it wherever a test runs one.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { actSchema, expectExplained, fieldsOf } from '../support/written-schemas.ts';

const { examples, $defs } = actSchema as {
  readonly examples: readonly object[];
  readonly $defs: object;
};
const validatorOf = (schema: object) =>
  new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(schema);
const isDocument = validatorOf(actSchema);

it('every field is explained, has examples that hold, and says what its absence means', () => {
  expectExplained(actSchema, 40);
  for (const { at, field } of fieldsOf(actSchema)) {
    const holds = validatorOf({ ...field, $defs });
    for (const example of field.examples ?? []) expect(holds(example), at).toBe(true);
  }
});

it('its examples hold, and other documents do not', () => {
  for (const example of examples) expect(isDocument(example), JSON.stringify(isDocument.errors)).toBe(true);
  for (const wrong of [
    { backup: {} },
    { format: 'hostwright.site/2' },
    { order: { id: 1, status: 'x' } },
    { deletion: 1 },
  ])
    expect(isDocument({ ...examples[0], ...wrong })).toBe(false);
});
