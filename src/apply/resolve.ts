// How a template becomes a path or a body: references and secrets are filled in, nothing else is touched.
import type { Address } from '../model/address.ts';
import type { Json } from '../model/json.ts';
import { isJsonObject } from '../model/json.ts';
import type { LookUp, PathTemplate, Reference, WaitFor, Step, Template } from '../model/plan/step.ts';
import { isLiteral, isReference, isSecretReference, referencesIn } from '../model/plan/step.ts';
import type { RunContext } from './context.ts';
import type { Outputs } from './ledger/entries.ts';

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
  for (const { $ref, output } of steps.flatMap(referencesOf)) {
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

function referencesOf(step: Step): readonly Reference[] {
  switch (step.do) {
    case 'verify':
      return [];
    case 'look-up':
      return lookUpReferences(step.lookUp);
    case 'wait-for':
      return waitForReferences(step.waitFor);
    case 'request':
      return [
        ...referencesIn(step.path),
        ...(step.body === undefined ? [] : referencesIn(step.body)),
        ...(step.recovery === undefined ? [] : lookUpReferences(step.recovery.lookUp)),
        ...(step.skipIf === undefined ? [] : lookUpReferences(step.skipIf.lookUp)),
        ...step.answers.flatMap(({ waitFor }) => (waitFor === undefined ? [] : waitForReferences(waitFor))),
      ];
  }
}

function waitForReferences(waitFor: WaitFor): readonly Reference[] {
  switch (waitFor.how) {
    case 'task':
      return referencesIn(waitFor.task);
    case 'cart':
      return [waitFor.cart];
    case 'until':
      return lookUpReferences(waitFor.lookUp);
  }
}

function lookUpReferences({ read, ask, where, view, capped }: LookUp): readonly Reference[] {
  const counted = (capped?.beside ?? []).flatMap((list) => referencesIn(list.read));
  const beyond = capped === undefined ? [] : [...counted, ...lookUpReferences(capped.then)];
  return [
    ...referencesIn(read),
    ...beyond,
    ...(ask === undefined ? [] : referencesIn(ask)),
    ...(view === undefined ? [] : referencesIn(view.path)),
    ...where.flatMap(({ value }) => referencesIn(value)),
  ];
}
