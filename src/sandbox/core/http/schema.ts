// The words in which an endpoint says what the body of a request has to be; they are those of JSON Schema.

/** In the order in which they are checked. */
export type Properties = Readonly<Record<string, Value>>;

/** Without a type: the endpoint itself judges it. */
export interface Value {
  readonly type?: 'string' | 'boolean' | 'integer' | 'object' | 'array';
  readonly required?: boolean;
  /** null is as good as left out. */
  readonly nullable?: true;
  readonly enum?: readonly unknown[];
  /** Of a text. */
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Of an object: what it may have. */
  readonly properties?: Properties;
  /** Of a list: what each item is, how many there have to be and may be. */
  readonly items?: Value;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Where there are too many items. */
  readonly tooMany?: string;
  /** Where the documents name them; otherwise 422 without a code. */
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
}

export const any: Value = {};
export const boolean: Value = { type: 'boolean' };
export const text: Value = { type: 'string' };
export const textOrNull: Value = { type: 'string', nullable: true };
export const filledText: Value = { type: 'string', pattern: /\S/, required: true };
export const texts: Value = { type: 'array', items: text };

export function oneOf(...values: readonly string[]): Value {
  return { enum: values, required: true };
}

export function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Value {
  return { type: 'integer', minimum, maximum };
}

/** Keys that the documents list and whose values the endpoint itself judges. */
export function keys(...names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, any]));
}
