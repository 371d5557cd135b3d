// What a message of the platform may say: a callback of an order, or an event of a billing plan. Only what is named here
// is taken from it, and nothing of it is believed: it tells where to look.
import { createHash } from 'node:crypto';
import { isJsonObject } from '../model/json.ts';
import type { Json, JsonObject } from '../model/json.ts';

/** The kinds of roots that events are about. */
export type EventKind = 'Site' | 'PanelAccount' | 'DomainRegistration';

export interface Message {
  /** The same for each sending of it, and for nothing else. */
  readonly key: string;
  /** Whose it is: the first of these that is known (CBK-17). */
  readonly accounts: readonly string[];
  /** In words: `the site shop was resized`. */
  readonly says: string;
  /** Absent: a callback, which names no order (CBK-05). */
  readonly event?: {
    readonly kind: EventKind;
    readonly id: string;
    readonly name: string;
    readonly action: string;
  };
}

/** What cannot be a message, in words for whoever set it up. */
export class NoMessage extends Error {}

const LONGEST_TEXT = 300;

/** CBK-12 */
const SERVICE_ACTIONS = ['created', 'resized', 'owner_change', 'deleted'];

interface Block {
  readonly kind: EventKind;
  readonly words: string;
  readonly actions: readonly string[];
  readonly idAt: string;
  readonly nameAt: string;
  /** Beside id and action, what tells one event from another (CBK-11). */
  readonly mark: (block: JsonObject) => string;
}

/** CBK-10: the name of the block says what the event is about, the action alone does not. */
const BLOCKS: Readonly<Record<string, Block>> = {
  site: {
    kind: 'Site',
    words: 'site',
    actions: SERVICE_ACTIONS,
    idAt: 'id',
    nameAt: 'name',
    mark: ({ subscription }) => inside(subscription, 'updated_at'),
  },
  panel_account_link: {
    kind: 'PanelAccount',
    words: 'panel account',
    actions: SERVICE_ACTIONS,
    idAt: 'panel_username',
    nameAt: 'panel_username',
    // It has no time (CBK-16). What it was resized to tells two changes apart.
    mark: ({ subscription }) => inside(isJsonObject(subscription) ? subscription.product : undefined, 'id'),
  },
  domain: {
    kind: 'DomainRegistration',
    words: 'domain',
    // CBK-14
    actions: [
      'registered',
      'transferred_in',
      'renewed',
      'restored',
      'registrant_change',
      'privacy_enabled',
      'local_contact_added',
      'transferred_out',
      'expired',
      'redemption',
      'purged',
      'privacy_disabled',
      'local_contact_removed',
      'auto_renew_enabled',
      'auto_renew_disabled',
    ],
    idAt: 'id',
    nameAt: 'name',
    mark: (block) => inside(block, 'expires_at'),
  },
};

/** The callback of an order of this account (CBK-02). Throws {@link NoMessage}. */
export function readCallback(account: string, body: Json): Message {
  if (!isJsonObject(body)) throw new NoMessage('The body is no JSON object.');
  const { timestamp, success, data = null } = body;
  if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp))
    throw new NoMessage('`timestamp` of a callback is a whole number of seconds.');
  if (typeof success !== 'boolean') throw new NoMessage('`success` of a callback is true or false.');
  if (data !== null && typeof data !== 'string') throw new NoMessage('`data` of a callback is a text.');
  return {
    // Two tasks may have begun in one second: their timestamp alone would make one of them (CBK-03).
    key: keyOf(['callback', account, String(timestamp), String(success), data ?? '']),
    accounts: [account],
    says: `the task of an order has ended${success ? '' : ', and is said to have failed'}`,
  };
}

/** An event of a billing plan. Throws {@link NoMessage}. */
export function readEvent(body: Json): Message {
  if (!isJsonObject(body)) throw new NoMessage('The body is no JSON object.');
  const names = Object.keys(BLOCKS).filter((name) => Object.hasOwn(body, name));
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new NoMessage(`An event has exactly one of ${listed(Object.keys(BLOCKS))}; this has ${listed(names)}.`);
  const { kind, words, actions, idAt, nameAt, mark } = BLOCKS[name] as Block;
  const block = body[name];
  if (!isJsonObject(block)) throw new NoMessage(`\`${name}\` is no JSON object.`);
  const { action } = body;
  if (typeof action !== 'string' || !actions.includes(action))
    throw new NoMessage(
      `\`action\` of a ${words} is one of ${actions.join(', ')}; this is ${JSON.stringify(action ?? null).slice(0, LONGEST_TEXT)}.`,
    );
  const id = textAt(block, name, idAt);
  const called = textAt(block, name, nameAt);
  const owner = block.sub_account === undefined ? [] : [accountIn(block, name, 'sub_account')];
  return {
    key: keyOf([name, id, action, mark(block)]),
    // CBK-17: of a sub-account, `account` is the parent that pays.
    accounts: [...owner, accountIn(block, name, 'account')],
    says: `${words} ${called}: ${action.replaceAll('_', ' ')}`,
    event: { kind, id, name: called, action },
  };
}

function accountIn(block: JsonObject, name: string, field: string): string {
  const account = block[field];
  if (!isJsonObject(account)) throw new NoMessage(`\`${name}.${field}\` is no JSON object.`);
  return textAt(account, `${name}.${field}`, 'id');
}

/** Ids are texts; a number is as good. */
function textAt(block: JsonObject, name: string, field: string): string {
  const value = block[field];
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > LONGEST_TEXT || /\p{Cc}/u.test(text))
    throw new NoMessage(`\`${name}.${field}\` is a text of 1 to ${LONGEST_TEXT} characters, on one line.`);
  return text;
}

function inside(value: Json | undefined, field: string): string {
  return isJsonObject(value) ? JSON.stringify(value[field] ?? null) : '';
}

/** As long for a long message as for a short one: many are remembered. */
function keyOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ');
}
