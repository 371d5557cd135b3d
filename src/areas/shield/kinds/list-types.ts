// Which types of access lists the platform says there are, and which declared ones are none of them or mean another
// there. The documents name the read and not what it answers (SHD-21, GAP-29): where its shape is not recognised, or it
// fails, nothing is claimed.
import type { Json, JsonObject } from '../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../model/json.ts';
import type { Answers, Blocker, ChildContext, ReadSpec } from '../../../model/kind/kind.ts';
import type { Member } from '../../../model/kind/kind.ts';
import { LIST_TYPES, nameIn, numberIn } from './names.ts';
import { keyIn } from './wire.ts';
import { isActive, shieldPath } from './zone/wire.ts';

/** The types matter only where a list is declared that has no live one of its name and type. */
export function listTypesRead(rows: (answers: Answers) => readonly JsonObject[]): ReadSpec<Member> {
  return {
    path: (context) =>
      isActive(context.answers.zone) && context.declared.members.some((one) => !isLive(one.spec, rows(context.answers)))
        ? shieldPath(context, '/access_lists/enums')
        : null,
    after: ['zone', 'items'],
    absences: 'any',
  };
}

function isLive({ name, type }: JsonObject, rows: readonly JsonObject[]): boolean {
  return rows.some((row) => keyIn(row, 'name') === name && nameIn(LIST_TYPES, keyIn(row, 'type')) === type);
}

/**
 * Why the type that a manifest gives this list cannot be what is meant, or null. A number has to be one of the
 * platform's; a name has to have the number that the platform gives it.
 */
export function wrongType(types: Json | undefined, name: string, { declared }: ChildContext): Blocker | null {
  const known = typesIn(types);
  const lists = valueAt(declared.rootSpec ?? {}, '/shield/accessLists');
  const written = Array.isArray(lists)
    ? lists.filter((list): list is JsonObject => isJsonObject(list)).find((list) => list.name === name)?.type
    : undefined;
  if (known.size === 0 || (typeof written !== 'string' && typeof written !== 'number')) return null;
  const number = numberIn(LIST_TYPES, written);
  const theirs = [...known].find(([, label]) => typeof written === 'string' && nameIn(LIST_TYPES, label) === written);
  if (theirs !== undefined && theirs[0] !== number)
    return {
      reason: `the type ${String(written)} would be sent as ${number}, and the platform gives it the number ${theirs[0]}`,
      remedy: `Write \`type: ${theirs[0]}\`. ${all(known)}`,
      rule: 'SHD-21',
    };
  const label = known.get(number);
  if (label === undefined)
    return {
      reason: `the platform has no access lists of the type ${String(written)}${typeof written === 'string' ? ` (number ${number})` : ''}`,
      remedy: `Write one of its types. ${all(known)}`,
      rule: 'SHD-21',
    };
  return null;
}

function all(known: ReadonlyMap<number, string>): string {
  const types = [...known].map(([number, label]) => (label === '' ? String(number) : `${number} (${label})`));
  return `It has ${types.join(', ')}.`;
}

/** Number and name of each type, in the shapes that can be told: a list of objects, of numbers, or names by number. */
function typesIn(value: Json | undefined): ReadonlyMap<number, string> {
  if (Array.isArray(value)) {
    const types = value.map((item: Json) => typeIn(item));
    return new Map(types.every((one) => one !== undefined) ? types : []);
  }
  if (!isJsonObject(value)) return new Map();
  const entries = Object.entries(value);
  const flat = entries.map(([key, item]) => pairIn(key, item));
  if (entries.length > 0 && flat.every((one) => one !== undefined)) return new Map(flat);
  // Beside other lists, or alone in a wrapping.
  const inner = entries.filter(([key]) => entries.length === 1 || /types?$/i.test(key));
  return inner.length === 1 ? typesIn(inner[0]?.[1]) : new Map();
}

type Type = readonly [number: number, label: string];

function typeIn(item: Json): Type | undefined {
  if (typeof item === 'number') return [item, ''];
  if (!isJsonObject(item)) return undefined;
  const number = [item.value, item.id, item.type, item.key].find((one) => typeof one === 'number');
  const label = [item.name, item.label, item.title, item.key].find((one) => typeof one === 'string');
  return number === undefined ? undefined : [number, label ?? ''];
}

function pairIn(key: string, item: Json): Type | undefined {
  if (typeof item === 'number') return [item, key];
  return typeof item === 'string' && /^\d{1,9}$/.test(key) ? [Number(key), item] : undefined;
}
