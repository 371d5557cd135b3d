// How the hosts (glue records) of a registration are listed, made and replaced. Nothing removes one: no document says
// how.
import { isIP, isIPv6 } from 'node:net';
import { isRecord, notFound, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { keys } from '../../core/http/schema.ts';
import { isHostname } from '../../core/names.ts';
import { onRegistration, refuseBusy } from '../guards.ts';
import { hostView, pendingProcess } from '../present.ts';
import { carryOut } from '../processes.ts';
import type { Host, Registration } from '../state.ts';
import { countCreation, inListOrder } from '../../core/world.ts';
import type { World } from '../../core/world.ts';

function listHosts(call: Call, { hosts }: Registration): Answer {
  return ok({ hosts: inListOrder(call, hosts).map(hostView) });
}

/** GAP-52: the codes of refusals, and whether these writes wait for others, are not documented. */
function createHost(call: Call, registration: Registration): Answer {
  const { body } = call;
  refuseTurn(call, registration);
  const name = typeof body['host_name'] === 'string' ? body['host_name'].trim().toLowerCase() : '';
  const below = isHostname(name) && name.endsWith(`.${registration.name}`);
  // HST-02: a host is below the name of its registration, and has an address at least.
  if (!below) refuse(422, null, `host_name has to be below ${registration.name}`);
  const addresses = readAddresses(call, body['addresses']);
  const there = registration.hosts.find((host) => host.name === name);
  if (there !== undefined && call.ambiguities['GAP-52.repeat'] === 'refused')
    refuse(422, null, 'This host is there already');
  countCreation(call, `host ${name}`);
  return write(call, registration, { name, addresses }, 201);
}

function updateHost(call: Call, registration: Registration): Answer {
  const { body } = call;
  refuseTurn(call, registration);
  const there = registration.hosts.find((host) => host.name === call.params['host']?.toLowerCase()) ?? notFound();
  const addresses = readAddresses(call, body['addresses']);
  // HST-03: an update replaces the whole set of addresses.
  return write(call, registration, { name: there.name, addresses }, 200);
}

function refuseTurn({ ambiguities }: World, registration: Registration): void {
  if (ambiguities['GAP-52'] === 'guarded') refuseBusy(registration);
}

function write(call: Call, registration: Registration, host: Host, status: number): Answer {
  const hosts = [...registration.hosts.filter(({ name }) => name !== host.name), host];
  const before = registration.process;
  // What is not guarded does not wait in the line of processes either.
  if (before !== null || call.ambiguities['GAP-52.process'] === 'at-once') registration.hosts = hosts;
  else carryOut(call, registration, { action: 'host-update', changes: { hosts } });
  const begun = before === null && registration.process !== null;
  return ok({ host: hostView(host), ...(begun ? pendingProcess(registration) : {}) }, begun ? 202 : status);
}

function readAddresses(world: World, given: unknown): readonly string[] {
  const rows: readonly unknown[] = Array.isArray(given) ? given : [];
  const texts = rows.map((one) =>
    isRecord(one) && Object.keys(one).join() === 'address' ? String(one['address']) : '',
  );
  const wrong = texts.find((text) => isIP(text) === 0);
  if (texts.length === 0) refuse(422, null, 'addresses has to have one address at least');
  if (wrong !== undefined) refuse(422, null, `'${wrong}' is no IP address`);
  return [...new Set(world.ambiguities['GAP-52.addresses'] === 'short' ? texts.map(short) : texts)];
}

function short(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}

export const registrationHostEndpoints = onRegistration('/hosts', {
  GET: listHosts,
  POST: { body: keys('host_name', 'addresses'), handle: createHost },
  'PATCH /:host': { body: keys('addresses'), handle: updateHost },
});
