// The requests of a panel account: order, resize, deletion, and the reads that settle them.
// Must not decide when one of them is needed: that is the kind's definition beside this file.
import type { Address } from '../../model/address.ts';
import { PURSE } from '../../model/kind/kind.ts';
import type { Locate, Settle, Step } from '../../model/plan/step.ts';
import { path, ref } from '../../model/plan/step.ts';
import { cartRow } from '../common/purchase.ts';

export interface PanelAccountSpec {
  readonly package: string;
  readonly order: PanelOrder;
}

/** The licence to buy a panel account: used once, never compared. The domain is what it is recognised by (PNL-13). */
export interface PanelOrder {
  readonly term: string;
  readonly domain: string;
}

/** What is read may be some minutes old (PNL-05). */
const SHOWN_WITHIN_MS = 900_000;
const LOST_GRACE_MS = 600_000;
const SCHEDULED_WITHIN_MS = 120_000;

/** Buys an account, and finds its username in the list: no answer tells it (GAP-46). */
export function orderSteps(self: Address, { term, domain }: PanelOrder, product: string): readonly Step[] {
  const byDomain: Locate = {
    read: path`/api/panel_accounts?q=${domain}`,
    rows: '/panel_accounts',
    where: [{ pointer: '/primary_domain', value: domain, as: 'hostname' }],
    take: { id: '/username' },
  };
  return [
    {
      do: 'request',
      name: 'order',
      method: 'POST',
      path: path`/api/panel_accounts`,
      body: { package: product, term, domain },
      repeat: 'unsafe',
      releases: [PURSE],
      answers: [cartRow(self, 'the order of the panel account is completed')],
      // While it is being paid nothing shows it, so nothing found proves nothing (ORD-43, ORD-44).
      lost: { locate: byDomain, none: 'stop', graceMs: LOST_GRACE_MS, rule: 'GAP-11' },
      // What is listed before and after is told apart by its domain: the new account is the one that was not there
      // (O-69).
      skipIf: { locate: byDomain, because: 'whether an account has this primary domain already', rule: 'O-69' },
      because: `buy a panel account for ${domain}: package ${product}, paid ${term}`,
      rule: 'PNL-13',
    },
    {
      do: 'settle',
      name: 'listed',
      settle: until(
        byDomain,
        `the list of panel accounts shows the primary domain ${domain}; where it shows the account in another way, \`hostwright ledger confirm ${self} --id USERNAME\` says which it is`,
      ),
    },
    {
      do: 'settle',
      name: 'set up',
      settle: until(
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
      repeat: 'unsafe',
      releases: [PURSE],
      answers: [
        cartRow(self, 'the order of the resize is completed'),
        { status: 422, code: 'same_package', then: 'settle', settle: resized, rule: 'PNL-17' },
      ],
      // Sent again blindly it could be charged again; a change that was not paid yet shows nowhere.
      lost: { locate: showing(self, [package_]), none: 'stop', graceMs: LOST_GRACE_MS, rule: 'PNL-15' },
      because: `change the package to ${product}; this charges`,
      rule: 'PNL-14',
    },
    { do: 'settle', name: 'resized', settle: resized },
  ];
}

/** Schedules the deletion: the account stays until then, and only the dashboard takes it back (PNL-18). */
export function deleteSteps(self: Address): readonly Step[] {
  const scheduled: Settle = {
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
      repeat: 'safe',
      recheck: true,
      answers: [
        { status: '2xx', then: 'settle', settle: scheduled },
        { status: 403, code: 'pending_deletion', then: 'settle', settle: scheduled, rule: 'GAP-49' },
      ],
      because: 'schedule the deletion of the account',
      rule: 'PNL-18',
    },
  ];
}

/** The view of one account, when it shows all of this. */
function showing(self: Address, where: Locate['where']): Locate {
  return { read: path`/api/panel_accounts/${ref(self)}`, rows: '', where, take: {} };
}

function until(locate: Locate, because: string): Extract<Settle, { readonly how: 'until' }> {
  return { how: 'until', found: true, locate, deadlineMs: SHOWN_WITHIN_MS, because };
}
