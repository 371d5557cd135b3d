// The ledger as blocks: what is bound and what is ours, the last runs, and what is in flight with what only a person can
// say of it. Of all accounts: a row for each that has something to tell.
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { AccountLedger } from '../../model/plan/ledgers.ts';
import { describeStartedBy } from '../../model/plan/started-by.ts';
import { plural } from '../../model/common/count.ts';
import { VERB_MARKS } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import { showAddress, showProse } from '../view/names.ts';
import { confirmStep, stepLine } from '../view/next-steps.ts';
import type { Block, Item, Line, Role } from './block.ts';
import { listOf, marked, paragraph, table } from './block.ts';

const STANDING: Readonly<Record<LedgerView['standing'], string>> = {
  complete: 'complete',
  partial: 'partial: it began when none was found, so that its silence proves nothing',
  missing: 'missing: run `hostwright ledger init`, or restore it',
};

/** Runs that `ledger list` shows. */
const RUNS = 5;

export function ledgerBlocks(view: LedgerView): readonly Block[] {
  const { standing, sequence, inFlight, runs = [], openActs = [], doneActs = [] } = view;
  const objects = [...view.objects.values()];
  const account = view.account === undefined ? '' : ` of account ${escapeText(view.account, 100)}`;
  return [
    paragraph(marked('strong', `Ledger${account}`), `: ${STANDING[standing]}`),
    paragraph(
      `${plural(objects.length, 'object')}, ${plural(sequence, 'entry', 'entries')}, ${inFlight.length} in flight`,
    ),
    ...listOf(
      objects.map(({ address, id, owned }) => ({
        cells: [[marked('faint', owned ? 'ours' : 'bound')], [showAddress(address)]],
        line: [marked('code', escapeText(id, 100))],
      })),
    ),
    ...listOf([
      ...runs.slice(-RUNS).map(({ startedAtMs, by, end }) => {
        const who = by === undefined ? 'not known by whom' : `by ${escapeText(describeStartedBy(by), 500)}`;
        const how = end === undefined ? 'not ended' : end.complete ? 'complete' : 'not complete';
        return entry('faint', 'run', [`${new Date(startedAtMs).toISOString()} ${who}: ${how}`]);
      }),
      ...inFlight.map(({ action, unanswered, reason }) =>
        entry(
          'careful',
          'in flight',
          [`${VERB_MARKS[action.verb]} `, showAddress(action.address)],
          [
            ...(unanswered === undefined
              ? []
              : [
                  `the request \`${escapeText(unanswered, 100)}\` was sent, and its answer never came`,
                  stepLine(confirmStep(action.address)),
                ]),
            ...(reason === undefined ? [] : [showProse(reason)]),
          ],
        ),
      ),
      ...openActs.map(({ act, sentAtMs }) =>
        entry(
          'careful',
          'unknown',
          [escapeText(act, 300)],
          [
            `was sent at ${new Date(sentAtMs).toISOString()}, and its answer never came; the same command says where to look`,
          ],
        ),
      ),
      ...doneActs.map(({ act, doneAtMs, untilMs }) => {
        const end = untilMs === undefined ? '' : `; to end ${new Date(untilMs).toISOString()}`;
        return entry('faint', 'done', [`${escapeText(act, 300)}, ${new Date(doneAtMs).toISOString()}${end}`]);
      }),
    ]),
  ];
}

function entry(role: Role, what: string, line: Line, below: readonly string[] = []): Item {
  return { cells: [[marked(role, what)]], line, blocks: below.map((text) => paragraph(text)) };
}

/** The ledgers of all accounts, and what they come to. */
export function ledgersBlocks(ledgers: readonly AccountLedger[]): readonly Block[] {
  const told = ledgers.filter(
    ({ standing, inFlight, openActs, heldBy }) =>
      standing !== 'complete' || inFlight.length > 0 || openActs.length > 0 || heldBy !== undefined,
  );
  const flying = ledgers.filter(({ inFlight, openActs }) => inFlight.length + openActs.length > 0);
  const complete = ledgers.filter(({ standing }) => standing === 'complete').length;
  const rows = told.map(({ account, standing, place, inFlight, openActs, heldBy }): readonly Line[] => [
    [escapeText(account)],
    [place === undefined ? standing : `set aside as ${escapeText(place)}`],
    [
      [
        ...inFlight.map(({ address, verb }) => `${VERB_MARKS[verb]} ${showAddress(address)}`),
        ...openActs.map((act) => `? ${escapeText(act)}`),
      ].join(', '),
    ],
    [escapeText(heldBy ?? '')],
  ]);
  return [
    ...table(['ACCOUNT', 'LEDGER', 'IN FLIGHT', 'HELD BY'], rows),
    {
      is: 'heading',
      line: [
        ledgers.length === 0
          ? 'There is no ledger in the database.'
          : `${plural(ledgers.length, 'ledger')}: ${complete} complete, ${flying.length === 0 ? 'nothing in flight' : `${flying.length} with something in flight`}.`,
      ],
    },
  ];
}
