// How a look at the set-up reads in a terminal: area by area, with what to do under what is not as it should be.
import { withoutRules } from '../../model/diagnostic.ts';
import type { DoctorReport, Finding, FindingArea, Setting, Verdict } from '../../model/doctor.ts';
import { escapeText } from '../view/escape.ts';
import type { Paint } from './style.ts';
import { createStyle } from './style.ts';
import { renderTable } from './table.ts';

interface DoctorText {
  readonly color: boolean;
  /** The reads that were sent, too. */
  readonly verbose: boolean;
}

const HEADINGS: readonly (readonly [FindingArea, string])[] = [
  ['program', 'Program'],
  ['settings', 'Settings'],
  ['platform', 'Platform'],
  ['credential', 'Credential'],
  ['account', 'Account'],
  ['features', 'Features'],
  ['ledger', 'Ledger'],
  ['secrets', 'Secrets'],
  ['forge', 'Forge'],
];
const WORDS: Readonly<Record<Verdict, string>> = {
  ok: 'ok',
  warning: 'warning',
  problem: 'problem',
  unknown: 'not known',
};
const COLUMN = 'not known'.length;

/** All that was found, the settings, and how many findings there are of what is not well. */
export function renderDoctor({ findings, settings, requests }: DoctorReport, options: DoctorText): string {
  const style = createStyle(options.color);
  const paint: Readonly<Record<Verdict, Paint>> = {
    ok: style.good,
    warning: style.careful,
    problem: style.bad,
    unknown: style.faint,
  };
  const areas = HEADINGS.flatMap(([area, heading]) => {
    const own = findings.filter((finding) => finding.area === area);
    return own.length === 0
      ? []
      : [[style.strong(heading), ...own.flatMap((finding) => linesOf(finding, paint, options))].join('\n')];
  });
  const sent = requests.map(({ path, account, answer }) => [
    `GET ${path}`,
    account ? 'the account' : 'all accounts',
    answer,
  ]);
  const reads = options.verbose
    ? [sent.length === 0 ? 'No request was sent.' : renderTable(['read', 'of', 'answer'], sent, options)]
    : [];
  return [
    ...areas,
    renderTable(['setting', 'value', 'from', 'instead of'], settings.map(rowOf), options),
    ...reads,
    summaryOf(findings),
  ].join('\n\n');
}

function linesOf(
  { verdict, says, remedy }: Finding,
  paint: Readonly<Record<Verdict, Paint>>,
  { verbose }: Pick<DoctorText, 'verbose'>,
): readonly string[] {
  const shown = (text: string): string => escapeText(verbose ? text : withoutRules(text));
  const first = `  ${paint[verdict](WORDS[verdict].padEnd(COLUMN))}  ${shown(says)}`;
  return remedy === undefined ? [first] : [first, `  ${' '.repeat(COLUMN)}  ${shown(remedy)}`];
}

function rowOf({ name, value, from, beats }: Setting): readonly string[] {
  return [name, value, from, beats.map((other) => `${other.value} (${other.from})`).join(', ')];
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
  return `${plural(count('problem'), 'problem')}, ${plural(count('warning'), 'warning')}, ${count('unknown')} not known`;
}
