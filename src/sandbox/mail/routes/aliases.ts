// Decides how aliases are listed, made and removed. An alias is no object: it is an entry in the set of its target.
// Must not know what a mailbox or a group is beyond its addresses.
import { isRecord, ok, refuse, unknownKeys } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { isListed, lateness } from '../../core/consistency-lag.ts';
import { domainOf, readAddress } from '../names.ts';
import { fails, findAliasTarget, findPrimary, isTaken, mailWrite, readPrincipals } from '../server.ts';
import type { Principal, WriteCodes } from '../server.ts';
import type { Mailspace } from '../state.ts';
import { aliasRow } from '../present.ts';
import { rule } from '../../rules/rules.ts';
import { countCreation } from '../../core/world.ts';
import type { World } from '../../core/world.ts';
import { ignoresPaging } from '../../core/http/paging.ts';

const sortedAndFiltered = rule('ALS-01', 'the list is sorted by alias, filtered by alias or target');
const strict = rule('ALS-02', 'aliases that cannot be read are a 503, never an empty list');
const primaryTarget = rule('ALS-03', 'a target is a primary address, not an alias');
const shortAnswer = rule('ALS-04', 'a create answers address and target, lower-cased');
const repeatable = rule('ALS-05', 'the same create may be repeated');
const blanks = rule('ALS-05/blank', 'a missing address or target has a code of its own');
const anyCase = rule('ALS-07', 'an alias is removed whatever the case of its address, and the answer says which');
const authoritative = rule('ALS-08', 'an address that is no alias, primary ones too, answers 404 unknown_alias');
const outcomes = rule('ALS-09', 'a removal is refused with 422, a write without an answer is a 503');
const checkedByReading = rule('ALS-09/check', 'a write whose check cannot be made is a 503, and nothing is done');

function codesFor(world: World, refused: string): WriteCodes {
  const known = world.rules.on(outcomes);
  return {
    before: 'aliases_unavailable',
    after: known ? 'aliases_unavailable' : 'mailhost_unavailable',
    refused: known ? refused : 'failed',
  };
}

function refuseUnchecked(world: World, space: Mailspace): Answer | undefined {
  const unread = fails(space, 'aliases') && world.rules.on(checkedByReading);
  return unread ? refuse(world, 503, 'aliases_unavailable', 'The aliases cannot be read') : undefined;
}

function listAliases(call: Call, space: Mailspace): Answer {
  const { world, query } = call;
  if (fails(space, 'aliases'))
    return world.rules.on(strict)
      ? refuse(world, 503, 'aliases_unavailable', 'The aliases cannot be read')
      : ok({ aliases: [] });
  const needle = query.get('q')?.toLowerCase() ?? '';
  const pairs = readPrincipals(world, space).flatMap(({ aliases, email }) =>
    aliases.map((address) => ({ address, email })),
  );
  const filtered = pairs.filter(
    ({ address, email }) => address.includes(needle) || email.includes(needle) || !world.rules.on(sortedAndFiltered),
  );
  const listed = filtered.filter(({ address }) =>
    isListed(world, { hidden: space.late.get(`alias ${address}`) ?? null }),
  );
  const addresses = listed.map(({ address }) => address);
  if (world.rules.on(sortedAndFiltered)) addresses.sort();
  return ok({ aliases: ignoresPaging(call, addresses).map((address) => aliasRow(space, address)) });
}

function createAlias(call: Call, space: Mailspace): Answer {
  const { world } = call;
  const body = isRecord(call.body) ? call.body : {};
  const refusal = unknownKeys(world, body, ['address', 'domain', 'target_email']);
  if (refusal !== undefined) return refusal;
  const [address, target] = [textOf(body['address']), textOf(body['target_email'])];
  const blank = (code: string): Answer =>
    refuse(
      world,
      world.rules.on(blanks) ? 400 : 422,
      world.rules.on(blanks) ? code : 'invalid_alias',
      'An alias needs address and target_email',
    );
  if (address === '') return blank('address_blank');
  if (target === '') return blank('target_blank');
  const domain = textOf(body['domain']);
  return (
    refuseUnchecked(world, space) ??
    place(world, space, readAddress(address, domain === '' ? space.domain : domain), target.toLowerCase())
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function place(world: World, space: Mailspace, alias: string | undefined, targetEmail: string): Answer {
  const invalid = (message: string): Answer => refuse(world, 422, 'invalid_alias', message);
  if (alias === undefined) return invalid('The address is invalid');
  if (!space.domains.some(({ name }) => name === domainOf(alias)))
    return invalid('The domain is not one of the mailspace');
  const target = findTarget(world, space, targetEmail);
  if (target === undefined) return invalid('The target is not a mailbox, group or list');
  const repeats = target.aliases.includes(alias);
  if (isTaken(world, space, alias, target) || alias === target.email || (repeats && !world.rules.on(repeatable)))
    return invalid('The address is in use');
  return mailWrite(world, space, codesFor(world, 'invalid_alias'), () => {
    if (!repeats) {
      target.aliases.push(alias);
      const hidden = lateness(world);
      if (hidden !== null) space.late.set(`alias ${alias}`, hidden);
      countCreation(world, `alias ${alias} on ${space.domain}`);
    }
    return ok(
      { alias: world.rules.on(shortAnswer) ? { address: alias, target_email: target.email } : aliasRow(space, alias) },
      201,
    );
  });
}

/** A mailbox that waits to be deleted is none. */
function findTarget(world: World, space: Mailspace, address: string): Principal | undefined {
  const found =
    findPrimary(space, address) ?? (world.rules.on(primaryTarget) ? undefined : findAliasTarget(space, address));
  return found?.kind === 'mailbox' && found.status === 'pending_deletion' ? undefined : found;
}

function removeAlias(call: Call, space: Mailspace): Answer {
  const { world } = call;
  const given = call.params['address'] ?? '';
  const address = world.rules.on(anyCase) ? given.toLowerCase() : given;
  const target = findAliasTarget(space, address);
  const unchecked = refuseUnchecked(world, space);
  if (unchecked !== undefined) return unchecked;
  if (target === undefined)
    return refuse(world, world.rules.on(authoritative) ? 404 : 422, 'unknown_alias', 'There is no such alias');
  return mailWrite(world, space, codesFor(world, 'alias_remove_failed'), () => {
    target.aliases = target.aliases.filter((one) => one !== address);
    return ok({ deleted: true, address, target_email: target.email });
  });
}

const PATH = '/api/mailspace/:mailspace/aliases';

export const mailAliasEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: PATH, scope: 'mailspace:read', mailspace: 'inside', handle: listAliases },
  { method: 'POST', path: PATH, scope: 'mailspace:write', mailspace: 'inside', handle: createAlias },
  { method: 'DELETE', path: `${PATH}/:address`, scope: 'mailspace:write', mailspace: 'inside', handle: removeAlias },
];
