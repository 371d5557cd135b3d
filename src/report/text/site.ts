// How what an operator asks about a site reads in a terminal: users of its CMS, log entries.
import type { Json } from '../../model/json.ts';
import { isJsonObject } from '../../model/json.ts';
import { escapeText, quoteText } from '../view/escape.ts';
import { renderTable } from './table.ts';

interface TextOptions {
  readonly color: boolean;
}

export function renderUsers(
  users: readonly { readonly login: string; readonly displayName: string; readonly roles: string }[],
  options: TextOptions,
): string {
  if (users.length === 0) return 'The CMS has no users.';
  return renderTable(
    ['login', 'name', 'roles'],
    users.map(({ login, displayName, roles }) => [login, displayName, roles]),
    options,
  );
}

/** One line an entry: what an entry holds is not documented (GAP-61), so every key is named. */
export function renderLogEntry(entry: Json): string {
  if (typeof entry === 'string') return escapeText(entry);
  if (!isJsonObject(entry)) return showScalar(entry);
  return Object.entries(entry)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${escapeText(key)}=${showScalar(value)}`)
    .join(' ');
}

function showScalar(value: Json): string {
  if (value === null) return '-';
  // Between quotes where it could be taken for more than one value.
  if (typeof value === 'string') return /[\s"=]/.test(value) ? quoteText(value) : escapeText(value);
  return escapeText(JSON.stringify(value));
}
