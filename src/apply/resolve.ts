// How a template becomes a path or a body: references and secrets are filled in, nothing else is touched.
import type { Address } from '../model/address.ts';
import type { Json } from '../model/json.ts';
import { isJsonObject } from '../model/json.ts';
import type { Outputs, PathTemplate, Reference, Step, Template } from '../model/plan/step.ts';
import { isLiteral, isReference, isSecretReference, referencesIn } from '../model/plan/step.ts';
import type { RunContext } from './context.ts';

/** A reference that no earlier step, binding or ledger entry gave a value for. */
export class MissingOutput extends Error {
  constructor({ $ref, output }: Reference) {
    super(`the ${output} of ${$ref} is not known: no step before this one gave it`);
  }
}

type Values = Pick<RunContext, 'known' | 'secretOf'>;

/** The path, each reference as one percent-encoded segment. Throws {@link MissingOutput}. */
export function fillPath(template: PathTemplate, values: Pick<Values, 'known'>): string {
  return template.map((part) => (typeof part === 'string' ? part : encodeURIComponent(valueOf(part, values)))).join('');
}

/** The body. Throws {@link MissingOutput}. */
export function fillBody(template: Template, values: Values): Json {
  if (isReference(template)) return valueOf(template, values);
  if (isSecretReference(template)) return values.secretOf(template);
  if (isLiteral(template)) return template.$literal;
  if (Array.isArray(template)) return template.map((item: Template) => fillBody(item, values));
  if (isJsonObject(template))
    return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, fillBody(item as Template, values)]));
  return template as Json;
}

/** The outputs, known by now, of the objects that these steps refer to. */
export function knownFor(steps: readonly Step[], { known }: Pick<Values, 'known'>): Readonly<Record<Address, Outputs>> {
  const found: Record<Address, Record<string, string>> = {};
  // A step is data: what looks like a reference in it is one, or is wrapped.
  for (const { $ref, output } of referencesIn(steps as unknown as Template)) {
    const value = known.outputsOf($ref)[output];
    if (value !== undefined) (found[$ref] ??= {})[output] = value;
  }
  return found;
}

function valueOf(reference: Reference, { known }: Pick<Values, 'known'>): string {
  const value = known.outputsOf(reference.$ref)[reference.output];
  // An empty id would turn the path of one object into the path of its list.
  if (value === undefined || value === '') throw new MissingOutput(reference);
  return value;
}
