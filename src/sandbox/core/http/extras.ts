// Which unknown keys ride along in answers (GAP-59): later versions of the platform add keys, and no client may mind.
import { isRecord } from './endpoint.ts';

/** A name that nobody would ever declare. */
const EXTRA = { x_sandbox_extra: { since: 'a later version' } };

/** Adds a key to the answer and to each resource right below it. */
export function withExtraKeys(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(extended);
  if (!isRecord(body)) return body;
  const inner = Object.entries(body).map(([key, value]) => {
    if (Array.isArray(value)) return [key, value.map(extended)];
    return [key, RESOURCES.has(key) ? extended(value) : value];
  });
  return { ...(Object.fromEntries(inner) as Record<string, unknown>), ...EXTRA };
}

const RESOURCES = new Set([
  'site',
  'domain',
  'task',
  'order',
  'account',
  'mailspace',
  'mailbox',
  'group',
  'alias',
  'panel_account',
  'user',
  'domain_registration',
  'domain_contact',
  'host',
]);

function extended(value: unknown): unknown {
  return isRecord(value) ? { ...value, ...EXTRA } : value;
}
