// How full a mailspace is: told before mail is refused.
import { diagnose } from '../../../../model/diagnostic.ts';
import type { JsonObject } from '../../../../model/json.ts';
import type { Notice } from '../../../../model/kind/kind.ts';

const NEARLY_FULL = 0.9;
const MB_IN_GB = 1024;

/**
 * How much of the storage of a mailspace is used, in words, from 90% on; undefined below, and where the platform does
 * not say. It measures now and then (MSP-02, MSP-04).
 */
export function nearlyFull(usedMb: unknown, storageGb: unknown): string | undefined {
  if (typeof usedMb !== 'number' || typeof storageGb !== 'number' || storageGb <= 0) return undefined;
  const share = usedMb / (storageGb * MB_IN_GB);
  return share < NEARLY_FULL ? undefined : `${Math.floor(share * 100)}% of its ${storageGb} GB`;
}

/** Said of a mailspace that is nearly full. */
export function storageNotices({ usedMb, storageGb }: JsonObject): readonly Notice[] {
  const used = nearlyFull(usedMb, storageGb);
  if (used === undefined) return [];
  return [
    diagnose(
      'HW2392',
      `The mailspace uses ${used}. Delete mail, or choose a larger package in the dashboard (MSP-19).`,
    ),
  ];
}
