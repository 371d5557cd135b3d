// The schema of what `doctor` prints as JSON: every field is explained, its examples hold, and it takes what Hostwright
// writes.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, test } from 'vitest';
import { renderDoctorJson } from '../../src/report/json/index.ts';
import { doctorReport } from '../report/text/doctor-samples.ts';

interface Schema {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const schema = JSON.parse(readFileSync(new URL('../../schemas/doctor.schema.json', import.meta.url), 'utf8')) as Schema;
const isReport = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(schema);

test('every field is explained, has an example, and says what its absence means', () => {
  const fields = [schema, ...Object.values(schema.$defs ?? {})].flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, field]) => ({ name, field, required: required.includes(name) })),
  );
  expect(fields).toHaveLength(20);
  for (const { name, field, required } of fields) {
    expect(field.description, name).toMatch(/^[A-Z`].*\.$/);
    expect(field.description, name).toMatch(required ? /Required\.$/ : /Absent: .*\.$/);
    expect(field.examples?.length, name).toBeGreaterThan(0);
  }
});

test('its examples hold, and what Hostwright writes is one', () => {
  for (const example of [
    ...(schema.examples ?? []),
    JSON.parse(renderDoctorJson(doctorReport, 'error')),
    JSON.parse(renderDoctorJson({ findings: [], settings: [], requests: [] }, 'done')),
  ]) {
    expect(isReport(example), JSON.stringify(isReport.errors)).toBe(true);
  }
});

it.each([
  ['an unknown verdict', { findings: [{ ...doctorReport.findings[0], verdict: 'fine' }] }],
  ['a setting from nowhere', { settings: [{ ...doctorReport.settings[0], from: 'dream' }] }],
  ['a read without an answer', { requests: [{ path: '/api/sites', account: true }] }],
])('refuses %s', (_name, wrong) => {
  expect(isReport({ ...(JSON.parse(renderDoctorJson(doctorReport, 'error')) as object), ...wrong })).toBe(false);
});
