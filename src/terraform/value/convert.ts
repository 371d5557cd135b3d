// Values of Terraform as manifests, and back. A reference of Terraform has become a value before it gets here; what is
// not known yet is left out and remembered by its place.
import { createHash } from 'node:crypto';
import { addressOf } from '../../model/address.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { canonicalJson, escapePointer, isJsonObject, parseJson, sameJson, unescapePointer } from '../../model/json.ts';
import type { Attribute, Fields, Forms, Plain, Spellings } from './attribute.ts';
import type { Value, ValueObject } from './cty.ts';
import { UNKNOWN } from './cty.ts';
import { camel } from './names.ts';

/** What a resource says, as manifests. */
export interface Converted {
  /** The spec of its manifest. */
  readonly spec: JsonObject;
  /** Plain data that the manifest names, by kind and name. */
  readonly data: readonly Data[];
  /** Pointers into `spec` of what Terraform does not know yet. */
  readonly unknown: readonly string[];
  /**
   * The secrets that the configuration itself holds, by the name of the variable that stands for each; undefined where
   * the value is not at hand, as in a state.
   */
  readonly secrets: ReadonlyMap<string, string | undefined>;
  /** Pointers into `spec` of secrets of which not exactly one place is written; those of a state have none. */
  readonly strange: readonly string[];
}

interface Data {
  readonly kind: string;
  readonly name: string;
  readonly spec: JsonObject;
  /** Where the configuration has it: a pointer into `spec`. */
  readonly pointer: string;
}

/** Carries what is found on the way. */
class Findings {
  readonly data = new Map<string, Data>();
  readonly unknown: string[] = [];
  readonly strange: string[] = [];
  readonly secrets = new Map<string, string | undefined>();
}

const NOTHING = Symbol('nothing');
type Said = Json | typeof NOTHING;

/** The attributes that stand in a manifest as its spec. */
export function toManifest(fields: Fields, values: ValueObject): Converted {
  const found = new Findings();
  const spec = objectToManifest(fields, values, '', found);
  const { data, unknown, secrets, strange } = found;
  return { spec, data: [...data.values()], unknown, secrets, strange };
}

function objectToManifest(fields: Fields, values: ValueObject, pointer: string, found: Findings): JsonObject {
  const said = Object.entries(fields).flatMap(([name, { attribute, field }]): readonly (readonly [string, Json])[] => {
    if (field === undefined) return [];
    const value = valueToManifest(attribute, values[name] ?? null, `${pointer}/${escapePointer(field)}`, found);
    return value === NOTHING ? [] : [[field, value]];
  });
  return Object.fromEntries(said);
}

function valueToManifest(attribute: Attribute, value: Value, pointer: string, found: Findings): Said {
  if (value === null) return NOTHING;
  if (value === UNKNOWN) {
    if (attribute.is !== 'rests') found.unknown.push(pointer);
    return NOTHING;
  }
  switch (attribute.is) {
    case 'rests':
      return NOTHING;
    case 'address':
      return addressOf(null, attribute.kind, value as string);
    case 'json':
      return jsonOf(value as string);
    case 'list':
    case 'set':
      return (value as readonly Value[]).flatMap((item, index) => {
        if (item === UNKNOWN) found.unknown.push(`${pointer}/${index}`);
        return item === UNKNOWN || item === null ? [] : [plainToManifest(attribute.of, item, attribute.spellings)];
      });
    case 'group': {
      const object = bodyToManifest(attribute, value as ValueObject, pointer, found);
      const list = attribute.short === undefined ? undefined : object[attribute.short];
      return list !== undefined && Object.keys(object).length === 1 ? list : object;
    }
    case 'groups':
      return (value as readonly Value[]).map((item, index) =>
        bodyToManifest(attribute, (item === UNKNOWN ? {} : item) as ValueObject, `${pointer}/${index}`, found),
      );
    case 'map':
      return Object.entries(value as ValueObject).map(([key, item], index) => {
        if (item === UNKNOWN) found.unknown.push(`${pointer}/${index}`);
        const object = objectToManifest(
          attribute.fields,
          (item === UNKNOWN ? {} : (item ?? {})) as ValueObject,
          `${pointer}/${index}`,
          found,
        );
        const isShort = attribute.short === true && Object.keys(object).length === 0;
        return isShort ? key : { [attribute.key]: key, ...object };
      });
    case 'data':
      return dataToManifest(attribute, value as ValueObject, pointer, found);
    case 'secret':
      return secretToManifest(attribute.fields, value as ValueObject, pointer, found);
    default:
      return plainToManifest(attribute.is, value, attribute.spellings);
  }
}

/** An object, which may stand under the key that its `type` says. */
function bodyToManifest(
  { fields, forms }: { readonly fields: Fields; readonly forms?: Forms },
  { type = null, ...values }: ValueObject,
  pointer: string,
  found: Findings,
): JsonObject {
  if (forms === undefined || typeof type !== 'string' || !/^[a-z]/.test(type)) {
    if (forms === undefined || type !== UNKNOWN) return objectToManifest(fields, { ...values, type }, pointer, found);
    found.unknown.push(pointer);
    return {};
  }
  // A word that nobody knows is a key that nobody knows: whoever checks the manifest says which there are.
  const { field = camel(type), attribute } = forms[type] ?? {};
  const at = `${pointer}/${escapePointer(field)}`;
  const own = attribute === undefined ? {} : valueToManifest(attribute, values, at, found);
  const others = Object.entries(fields).filter(([name]) => !Object.hasOwn(attribute?.fields ?? {}, name));
  const strange = objectToManifest(Object.fromEntries(others), values, at, found);
  if (Object.keys(strange).length === 0) return { [field]: own as Json };
  const body = Array.isArray(own) ? { [attribute?.short ?? '']: own as Json } : (own as JsonObject);
  return { [field]: { ...body, ...strange } };
}

const NUMERAL = /^(0|[1-9]\d{0,15})$/;

function plainToManifest(plain: Plain, value: Value, spellings: Spellings = {}): Json {
  const given = typeof value === 'string' ? value : JSON.stringify(value);
  if (Object.hasOwn(spellings, given)) return spellings[given] as string;
  const text = given;
  if (plain === 'word') return NUMERAL.test(text) ? Number(text) : text;
  // What is no number is left as it is: whoever checks the manifest says so.
  const number = plain === 'number' ? Number(text) : NaN;
  return Number.isNaN(number) ? (value as Json) : number;
}

/** What is no JSON is left as it is: whoever checks the manifest says so. */
function jsonOf(text: string): Json {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** Plain data is named after what it says, so that equal data is one manifest. */
function dataToManifest(
  { kind, fields }: Extract<Attribute, { readonly is: 'data' }>,
  value: ValueObject,
  pointer: string,
  found: Findings,
): Json {
  const spec = objectToManifest(fields, value, pointer, found);
  const name = `tf-${createHash('sha256').update(canonicalJson(spec)).digest('hex').slice(0, 12)}`;
  found.data.set(`${kind} ${name}`, { kind, name, spec, pointer });
  return { ref: addressOf(null, kind, name) };
}

/** The prefix of variables that stand for secrets that the configuration itself holds. */
const SECRET_PREFIX = 'TERRAFORM_VALUE';

/** Where a secret may be, beside the configuration itself. */
const PLACES = ['env', 'file', 'entry'] as const;

function secretToManifest(fields: Fields, value: ValueObject, pointer: string, found: Findings): Json {
  const { value: secret = null, ...place } = value;
  const said = objectToManifest(fields, place, pointer, found);
  const places = [secret, ...PLACES.map((name) => place[name] ?? null)].filter((one) => one !== null);
  if (places.length !== 1) found.strange.push(pointer);
  if (secret === null && (said.env !== undefined || said.file !== undefined || said.entry !== undefined)) return said;
  const name = `${SECRET_PREFIX}${pointer.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`;
  found.secrets.set(name, typeof secret === 'string' ? secret : undefined);
  return { env: name, ...said };
}

/**
 * The attributes of a spec. What no manifest says (orders of Terraform, what the provider gives) is as in `prior`, and so
 * is what says the same in other words.
 */
export function fromManifest(fields: Fields, spec: JsonObject, prior: Value): ValueObject {
  const before = isObject(prior) ? prior : {};
  return eachOf(fields, ({ attribute, field, writeOnly }, name) => {
    const old = before[name] ?? null;
    if (writeOnly === true) return null;
    if (field === undefined || attribute.is === 'rests') return old;
    return Object.hasOwn(spec, field) ? valueFromManifest(attribute, spec[field] as Json, old) : null;
  });
}

function valueFromManifest(attribute: Attribute, value: Json, prior: Value): Value {
  if (prior !== null && prior !== UNKNOWN && saysTheSame(attribute, value, prior)) return prior;
  switch (attribute.is) {
    case 'address':
      return nameIn(value as string);
    case 'json':
      return JSON.stringify(value);
    case 'list':
    case 'set':
      return linesIn(value).map((item) => plainFromManifest(attribute.of, item, attribute.spellings));
    case 'group': {
      const { short } = attribute;
      return bodyFromManifest(
        attribute,
        (short !== undefined && Array.isArray(value) ? { [short]: value } : value) as JsonObject,
        prior,
      );
    }
    case 'groups':
      return (value as readonly Json[]).map((item, index) =>
        bodyFromManifest(
          attribute,
          item as JsonObject,
          Array.isArray(prior) ? ((prior as readonly Value[])[index] ?? null) : null,
        ),
      );
    case 'map':
      return Object.fromEntries(
        (value as readonly Json[]).map((item) => {
          const object = isJsonObject(item) ? item : { [attribute.key]: item };
          const key = object[attribute.key] as string;
          return [key, fromManifest(attribute.fields, object, isObject(prior) ? (prior[key] ?? null) : null)];
        }),
      );
    case 'secret': {
      const { env, ...others } = value as JsonObject;
      const isOwn = typeof env === 'string' && env.startsWith(SECRET_PREFIX);
      return fromManifest(attribute.fields, isOwn ? others : (value as JsonObject), prior);
    }
    case 'data':
      return fromManifest(attribute.fields, value as JsonObject, prior);
    case 'rests':
      return prior;
    default:
      return plainFromManifest(attribute.is, value, attribute.spellings);
  }
}

/** The other way round: the key is the word in `type`. */
function bodyFromManifest(
  { fields, forms = {} }: { readonly fields: Fields; readonly forms?: Forms },
  value: JsonObject,
  prior: Value,
): ValueObject {
  const [word, form] = Object.entries(forms).find(([, { field }]) => Object.hasOwn(value, field)) ?? [];
  if (word === undefined || form === undefined) return fromManifest(fields, value, prior);
  const before = isObject(prior) && prior.type === word ? prior : null;
  const own = valueFromManifest(form.attribute, value[form.field] as Json, before) as ValueObject;
  return eachOf(fields, ({ attribute }, name) => {
    const item = name === 'type' ? word : (own[name] ?? null);
    // One form has numbers where others have texts.
    return attribute.is === 'list' && Array.isArray(item)
      ? (item as readonly Value[]).map((one) => plainFromManifest(attribute.of, one as Json))
      : item;
  });
}

function plainFromManifest(plain: Plain, value: Json, spellings: Spellings = {}): Value {
  const spelling = Object.keys(spellings).find((one) => spellings[one] === value);
  if (spelling !== undefined) return spelling;
  return (plain === 'word' || plain === 'text') && typeof value !== 'string' ? JSON.stringify(value) : value;
}

/** The entries of a list; of a text, its lines. */
function linesIn(value: Json): readonly Json[] {
  return typeof value === 'string' ? value.split('\n').filter((line) => line !== '') : (value as readonly Json[]);
}

function nameIn(address: string): string {
  return decodeURIComponent(address.slice(address.indexOf('/') + 1));
}

/** True where the prior value is what a manifest says, whatever it looks like. Objects are looked at field by field. */
function saysTheSame(attribute: Attribute, value: Json, prior: Value): boolean {
  if ('fields' in attribute || attribute.is === 'rests') return false;
  const said = valueToManifest(attribute, prior, '', new Findings());
  return said !== NOTHING && sameJson(said, value);
}

/** An object with another value under each of its names. */
export function eachOf<From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

export function isObject(value: Value | undefined): value is ValueObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An attribute that is a text wherever it is known. */
export function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The configuration that a state would come of: without what the provider gives. */
export function configOf(fields: Fields, values: ValueObject): ValueObject {
  return eachOf(values, (value, name) => {
    const { attribute, computed } = fields[name] ?? {};
    if (computed === true) return null;
    return attribute === undefined ? value : inside(attribute, value, configOf);
  });
}

/** Whether anything in a value is not known yet. */
export function hasUnknown(value: Value): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return (value as readonly Value[]).some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}

export function isSame(left: Value, right: Value): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((one: Value, index) => isSame(one, right[index] as Value));
  if (!isObject(left) || !isObject(right)) return left === right;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSame(left[name] ?? null, right[name] ?? null));
}

/** Does the same with each of the objects that stand in an attribute. `key`: what tells it from the others. */
function inside(
  attribute: Attribute,
  value: Value,
  work: (fields: Fields, one: ValueObject, key?: string) => Value,
): Value {
  if (!('fields' in attribute)) return value;
  const { is, fields } = attribute;
  if (is === 'groups') {
    const { key } = attribute;
    const keyOf = (one: ValueObject): string | undefined => (key === undefined ? undefined : textOf(one[key]));
    return Array.isArray(value)
      ? (value as readonly Value[]).map((one) => (isObject(one) ? work(fields, one, keyOf(one)) : one))
      : value;
  }
  if (!isObject(value)) return value;
  if (is !== 'map') return work(fields, value);
  return eachOf(value, (one, key) => (isObject(one) ? work(fields, one, key) : one));
}

/** What another value of an attribute has for an object in it; nothing where that is something else. */
function counterpart(attribute: Attribute, value: Value, one: ValueObject, key: string | undefined): Value {
  const found = sameObject(attribute, value, key) ?? null;
  const isOther = 'forms' in attribute && isObject(found) && found.type !== one.type;
  return isOther ? null : found;
}

function sameObject(attribute: Attribute, value: Value, key: string | undefined): Value | undefined {
  if (attribute.is === 'groups') {
    if (attribute.key === undefined || !Array.isArray(value)) return undefined;
    const name = attribute.key;
    return (value as readonly Value[]).find((one) => isObject(one) && one[name] === key);
  }
  if (!isObject(value)) return undefined;
  return key === undefined ? value : value[key];
}

/**
 * What is planned for a configuration, before anything is known of what becomes of it: where it says nothing, what is in
 * the state of what the provider gives and of what is live. Nothing that may be in no plan.
 */
export function overPrior(fields: Fields, config: ValueObject, prior: Value): ValueObject {
  const before = isObject(prior) ? prior : {};
  return eachOf(fields, ({ attribute, computed, live, writeOnly }, name) => {
    const given = config[name] ?? null;
    const old = before[name] ?? null;
    if (writeOnly === true) return null;
    if (given === null) return computed === true || live === true ? old : null;
    return inside(attribute, given, (below, one, key) => overPrior(below, one, counterpart(attribute, old, one, key)));
  });
}

/**
 * The state of what is managed, with what else is live: of the attributes of the resource that are one word, and wherever
 * the state has had something. `isUnread`: nobody knows what is live there now.
 */
export function withLive(
  fields: Fields,
  managed: ValueObject,
  {
    state,
    live,
    isUnread,
  }: { readonly state: Value; readonly live: Value; readonly isUnread?: (name: string) => boolean },
): ValueObject {
  const before: ValueObject = isObject(state) ? state : {};
  const now: ValueObject = isObject(live) ? live : {};
  return eachOf(fields, (field, name) => {
    const { attribute } = field;
    const own = managed[name] ?? null;
    const old = before[name] ?? null;
    if (own !== null)
      return inside(attribute, own, (below, one, key) =>
        withLive(below, one, {
          state: counterpart(attribute, old, one, key),
          live: counterpart(attribute, now[name] ?? null, one, key),
        }),
      );
    const isTold = field.live === true && attribute.is !== 'data' && isUnread?.(name) !== true;
    if (!isTold) return field.live === true ? old : null;
    return old !== null || (isUnread !== undefined && isOneWord(field)) ? (now[name] ?? null) : null;
  });
}

/**
 * Whether a configuration says what is managed, and nothing else. What only the provider gives is in no configuration, and
 * what a state must not have is never the same.
 */
export function saysManaged(fields: Fields, config: ValueObject, managed: ValueObject): boolean {
  return Object.entries(fields).every(([name, { attribute, computed }]) => {
    const given = config[name] ?? null;
    const own = managed[name] ?? null;
    if (given === null || own === null) return given === own || (given === null && computed === true);
    if (!('fields' in attribute) || (Array.isArray(given) && attribute.is !== 'groups')) return isSame(given, own);
    const below = (one: Value, other: Value): boolean =>
      isObject(one) && isObject(other) ? saysManaged(attribute.fields, one, other) : isSame(one, other);
    if (Array.isArray(given) && Array.isArray(own))
      return given.length === own.length && given.every((one: Value, index) => below(one, own[index] as Value));
    if (attribute.is !== 'map' || !isObject(given) || !isObject(own)) return below(given, own);
    const keys = Object.keys(given);
    return (
      keys.length === Object.keys(own).length &&
      keys.every((key) => Object.hasOwn(own, key) && below(given[key] as Value, own[key] as Value))
    );
  });
}

/** What a look at the list of all objects tells of each. */
export function isOneWord({ attribute, live }: Fields[string]): boolean {
  return live === true && ['text', 'number', 'bool', 'word'].includes(attribute.is);
}

/** The places of a state that nobody manages: pointers of names and keys. */
export function unmanagedPlaces(fields: Fields, managed: Value, state: Value, above = ''): readonly string[] {
  if (!isObject(state)) return [];
  return Object.entries(fields).flatMap(([name, { attribute, live }]): readonly string[] => {
    const value = state[name] ?? null;
    const own = isObject(managed) ? (managed[name] ?? null) : null;
    const at = `${above}/${name}`;
    if (value === null) return [];
    if (own === null) return live === true ? [at] : [];
    const found: string[] = [];
    inside(attribute, value, (below, one, key) => {
      const other = counterpart(attribute, own, one, key);
      const place = key === undefined ? at : `${at}/${escapePointer(key)}`;
      if (isObject(other)) found.push(...unmanagedPlaces(below, other, one, place));
      return null;
    });
    return found;
  });
}

/** The values without those at these places. */
export function withoutPlaces(
  fields: Fields,
  values: ValueObject,
  places: ReadonlySet<string>,
  above = '',
): ValueObject {
  if (places.size === 0) return values;
  return eachOf(values, (value, name) => {
    const at = `${above}/${name}`;
    if (places.has(at)) return null;
    const field = fields[name];
    if (field === undefined) return value;
    return inside(field.attribute, value, (below, one, key) =>
      withoutPlaces(below, one, places, key === undefined ? at : `${at}/${escapePointer(key)}`),
    );
  });
}

export type PathStep =
  { readonly attributeName: string } | { readonly elementKeyString: string } | { readonly elementKeyInt: number };

/** A place in a resource. */
export interface Place {
  readonly steps: readonly PathStep[];
  /** As a configuration refers to it, and the name of an item in a list: `edge_rules[1] "old".action.status`. */
  readonly text: string;
  /** The words that say what the object there is. */
  readonly words?: readonly string[];
}

/** Where in a resource a pointer into the spec of its manifest leads; as far as it can be said. */
export function placeOf(fields: Fields, values: Value, pointer: string): Place {
  const steps: PathStep[] = [];
  let text = '';
  let below: Fields | undefined = fields;
  let attribute: Attribute | undefined;
  let forms: Forms | undefined;
  let at: Value | undefined = values;
  for (const token of pointer.split('/').slice(1).map(unescapePointer)) {
    if (attribute?.is === 'map' && /^\d+$/.test(token) && isObject(at)) {
      const key: string | undefined = Object.keys(at)[Number(token)];
      if (key === undefined) return { steps, text };
      steps.push({ elementKeyString: key });
      text += `[${JSON.stringify(key)}]`;
      at = at[key];
      below = attribute.fields;
      attribute = undefined;
      continue;
    }
    if (attribute !== undefined && ['groups', 'list'].includes(attribute.is) && /^\d+$/.test(token)) {
      steps.push({ elementKeyInt: Number(token) });
      at = Array.isArray(at) ? (at as readonly Value[])[Number(token)] : undefined;
      text += `[${token}]${isObject(at) && typeof at.name === 'string' ? ` ${JSON.stringify(at.name)}` : ''}`;
      below = 'fields' in attribute ? attribute.fields : undefined;
      forms = 'forms' in attribute ? attribute.forms : undefined;
      attribute = undefined;
      continue;
    }
    if (Object.values(forms ?? {}).some(({ field }) => field === token)) continue;
    const known: Fields = below ?? {};
    const name: string | undefined = Object.keys(known).find((one) => known[one]?.field === token);
    if (name === undefined) break;
    steps.push({ attributeName: name });
    text += `${text === '' ? '' : '.'}${name}`;
    attribute = known[name]?.attribute;
    below = attribute !== undefined && 'fields' in attribute ? attribute.fields : undefined;
    if (attribute?.is === 'map' || attribute?.is === 'groups') below = undefined;
    forms = attribute?.is === 'group' ? attribute.forms : undefined;
    at = isObject(at) ? at[name] : undefined;
  }
  return { steps, text, ...(forms !== undefined && { words: Object.keys(forms) }) };
}
