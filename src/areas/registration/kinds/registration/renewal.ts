// Renewal of a registration: how it is switched, and what whoever switches it off has to know before (REG-13, GAP-53).
import { diagnose } from '../../../../model/diagnostic.ts';
import type { Address } from '../../../../model/address.ts';
import type { JsonObject } from '../../../../model/json.ts';
import type { Notice } from '../../../../model/kind/kind.ts';
import type { Risk } from '../../../../model/plan/plan.ts';
import type { RequestStep, Step } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { changeSteps, factAt } from '../guards.ts';

const SOON_MS = 30 * 86_400_000;

/** The day on which a name ends within 30 days, of a name that is not renewed; undefined of any other (REG-13). */
export function endsSoon(autoRenew: unknown, expiresAt: unknown, nowMs: number): string | undefined {
  if (autoRenew !== false || typeof expiresAt !== 'string') return undefined;
  const left = Date.parse(expiresAt) - nowMs;
  return left >= 0 && left <= SOON_MS ? expiresAt.slice(0, 10) : undefined;
}

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

/**
 * What switching it off puts at risk. The name stays until its day, and renewal can be switched on again before. Only
 * while a cancellation may be refunded, no document says that it can be taken back (REG-13).
 */
export function renewalRisk(computed: JsonObject): readonly Risk[] {
  return mayRefund(computed) ? ['lapse', 'irreversible'] : ['lapse'];
}

/** Both are there where they apply. A deadline of which nobody says whether it has passed may be ahead. */
function mayRefund({ deadline, within }: JsonObject): boolean {
  return within === true || (typeof deadline === 'string' && within !== false);
}

/** Said with the plan that switches renewal off: when the name ends, and what the platform may make of it. */
export function renewalNotices(
  { spec, computed }: { readonly spec: { readonly autoRenew?: boolean }; readonly computed: JsonObject },
  autoRenew: boolean | undefined,
): readonly Notice[] {
  if (autoRenew !== false || spec.autoRenew === false) return [];
  const { expiresAt } = computed;
  const end =
    typeof expiresAt === 'string'
      ? `The name stays registered until ${expiresAt} and is then given up, unless renewal is switched on again before.`
      : 'The platform does not say until when the name stays registered. It is then given up.';
  return [diagnose('HW2310', ['Renewal is switched off.', end, ...windowWords(computed)].join(' '))];
}

/** What the platform says of a cancellation. */
function windowWords({ deadline, within }: JsonObject): readonly string[] {
  const until = typeof deadline === 'string' ? ` until ${deadline}` : '';
  const refund =
    'the platform may refund it, and no document says whether a refunded name stays until its day (REG-13)';
  const late = 'the platform refuses to switch renewal off, or takes it for a late cancellation (GAP-53)';
  if (within === true) return [`It can be cancelled${until}: ${refund}.`];
  if (within === false) return [`It could be cancelled${until}. Now ${late}.`];
  return until === ''
    ? []
    : [
        `It can be cancelled${until}, and the platform does not say whether that has passed. Before it, ${refund}. After it, ${late}.`,
      ];
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
    diagnose(
      'HW2391',
      `The registration ends on ${day}, and renewal is off. Somebody else can register the name then. Write \`autoRenew: true\` to keep it.`,
    ),
  ];
}
