// Decides what a change answers that costs money and is paid for elsewhere. Must not decide which changes those are.
import { isRecord, refuse } from '../core/http/endpoint.ts';
import type { Answer } from '../core/http/endpoint.ts';
import { rule } from '../rules/rules.ts';
import type { World } from '../core/world.ts';
import { money } from './present.ts';
import type { Registration } from './state.ts';

const saysWhere = rule('CNV-21/portal', 'a price on a change comes with the price, a portal and a remediation');

export function paymentRequired(
  world: World,
  { id }: Registration,
  role: 'privacy' | 'registrant_change',
  cents: number,
): Answer {
  const answer = refuse(world, 402, 'payment_required', 'This change has a price');
  if (!world.rules.on(saysWhere) || !isRecord(answer.body)) return answer;
  const price = { ...money(cents), role };
  return {
    ...answer,
    body: {
      ...answer.body,
      price,
      portal_url: `https://portal.sandbox.example/registrations/${id}`,
      remediation: 'Buy it at the portal',
    },
  };
}
