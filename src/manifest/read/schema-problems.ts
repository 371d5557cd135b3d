// How what a schema validator found is told: one diagnostic per mistake, at the place where it is to be mended.
import leven from 'leven';
import type { Code, Diagnostic } from '../../model/diagnostic.ts';
import { UNREDACTED } from '../../model/diagnostic.ts';
import type { Json } from '../../model/json.ts';
import type { Registry } from '../../model/kind/kind.ts';
import { describeType } from '../../model/kind/rows.ts';
import { canonicalJson, escapePointer, isJsonObject, valueAt } from '../../model/json.ts';
import { shapes } from '../generated/shapes.ts';
import type { SchemaError } from '../generated/validators.js';
import type { ParsedDocument } from './parse.ts';
import { problemAt, problemAtKey } from './parse.ts';
import { placeholderIn } from './placeholders.ts';
import { sensitivityOf, withoutLines, withoutValue } from './sensitive-values.ts';
import { PROFILES, userKindOf } from './profile-kinds.ts';
import type { Shape } from '../shape.ts';
import { fieldsAt, placesOf, shapeAt } from '../shape.ts';
import { isLiteralSecret, secretAdvice } from '../references/literal-secret.ts';
import { plural } from '../../model/common/count.ts';
import { didYouMean, inThousands, listOf, namesSecret, nearest, quote } from '../../model/format.ts';

/** Nobody reads more at once, and a file full of junk would flood the terminal. */
const SHOWN_PER_DOCUMENT = 100;

interface Finding {
  readonly code: Code;
  readonly pointer: string;
  readonly at: 'key' | 'value';
  readonly what: string;
  /** Lines to write, in place of those that are there: these may not be shown. */
  readonly lines?: string;
}

/** The diagnostics of one document, those of alternatives that were not meant left out. */
export function schemaProblems(
  errors: readonly SchemaError[],
  document: ParsedDocument,
  shape: Shape,
  kind: string,
  address?: string,
  registry: Registry = new Map(),
): readonly Diagnostic[] {
  const kept = misplacedOnce(onePerPlace(collapseChoices(errors)), document.value, shape);
  const shown = kept.slice(0, SHOWN_PER_DOCUMENT).map((error) => {
    const { code, pointer, at, what, lines } = explain(error, document, shape, kind, registry);
    const place = at === 'key' ? problemAtKey : problemAt;
    const whole = place(document, pointer, code, what, address);
    if (lines !== undefined) return { ...whole, frame: lines };
    const type = sensitivityOf(kind, pointer, registry);
    if (type === undefined) return whole;
    const value = valueAt(document.value, pointer);
    const redacted = place(document, pointer, code, withoutValue(what, value, pointer, type), address);
    // The lines of a field that looks like a secret are masked where they are made, and say which one it is.
    const shared = code === 'HW6005' ? redacted : withoutLines(redacted, value, type);
    if (type === 'secret') return shared;
    const { detail, frame } = whole;
    return { ...shared, [UNREDACTED]: { detail, ...(frame !== undefined && { frame }) } };
  });
  const left = kept.length - shown.length;
  return left === 0
    ? shown
    : [...shown, problemAt(document, '', 'HW1214', `And ${inThousands(left)} more in this document.`, address)];
}

/**
 * Every branch of a choice complains. Branches differ by the type of the value, so a branch that got past its type is
 * the one that was meant; when none did, the types of all are what was expected.
 */
function collapseChoices(errors: readonly SchemaError[]): readonly SchemaError[] {
  const kept: SchemaError[] = [];
  for (const error of errors) {
    // The condition itself says nothing; what it asks for has its own complaint.
    if (error.keyword === 'if' || error.schemaPath.includes('/propertyNames/')) continue;
    if (error.keyword !== 'oneOf' && error.keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    const place = error.instancePath;
    // The complaints of the branches stand right before that of the choice.
    let from = kept.length;
    while (from > 0 && isAtOrBelow(kept[from - 1], place)) from -= 1;
    const inside = kept.splice(from);
    // Whatever else a branch says of a value of another type is beside the point.
    const wrongBranches = new Set(
      inside.filter(({ keyword, instancePath }) => keyword === 'type' && instancePath === place).map(branchOf),
    );
    const meant = inside.filter((one) => one.instancePath !== place || !wrongBranches.has(branchOf(one)));
    if (meant.length > 0) kept.push(...meant);
    else
      kept.push({
        ...error,
        keyword: 'type',
        params: { type: inside.filter(({ keyword }) => keyword === 'type').map(({ params }) => params.type) },
      });
  }
  return kept;
}

function branchOf({ schemaPath }: SchemaError): string {
  return schemaPath.slice(0, schemaPath.lastIndexOf('/'));
}

function isAtOrBelow(error: SchemaError | undefined, place: string): boolean {
  return error !== undefined && (error.instancePath === place || error.instancePath.startsWith(`${place}/`));
}

/** What asks a mapping for exactly one of its fields, or for those that belong together. */
const ONE_FORM = ['propertyNames', 'minProperties', 'maxProperties', 'dependentRequired'];

/** A text that is too long seldom fits its pattern either: the first complaint about a value is enough. */
function onePerPlace(errors: readonly SchemaError[]): readonly SchemaError[] {
  const ranks = ['type', 'const', 'enum', 'minimum', 'maximum', 'format', 'pattern', 'minLength', 'maxLength'];
  const seen = new Set<string>();
  const ranked = [...errors].sort((left, right) => ranks.indexOf(left.keyword) - ranks.indexOf(right.keyword));
  return ranked.filter(({ keyword, instancePath }) => {
    if (ONE_FORM.includes(keyword)) {
      const isFirst = !seen.has(`${instancePath}/`);
      seen.add(`${instancePath}/`);
      return isFirst;
    }
    if (!ranks.includes(keyword)) return true;
    if (seen.has(instancePath)) return false;
    seen.add(instancePath);
    return true;
  });
}

function explain(error: SchemaError, parsed: ParsedDocument, shape: Shape, kind: string, registry: Registry): Finding {
  const { value: document, place } = parsed;
  const { instancePath: pointer, params } = error;
  // Items of a merged list are counted where they are written.
  const name = nameOf(place(pointer).pointer);
  switch (error.keyword) {
    case 'additionalProperties': {
      const why = whyNoRename(params.additionalProperty, pointer, kind, registry);
      if (why !== undefined) return { code: 'HW1341', pointer: `${pointer}/renamedFrom`, at: 'key', what: why };
      return unknownField([params.additionalProperty].flat().map(String), { pointer, name }, parsed, shape, kind);
    }
    case 'required':
      return {
        code: 'HW1202',
        pointer,
        at: 'key',
        what: `${pointer === '' ? `A ${kind}` : quote(name)} needs the field ${quote(String(params.missingProperty))}.`,
      };
    case 'type':
      if (isLiteralSecret(shape, pointer, valueAt(document, pointer))) {
        const { variable, lines } = secretAdvice(parsed, pointer);
        const what = `${quote(name)} holds the secret itself. Write the lines above, and set the variable ${quote(variable)} where Hostwright runs.`;
        return { code: 'HW1460', pointer, at: 'value', what, lines };
      }
      return (
        fieldInText(valueAt(document, pointer), pointer, shape) ?? {
          code: 'HW1203',
          pointer,
          at: 'value',
          what: wrongType(name, valueAt(document, pointer), [params.type].flat().map(String), fieldsAt(shape, pointer)),
        }
      );
    case 'const':
    case 'enum':
      return notAllowed(pointer, name, valueAt(document, pointer), allowedAt(shape, pointer, params.allowedValues));
    case 'minimum':
    case 'maximum':
      return {
        code: 'HW1205',
        pointer,
        at: 'value',
        what: `${quote(name)} is ${canonicalJson(valueAt(document, pointer) ?? null)}; it has to be ${String(params.limit)} or ${error.keyword === 'minimum' ? 'more' : 'less'}.`,
      };
    case 'propertyNames':
    case 'minProperties':
    case 'maxProperties':
    case 'dependentRequired':
      return notOneForm({ pointer, name, kind }, valueAt(document, pointer), params);
    case 'uniqueItems':
      return repeated(pointer, name, document, Math.max(Number(params.i), Number(params.j)));
    case 'minItems':
    case 'maxItems':
      return {
        code: 'HW1209',
        pointer,
        at: 'value',
        what: wrongLength(name, pointer, document, shape, error),
      };
    default:
      return malformed(pointer, name, valueAt(document, pointer), shape);
  }
}

function wrongLength(
  name: string,
  pointer: string,
  document: Json,
  shape: Shape,
  { keyword, params: { limit } }: SchemaError,
): string {
  const value = valueAt(document, pointer);
  const count = Array.isArray(value) ? value.length : 0;
  if (keyword === 'minItems') return `${quote(name)} needs at least ${plural(Number(limit), 'item')}.`;
  const at = shapeAt(shape, pointer);
  const [list] = (at?.is === 'choice' ? at.of : [at]).filter((one) => one?.is === 'list');
  const advice = list?.is === 'list' && list.tooMany !== undefined ? ` ${list.tooMany}` : '';
  return `${quote(name)} has ${count} items; at most ${String(limit)} are possible.${advice}`;
}

/** A mapping that says one of several things says none, or two of them. */
function notOneForm(
  { pointer, name, kind }: { readonly pointer: string; readonly name: string; readonly kind: string },
  value: Json | undefined,
  { property, missingProperty }: Readonly<Record<string, unknown>>,
): Finding {
  const given = Object.keys(isJsonObject(value) ? value : {}).map(quote);
  const what =
    property === undefined
      ? `${quote(name)} says ${given.length < 2 ? 'too little' : 'two things at once'}: it has ${given.length === 0 ? 'no fields' : listOf(given, 'and')}.`
      : `${quote(property as string)} in ${quote(name)} stands beside ${quote(missingProperty as string)} only.`;
  const fields = pointer.split('/').filter((token) => token !== '' && token !== 'spec' && !/^\d+$/.test(token));
  const explain = quote(`hostwright explain ${[kind, ...fields].join('.')}`);
  return { code: 'HW1230', pointer, at: 'value', what: `${what} ${explain} lists what it can say.` };
}

/**
 * A field that stands at the wrong level is missed where it belongs, or leaves a section empty: that is told once. So
 * are several fields that belong to one place.
 */
function misplacedOnce(errors: readonly SchemaError[], document: Json, shape: Shape): readonly SchemaError[] {
  const places = new Map<string, Set<string>>();
  const first = new Map<string, SchemaError>();
  const kept = errors.flatMap((error) => {
    const { keyword, instancePath, params } = error;
    if (keyword !== 'additionalProperties') return error;
    const field = String(params.additionalProperty);
    const [place] = belongsBelow(field, instancePath, document, shape);
    if (place === undefined) return error;
    places.set(place, (places.get(place) ?? new Set()).add(field));
    const key = `${instancePath} ${place}`;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, { ...error, params: { additionalProperty: [field] } });
      return first.get(key) as SchemaError;
    }
    (earlier.params.additionalProperty as string[]).push(field);
    return [];
  });
  return kept.filter(
    ({ keyword, instancePath, params }) =>
      !places.has(instancePath) ||
      !(
        (keyword === 'required' && places.get(instancePath)?.has(String(params.missingProperty)) === true) ||
        (keyword === 'type' && valueAt(document, instancePath) === null)
      ),
  );
}

/** Pointers to what an unknown field is a field of, an empty section beside it first; none where a slip is likelier. */
function belongsBelow(field: string, parent: string, document: Json, shape: Shape): readonly string[] {
  const [similar = ''] = [nearest(field, fieldsAt(shape, parent)) ?? ''];
  if (similar !== '' && leven(similar, field) < 2) return [];
  const beside = fieldsAt(shape, parent)
    .map((one) => `${parent}/${escapePointer(one)}`)
    .filter((one) => valueAt(document, one) === null && fieldsAt(shape, one).includes(field));
  const elsewhere = placesOf(shape, field).map((pointer) => pointer.slice(0, pointer.lastIndexOf('/')));
  return [...new Set([...beside, ...elsewhere])];
}

/** Why the items of this list cannot be renamed; undefined where somebody asks for something else. */
function whyNoRename(field: unknown, item: string, root: string, registry: Registry): string | undefined {
  if (String(field) !== 'renamedFrom') return undefined;
  const list = item.replace(/^\/spec\/|\/\d+$/g, '');
  const kind = [...registry.values()].find(({ parent, section }) => parent === root && section.fields.includes(list));
  const [name] = Object.values(kind?.fields ?? {});
  return name?.rule === 'immutable' && kind?.list !== 'singleton' ? name.why : undefined;
}

function unknownField(
  [field = '', ...others]: readonly string[],
  { pointer: parent, name }: { readonly pointer: string; readonly name: string },
  { value: document }: ParsedDocument,
  shape: Shape,
  kind: string,
): Finding {
  const pointer = `${parent}/${escapePointer(field)}`;
  const inside = parent === '' ? `a ${kind}` : quote(name);
  if (field === '<<') return { code: 'HW1109', pointer, at: 'key', what: `There is a merge key in ${inside}.` };
  const user = userKindOf(kind);
  if (user !== undefined && pointer === `/spec/${PROFILES}`)
    return { code: 'HW1322', pointer, at: 'key', what: `The ${kind} names profiles itself.` };
  if (user !== undefined && fieldsAt(shapes[user], parent).includes(field))
    return {
      code: 'HW1324',
      pointer,
      at: 'key',
      what: `The field ${quote(field)} belongs to each ${user}, not to a ${kind}.`,
    };
  if (kind === 'Workspace' && namesSecret(field))
    return { code: 'HW6005', pointer, at: 'key', what: `The field ${quote(field)} looks like a secret.` };
  const known = fieldsAt(shape, parent);
  const tight = tightKey(field, known);
  if (tight !== undefined) return { code: 'HW1113', pointer, at: 'key', what: tight };
  const places = belongsBelow(field, parent, document, shape);
  if (places.length > 0) {
    const all = [field, ...others].map(quote);
    const what = `${listOf(all, 'and')} ${all.length === 1 ? 'belongs' : 'belong'} ${listOf(places.slice(0, 3).map(below))}.`;
    return { code: 'HW1201', pointer, at: 'key', what: `There is no field ${quote(field)} in ${inside}. ${what}` };
  }
  const hint = didYouMean(field, known) || ` Known here: ${listOf(known.map(quote), 'and')}.`;
  return { code: 'HW1201', pointer, at: 'key', what: `There is no field ${quote(field)} in ${inside}.${hint}` };
}

function below(pointer: string): string {
  return pointer === '' ? 'at the left margin' : `below ${quote(pointer.slice(1).replaceAll('/', '.'))}`;
}

/** A key that swallowed its value, or the dash before it, because a space is missing. */
function tightKey(field: string, known: readonly string[]): string | undefined {
  const [, dash = '', key = '', value = ''] = /^(-?)(\w+)(?::(.+))?$/s.exec(field) ?? [];
  if (!known.includes(key))
    return dash === '' ? undefined : `There is no space after the dash. Write ${quote(`- ${field.slice(1)}`)}.`;
  if (dash !== '') return `There is no space after the dash. Write ${quote(`- ${key}`)}.`;
  return `There is no space after the colon of ${quote(key)}. Write ${quote(`${key}: ${namesSecret(key) ? '...' : value}`)}.`;
}

/** A text in the place of a mapping that is a field of it, without the colon or the space after it. */
function fieldInText(text: Json | undefined, pointer: string, shape: Shape): Finding | undefined {
  const [, key = '', sign = '', value = ''] =
    /^(\w+)( ?[:=]| ) *(\S.*)$/s.exec(typeof text === 'string' ? text : '') ?? [];
  if (!fieldsAt(shape, pointer).includes(key)) return undefined;
  const missing = sign.includes(':') ? 'space after the colon of' : 'colon and space after';
  const write = /\s/.test(value) ? '' : ` Write ${quote(`${key}: ${namesSecret(key) ? '...' : value}`)}.`;
  return { code: 'HW1113', pointer, at: 'value', what: `There is no ${missing} ${quote(key)}.${write}` };
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: '`true` or `false`',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'a mapping of fields',
  null: 'nothing',
};

function wrongType(name: string, value: Json | undefined, types: readonly string[], fields: readonly string[]): string {
  const expected = listOf([...new Set(types)].map((type) => typeWords[type] ?? type));
  return `${quote(name)} has to be ${expected}; it is ${typeWord(value)}.${typeHint(value, types, fields)}`;
}

function typeWord(value: Json | undefined): string {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a mapping';
  return typeof value === 'number' && !Number.isInteger(value) ? 'a number that is not whole' : describeType(value);
}

/** The slips that YAML invites. */
function typeHint(value: Json | undefined, types: readonly string[], fields: readonly string[]): string {
  if (value === null) return ' There is nothing after the colon: give a value, or remove the key.';
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return ' Put it in quotes.';
  if (types.includes('boolean') && typeof value === 'string') {
    if (/^(true|false)$/i.test(value)) return ' Remove the quotes.';
    if (/^(yes|no|on|off)$/i.test(value)) return ' In YAML 1.2 only `true` and `false` are truth values.';
  }
  if ((types.includes('integer') || types.includes('number')) && typeof value === 'string' && /^-?\d+$/.test(value))
    return ' Remove the quotes.';
  if (typeof value === 'string') {
    // Contacts are the only objects that a field references this way. The advice does not quote the value: it may be
    // the name of a person.
    if (types.includes('object') && fields.includes('ref') && /^(?:Contact\/)?[\w.-]+$/.test(value))
      return ' Name a Contact as `{ ref: Contact/NAME }`.';
    if (types.includes('array') && /^[^[]*\]$/.test(value)) return ` Write ${quote(`[${value}`)}.`;
    if (types.includes('array') && /^-\S/.test(value)) return ' There is no space after the dash.';
    if (/[,;]$/.test(value) && !types.includes('array') && !types.includes('object'))
      return ` Remove the ${quote(value.slice(-1))} at its end.`;
  }
  if (types.includes('array') && !Array.isArray(value) && !isJsonObject(value))
    return ' Start each item on a line of its own with `- `.';
  return '';
}

/** The values that a field takes; where a condition narrows them, those that the condition takes. */
function allowedAt(shape: Shape, pointer: string, asked: unknown): readonly string[] {
  const at = shapeAt(shape, pointer);
  if (at?.is === 'value' && at.allowed !== undefined) return at.allowed;
  return Array.isArray(asked) ? asked.map(String) : [];
}

function notAllowed(pointer: string, name: string, value: Json | undefined, allowed: readonly string[]): Finding {
  const given = typeof value === 'string' ? value : '';
  if (pointer === '/apiVersion')
    return {
      code: 'HW1210',
      pointer,
      at: 'value',
      what: `The apiVersion ${quote(given)} is not known.${didYouMean(given, allowed)}`,
    };
  const meant = didYouMean(given, allowed);
  return {
    code: 'HW1204',
    pointer,
    at: 'value',
    what: `${quote(name)} cannot be ${typeof value === 'string' || typeof value === 'number' ? quote(String(value)) : typeWord(value)}.${meant} Allowed: ${listOf(allowed.map(quote))}.`,
  };
}

function repeated(pointer: string, name: string, document: Json, index: number): Finding {
  const item = valueAt(document, `${pointer}/${index}`);
  return {
    code: 'HW1208',
    pointer: `${pointer}/${index}`,
    at: 'value',
    what: `${typeof item === 'string' ? quote(item) : 'An item'} occurs twice in ${quote(name)}.`,
  };
}

function malformed(pointer: string, name: string, value: Json | undefined, shape: Shape): Finding {
  const at = shapeAt(shape, pointer);
  const branches = at === undefined ? [] : at.is === 'choice' ? at.of : [at];
  const text = branches.find((branch) => branch.is === 'value');
  const expected = text?.expected === undefined ? '' : ` Expected: ${text.expected}.`;
  const given = typeof value === 'string' ? value : '';
  if (text?.format === 'idn-hostname')
    return {
      code: 'HW1207',
      pointer,
      at: 'value',
      what: `${quote(given)} is not a hostname.${placeholderHint(given) || hostnameHint(given)}${expected}`,
    };
  const what = namesSecret(name)
    ? `${quote(name)} is malformed.`
    : given === ''
      ? `${quote(name)} is empty.`
      : `${quote(name)} cannot be ${quote(given)}.`;
  return { code: 'HW1206', pointer, at: 'value', what: `${what}${expected}${placeholderHint(given)}` };
}

function placeholderHint(text: string): string {
  return placeholderIn(text) === undefined
    ? ''
    : ' Manifests have no variables. Use a profile, a reference or a program.';
}

/** What people write where only a hostname fits. */
function hostnameHint(text: string): string {
  if (text.includes('*')) return ' A wildcard cannot be attached: name each hostname.';
  const url = /^[a-z]+:\/\/([^/:?#@\s]+)/i.exec(text);
  if (url !== null) return ` Leave out everything but ${quote(url[1] as string)}.`;
  if (/:\d+$/.test(text)) return ' Leave out the port.';
  if (text.includes('/')) return ' Leave out the path.';
  if (/(^|\.)xn--/i.test(text))
    return ' A label that starts with `xn--` has to be the encoded form of an international name.';
  if (text.includes('_')) return ' Hostnames hold no underscores.';
  if (text.length > 0 && !text.includes('.')) return ' A dot is missing.';
  return '';
}

/** The last part of a pointer, or the list and place of an item. */
function nameOf(pointer: string): string {
  const tokens = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  let name = tokens.pop() ?? 'document';
  while (/^\d+$/.test(name) && tokens.length > 0) name = `${tokens.pop()}[${name}]`;
  return name;
}
