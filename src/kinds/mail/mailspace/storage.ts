// How full a mailspace is: told before mail is refused.
import { nearlyFull } from '../../../model/in-time.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { Notice } from '../../../model/kind/kind.ts';

/** Said of a mailspace that is nearly full. */
export function storageNotices({ usedMb, storageGb }: JsonObject): readonly Notice[] {
  const used = nearlyFull(usedMb, storageGb);
  if (used === undefined) return [];
  return [
    {
      code: 'HW2392',
      severity: 'warning',
      summary: 'A mailspace is nearly full',
      detail: `The mailspace uses ${used}. Delete mail, or choose a larger package in the dashboard (MSP-19).`,
    },
  ];
}
