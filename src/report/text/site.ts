// How what an operator asks about a site reads in a terminal: tasks, users, mail, log entries.
import type { Json, JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { escapeText, quoteText } from '../view/escape.ts';
import type { Cell } from './table.ts';
import { renderTable } from './table.ts';

interface TextOptions {
  readonly color: boolean;
}

export function renderTasks(tasks: readonly JsonObject[], options: TextOptions): string {
  if (tasks.length === 0) return 'There are no tasks.';
  const rows = tasks.map((task) => [
    cell(task.id),
    cell(task.name),
    cell(task.status),
    cell(task.created_at),
    cell(valueAt(task, '/performed_by/name')),
  ]);
  return renderTable(['id', 'name', 'status', 'created', 'by'], rows, options);
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

const MAIL_ROWS = [
  ['status', '/status'],
  ['configured', '/configured'],
  ['sends as', '/sender_identity/from_email'],
  ['name', '/sender_identity/from_name'],
  ['stored local part', '/sender_identity/mail_from_local_part'],
  ['stored name', '/sender_identity/mail_from_name'],
  ['DKIM domain', '/sender_identity/dkim_domain'],
  ['DNS verdict', '/dns/verdict'],
  ['SPF', '/dns/spf_verified'],
  ['DKIM', '/dns/dkim_verified'],
  ['domain lockdown', '/dns/lockdown_verified'],
  ['predicted', '/dns/locally_checked'],
  ['checked', '/dns/checked_at'],
  ['suspended', '/suspension/suspended'],
  ['reason', '/suspension/reason'],
  ['suspended since', '/suspension/suspended_at'],
  ['may be lifted', '/suspension/can_self_unsuspend'],
  ['unblocks left', '/suspension/remaining_self_unsuspends'],
] as const;

export function renderMail(mail: JsonObject, options: TextOptions): string {
  return renderTable(
    ['mail', ''],
    MAIL_ROWS.map(([name, pointer]) => [name, cell(valueAt(mail, pointer))]),
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

function cell(value: Json | undefined): Cell {
  return typeof value === 'object' ? null : value;
}
