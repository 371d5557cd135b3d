// What a person should know before it is too late, from single facts of the platform: plan and doctor say the same.
import type { Json } from './json.ts';
import { valueAt } from './json.ts';

const SOON_MS = 30 * 86_400_000;
const NEARLY_FULL = 0.9;
const MB_IN_GB = 1024;

/** The day on which a name ends within 30 days, of a name that is not renewed; undefined of any other (REG-13). */
export function endsSoon(autoRenew: unknown, expiresAt: unknown, nowMs: number): string | undefined {
  if (autoRenew !== false || typeof expiresAt !== 'string') return undefined;
  const left = Date.parse(expiresAt) - nowMs;
  return left >= 0 && left <= SOON_MS ? expiresAt.slice(0, 10) : undefined;
}

/**
 * How much of the storage of a mailspace is used, in words, from 90% on; undefined below, and where the platform does
 * not say. It measures now and then (MSP-02, MSP-04).
 */
export function nearlyFull(usedMb: unknown, storageGb: unknown): string | undefined {
  if (typeof usedMb !== 'number' || typeof storageGb !== 'number' || storageGb <= 0) return undefined;
  const share = usedMb / (storageGb * MB_IN_GB);
  return share < NEARLY_FULL ? undefined : `${Math.floor(share * 100)}% of its ${storageGb} GB`;
}

/** What became of the payment of an order, where a person has to see to it; undefined otherwise (ORD-08). */
export function paymentTrouble(order: Json): { readonly id: string; readonly says: string } | undefined {
  const status = valueAt(order, '/payment/status');
  // The payment of a cancelled order reads as failed too, and nobody waits for it.
  if (valueAt(order, '/order/status') === 'cancelled') return undefined;
  const says =
    status === 'failed' ? 'failed' : status === 'awaiting_authentication' ? 'waits for the card holder' : undefined;
  const id = valueAt(order, '/order/id');
  return says === undefined || typeof id !== 'string'
    ? undefined
    : { id, says: `The payment of the newest order (${id}) ${says}` };
}
