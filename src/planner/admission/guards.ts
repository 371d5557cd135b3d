// Whether a plan stays under its ceilings: deletes, charges, what a manifest protects, and what only a complete ledger
// makes safe. Each refusal says what would allow it.
import type { Address } from '../../model/address.ts';
import { parseAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Refusal } from '../../model/plan/guard-check.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Action, Approvable, Plan, Risk, Verb } from '../../model/plan/plan.ts';
import { APPROVABLE, endsSomething, replaces } from '../../model/plan/plan.ts';
import type { Price } from '../../model/price.ts';
import { parsePrice, showPrice, sumPrices } from '../../model/price.ts';
import { plural } from '../../model/common/count.ts';

export interface Ceilings {
  readonly allowDeletes: number;
  readonly allowCharges: number;
  /** What may be spent at most, such as `15.00 EUR`. */
  readonly maxSpend?: string;
  /** What may run although nobody reviewed the plan; absent: not limited. */
  readonly approve?: readonly Approvable[];
}

/** The error that apply ends with, and the same in few words. */
export interface GuardRefusal extends Diagnostic {
  readonly short: Omit<Refusal, 'code'>;
}

/** One for each guard that the plan breaks; empty when it may run. */
export function checkGuards(plan: Plan, ceilings: Ceilings, standing: LedgerView['standing']): readonly GuardRefusal[] {
  const charges = plan.actions.filter(({ risk }) => risk.includes('charge'));
  return [
    ...checkUnreviewed(plan.actions, ceilings.approve),
    ...checkProtected(plan.actions),
    ...checkDeletes(plan.actions, ceilings.allowDeletes),
    ...checkCharges(charges, ceilings),
    ...(standing === 'complete'
      ? []
      : [...checkBlindCharges(charges, standing), ...checkBlindCreates(plan.actions, standing)]),
  ];
}

function refusal(
  diagnostic: Diagnostic,
  short: Pick<Refusal, 'reason' | 'option' | 'remedy'> & Partial<Pick<Refusal, 'addresses'>>,
): GuardRefusal {
  return { ...diagnostic, short: { addresses: [], ...short } };
}

/** Each action by itself, because each is something that somebody has to look at. */
function checkUnreviewed(actions: readonly Action[], approve?: readonly Approvable[]): readonly GuardRefusal[] {
  if (approve === undefined) return [];
  const every = new Set(actions.flatMap((action) => unapproved(action, approve)));
  const enough = [...approve, ...APPROVABLE.filter((word) => every.has(word))].join(',');
  return actions.flatMap((action): readonly GuardRefusal[] => {
    const missing = unapproved(action, approve);
    if (missing.length === 0) return [];
    const { address, verb } = action;
    const words = missing.flatMap((word) =>
      word === 'delete' && replaces(action) ? 'deletes it and creates it again' : (WHY_NAMED[word] ?? []),
    );
    const why = words.length === 0 ? '' : ` ${words.join(' and ')}. That`;
    const what = `${DOING[verb]} ${inWords(address)}${why}`;
    const named = [...approve, ...missing].join(',');
    return [
      refusal(
        diagnose(
          'HW2210',
          [
            `${what} is not among what --approve lets run unreviewed: ${approve.join(', ')}. Nothing is run. Have the plan`,
            `reviewed and run it with \`apply plan.json\` or \`--expect\`, or run apply with \`--approve ${named}\`.`,
          ].join(' '),
          { address },
        ),
        {
          reason: `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not approved`,
          remedy: `Have the plan reviewed and run it with \`--expect\`, or name what is missing: \`--approve ${enough}\``,
          addresses: [address],
        },
      ),
    ];
  });
}

/** `SiteDomain help.example.com of Site docs`. */
function inWords(address: Address): string {
  const segments = parseAddress(address) ?? [];
  return [...segments]
    .reverse()
    .map(({ kind, name }) => (name === null ? kind : `${kind} ${name}`))
    .join(' of ');
}

const DOING: Readonly<Record<Verb, string>> = { create: 'Creating', update: 'Changing', delete: 'Deleting' };

const WHY_NAMED: Readonly<Partial<Record<Approvable, string>>> = {
  lapse: 'ends the renewal of a name',
  exposure: 'lowers protection',
  primary: 'changes the primary hostname',
  irreversible: 'cannot be undone',
};

/** The words that have to be named for an action to run without review, and are not. */
export function unapproved(action: Action, approve: readonly Approvable[]): readonly Approvable[] {
  const words: readonly string[] = [
    action.verb,
    ...(replaces(action) ? ['delete'] : []),
    ...action.risk.filter((risk) => risk !== 'delete' || endsSomething(action)),
  ];
  return APPROVABLE.filter((word) => words.includes(word) && !approve.includes(word));
}

function checkProtected(actions: readonly Action[]): readonly GuardRefusal[] {
  return actions
    .filter((action) => action.protected && action.risk.some((risk) => AGAINST_PROTECTION.includes(risk)))
    .map((action) =>
      refusal(
        diagnose(
          'HW2201',
          `The plan would ${action.verb} ${action.address}, and its manifest says \`lifecycle.protect: true\`. Set protect to false in a reviewed change first, or put back what the manifest no longer names.`,
          { address: action.address },
        ),
        {
          reason: `a protected object would be ${wordOfHarm(action)}`,
          remedy: 'Set `lifecycle.protect: false` in its manifest first, in a change of its own',
          addresses: [action.address],
        },
      ),
    );
}

const AGAINST_PROTECTION: readonly Risk[] = ['delete', 'lapse', 'charge'];

function wordOfHarm({ risk }: Action): string {
  if (risk.includes('delete')) return 'deleted';
  return risk.includes('lapse') ? 'given up' : 'charged for';
}

function checkDeletes(actions: readonly Action[], allowed: number): readonly GuardRefusal[] {
  const deletes = actions.filter((action) => endsSomething(action) || replaces(action));
  if (deletes.length <= allowed) return [];
  const replaced = deletes.filter(replaces).length;
  const again = replaced === 0 ? '' : `, ${replaced} of them to be created again`;
  const keepable = deletes.filter(({ keep }) => keep !== undefined).length;
  return [
    refusal(
      diagnose(
        'HW2202',
        `It deletes ${deletes.length} (${namesOf(deletes)})${again}; ${allowed} allowed.${keepable === 0 ? '' : ` ${keepable === 1 ? 'One was' : `${keepable} were`} never in a manifest: \`hostwright plan\` shows how to keep ${keepable === 1 ? 'it' : 'them'}.`} Run apply with \`--allow-deletes ${deletes.length}\`, or set guards.allowDeletes in hostwright.yaml.`,
      ),
      {
        reason: `${plural(deletes.length, 'delete')}${again}, ${allowed} allowed`,
        option: `--allow-deletes ${deletes.length}`,
      },
    ),
  ];
}

function checkCharges(charges: readonly Action[], { allowCharges, maxSpend }: Ceilings): readonly GuardRefusal[] {
  if (charges.length === 0) return [];
  const tooMany = refusal(
    diagnose(
      'HW2204',
      `It charges ${charges.length} times (${namesOf(charges)}); ${allowCharges} allowed. Run apply with \`--allow-charges ${charges.length}\`, or set guards.allowCharges in hostwright.yaml.`,
    ),
    {
      reason: `${plural(charges.length, 'charge')}, ${allowCharges} allowed`,
      option: `--allow-charges ${charges.length}`,
    },
  );
  return [
    ...(charges.length <= allowCharges ? [] : [tooMany]),
    ...(maxSpend === undefined ? [] : checkSpend(charges, maxSpend)),
  ];
}

/** What nobody quoted, or quoted in another currency, is more than any ceiling: rates are not ours to guess. */
function checkSpend(charges: readonly Action[], maxSpend: string): readonly GuardRefusal[] {
  const ceiling = parsePrice(maxSpend);
  const isOther = ({ cost }: Action): boolean => cost !== undefined && cost.currency !== ceiling?.currency;
  const unquoted = charges.filter(({ cost }) => cost === undefined);
  const others = charges.filter(isOther);
  const counted = charges.flatMap((action) => (action.cost === undefined || isOther(action) ? [] : [action.cost]));
  const over =
    ceiling === undefined ? [] : sumPrices(counted).filter(({ amountCents }) => amountCents > ceiling.amountCents);
  const refused = (detail: string, short: Parameters<typeof refusal>[1]): GuardRefusal =>
    refusal(diagnose('HW2205', detail), short);
  const count = 'Leave `--max-spend` and `guards.maxSpend` out, and count with `--allow-charges`';
  const otherwise = 'Leave --max-spend and guards.maxSpend out, and count the charges with --allow-charges.';
  return [
    ...(unquoted.length === 0
      ? []
      : [
          refused(
            `The platform quotes no price for ${namesOf(unquoted)}, so nobody can know that it stays under ${maxSpend}. ${otherwise}`,
            {
              reason: `the price is not quoted, and at most ${maxSpend} may be spent`,
              remedy: count,
              addresses: unquoted.map(({ address }) => address),
            },
          ),
        ]),
    ...(others.length === 0
      ? []
      : [
          refused(
            `${others.map(({ address, cost }) => `${address} costs ${showPrice(cost as Price)}`).join(', ')}, and the ceiling is ${maxSpend}: two currencies are not compared. ${otherwise}`,
            {
              reason: `the price is in another currency than the ceiling of ${maxSpend}`,
              remedy: count,
              addresses: others.map(({ address }) => address),
            },
          ),
        ]),
    ...over.map((sum) =>
      refused(
        `It spends ${showPrice(sum)} (${namesOf(charges.filter(({ cost }) => cost?.currency === sum.currency))}); ${maxSpend} allowed. Run apply with \`--max-spend ${showPrice(sum).replace(' ', '')}\`, or set guards.maxSpend in hostwright.yaml.`,
        {
          reason: `it spends ${showPrice(sum)}, ${maxSpend} allowed`,
          option: `--max-spend ${showPrice(sum).replace(' ', '')}`,
        },
      ),
    ),
  ];
}

/** What was bought and has no natural key is known to the ledger alone: a missing ledger is not an empty one. */
function checkBlindCharges(charges: readonly Action[], standing: 'partial' | 'missing'): readonly GuardRefusal[] {
  const blind = charges.filter(isBlind);
  if (blind.length === 0) return [];
  const why =
    standing === 'missing'
      ? 'there is no ledger'
      : 'the ledger began when none was found, so it does not know what was bought before';
  return [
    refusal(
      diagnose(
        'HW2206',
        `The plan pays for ${namesOf(blind)}, and ${why}: the same purchase may be in flight or completed already (ORD-43, ORD-44). Restore the ledger, or, when this workspace has bought nothing yet, run \`hostwright ledger init\`.`,
      ),
      {
        reason: standing === 'missing' ? 'there is no ledger' : 'the ledger is not complete',
        remedy: 'Restore the ledger, or run `hostwright ledger init` when this workspace has bought nothing yet',
        addresses: blind.map(({ address }) => address),
      },
    ),
  ];
}

/** What is made for good, and may be in no list afterwards, is known to the ledger alone too (USR-06). */
function checkBlindCreates(actions: readonly Action[], standing: 'partial' | 'missing'): readonly GuardRefusal[] {
  const blind = actions.filter(
    (action) => action.verb === 'create' && action.risk.includes('irreversible') && isBlind(action),
  );
  if (blind.length === 0) return [];
  const why =
    standing === 'missing'
      ? 'there is no ledger'
      : 'the ledger began when none was found, so it does not know what was made before';
  return [
    refusal(
      diagnose(
        'HW2207',
        `The plan makes ${namesOf(blind)}, and ${why}: it may be there already, and no list need show it. Restore the ledger, or, when this workspace has made nothing of the kind yet, run \`hostwright ledger init\`.`,
      ),
      {
        reason: standing === 'missing' ? 'there is no ledger' : 'the ledger is not complete',
        remedy: 'Restore the ledger, or run `hostwright ledger init` when this workspace has made nothing yet',
        addresses: blind.map(({ address }) => address),
      },
    ),
  ];
}

/** True when only the ledger can tell whether it was done. */
function isBlind({ steps }: Action): boolean {
  return steps.some(
    (step) =>
      step.do === 'request' &&
      !step.idempotent &&
      (step.recovery?.ifNotFound ?? 'unknown') === 'unknown' &&
      step.recovery?.guarded === undefined,
  );
}

function namesOf(actions: readonly Action[]): string {
  return actions.map(({ address }) => address).join(', ');
}
