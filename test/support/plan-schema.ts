// Holds a document to the schema of plans that other programs read. Must not be used by what is tested: it would then agree with itself.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

export const planSchema = JSON.parse(readFileSync(new URL('../../schemas/plan.schema.json', import.meta.url), 'utf8')) as Readonly<Record<string, unknown>>;
const isPlan = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(planSchema);

/** The places where a document is not a plan, in words; undefined when it is one. */
export function findSchemaProblem(document: unknown): string | undefined {
  return isPlan(document) ? undefined : JSON.stringify(isPlan.errors);
}
