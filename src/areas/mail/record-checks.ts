// The first part of `dns --check`: requests a new check of the DNS records of mail domains (MDM-20), at most once in five
// minutes for each domain (LIM-07). A check that is not possible yet is not sent; its earliest time is reported.
import { addressOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { listOf } from '../../model/format.ts';
import type { RecordCheck } from '../../model/kind/capabilities/records.ts';
import type { Act, Ending } from '../../model/plan/act.ts';
import type { OpenAccount } from '../common/operation.ts';
import { ASKED, notConfirmed } from '../common/operation.ts';
import { sendOnce } from '../common/steps.ts';

const WINDOW_MS = 300_000;
const LOST_GRACE_MS = 60_000;

/** Asks the user once for all domains, then requests a check for each. */
export async function requestChecks(account: OpenAccount, checks: readonly RecordCheck[]): Promise<Ending> {
  if (checks.length === 0)
    return { outcome: 'done', diagnostics: [notAgain('The manifests have no mail domain that the platform checks.')] };
  const againAtMs = ({ checkedAt }: RecordCheck): number =>
    checkedAt === null ? 0 : Date.parse(checkedAt) + WINDOW_MS;
  const early = checks.filter((one) => againAtMs(one) > account.now());
  const due = checks.filter((one) => !early.includes(one));
  const diagnostics = early.map((one) =>
    notAgain(
      `${one.domain} was checked at ${one.checkedAt ?? ''}; another check is possible from ${new Date(againAtMs(one)).toISOString()} on.`,
    ),
  );
  if (due.length === 0) return { outcome: 'done', diagnostics };
  const domains = due.map(({ domain }) => domain);
  const question = `Have the platform check the DNS of ${listOf(domains, 'and')}? It is possible once in five minutes a domain.`;
  if (!(await account.confirm(question))) return notConfirmed();
  for (const one of due) {
    const ending = await account.run({
      act: checkRecords(one),
      done: () => ({ outcome: 'done' }),
      look: `The platform's report of ${one.domain} is as old as before. Running the command again does no harm.`,
    });
    diagnostics.push(
      ...(ending.diagnostics ?? []).map((found) =>
        found.code === 'HW4503' ? notAgain(`${one.domain}: ${found.detail}`) : found,
      ),
    );
  }
  return { outcome: 'done', diagnostics };
}

/** Has the records of a mail domain looked at again (MDM-20), which is possible once in five minutes (LIM-07). */
function checkRecords({ domain, path, body, report, checkedAt }: RecordCheck): Act {
  const checked = {
    read: [report],
    rows: '',
    where: [{ pointer: '/checked_at', value: checkedAt, not: true as const }],
    capture: {},
  };
  return {
    address: addressOf(null, 'CheckRecords', domain),
    verb: 'update',
    reason: ASKED,
    steps: [
      sendOnce({
        name: 'check',
        method: 'POST',
        path: [path],
        body,
        answers: [
          { status: '2xx', then: 'done' },
          // With which status a check that comes too soon is refused is not documented (GAP-40).
          { status: 422, then: 'blocked', reason: 'it was checked within the last five minutes' },
          { status: 429, then: 'blocked', reason: 'it was checked within the last five minutes' },
        ],
        recovery: { lookUp: checked, ifNotFound: 'ask', graceMs: LOST_GRACE_MS, rule: 'LIM-07' },
        reason: `look at the records of ${domain}`,
      }),
    ],
  };
}

function notAgain(detail: string): Diagnostic {
  return diagnose('HW4586', detail);
}
