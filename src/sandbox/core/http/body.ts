// Whether the body of a request is what its endpoint says: the keys that the documents list and what each of them takes.
import { isRecord, refuse } from './endpoint.ts';
import type { Row } from './endpoint.ts';
import { any } from './schema.ts';
import type { Properties, Value } from './schema.ts';

/** What the documents name is refused before keys that they do not list. */
export function checkBody(body: Row, properties: Properties): void {
  const problems = problemsOf(body, properties, '');
  const [first] = problems;
  if (first !== undefined) {
    const alike = problems.filter(({ status, code }) => status === first.status && code === first.code);
    refuse(first.status, first.code, ...new Set(alike.map(({ message }) => message)));
  }
  const strange = unknownKeys(body, properties, '');
  // Refused, so that a client never relies on it that such a key is ignored.
  if (strange.length > 0)
    refuse(422, 'sandbox_unknown_key', ...strange.map((key) => `'${key}' is not a documented key`));
}

function unknownKeys(body: Row, properties: Properties, at: string): readonly string[] {
  return Object.entries(body).flatMap(([key, value]) => {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return known === undefined ? [at + key] : unknownBelow(value, known, at + key);
  });
}

function unknownBelow(value: unknown, { properties, items }: Value, at: string): readonly string[] {
  if (properties !== undefined && isRecord(value)) return unknownKeys(value, properties, `${at}.`);
  if (items === undefined || !Array.isArray(value)) return [];
  return value.flatMap((item, index) => unknownBelow(item, items, `${at}[${index}]`));
}

interface Problem {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
}

function problemsOf(body: Row, properties: Properties, at: string): readonly Problem[] {
  return Object.entries(properties).flatMap(([key, rule]) => valueProblems(body[key], rule, at + key));
}

function valueProblems(value: unknown, rule: Value, at: string): readonly Problem[] {
  const problem = (what: string, message = rule.message ?? `${at} ${what}`): readonly Problem[] => [
    { status: rule.status ?? 422, code: rule.code ?? null, message },
  ];
  if (value === undefined || (value === null && rule.nullable === true))
    return rule.required === true ? problem('is missing') : [];
  const wrong = mismatch(value, rule);
  if (wrong !== undefined) return problem(wrong);
  if (Array.isArray(value)) {
    if (value.length > (rule.maxItems ?? Infinity)) return problem('has too many items', rule.tooMany);
    return value.flatMap((item, index) => valueProblems(item, rule.items ?? any, `${at}[${index}]`));
  }
  return isRecord(value) ? problemsOf(value, rule.properties ?? {}, `${at}.`) : [];
}

/** What is wrong with a value itself, without what is in it. */
function mismatch(value: unknown, rule: Value): string | undefined {
  if (rule.enum !== undefined) return rule.enum.includes(value) ? undefined : `must be one of ${rule.enum.join(', ')}`;
  switch (rule.type) {
    case 'string':
      if (typeof value !== 'string') return 'must be a text';
      return rule.pattern === undefined || rule.pattern.test(value) ? undefined : 'is blank or malformed';
    case 'integer': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = rule;
      const fits = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
      return fits ? undefined : `must be an integer from ${minimum} to ${maximum}`;
    }
    case 'array':
      return Array.isArray(value) && value.length >= (rule.minItems ?? 0) ? undefined : 'must be a list';
    case 'object':
      return isRecord(value) ? undefined : 'must be an object';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    default:
      return undefined;
  }
}
