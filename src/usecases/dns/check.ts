// What `dns --check` does before the table: has the platform look at the records of mail domains again (MDM-20), once in
// five minutes a domain (LIM-07). What is too soon is told with its time and not sent.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { RecordCheck } from '../../model/kind/capabilities/records.ts';
import { listOf } from '../../model/format.ts';
import { mailActs } from '../../areas/index.ts';
import type { Confirm } from '../act/run-act.ts';
import { notConfirmed, runAgreed } from '../act/run-act.ts';
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
    for (const check of due) {
      const ending = await runAgreed<never>(account, mailActs.checkRecords(check), {
        done: () => ({ outcome: 'done' }),
        look: `The platform's report of ${check.domain} is as old as before. Running the command again does no harm.`,
      });
      const found = ending.diagnostics ?? [];
      diagnostics.push(
        ...(ending.outcome === 'waiting' ? found.map(({ detail }) => notAgain(`${check.domain}: ${detail}`)) : found),
      );
    }
    return { outcome: 'done', diagnostics };
  });
}

function notAgain(detail: string): Diagnostic {
  return diagnose('HW4586', detail);
}
