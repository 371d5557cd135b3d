// Holds a document to the schemas of what Hostwright writes and other programs read.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

type JsonSchema = Readonly<Record<string, unknown>>;

function read(name: string): JsonSchema {
  return JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8')) as JsonSchema;
}

/** The places where a document is not as the schema says, in words; undefined when it is. */
function finder(
  schema: JsonSchema,
  looser: Readonly<Record<string, boolean>> = {},
): (document: unknown) => string | undefined {
  const formats = { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) };
  const holds = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, formats, ...looser }).compile(schema);
  return (document) => (holds(document) ? undefined : JSON.stringify(holds.errors));
}

export const planSchema = read('plan');
export const outcomeSchema = read('outcome');
export const findSchemaProblem = finder(planSchema);
export const findOutcomeProblem = finder(outcomeSchema);
export const findFleetProblem = finder(read('fleet'), { strictRequired: false });
export const findFleetReportProblem = finder(read('fleet-report'));
export const findHistoryProblem = finder(read('history'));
export const actSchema = read('act');
export const findActProblem = finder(actSchema);
const ACT = /^hostwright\.(site|registration|order|contact|github|gitlab)\/\d+$/;

/** What is not as the schema says in the output of a command; undefined also when it is no document of that kind. */
export function findActProblemIn(stdout: string): string | undefined {
  if (!/"format": "hostwright\.(site|registration|order|contact|github|gitlab)\//.test(stdout)) return undefined;
  const document = JSON.parse(stdout) as { readonly format?: string };
  return ACT.test(document.format ?? '') ? findActProblem(document) : undefined;
}

interface Field {
  readonly type?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Field>>;
}

/** Every named field, wherever it stands. */
export function fieldsOf(
  value: unknown,
  at = '',
): readonly { readonly at: string; readonly field: Field; readonly required: boolean }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, required = [] } = value as Field;
  const own =
    Array.isArray(value) || at.endsWith('/if')
      ? []
      : Object.entries(properties).map(([name, field]) => ({
          at: `${at}/${name}`,
          field,
          required: required.includes(name),
        }));
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, part]) => (key === 'examples' ? [] : fieldsOf(part, `${at}/${key}`))),
  ];
}

/** Holds every field of a schema to the rule of the house: explained, with what its absence means, and with an example. */
export function expectExplained(schema: unknown, moreThan: number): void {
  const fields = fieldsOf(schema);
  expect(fields.length).toBeGreaterThan(moreThan);
  for (const { at, field, required } of fields) {
    expect(field.description, at).toMatch(/^[A-Z`].*\.$/);
    expect(field.description, at).toMatch(required ? /Required\.$/ : /Absent: .*\.$/);
    expect(field.examples?.length, at).toBeGreaterThan(0);
  }
}
