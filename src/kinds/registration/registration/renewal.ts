// Renewal of a registration: how it is switched, and what whoever switches it off has to know before (REG-13, GAP-53).
import type { Address } from '../../../model/address.ts';
import { endsSoon } from '../../../model/in-time.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { Notice } from '../../../model/kind/kind.ts';
import type { RequestStep, Step } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { changeSteps, factAt } from '../guards.ts';

/** What of a row says what becomes of it when renewal is off. */
export function renewalComputed(row: JsonObject): JsonObject {
  return {
    expiresAt: factAt(row, 'expires_at'),
    deadline: factAt(row, 'cancellation_deadline_at'),
    within: factAt(row, 'within_cancellation_window'),
  };
}

/** Switches renewal on or off. `fresh`: it was bought just now, and may be so already. */
export function renewalSteps(self: Address, on: boolean, fresh: boolean): readonly Step[] {
  const isSo = {
    read: path`/api/domain_registrations`,
    rows: '/domain_registrations',
    where: [
      { pointer: '/id', value: ref(self) },
      { pointer: '/auto_renew', value: on },
    ],
    capture: {},
  };
  const change = {
    name: 'renewal',
    method: 'PATCH',
    path: path`/api/domain_registrations/${ref(self)}`,
    body: { domain_registration: { auto_renew: on } },
    ...(fresh && { skipIf: { lookUp: isSo, reason: 'a fresh registration may be so already', rule: 'REG-04' } }),
    reason: on ? 'have it renewed by itself' : 'let it run out at its end',
    rule: 'REG-12',
  } as const;
  return changeSteps(self, change, answers);
}

/** The platform says which case it took it for; it is told as it came, and kept with the object. */
const answers: RequestStep['answers'] = [
  { status: 200, then: 'done', capture: { scenario: '/scenario' }, rule: 'REG-12' },
];

/** Said with the plan that switches renewal off: when the name ends, and what the platform may make of it. */
export function renewalNotices(
  { spec, computed }: { readonly spec: { readonly autoRenew?: boolean }; readonly computed: JsonObject },
  autoRenew: boolean | undefined,
): readonly Notice[] {
  if (autoRenew !== false || spec.autoRenew === false) return [];
  const { expiresAt, deadline, within } = computed;
  const end =
    typeof expiresAt === 'string'
      ? `the name is registered until ${expiresAt} and is then given up, unless renewal is switched on again before`
      : 'the platform does not say when the name is given up';
  const detail = `${windowWords(deadline, within)}, ${end} (REG-13, GAP-53).`;
  return [{ code: 'HW2310', severity: 'warning', summary: 'A name would be given up', detail }];
}

/** What the platform says of a cancellation, up to what becomes of the name otherwise. */
function windowWords(deadline: JsonObject[string] | undefined, within: JsonObject[string] | undefined): string {
  const until = typeof deadline === 'string' ? ` until ${deadline}` : '';
  const late = 'refuses to switch renewal off, or takes it for a late cancellation';
  const refund = 'may refund it and end it at once';
  if (within === true) return `The registration can be cancelled${until}, so the platform ${refund}. If it does not`;
  if (within === false) return `The registration could be cancelled${until}. Now the platform ${late}. In that case`;
  if (until !== '')
    return `The registration can be cancelled${until}, and the platform does not say whether that has passed. Before it, the platform ${refund}. After it, the platform ${late}. Otherwise`;
  return 'The platform names no deadline for a cancellation, and its answer says which case it takes it for. Unless it ends the registration at once';
}

/** Said of a name that ends soon, unless the same plan switches renewal on or off, which says it by itself. */
export function endNotices(
  { spec, computed }: { readonly spec: { readonly autoRenew?: boolean }; readonly computed: JsonObject },
  autoRenew: boolean | undefined,
  nowMs: number | undefined,
): readonly Notice[] {
  const day = nowMs === undefined ? undefined : endsSoon(spec.autoRenew, computed.expiresAt, nowMs);
  if (day === undefined || autoRenew === true) return [];
  return [
    {
      code: 'HW2391',
      severity: 'warning',
      summary: 'A name ends soon',
      detail: `The registration ends on ${day}, and renewal is off. Somebody else can register the name then. Write \`autoRenew: true\` to keep it.`,
    },
  ];
}
