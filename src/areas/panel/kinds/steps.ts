// The requests of a panel account: order, resize, deletion, and the reads that confirm them.
import type { Address } from '../../../model/address.ts';
import { BILLING_LOCK } from '../../../model/kind/kind.ts';
import type { LookUp, WaitFor, Step } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { cartRow } from '../../common/purchase.ts';
import type { PanelOrder } from './spec.ts';

/** What is read may be some minutes old (PNL-05). */
const SHOWN_WITHIN_MS = 900_000;
const LOST_GRACE_MS = 600_000;
const SCHEDULED_WITHIN_MS = 120_000;

/** Buys an account, and finds its username in the list: no answer tells it (GAP-46). */
export function orderSteps(self: Address, { term, domain }: PanelOrder, product: string): readonly Step[] {
  const byDomain: LookUp = {
    read: path`/api/panel_accounts?q=${domain}`,
    rows: '/panel_accounts',
    where: [{ pointer: '/primary_domain', value: domain, as: 'hostname' }],
    capture: { id: '/username' },
  };
  return [
    {
      do: 'request',
      name: 'order',
      method: 'POST',
      path: path`/api/panel_accounts`,
      body: { package: product, term, domain },
      idempotent: false,
      unlocks: [BILLING_LOCK],
      answers: [cartRow(self, 'the order of the panel account is completed')],
      // While it is being paid nothing shows it, so nothing found proves nothing (ORD-43, ORD-44).
      recovery: { lookUp: byDomain, ifNotFound: 'unknown', graceMs: LOST_GRACE_MS, rule: 'GAP-11' },
      // What is listed before and after is told apart by its domain: the new account is the one that was not there
      // (O-69).
      skipIf: { lookUp: byDomain, reason: 'whether an account has this primary domain already', rule: 'O-69' },
      reason: `buy a panel account for ${domain}: package ${product}, paid ${term}`,
      rule: 'PNL-13',
    },
    {
      do: 'wait-for',
      name: 'listed',
      waitFor: until(
        byDomain,
        `the list of panel accounts shows the primary domain ${domain}; where it shows the account in another way, \`hostwright ledger confirm ${self} --id USERNAME\` says which it is`,
      ),
    },
    {
      do: 'wait-for',
      name: 'set up',
      waitFor: until(
        showing(self, [{ pointer: '/panel_account/state', value: 'provisioning', not: true }]),
        'the account is set up',
      ),
      open: true,
    },
  ];
}

/** Changes the package, and waits until the live mirror shows it and nothing is in flight any more (O-67). */
export function resizeSteps(self: Address, product: string): readonly Step[] {
  const package_ = { pointer: '/panel_account/package/key', value: product } as const;
  const resized = until(
    showing(self, [package_, { pointer: '/panel_account/local_package', value: null }]),
    `the account shows the package ${product}, and no change is in flight`,
  );
  return [
    {
      do: 'request',
      name: 'resize',
      method: 'PATCH',
      path: path`/api/panel_accounts/${ref(self)}`,
      body: { package: product },
      idempotent: false,
      unlocks: [BILLING_LOCK],
      answers: [
        cartRow(self, 'the order of the resize is completed'),
        { status: 422, code: 'same_package', then: 'wait-for', waitFor: resized, rule: 'PNL-17' },
      ],
      // Sent again blindly it could be charged again; a change that was not paid yet shows nowhere.
      recovery: { lookUp: showing(self, [package_]), ifNotFound: 'unknown', graceMs: LOST_GRACE_MS, rule: 'PNL-15' },
      reason: `change the package to ${product}; this charges`,
      rule: 'PNL-14',
    },
    { do: 'wait-for', name: 'resized', waitFor: resized },
  ];
}

/** Schedules the deletion: the account stays until then, and only the dashboard takes it back (PNL-18). */
export function deleteSteps(self: Address): readonly Step[] {
  const scheduled: WaitFor = {
    ...until(
      showing(self, [{ pointer: '/panel_account/state', value: 'pending_deletion' }]),
      'the account is about to be deleted',
    ),
    deadlineMs: SCHEDULED_WITHIN_MS,
  };
  return [
    {
      do: 'request',
      name: 'delete',
      method: 'DELETE',
      path: path`/api/panel_accounts/${ref(self)}`,
      idempotent: true,
      recheck: true,
      answers: [
        { status: '2xx', then: 'wait-for', waitFor: scheduled },
        { status: 403, code: 'pending_deletion', then: 'wait-for', waitFor: scheduled, rule: 'GAP-49' },
      ],
      reason: 'schedule the deletion of the account',
      rule: 'PNL-18',
    },
  ];
}

/** The view of one account, when it shows all of this. */
function showing(self: Address, where: LookUp['where']): LookUp {
  return { read: path`/api/panel_accounts/${ref(self)}`, rows: '', where, capture: {} };
}

function until(lookUp: LookUp, reason: string): Extract<WaitFor, { readonly how: 'until' }> {
  return { how: 'until', found: true, lookUp, deadlineMs: SHOWN_WITHIN_MS, reason };
}
