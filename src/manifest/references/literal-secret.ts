// What to write where a manifest has a secret itself instead of the place that it is in. Never shows the secret.
import type { Json } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import type { ParsedDocument } from '../read/parse.ts';
import type { Shape } from '../shape.ts';
import { shapeAt } from '../shape.ts';

/** Where a variable is named after what has the secret. */
const LONGEST_NAME = 60;

export interface SecretAdvice {
  /** The environment variable that the lines name. */
  readonly variable: string;
  /** Lines for the manifest and for the workspace file, each as it can be copied. */
  readonly lines: string;
}

/** True when a single value stands where the schema wants the place of a secret: `{ env: NAME }` or `{ file: PATH }`. */
export function isLiteralSecret(shape: Shape, pointer: string, value: Json | undefined): boolean {
  if (value === null || value === undefined || typeof value === 'object') return false;
  const at = shapeAt(shape, pointer);
  const branches = at?.is === 'choice' ? at.of : [];
  const has = (field: string): boolean =>
    branches.some((branch) => branch.is === 'object' && Object.hasOwn(branch.fields, field));
  return has('env') && has('file');
}

/** What to write instead, at the depth of the field. */
export function secretAdvice({ value, place }: ParsedDocument, pointer: string): SecretAdvice {
  const [around, field] = splitPointer(pointer);
  // An item is told from the others by what is written first in it.
  const item = /\/\d+$/.test(around) ? valueAt(value, around) : undefined;
  const first = isJsonObject(item) ? Object.entries(item).find(([name]) => name !== field)?.[1] : undefined;
  const variable = variableFor(typeof first === 'string' ? first : valueAt(value, '/metadata/name'), field);
  const { key: span, source } = place(pointer);
  const start = span?.[0] ?? 0;
  const before = source.text.slice(source.text.lastIndexOf('\n', start - 1) + 1, start);
  const indent = ' '.repeat(before.length);
  const own = /^[\s-]*$/.test(before)
    ? [`${indent}${field}:`, `${indent}  env: ${variable}`]
    : [`${field}: { env: ${variable} }`];
  return {
    variable,
    lines: [
      '# in the manifest, instead of the secret',
      ...own,
      '# in hostwright.yaml, below `spec:`',
      `  secrets: { env: [${variable}] }`,
    ].join('\n'),
  };
}

function splitPointer(pointer: string): readonly [around: string, field: string] {
  const at = pointer.lastIndexOf('/');
  return [pointer.slice(0, at), pointer.slice(at + 1)];
}

/** `ALICE_PASSWORD` for the `password` of alice. */
function variableFor(owner: Json | undefined, field: string): string {
  const word = (text: string): string =>
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .toUpperCase();
  const name = `${typeof owner === 'string' ? `${word(owner)}_` : ''}${word(field)}`.replace(/^_+/, '');
  // A name cannot begin with a digit, and those of the program are its own.
  return (/^(\d|HOSTWRIGHT_)/.test(name) ? `THE_${name}` : name).slice(-LONGEST_NAME).replace(/^[\d_]+/, '');
}
