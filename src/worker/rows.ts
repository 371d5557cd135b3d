// Rows that workers read back from the database. Others can write there, and workers of other versions do: each row is
// checked when it is read, an invalid one is reported by name, and the others are not affected.
import type { AccountReport } from '../model/plan/fleet-report.ts';
import { quote } from '../model/format.ts';

/** A row that is not used. */
export interface InvalidRow {
  /** The table or queue, as PostgreSQL knows it. */
  readonly store: 'hostwright.account_report' | 'hostwright.account_run' | 'hostwright-runs';
  readonly account: string;
  readonly reason: string;
}

export type OnInvalid = (row: InvalidRow) => void;

/** The format of a stored report. A row without one is from a version before formats. */
export const REPORT_ROW = 'hostwright.account-report/1';
/** The longest report that is read, in characters. */
export const MOST_REPORT = 2_000_000;

/** Returns the report in a row, or what is wrong with the row. */
export async function readReportRow(account: string, text: string | null): Promise<AccountReport | string> {
  if (text === null) return `it is longer than ${MOST_REPORT} characters`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not an object';
  const { format = REPORT_ROW, ...report } = value as Readonly<Record<string, unknown>>;
  if (format !== REPORT_ROW) return `its format is ${quote(shown(format))} and not ${REPORT_ROW}`;
  if (report.account !== account) return `it is about account ${quote(shown(report.account))}`;
  const { validateAccountReport } = await import('./generated/validate-account-report.js');
  if (validateAccountReport(report)) return report as unknown as AccountReport;
  const [first] = validateAccountReport.errors ?? [];
  return `${first?.instancePath || 'the report'} ${first?.message ?? 'is not valid'}`;
}

/** A value of a row that is in no message of any length. */
export function shown(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, 100);
}

/** A sentence for the page and for logs. */
export function invalidRowMessage({ store, account, reason }: InvalidRow): string {
  return `The row of ${account} in ${store} is not used: ${reason}. The next run of the account replaces it; \`hostwright serve worker forget\` deletes it.`;
}
