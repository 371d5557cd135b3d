// How aliases are listed, made and removed. An alias is no object: it is an entry in the set of its target.
import { ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { isUnread } from '../../core/copy/answers.ts';
import { any, filledText } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { mailspaceEndpoints } from '../guards.ts';
import { domainOf, readAddress } from '../../core/names.ts';
import {
  fails,
  findAliasTarget,
  findPrimary,
  isServed,
  isTaken,
  mailWrite,
  readPrincipals,
  remember,
  shows,
} from '../server.ts';
import type { Principal, WriteCodes } from '../server.ts';
import type { Mailspace } from '../state.ts';
import { aliasRow } from '../present.ts';

function codesFor(refused: string): WriteCodes {
  // ALS-09: a removal is refused with 422, a write without an answer is a 503.
  return { before: 'aliases_unavailable', after: 'aliases_unavailable', refused };
}

/** ALS-09/check: a write whose check cannot be made is a 503, and nothing is done. */
function refuseUnread(space: Mailspace): void {
  // ALS-02: aliases that cannot be read are a 503, never an empty list.
  if (fails(space, 'aliases')) refuse(503, 'aliases_unavailable', 'The aliases cannot be read');
}

function listAliases(call: Call, space: Mailspace): Answer {
  const { query } = call;
  refuseUnread(space);
  const needle = query.get('q')?.toLowerCase() ?? '';
  if (space.shownAliases !== undefined && (isUnread(space, 'mailboxes') || isUnread(space, 'groups')))
    return ok({ aliases: space.shownAliases });
  const pairs = readPrincipals(space).flatMap(({ aliases, email }) => aliases.map((address) => ({ address, email })));
  // ALS-01: the list is sorted by alias, filtered by alias or target.
  const filtered = pairs.filter(({ address, email }) => address.includes(needle) || email.includes(needle));
  const listed = filtered.filter(({ address }) => shows(call, space, 'alias', address));
  const addresses = listed.map(({ address }) => address);
  addresses.sort();
  return ok({ aliases: addresses.map((address) => aliasRow(space, address)) });
}

const BODY: Properties = {
  // ALS-05/blank: a missing address or target has a code of its own.
  address: { ...filledText, status: 400, code: 'address_blank' },
  target_email: { ...filledText, status: 400, code: 'target_blank' },
  domain: any,
};

function createAlias(call: Call, space: Mailspace): Answer {
  const [given, targetEmail, domain] = ['address', 'target_email', 'domain'].map((key) => textOf(call.body[key]));
  refuseUnread(space);
  const invalid = (message: string): never => refuse(422, 'invalid_alias', message);
  const address = readAddress(given ?? '', domain || space.domain) ?? invalid('The address is invalid');
  if (!isServed(space, domainOf(address))) invalid('The domain is not one of the mailspace');
  const target =
    findTarget(space, (targetEmail ?? '').toLowerCase()) ?? invalid('The target is not a mailbox, group or list');
  if (isTaken(call, space, address, target) || address === target.email) invalid('The address is in use');
  return mailWrite(space, codesFor('invalid_alias'), () => {
    // ALS-05: the same create may be repeated.
    if (!target.aliases.includes(address)) {
      target.aliases.push(address);
      remember(call, space, 'alias', address);
    }
    // ALS-04: a create answers address and target, lower-cased.
    return ok({ alias: { address, target_email: target.email } }, 201);
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** A mailbox that waits to be deleted is none. */
function findTarget(space: Mailspace, address: string): Principal | undefined {
  // ALS-03: a target is a primary address, not an alias.
  const found = findPrimary(space, address);
  return found?.kind === 'mailbox' && found.status === 'pending_deletion' ? undefined : found;
}

function removeAlias(call: Call, space: Mailspace): Answer {
  // ALS-07: an alias is removed whatever the case of its address, and the answer says which.
  const address = (call.params['address'] ?? '').toLowerCase();
  refuseUnread(space);
  // ALS-08: an address that is no alias, primary ones too, answers 404 unknown_alias.
  const target = findAliasTarget(space, address) ?? refuse(404, 'unknown_alias', 'There is no such alias');
  return mailWrite(space, codesFor('alias_remove_failed'), () => {
    target.aliases = target.aliases.filter((one) => one !== address);
    return ok({ deleted: true, address, target_email: target.email });
  });
}

export const mailAliasEndpoints = mailspaceEndpoints('/aliases', 'inside', {
  GET: listAliases,
  POST: { body: BODY, handle: createAlias },
  'DELETE /:address': removeAlias,
});
