// The requests of a site's hostname: attach, promote, detach, and the reads that confirm them.
import type { Address } from '../../../../model/address.ts';
import type { LookUp, Reference, WaitFor, Step } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { LOST_CREATE_MS, removal } from '../../../common/steps.ts';

const LISTED_WITHIN_MS = 120_000;

/** Attaches a hostname and waits until the site lists it. */
export function attachSteps(self: Address, site: Address, hostname: string, method: 'dns' | 'cname'): readonly Step[] {
  // The only answer that ever tells the name servers or the CNAME target (DOM-07); whoever publishes the record needs
  // it (O-16).
  const capture: Record<string, string> =
    method === 'dns' ? { id: '/id', ns1: '/ns1', ns2: '/ns2' } : { id: '/id', cname: '/cname' };
  return [
    {
      do: 'request',
      name: 'attach',
      method: 'POST',
      path: path`/api/sites/${ref(site)}/domains`,
      body: { domain: hostname, provision_method: method },
      idempotent: false,
      answers: [
        { status: '2xx', has: '/id', then: 'done', capture },
        { status: '2xx', then: 'look-up', rule: 'DOM-07' },
      ],
      // A lost response is confirmed by listing hostnames, never by sending the request again (DOM-16).
      recovery: {
        lookUp: listedBy(site, { pointer: '/hostname', value: hostname, as: 'hostname' }),
        ifNotFound: 'ask',
        graceMs: LOST_CREATE_MS,
        rule: 'DOM-16',
      },
      reason: `attach the hostname by ${method === 'dns' ? 'name servers' : 'CNAME'}`,
      rule: 'DOM-06',
    },
    {
      do: 'wait-for',
      name: 'listed',
      waitFor: until(
        true,
        listedBy(site, { pointer: '/id', value: ref(self) }),
        'the list of the site shows the hostname',
      ),
    },
  ];
}

/** Makes a hostname the primary one. After an attach (`mayBePrimary`) the platform may have done it already. */
export function promoteSteps(self: Address, site: Address, hostname: string, mayBePrimary: boolean): readonly Step[] {
  const isPrimary: LookUp = {
    read: path`/api/sites`,
    rows: '/sites',
    where: [
      { pointer: '/id', value: ref(site) },
      { pointer: '/primary_domain', value: hostname, as: 'hostname' },
    ],
    capture: {},
  };
  return [
    {
      do: 'request',
      name: 'promote',
      method: 'PATCH',
      path: path`/api/sites/${ref(site)}/domains/${ref(self)}`,
      idempotent: true,
      answers: [{ status: '2xx', then: 'done' }],
      // After a create this follows the attach in the same action, whose answer gives the id (O-12).
      ...(mayBePrimary && {
        skipIf: { lookUp: isPrimary, reason: 'the first domain of a site becomes primary by itself', rule: 'DOM-08' },
      }),
      reason: 'make it the primary domain; the previous one becomes an alias',
      rule: 'DOM-09',
    },
    { do: 'wait-for', name: 'primary', waitFor: until(true, isPrimary, 'the site names it as its primary domain') },
  ];
}

/** Detaches a hostname and waits until the site no longer lists it. */
export function detachSteps(self: Address, site: Address): readonly Step[] {
  const gone = until(
    false,
    listedBy(site, { pointer: '/id', value: ref(self) }),
    'the list of the site no longer shows the hostname',
  );
  return removal({
    name: 'detach',
    // Singular for this verb only; the plural is another route (DOM-10, GAP-17).
    path: path`/api/sites/${ref(site)}/domain/${ref(self)}`,
    // Gone already, or the site is: the list tells (SIT-17).
    gone,
    reason: 'detach the hostname',
    rule: 'DOM-10',
  });
}

/** Waits until no other site has a hostname that was detached: it is never taken from a third one (O-14, GAP-19). */
export function freeStep(hostname: string, site: Address): Step {
  const elsewhere: LookUp = {
    read: path`/api/domains`,
    rows: '/domains',
    where: [
      { pointer: '/hostname', value: hostname, as: 'hostname' },
      { pointer: '/site_id', value: null, not: true },
      // It may be here already, by a request whose answer was lost.
      { pointer: '/site_id', value: ref(site), not: true },
    ],
    capture: {},
  };
  return { do: 'wait-for', name: 'free', waitFor: until(false, elsewhere, 'no other site has the hostname') };
}

function listedBy(
  site: Address,
  condition: { readonly pointer: string; readonly value: string | Reference; readonly as?: 'hostname' },
): LookUp {
  return {
    read: path`/api/sites/${ref(site)}/domains`,
    rows: '/domains',
    where: [condition],
    capture: condition.as === 'hostname' ? { id: '/id' } : {},
  };
}

function until(found: boolean, lookUp: LookUp, reason: string): WaitFor {
  return { how: 'until', found, lookUp, deadlineMs: LISTED_WITHIN_MS, reason };
}
