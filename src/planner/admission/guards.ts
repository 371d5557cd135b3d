// Whether a plan stays under its ceilings: deletes, charges, what a manifest protects, and what only a complete ledger
// makes safe. Each refusal says what would allow it.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Action, Approvable, Plan } from '../../model/plan/plan.ts';
import { APPROVABLE } from '../../model/plan/plan.ts';
import type { Price } from '../../model/price.ts';
import { parsePrice, showPrice, sumPrices } from '../../model/price.ts';

export interface Ceilings {
  readonly allowDeletes: number;
  readonly allowCharges: number;
  /** What may be spent at most, such as `15.00 EUR`. */
  readonly maxSpend?: string;
  /** What may run although nobody reviewed the plan; absent: not limited. */
  readonly approve?: readonly Approvable[];
}

/** One error for each guard that the plan breaks; empty when it may run. */
export function checkGuards(plan: Plan, ceilings: Ceilings, standing: LedgerView['standing']): readonly Diagnostic[] {
  const charges = plan.actions.filter(({ risk }) => risk.includes('charge'));
  return [
    ...checkUnreviewed(plan.actions, ceilings.approve),
    ...checkProtected(plan.actions),
    ...checkDeletes(plan.actions, ceilings.allowDeletes),
    ...checkCharges(charges, ceilings),
    ...(standing === 'complete' ? [] : [...checkLedger(charges, standing), ...checkMakings(plan.actions, standing)]),
  ];
}

/** Each action by itself, because each is something that somebody has to look at. */
function checkUnreviewed(actions: readonly Action[], approve?: readonly Approvable[]): readonly Diagnostic[] {
  if (approve === undefined) return [];
  return actions.flatMap((action): readonly Diagnostic[] => {
    const missing = unapproved(action, approve);
    if (missing.length === 0) return [];
    const { address, verb, reason } = action;
    const words = missing.flatMap((word) => WHY_NAMED[word] ?? []);
    const why = words.length === 0 ? '' : ` ${words.join(' and ')}. That`;
    const what = `To ${verb} ${address} (${reason})${why}`;
    const named = [...approve, ...missing].join(',');
    return [
      {
        code: 'HW2210',
        severity: 'error',
        summary: 'An action may not run without review',
        detail: [
          `${what} is not among what --approve lets run unreviewed: ${approve.join(', ')}. Nothing is run. Have the plan`,
          `reviewed and run it with \`apply plan.json\` or \`--expect\`, or run apply with \`--approve ${named}\`.`,
        ].join(' '),
        address,
      },
    ];
  });
}

const WHY_NAMED: Readonly<Partial<Record<Approvable, string>>> = {
  exposure: 'lowers protection',
  primary: 'changes the primary hostname',
  irreversible: 'cannot be undone',
};

/** The words that have to be named for an action to run without review, and are not. */
export function unapproved(action: Action, approve: readonly Approvable[]): readonly Approvable[] {
  const words: readonly string[] = [
    action.verb,
    ...action.risk.filter((risk) => risk !== 'delete' || endsSomething(action)),
  ];
  return APPROVABLE.filter((word) => words.includes(word) && !approve.includes(word));
}

function checkProtected(actions: readonly Action[]): readonly Diagnostic[] {
  return actions
    .filter((action) => action.protected && action.risk.some((risk) => risk === 'delete' || risk === 'charge'))
    .map((action) => ({
      code: 'HW2201',
      severity: 'error',
      summary: 'A protected object would be deleted or charged for',
      detail: `The plan would ${action.verb} ${action.address}, and its manifest says \`lifecycle.protect: true\`. Set protect to false in a reviewed change first, or put back what the manifest no longer names.`,
      address: action.address,
    }));
}

/** Whatever its verb: a registration that is renewed no more goes as well (REG-13). What moves does not end (O-14). */
function endsSomething({ verb, risk, expect }: Action): boolean {
  return verb === 'delete' || (risk.includes('delete') && expect.from === undefined);
}

function checkDeletes(actions: readonly Action[], allowed: number): readonly Diagnostic[] {
  const deletes = actions.filter(endsSomething);
  if (deletes.length <= allowed) return [];
  return [
    {
      code: 'HW2202',
      severity: 'error',
      summary: 'The plan deletes more than is allowed',
      detail: `It deletes ${deletes.length} (${namesOf(deletes)}); ${allowed} allowed. Run apply with \`--allow-deletes ${deletes.length}\`, or set guards.allowDeletes in hostwright.yaml.`,
    },
  ];
}

function checkCharges(charges: readonly Action[], { allowCharges, maxSpend }: Ceilings): readonly Diagnostic[] {
  if (charges.length === 0) return [];
  const tooMany: Diagnostic = {
    code: 'HW2204',
    severity: 'error',
    summary: 'The plan charges more often than is allowed',
    detail: `It charges ${charges.length} times (${namesOf(charges)}); ${allowCharges} allowed. Run apply with \`--allow-charges ${charges.length}\`, or set guards.allowCharges in hostwright.yaml.`,
  };
  return [
    ...(charges.length > allowCharges ? [tooMany] : []),
    ...(maxSpend === undefined ? [] : checkSpend(charges, maxSpend)),
  ];
}

/** What nobody quoted, or quoted in another currency, is more than any ceiling: rates are not ours to guess. */
function checkSpend(charges: readonly Action[], maxSpend: string): readonly Diagnostic[] {
  const ceiling = parsePrice(maxSpend);
  const isOther = ({ cost }: Action): boolean => cost !== undefined && cost.currency !== ceiling?.currency;
  const unquoted = charges.filter(({ cost }) => cost === undefined);
  const others = charges.filter(isOther);
  const counted = charges.flatMap((action) => (action.cost === undefined || isOther(action) ? [] : [action.cost]));
  const over =
    ceiling === undefined ? [] : sumPrices(counted).filter(({ amountCents }) => amountCents > ceiling.amountCents);
  const refused = (detail: string): Diagnostic => ({
    code: 'HW2205',
    severity: 'error',
    summary: 'The plan may spend more than is allowed',
    detail,
  });
  const otherwise = 'Leave --max-spend and guards.maxSpend out, and count the charges with --allow-charges.';
  return [
    ...(unquoted.length === 0
      ? []
      : [
          refused(
            `The platform quotes no price for ${namesOf(unquoted)}, so nobody can know that it stays under ${maxSpend}. ${otherwise}`,
          ),
        ]),
    ...(others.length === 0
      ? []
      : [
          refused(
            `${others.map(({ address, cost }) => `${address} costs ${showPrice(cost as Price)}`).join(', ')}, and the ceiling is ${maxSpend}: two currencies are not compared. ${otherwise}`,
          ),
        ]),
    ...over.map((sum) =>
      refused(
        `It spends ${showPrice(sum)} (${namesOf(charges.filter(({ cost }) => cost?.currency === sum.currency))}); ${maxSpend} allowed. Run apply with \`--max-spend ${showPrice(sum).replace(' ', '')}\`, or set guards.maxSpend in hostwright.yaml.`,
      ),
    ),
  ];
}

/**
 * What was bought and has no natural key is known to the ledger alone: a missing ledger is not an empty one (ORD-43,
 * ORD-44).
 */
function checkLedger(charges: readonly Action[], standing: 'partial' | 'missing'): readonly Diagnostic[] {
  const blind = charges.filter(isBlind);
  if (blind.length === 0) return [];
  const why =
    standing === 'missing'
      ? 'there is no ledger'
      : 'the ledger began when none was found, so it does not know what was bought before';
  return [
    {
      code: 'HW2206',
      severity: 'error',
      summary: 'Nothing is bought without a complete ledger',
      detail: `The plan pays for ${namesOf(blind)}, and ${why}: it may be in flight or bought already. Restore the ledger, or, when this workspace has bought nothing yet, run \`hostwright ledger init\`.`,
    },
  ];
}

/** What is made for good, and may be in no list afterwards, is known to the ledger alone too (USR-06). */
function checkMakings(actions: readonly Action[], standing: 'partial' | 'missing'): readonly Diagnostic[] {
  const blind = actions.filter(
    (action) => action.verb === 'create' && action.risk.includes('irreversible') && isBlind(action),
  );
  if (blind.length === 0) return [];
  const why =
    standing === 'missing'
      ? 'there is no ledger'
      : 'the ledger began when none was found, so it does not know what was made before';
  return [
    {
      code: 'HW2207',
      severity: 'error',
      summary: 'Nothing that cannot be taken back is made without a complete ledger',
      detail: `The plan makes ${namesOf(blind)}, and ${why}: it may be there already, and no list need show it. Restore the ledger, or, when this workspace has made nothing of the kind yet, run \`hostwright ledger init\`.`,
    },
  ];
}

/** True when only the ledger can tell whether it was done. */
function isBlind({ steps }: Action): boolean {
  return steps.some(
    (step) =>
      step.do === 'request' &&
      !step.idempotent &&
      step.recovery?.ifNotFound !== 'send-again' &&
      step.recovery?.guarded === undefined,
  );
}

function namesOf(actions: readonly Action[]): string {
  return actions.map(({ address }) => address).join(', ');
}
