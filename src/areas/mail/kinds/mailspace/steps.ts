// The requests that buy a mailspace, and the reads that confirm the purchase.
import type { Address } from '../../../../model/address.ts';
import { BILLING_LOCK } from '../../../../model/kind/kind.ts';
import type { LookUp, Step } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { LISTED_WITHIN_MS } from '../guards.ts';
import { cartRow } from '../../../common/purchase.ts';
import { until } from '../../../common/steps.ts';

const LOST_GRACE_MS = 60_000;
/** A domain that is registered with the platform is proven at once, and the next sweep sets the mailspace up. */
const READY_WITHIN_MS = 120_000;

/**
 * Buys a mailspace and finds it by its domain, which is all that names it (MSP-07); then waits a little until it is set
 * up.
 */
export function buySteps(self: Address, domain: string, product: string | undefined): readonly Step[] {
  const byDomain: LookUp = {
    read: path`/api/mailspace`,
    rows: '/mailspaces',
    where: [{ pointer: '/domain', value: domain, as: 'hostname' }],
    capture: { id: '/id' },
  };
  const ready: LookUp = {
    read: path`/api/mailspace`,
    rows: '/mailspaces',
    where: [
      { pointer: '/id', value: ref(self) },
      { pointer: '/provisioned', value: true },
    ],
    capture: {},
  };
  return [
    {
      do: 'request',
      name: 'buy',
      method: 'POST',
      path: path`/api/mailspace`,
      body: { domain, ...(product !== undefined && { package: product }) },
      idempotent: false,
      unlocks: [BILLING_LOCK],
      answers: [cartRow(self, 'the order of the mailspace is completed')],
      // While it is being paid nothing shows it, so nothing found proves nothing; once it is there, the platform
      // refuses a second one (ORD-43, ORD-44).
      recovery: { lookUp: byDomain, ifNotFound: 'unknown', graceMs: LOST_GRACE_MS, rule: 'GAP-11', guarded: 'ORD-43' },
      reason: `buy a mailspace for ${domain}, ${product === undefined ? 'the smallest package' : `package ${product}`}, paid once a year`,
      rule: 'MSP-06',
    },
    {
      do: 'wait-for',
      name: 'listed',
      waitFor: until(true, byDomain, 'the list of mailspaces shows the domain', LISTED_WITHIN_MS),
    },
    {
      do: 'wait-for',
      name: 'set up',
      waitFor: until(true, ready, 'the ownership of the domain is proven and the mailspace is set up', READY_WITHIN_MS),
      open: true,
    },
  ];
}
