// What is said of names before they are ordered: whether one can be had and at what price, and which others there are.
import { isRecord, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { keys } from '../../core/http/schema.ts';
import { NotRead } from '../../core/copy/answers.ts';
import { isHostname } from '../../core/names.ts';
import { areaEndpoints } from '../guards.ts';
import { money } from '../present.ts';
import { tldOfName } from '../state.ts';
import type { Registration } from '../state.ts';
import { fails, refuseTld } from '../processes.ts';
import type { World } from '../../core/world.ts';

export function registered(world: World, name: string): Registration | undefined {
  return [...world.state.registrar.registrations.values()].find((one) => one.name === name);
}

export function isFree(world: World, name: string): boolean {
  const { checked } = world.state.registrar;
  if (checked?.has(name) === false && registered(world, name) === undefined)
    throw new NotRead(`whether ${name} is free`);
  return registered(world, name) === undefined && !world.state.registrar.taken.includes(name);
}

function check(call: Call): Answer {
  const { accountId, body } = call;
  // REG-32/codes: a check is refused by codes of its own.
  const name = nameOf(body['domain']);
  if (name === '') refuse(422, 'missing_domain', 'domain is missing');
  if (!isHostname(name)) refuse(422, 'invalid_domain', 'domain is not fully qualified');
  const free = isFree(call, name);
  const tld = tldOfName(call, name) ?? refuse(422, 'unknown_tld', 'This TLD is unknown');
  refuseTld(tld);
  if (fails(call, 'lookup')) refuse(502, 'request_failed', 'The registry does not answer');
  // REG-32/price: a name without a price is not available, whatever the registry says.
  const priced = tld.registerCents !== null;
  const reason = free ? (priced ? null : 'There is no price') : 'The name is in use';
  return ok({
    domain: name,
    available: free && priced,
    premium: call.state.registrar.premium.includes(name),
    owned_by_account: registered(call, name)?.accountId === accountId,
    reason,
    // REG-32: a check answers price and transfer_price, both always there.
    price: money(tld.registerCents),
    transfer_price: money(tld.transferCents),
  });
}

function suggest(call: Call): Answer {
  const { body } = call;
  // REG-33: suggestions need a base, a key and a registrar, and have a code for each.
  const name = nameOf(body['domain']);
  if (name === '') refuse(422, 'missing_domain', 'domain is missing');
  if (!call.state.registrar.suggestionsKey) refuse(503, 'missing_api_key', 'Suggestions are not configured');
  if (fails(call, 'suggestions')) refuse(502, 'registrar_unavailable', 'The registrar does not answer');
  const [base = name] = name.split('.');
  const priced = call.state.registrar.tlds.filter(
    ({ registrar, registerCents }) => registrar !== null && registerCents !== null,
  );
  const suggestions = priced.map((tld) => ({
    domain: `${base}.${tld.name}`,
    tld: tld.name,
    source: 'spinner',
    available: isFree(call, `${base}.${tld.name}`),
    price: money(tld.registerCents),
  }));
  return ok({ domain: name, suggestions });
}

export function nameOf(given: unknown): string {
  return typeof given === 'string' ? given.trim().toLowerCase().replace(/\.$/, '') : '';
}

/** The key of the registrant in the order of a domain, or of a change of registrant. */
export function recordAt(body: Record<string, unknown>, key: string): Record<string, unknown> | undefined {
  const value = body[key];
  return isRecord(value) ? value : undefined;
}

const read = { scope: 'domains:read', demand: 'read', body: keys('domain') } as const;

export const registrationSearchEndpoints = areaEndpoints('/api/domain_registrations', {
  'POST /check': { ...read, handle: check },
  'POST /suggestions': { ...read, handle: suggest },
});
