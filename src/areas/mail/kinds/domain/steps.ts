// The requests of a mail domain: add, describe, remove, and the reads that confirm them. It must not verify one: the end
// of that path is not documented (GAP-38).
import type { Address } from '../../../../model/address.ts';
import type { LookUp, Step } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { LOST_GRACE_MS } from '../guards.ts';
import type { MailDomainSpec } from './spec.ts';
import { removal } from '../../../common/steps.ts';
import { until, readBack, change } from '../../../common/steps.ts';

/** Adds a domain. The same answer says that it is served, or that it waits for a TXT record (MDM-07). */
export function addSteps(
  self: Address,
  mailspace: Address,
  { name = '', description }: Partial<MailDomainSpec>,
): readonly Step[] {
  const served: LookUp = {
    read: path`/api/mailspace/${ref(mailspace)}/domains`,
    rows: '/domains',
    where: [{ pointer: '/name', value: name, as: 'hostname' }],
    capture: { id: '/name' },
  };
  return [
    {
      do: 'request',
      name: 'add',
      method: 'POST',
      path: path`/api/mailspace/${ref(mailspace)}/domains`,
      body: { name, ...(description !== undefined && description !== '' && { description }) },
      idempotent: false,
      answers: [
        {
          status: '2xx',
          has: '/domain/verification',
          then: 'pending-external',
          capture: {
            id: '/domain/name',
            txtHost: '/domain/verification/txt_host',
            txtValue: '/domain/verification/txt_value',
          },
          reason:
            'it is added, and takes no mail before its owner is proven: publish the TXT record {txtHost} with the value {txtValue}, then run again',
          rule: 'MDM-07',
        },
        {
          status: '2xx',
          has: '/domain/name',
          then: 'wait-for',
          capture: { id: '/domain/name' },
          waitFor: until(true, served, 'the mailspace lists the domain'),
          rule: 'MDM-07',
        },
        // In our own list it is done; else another mailspace has it (MDM-16).
        { status: 409, code: 'domain_exists', then: 'look-up', rule: 'MDM-16' },
        {
          status: 409,
          code: 'domain_pending_verification',
          then: 'pending-external',
          reason: 'it was added before and is not verified; the next plan says which record to publish',
          rule: 'MDM-16',
        },
      ],
      recovery: { lookUp: served, ifNotFound: 'send-again', guarded: 'MDM-16', graceMs: LOST_GRACE_MS, rule: 'O-73' },
      reason: 'add the domain; adding it twice is refused',
      rule: 'MDM-06',
    },
  ];
}

export function describeSteps(self: Address, mailspace: Address, description: string): readonly Step[] {
  return [
    change({
      name: 'describe',
      method: 'PATCH',
      path: path`/api/mailspace/${ref(mailspace)}/domains/${ref(self)}`,
      body: { description },
      reason: description === '' ? 'take the description away' : 'set the description',
      rule: 'MDM-10',
    }),
    readBack('the answer may be what was known before', 'MDM-10'),
  ];
}

/** Removes a domain, with the DNS records that the service wrote for it (MDM-12). */
export function removeSteps(self: Address, mailspace: Address): readonly Step[] {
  const gone = until(
    false,
    {
      read: path`/api/mailspace/${ref(mailspace)}/domains`,
      rows: '/domains',
      where: [{ pointer: '/name', value: ref(self), as: 'hostname' }],
      capture: {},
    },
    'the mailspace no longer lists the domain',
  );
  return removal({
    path: path`/api/mailspace/${ref(mailspace)}/domains/${ref(self)}`,
    gone,
    unknown: 'unknown_domain',
    reason: 'remove the domain from the mailspace',
    rule: 'MDM-12',
  });
}
