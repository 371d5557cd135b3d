// What `dns --check` does before the table: has the platform look at the records of mail domains again (MDM-20), once in
// five minutes a domain (LIM-07). What is too soon is told with its time and not sent.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { valueAt } from '../../model/json.ts';
import type { RecordCheck } from '../../model/kind/capabilities/records.ts';
import { listOf } from '../../manifest/format.ts';
import { carryOutAgreed } from '../act/act.ts';
import type { Confirm } from '../act/send.ts';
import { notConfirmed } from '../act/send.ts';
import type { OpenAccount } from '../contact/open-account.ts';
import { withAccount } from '../contact/open-account.ts';
import type { Session } from '../session.ts';
import type { Ending, SiteResult } from '../site/open-site.ts';

const WINDOW_MS = 300_000;

/** Asks once for all of them, then has each checked. */
export function checkAgain(
  session: Session,
  checks: readonly RecordCheck[],
  confirm: Confirm,
): Promise<SiteResult<never>> {
  return withAccount(session, async (account): Promise<Ending<never>> => {
    const againAtMs = ({ checkedAt }: RecordCheck): number =>
      checkedAt === null ? 0 : Date.parse(checkedAt) + WINDOW_MS;
    const early = checks.filter((check) => againAtMs(check) > session.clock.now());
    const due = checks.filter((check) => !early.includes(check));
    const diagnostics = early.map((check) =>
      notAgain(
        `${check.domain} was checked at ${check.checkedAt ?? ''}; another check is possible from ${new Date(againAtMs(check)).toISOString()} on.`,
      ),
    );
    if (checks.length === 0)
      return {
        outcome: 'done',
        diagnostics: [notAgain('The manifests have no mail domain that the platform checks.')],
      };
    if (due.length === 0) return { outcome: 'done', diagnostics };
    const domains = listOf(
      due.map(({ domain }) => domain),
      'and',
    );
    if (
      !(await confirm(`Have the platform check the DNS of ${domains}? It is possible once in five minutes a domain.`))
    )
      return notConfirmed();
    for (const check of due) diagnostics.push(...((await checkOne(account, check)).diagnostics ?? []));
    return { outcome: 'done', diagnostics };
  });
}

function checkOne(
  account: OpenAccount,
  { domain, path, body, report, checkedAt }: RecordCheck,
): Promise<Ending<never>> {
  return carryOutAgreed<never>(account, {
    request: { method: 'POST', path, body },
    // With which status a check that comes too soon is refused is not documented (GAP-40).
    refused: ({ status, messages }) =>
      status === 429 || status === 422
        ? {
            outcome: 'waiting',
            diagnostics: [
              notAgain(`${domain}: ${messages.join(' ') || 'it was checked within the last five minutes'}.`),
            ],
          }
        : undefined,
    follow: async (answer) => {
      if (answer !== undefined) return { outcome: 'done' };
      const now = valueAt(await account.client.read(report), '/checked_at');
      return typeof now === 'string' && now !== checkedAt ? { outcome: 'done' } : undefined;
    },
    look: `The platform's report of ${domain} is as old as before. Running the command again does no harm.`,
  });
}

function notAgain(detail: string): Diagnostic {
  return { code: 'HW4586', severity: 'warning', summary: 'The platform did not look again', detail };
}
