// What a change answers that costs money and is paid for elsewhere.
import { refuseWith } from '../core/http/endpoint.ts';
import type { Answer } from '../core/http/endpoint.ts';
import { money } from './present.ts';
import type { Registration } from './state.ts';

export function paymentRequired({ id }: Registration, role: 'privacy' | 'registrant_change', cents: number): Answer {
  // CNV-21/portal: a price on a change comes with the price, a portal and a remediation.
  const extra = {
    price: { ...money(cents), role },
    portal_url: `https://portal.sandbox.example/registrations/${id}`,
    remediation: 'Buy it at the portal',
  };
  return refuseWith(extra, 402, 'payment_required', 'This change has a price');
}
