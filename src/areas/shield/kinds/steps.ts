// The requests of the Shield zone itself: activate, change its plan, set what belongs to the zone, deactivate.
import type { Json } from '../../../model/json.ts';
import { BILLING_LOCK } from '../../../model/kind/kind.ts';
import type { AnswerRow, LookUp, Step } from '../../../model/plan/step.ts';
import { LOST_CREATE_MS } from '../../common/steps.ts';
import { PLANS } from './names.ts';
import { pathIn, blockers } from './zone/wire.ts';

const ACTIVE_WITHIN_MS = 120_000;

/**
 * An answer of the zone by one of its values, however the zone is wrapped (GAP-29). Where there is no zone the answer
 * is a refusal.
 */
function zoneWith(parent: string, key: string, value: Json): LookUp {
  return {
    read: pathIn(parent),
    rows: '',
    where: [{ pointer: `/${key}`, or: [`/shield/${key}`, `/shield_zone/${key}`, `/data/${key}`], value }],
    capture: {},
    gone: [{ status: 409, code: 'shield_not_active' }],
  };
}

/**
 * Makes the zone, or brings a deactivated one back: the same request, sent once (GAP-27). What it comes back with is
 * read afterwards.
 */
export function activateSteps(parent: string, learn: boolean | undefined): readonly Step[] {
  const active = zoneWith(parent, 'active', true);
  return [
    {
      do: 'request',
      name: 'activate',
      method: 'POST',
      path: pathIn(parent),
      idempotent: false,
      answers: [...blockers, { status: '2xx', then: 'done' }],
      recovery: { lookUp: active, ifNotFound: 'ask', graceMs: LOST_CREATE_MS, rule: 'RTY-04' },
      reason: 'activate Shield; what it comes with is read when it is there',
      rule: 'SHD-03',
    },
    {
      do: 'wait-for',
      name: 'active',
      waitFor: {
        how: 'until',
        found: true,
        lookUp: active,
        deadlineMs: ACTIVE_WITHIN_MS,
        reason: 'the platform shows Shield as active',
      },
    },
    ...(learn === undefined
      ? []
      : zoneSteps(
          parent,
          'learning',
          { learning_mode: learn },
          [],
          learn ? 'let the WAF learn first, until the platform ends it' : 'no learning',
          'SHD-26',
        )),
    {
      do: 'verify',
      name: 'is active',
      only: ['enabled'],
      reason: 'what reactivation brings back is not documented',
      rule: 'GAP-27',
    },
  ];
}

/** Deactivates: WAF and DDoS protection stop. What is in Shield may be kept, and may be gone (SHD-04, GAP-27). */
export function deactivateSteps(parent: string): readonly Step[] {
  return [
    {
      do: 'request',
      name: 'deactivate',
      method: 'DELETE',
      path: pathIn(parent),
      idempotent: true,
      recheck: true,
      answers: [{ status: '2xx', then: 'done' }],
      reason: 'deactivate Shield: WAF and DDoS protection stop',
      rule: 'SHD-04',
    },
    {
      do: 'verify',
      name: 'is off',
      only: ['enabled'],
      reason: 'a deactivated Shield may answer as inactive, or not at all',
      rule: 'GAP-27',
    },
  ];
}

/** Changes the Shield plan. Only `plan_type` is sent: its alias `premium` could mean a downgrade (SHD-08). */
export function planSteps(parent: string, plan: keyof typeof PLANS): readonly Step[] {
  const paid: AnswerRow = {
    status: 402,
    then: 'blocked',
    reason: 'the platform did not change the Shield plan',
    rule: 'GAP-32',
  };
  return [
    {
      do: 'request',
      name: 'plan',
      method: 'PATCH',
      path: pathIn(parent),
      body: { plan_type: PLANS[plan] },
      // It says which plan, not one more: the same again is the same plan (RTY-02).
      idempotent: true,
      unlocks: [BILLING_LOCK],
      answers: [...blockers, paid, { status: '2xx', then: 'done' }],
      skipIf: { lookUp: zoneWith(parent, 'plan', plan), reason: 'Shield has that plan already', rule: 'GAP-27' },
      reason: `change the Shield plan to ${plan}; what that costs is not documented`,
      rule: 'SHD-06',
    },
    {
      do: 'verify',
      name: 'plan read back',
      only: ['plan'],
      reason: 'a refusal may come as a success',
      rule: 'GAP-32',
    },
  ];
}

/** Writes settings of the zone; what is not sent is left (SHD-06). */
export function zoneSteps(
  parent: string,
  name: string,
  body: Readonly<Record<string, Json>>,
  only: readonly string[],
  reason: string,
  rule = 'SHD-06',
): readonly Step[] {
  return [
    {
      do: 'request',
      name,
      method: 'PATCH',
      path: pathIn(parent),
      body,
      idempotent: true,
      answers: [...blockers, { status: '2xx', then: 'done' }],
      reason,
      rule,
    },
    ...(only.length === 0
      ? []
      : [
          {
            do: 'verify',
            name: `${name} read back`,
            only,
            reason: 'the answer to a write is not documented',
            rule: 'GAP-09',
          } as const,
        ]),
  ];
}
