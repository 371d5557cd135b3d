// How the settings of a registration are changed that hold no data of persons: name servers, lock, privacy, DNSSEC.
import { isRecord, refuse, refuseWith } from '../../core/http/endpoint.ts';
import type { Answer, Call } from '../../core/http/endpoint.ts';
import { any, boolean, keys, oneOf } from '../../core/http/schema.ts';
import type { Value } from '../../core/http/schema.ts';
import { onRegistration, refuseStatus } from '../guards.ts';
import { changed, money } from '../present.ts';
import { carryOut } from '../processes.ts';
import type { Change } from '../processes.ts';
import { tldOfName } from '../state.ts';
import type { DnssecKey, Registration } from '../state.ts';
import type { World } from '../../core/world.ts';

export function paymentRequired({ id }: Registration, role: 'privacy' | 'registrant_change', cents: number): never {
  // CNV-21/portal: a price on a change comes with the price, a portal and a remediation.
  const extra = {
    price: { ...money(cents), role },
    portal_url: `https://portal.sandbox.example/registrations/${id}`,
    remediation: 'Buy it at the portal',
  };
  return refuseWith(extra, 402, 'payment_required', 'This change has a price');
}

export function change(call: Call, registration: Registration, wanted: Change): Answer {
  refuseStatus(call, registration);
  carryOut(call, registration, wanted);
  return changed(call, registration);
}

function writeNameservers(call: Call, registration: Registration): Answer {
  const { body } = call;
  const given = Array.isArray(body['nameservers'])
    ? body['nameservers'].map(String).filter((one) => one.trim() !== '')
    : [];
  // REG-14: name servers are written whole, and there has to be one.
  if (given.length === 0) refuse(422, 'nameservers_required', 'There has to be a name server');
  const tidy = given.map((one) => one.trim().toLowerCase().replace(/\.$/, ''));
  const glueless = tidy.find(
    (one) => one.endsWith(`.${registration.name}`) && !registration.hosts.some(({ name }) => name === one),
  );
  if (glueless !== undefined && call.ambiguities['GAP-52.glue'] === 'needed')
    refuse(422, null, `${glueless} is not a host`);
  return change(call, registration, {
    action: 'domain-update-nameservers',
    changes: { nameservers: call.ambiguities.nameservers === 'tidied' ? [...new Set(tidy)].sort() : given },
  });
}

function writeLock(call: Call, registration: Registration): Answer {
  const { locked } = call.body;
  if (tldOfName(call, registration.name)?.lock !== true) refuse(422, 'lock_unsupported', 'This TLD has no lock');
  if (registration.serverTransferProhibited)
    refuse(422, 'server_transfer_prohibited', 'The registry prohibits transfers');
  return change(call, registration, { action: 'domain-update-lock', changes: { locked: locked === true } });
}

function writePrivacy(call: Call, registration: Registration): Answer {
  const wanted = call.body['privacy_protect'];
  const tld = tldOfName(call, registration.name);
  if (tld?.privacy !== true) refuse(422, 'privacy_unsupported', 'This TLD has no privacy');
  const cents = tld?.privacyCents ?? null;
  const costs = wanted === true && !registration.privacyProtect && !registration.privacyPaid && cents !== null;
  // REG-16/metered: switching privacy on where it costs answers 402, switching it off is free.
  if (costs) paymentRequired(registration, 'privacy', cents);
  return change(call, registration, { action: 'domain-update-privacy', changes: { privacyProtect: wanted === true } });
}

function writeDnssec(call: Call, registration: Registration): Answer {
  const { body } = call;
  const { mode } = body;
  if (tldOfName(call, registration.name)?.dnssec !== true) refuse(422, null, 'This TLD has no DNSSEC');
  if (mode === 'disable')
    return change(call, registration, {
      action: 'domain-update-dnssec',
      changes: { dnssecEnabled: false, dnssecKeys: [] },
    });
  const keys = readKeys(body['key_data']);
  if (keys.length === 0) refuse(422, 'dnssec_no_keys', 'key_data is missing');
  return change(call, registration, {
    action: 'domain-update-dnssec',
    changes: keysAfter(call, registration, mode, keys),
  });
}

/** GAP-54: how enabling and adding differ, and what enabling twice does, is not documented. */
function keysAfter(
  { ambiguities }: World,
  { dnssecEnabled, dnssecKeys }: Registration,
  mode: unknown,
  keys: readonly DnssecKey[],
): Pick<Registration, 'dnssecEnabled' | 'dnssecKeys'> {
  const adds = mode === 'add_keys';
  const reading = ambiguities[adds ? 'GAP-54.add' : 'GAP-54'];
  if (adds !== dnssecEnabled && reading === 'refused') refuse(422, null, 'DNSSEC does not allow this now');
  return {
    dnssecEnabled: dnssecEnabled || reading !== 'stays-off',
    dnssecKeys: adds || (dnssecEnabled && reading === 'adds') ? [...dnssecKeys, ...keys] : keys,
  };
}

/** Keys that lack a part do not count. */
function readKeys(given: unknown): readonly DnssecKey[] {
  const rows: readonly unknown[] = Array.isArray(given) ? given : [];
  return rows.flatMap((one) => {
    if (!isRecord(one)) return [];
    const { flags, algorithm, publicKey } = one;
    const whole =
      Number.isInteger(flags) &&
      Number.isInteger(algorithm) &&
      typeof publicKey === 'string' &&
      /^[A-Za-z0-9+/]+={0,2}$/.test(publicKey);
    return whole ? [{ flags: flags as number, algorithm: algorithm as number, publicKey }] : [];
  });
}

const flag: Value = { ...boolean, required: true, code: 'invalid_param' };

export const registrationSettingEndpoints = onRegistration('', {
  'PATCH /nameservers': { demand: 'queued', body: keys('nameservers'), handle: writeNameservers },
  // REG-15: a lock needs a boolean, a TLD that has locks, and a registry that lets it move.
  'PATCH /lock': { demand: 'queued', body: { locked: flag }, handle: writeLock },
  // REG-16: privacy needs a boolean and a TLD that has it.
  'PATCH /privacy': { demand: 'queued', body: { privacy_protect: flag }, handle: writePrivacy },
  'PATCH /dnssec': {
    demand: 'queued',
    // REG-17: DNSSEC takes one of three modes, two of them with keys.
    body: { mode: { ...oneOf('enable', 'disable', 'add_keys'), code: 'invalid_mode' }, key_data: any },
    handle: writeDnssec,
  },
});
