// What commands do to mailspaces: `dns --check`.
import { addressOf } from '../../model/address.ts';
import type { RecordCheck } from '../../model/kind/capabilities/records.ts';
import type { Act } from '../../model/plan/act.ts';

const LOST_GRACE_MS = 60_000;

/** Has the records of a mail domain looked at again (MDM-20), which is possible once in five minutes (LIM-07). */
export function checkRecords({ domain, path, body, report, checkedAt }: RecordCheck): Act {
  return {
    address: addressOf(null, 'CheckRecords', domain),
    verb: 'update',
    reason: 'a person asks for it',
    steps: [
      {
        do: 'request',
        name: 'check',
        method: 'POST',
        path: [path],
        body,
        idempotent: false,
        answers: [
          { status: '2xx', then: 'done' },
          // With which status a check that comes too soon is refused is not documented (GAP-40).
          { status: 422, then: 'blocked', reason: 'it was checked within the last five minutes' },
          { status: 429, then: 'blocked', reason: 'it was checked within the last five minutes' },
        ],
        recovery: {
          lookUp: {
            read: [report],
            rows: '',
            where: [{ pointer: '/checked_at', value: checkedAt, not: true }],
            capture: {},
          },
          ifNotFound: 'send-again',
          graceMs: LOST_GRACE_MS,
          rule: 'LIM-07',
        },
        reason: `look at the records of ${domain}`,
      },
    ],
  };
}
