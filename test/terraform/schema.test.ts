// The schema as the real Terraform understands it, and values that become manifests and values again.
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { TABLES } from '../../src/terraform/generated/schema.ts';
import type { Attribute, Fields, Forms, Plain, ResourceTable } from '../../src/terraform/value/attribute.ts';
import { fromManifest, toManifest } from '../../src/terraform/value/convert.ts';
import type { Value, ValueObject } from '../../src/terraform/value/cty.ts';
import { decodeValue, encodeObject } from '../../src/terraform/value/cty.ts';
import { noTerraform, openTerraform } from '../support/processes/terraform.ts';

const tables = Object.entries(
  JSON.parse(inflateRawSync(Buffer.from(TABLES, 'base64')).toString('utf8')) as Readonly<Record<string, ResourceTable>>,
);

/** A line for each attribute and whatever else is a value. What is said of each is in the pages that are generated. */
function linesOf(schema: object, at: string): readonly string[] {
  const entries = Object.entries(schema).filter(([name]) => !['description', 'description_kind'].includes(name));
  const plain = entries.filter(([, value]) => typeof value !== 'object' || Array.isArray(value));
  const below = entries.filter(([, value]) => typeof value === 'object' && !Array.isArray(value));
  const words = plain.map(([name, value]) => (value === true ? name : `${name}=${JSON.stringify(value)}`));
  return [
    ...(words.length === 0 ? [] : [`${at} ${words.join(' ')}`]),
    ...below.flatMap(([name, value]) =>
      linesOf(value as object, ['attributes', 'block', 'nested_type'].includes(name) ? at : `${at}/${name}`),
    ),
  ];
}

it.skipIf(noTerraform !== undefined)('is what `terraform providers schema -json` has on record', async () => {
  const { run } = await openTerraform({});
  const { printed } = await run(['providers', 'schema', '-json']);
  const all = JSON.parse(printed) as { readonly provider_schemas: Readonly<Record<string, object>> };
  const [schema = {}] = Object.values(all.provider_schemas);
  const lines = linesOf(schema, '').join('\n');
  await expect(`${lines}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden/providers-schema.txt'));
});

const plain: Readonly<Record<Plain, fc.Arbitrary<Value>>> = {
  text: fc.string({ minLength: 1, maxLength: 12 }),
  number: fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (one === 0 ? 0 : one)),
  ),
  bool: fc.boolean(),
  word: fc.string({ minLength: 1, maxLength: 12 }),
};
const key = fc.string({ minLength: 1, maxLength: 12 }).filter((one) => one !== '__proto__');

/** A value of an attribute, as a state has it: with everything that a manifest can say. */
function valuesOf(attribute: Attribute): fc.Arbitrary<Value> {
  switch (attribute.is) {
    case 'list':
    case 'set':
      return fc.array(plain[attribute.of], { maxLength: 3 });
    case 'groups':
      return fc.array(bodiesOf(attribute), { maxLength: 3 });
    case 'map':
      // Terraform has maps in the order of their keys.
      return fc
        .dictionary(key, objectsOf(attribute.fields), { maxKeys: 3 })
        .map((items) => Object.fromEntries(Object.entries(items).sort(([left], [right]) => (left < right ? -1 : 1))));
    case 'json':
      return fc.dictionary(key, fc.oneof(fc.integer(), fc.string(), fc.boolean())).map((one) => JSON.stringify(one));
    case 'address':
      return key;
    case 'group':
      return bodiesOf(attribute);
    case 'data':
    case 'secret':
      return objectsOf(attribute.fields);
    case 'rests':
      return fc.constant(null);
    default:
      return plain[attribute.is];
  }
}

/** Where `type` has a word for it, with what the word takes; else with a name of the platform, and what that takes. */
function bodiesOf({
  fields,
  forms = {},
}: {
  readonly fields: Fields;
  readonly forms?: Forms;
}): fc.Arbitrary<ValueObject> {
  const { type, ...others } = fields;
  if (type === undefined || Object.keys(forms).length === 0) return objectsOf(fields);
  const none = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
  const ofForms = Object.entries(forms).map(([word, { attribute }]) =>
    objectsOf(attribute.fields).map((values) => {
      const texts = Object.entries(values).map(([name, value]): [string, Value] => [
        name,
        fields[name]?.attribute.is === 'list' && Array.isArray(value) ? (value as readonly Value[]).map(String) : value,
      ]);
      return { ...none, ...Object.fromEntries(texts), type: word };
    }),
  );
  const inForms = Object.values(forms).flatMap(({ attribute }) => Object.keys(attribute.fields));
  const plainOnes = Object.entries(others).filter(([name]) => name === 'patterns' || !inForms.includes(name));
  const named = fc
    .tuple(objectsOf(Object.fromEntries(plainOnes)), fc.stringMatching(/^[A-Z0-9][A-Za-z]{0,5}$/))
    .map(([values, name]) => ({ ...none, ...values, type: name }));
  return fc.oneof(...ofForms, named);
}

function objectsOf(fields: Fields): fc.Arbitrary<ValueObject> {
  return fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, { attribute, field, writeOnly }]) => [
        name,
        field === undefined || writeOnly === true ? fc.constant(null) : fc.option(valuesOf(attribute), { freq: 2 }),
      ]),
    ),
  );
}

/** Plain data stands in the place of references, as a read has it. */
function withData(spec: JsonObject, data: ReturnType<typeof toManifest>['data']): JsonObject {
  const byRef = new Map(data.map(({ kind, name, spec: own }) => [`${kind}/${name}`, own]));
  return JSON.parse(JSON.stringify(spec), (_, value: unknown) => {
    const ref = typeof value === 'object' && value !== null && 'ref' in value ? value.ref : undefined;
    return (typeof ref === 'string' ? byRef.get(ref) : undefined) ?? value;
  }) as JsonObject;
}

describe.each(tables)('%s', (_type, { fields }) => {
  it('becomes a manifest, and the same values again', () => {
    fc.assert(
      fc.property(objectsOf(fields), (values) => {
        const { spec, data } = toManifest(fields, values);
        const again = toManifest(fields, fromManifest(fields, withData(spec, data), null));
        expect(again.spec).toEqual(spec);
        expect(fromManifest(fields, withData(spec, data), values)).toEqual(values);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same after Terraform had it', () => {
    fc.assert(
      fc.property(objectsOf(fields), (values) => {
        const sent = decodeValue(encodeObject(fields, values)) as ValueObject;
        expect(toManifest(fields, sent)).toEqual(toManifest(fields, values));
      }),
      { numRuns: 60 },
    );
  });
});
