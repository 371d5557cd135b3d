// How contacts read in a terminal. What a validation holds is not documented (GAP-50), so it is shown as it comes.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { renderLogEntry } from './site.ts';
import type { Cell } from './table.ts';
import { renderTable } from './table.ts';

interface TextOptions {
  readonly color: boolean;
}

/** Registrations that a row of the list names; `show` names them all. */
const NAMED = 3;
const ALL_ROLES = 4;

/** A contact and the registrations that use it. */
export interface ShownContact {
  readonly contact: JsonObject;
  readonly usedBy: readonly { readonly registration: string; readonly roles: readonly string[] }[];
}

export function renderContacts(contacts: readonly ShownContact[], options: TextOptions): string {
  if (contacts.length === 0) return 'There are no contacts.';
  const rows = contacts.map(({ contact, usedBy }): readonly Cell[] => {
    const more = usedBy.length - NAMED;
    const used = `${usedBy.slice(0, NAMED).map(inWords).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return [
      asCell(contact.id),
      asCell(contact.handle),
      nameOf(contact),
      asCell(contact.email),
      used,
      asCell(contact.validations),
    ];
  });
  return renderTable(['id', 'handle', 'name', 'email', 'used by', 'validations'], rows, options);
}

export function renderContact({ contact, usedBy }: ShownContact, options: TextOptions): string {
  const uses = usedBy.map((use): readonly Cell[] => ['used by', inWords(use)]);
  return renderTable(
    ['contact', ''],
    [
      ...Object.entries(contact).map(([key, value]): readonly Cell[] => [key, asCell(value)]),
      ...(uses.length === 0 ? [['used by', 'no registration']] : uses),
    ],
    options,
  );
}

function inWords({ registration, roles }: ShownContact['usedBy'][number]): string {
  return `${registration} (${roles.length === ALL_ROLES ? 'all roles' : roles.join(', ')})`;
}

function nameOf({ first_name: first, last_name: last, organization }: JsonObject): string {
  const person = [first, last].flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : [])).join(' ');
  return typeof organization === 'string' && organization !== '' ? `${person} (${organization})` : person;
}

function asCell(value: Json | undefined): Cell {
  if (Array.isArray(value)) return value.map((item: Json) => renderLogEntry(item)).join('; ');
  return isJsonObject(value) ? renderLogEntry(value) : (value as Cell);
}
