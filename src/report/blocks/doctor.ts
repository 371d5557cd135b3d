// A look at the set-up as blocks: area by area, with what to do under what is not as it should be.
import { withoutRules } from '../../model/diagnostic.ts';
import type { DoctorReport, Finding, FindingArea, Verdict } from '../../model/doctor.ts';
import { plural } from '../../model/common/count.ts';
import { escapeText } from '../view/escape.ts';
import type { Block, Role } from './block.ts';
import { chapter, marked, paragraph } from './block.ts';

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
const VERDICTS: Readonly<Record<Verdict, readonly [Role, string]>> = {
  ok: ['good', 'ok'],
  warning: ['careful', 'warning'],
  problem: ['bad', 'problem'],
  unknown: ['faint', 'not known'],
};
/** All areas have one column. */
const COLUMN = 'not known'.length;

/** All that was found, the settings, and how many findings there are of what is not well. `verbose`: the reads too. */
export function doctorBlocks(
  { findings, settings, requests }: DoctorReport,
  { verbose }: { readonly verbose: boolean },
): readonly Block[] {
  const shown = (text: string): string => escapeText(verbose ? text : withoutRules(text));
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  return [
    ...HEADINGS.flatMap(([area, heading]) => {
      const own = findings.filter((finding) => finding.area === area);
      return own.length === 0 ? [] : [chapter(heading, 2, [{ is: 'list', items: own.map(itemOf(shown)) }])];
    }),
    tableOf(
      ['setting', 'value', 'from', 'instead of'],
      settings.map(({ name, value, from, beats }) => [
        name,
        value,
        from,
        beats.map((other) => `${other.value} (${other.from})`).join(', '),
      ]),
    ),
    ...(verbose ? [requests.length === 0 ? paragraph('No request was sent.') : readsOf(requests)] : []),
    {
      is: 'heading',
      line: [
        `${plural(count('problem'), 'problem')}, ${plural(count('warning'), 'warning')}, ${count('unknown')} not known`,
      ],
    },
  ];
}

function itemOf(shown: (text: string) => string) {
  return ({ verdict, says, remedy }: Finding) => {
    const [role, word] = VERDICTS[verdict];
    return {
      cells: [[marked(role, word.padEnd(COLUMN))]],
      line: [shown(says)],
      blocks: remedy === undefined ? [] : [paragraph(shown(remedy))],
    };
  };
}

function readsOf(requests: DoctorReport['requests']): Block {
  return tableOf(
    ['read', 'of', 'answer'],
    requests.map(({ path, account, answer }) => [`GET ${path}`, account ? 'the account' : 'all accounts', answer]),
  );
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): Block {
  return { is: 'table', heads, rows: rows.map((row) => row.map((cell) => [escapeText(cell)])) };
}
