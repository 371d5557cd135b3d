// The requests of a site itself: order, resize, rename, delete, and the reads that confirm them.
import type { Address } from '../../../../model/address.ts';
import { BILLING_LOCK } from '../../../../model/kind/kind.ts';
import type { LookUp, WaitFor, Step } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { cartRow } from '../../../common/purchase.ts';

/** The licence to buy a site: used once, never compared (ORD-22). */
export interface SiteOrder {
  readonly variant: string;
  readonly location: string;
  readonly term: string;
}

const RESIZED_WITHIN_MS = 1_800_000;
const DELETED_WITHIN_MS = 120_000;
const LOST_GRACE_MS = 60_000;

/**
 * Buys a site and waits until the order names it: a fresh site is known by its order alone, never by a name (ORD-05,
 * ORD-23).
 */
export function orderSteps(self: Address, { variant, location, term }: SiteOrder, plan: string): readonly Step[] {
  return [
    {
      do: 'request',
      name: 'order',
      method: 'POST',
      path: path`/api/orders`,
      body: { site: { variant, location, plan, term } },
      idempotent: false,
      unlocks: [BILLING_LOCK],
      answers: [cartRow(self, 'the order is completed and names the site', { id: '/site/id' })],
      // No list shows carts, and an order shows up only once it is paid: nothing found proves nothing (ORD-44, GAP-11).
      recovery: {
        lookUp: lostOrder({ variant, location }),
        ifNotFound: 'unknown',
        graceMs: LOST_GRACE_MS,
        rule: 'GAP-11',
      },
      reason: `buy a site: ${variant}, at ${location}, plan ${plan}, paid ${term}`,
      rule: 'ORD-22',
    },
  ];
}

/**
 * Changes the plan. What that answers is not documented: a cart, a task or nothing; the list of sites tells in the end
 * (GAP-05).
 */
export function resizeSteps(self: Address, name: string, plan: string): readonly Step[] {
  const resized: LookUp = {
    read: path`/api/sites`,
    rows: '/sites',
    where: [
      { pointer: '/id', value: ref(self) },
      { pointer: '/package', value: plan },
    ],
    capture: {},
  };
  return [
    {
      do: 'request',
      name: 'resize',
      method: 'PATCH',
      path: path`/api/sites/${ref(self)}`,
      body: { site: { name, plan } },
      idempotent: false,
      unlocks: [BILLING_LOCK],
      answers: [
        cartRow(self, 'the order of the resize is completed'),
        {
          status: '2xx',
          has: '/task_id',
          then: 'wait-for',
          capture: { task: '/task_id' },
          waitFor: {
            how: 'task',
            task: ref(self, 'task'),
            deadlineMs: RESIZED_WITHIN_MS,
            reason: 'the site is resized',
          },
        },
        { status: '2xx', then: 'done', rule: 'GAP-05' },
      ],
      recovery: { lookUp: resized, ifNotFound: 'unknown', graceMs: LOST_GRACE_MS, rule: 'GAP-05' },
      reason: `change the plan to ${plan}; this charges`,
      rule: 'SIT-05',
    },
    {
      do: 'wait-for',
      name: 'resized',
      waitFor: {
        how: 'until',
        found: true,
        lookUp: resized,
        deadlineMs: RESIZED_WITHIN_MS,
        reason: `the list of sites shows the plan ${plan}`,
      },
    },
  ];
}

/** A rename sends the name alone; a plan in the same body would be a resize (SIT-05, GAP-05). */
export function renameSteps(self: Address, name: string): readonly Step[] {
  return [
    {
      do: 'request',
      name: 'rename',
      method: 'PATCH',
      path: path`/api/sites/${ref(self)}`,
      body: { site: { name } },
      idempotent: true,
      answers: [{ status: '2xx', then: 'done' }],
      reason: 'set the display name',
      rule: 'SIT-11',
    },
    {
      do: 'verify',
      name: 'read back',
      only: ['name'],
      reason: 'the answer to a rename is not documented',
      rule: 'GAP-05',
    },
  ];
}

/** What answers once a site is deleted: it is locked, and a list may go on showing it (SIT-07, GAP-08). */
export const DELETED = [{ status: 403, code: 'pending_delete' }, { status: 404 }] as const;

/** Deletes a site and waits until it is locked. Nothing documented brings it back. */
export function deleteSteps(self: Address): readonly Step[] {
  const gone: WaitFor = {
    how: 'until',
    found: false,
    lookUp: { read: path`/api/sites/${ref(self)}/domains`, rows: '/domains', where: [], capture: {}, gone: DELETED },
    deadlineMs: DELETED_WITHIN_MS,
    reason: 'the site is locked and about to be gone',
  };
  return [
    {
      do: 'request',
      name: 'delete',
      method: 'DELETE',
      path: path`/api/sites/${ref(self)}`,
      idempotent: true,
      recheck: true,
      answers: [
        { status: '2xx', then: 'wait-for', waitFor: gone },
        ...DELETED.map((answer) => ({ ...answer, then: 'wait-for', waitFor: gone }) as const),
      ],
      reason: 'delete the site with everything in it',
      rule: 'SIT-07',
    },
  ];
}

function lostOrder({ variant, location }: Pick<SiteOrder, 'variant' | 'location'>): LookUp {
  return {
    read: path`/api/orders?per_page=100`,
    rows: '/orders',
    since: '/created_at',
    view: { path: path`/api/orders`, id: '/id' },
    // The order names its site, and with it the variant, only once there is one (ORD-05).
    where: [
      { pointer: '/order/location', value: location },
      { pointer: '/site/variant', value: variant, orAbsent: true },
    ],
    except: { pointer: '/order/id', output: 'order', open: 'cart' },
    capture: { id: '/site/id', order: '/order/id' },
  };
}
