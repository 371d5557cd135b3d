// Whether the values of a written Shield object have the right form.
import { isRecord } from '../core/http/endpoint.ts';
import type { World } from '../core/world.ts';

/** A pair is the range of an integer. A text may be null, which is empty. */
type Form = 'boolean' | 'text' | 'texts' | 'object' | readonly [least: number, most: number];
export type Forms = Readonly<Record<string, Form>>;

/** What is wrong with those fields that are there. */
export function formProblems(fields: Readonly<Record<string, unknown>>, forms: Forms, at = ''): readonly string[] {
  return Object.entries(forms).flatMap(([key, form]) => {
    const problem = fields[key] === undefined ? undefined : wrong(fields[key], form);
    return problem === undefined ? [] : [`${at}${key} must be ${problem}`];
  });
}

function wrong(value: unknown, form: Form): string | undefined {
  switch (form) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'text':
      return typeof value === 'string' || value === null ? undefined : 'a text';
    case 'texts':
      return Array.isArray(value) && value.every((one) => typeof one === 'string') ? undefined : 'a list of texts';
    case 'object':
      return isRecord(value) ? undefined : 'an object';
    default:
      return Number.isInteger(value) && (value as number) >= form[0] && (value as number) <= form[1]
        ? undefined
        : `an integer from ${form[0]} to ${form[1]}`;
  }
}

/** GAP-28: an integer whose range the documents do not give. */
export function openRange(world: World, most: number): readonly [number, number] {
  return [0, world.ambiguities['GAP-28.ranges'] === 'narrow' ? most : Number.MAX_SAFE_INTEGER];
}
