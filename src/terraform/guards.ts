// The ceilings of the provider block, counted over all that one walk of Terraform plans: the resource that passes one
// gets the error.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { Plan, Risk } from '../model/plan/plan.ts';
import type { Workspace } from '../model/workspace.ts';
import { refusalsOf } from '../usecases/guards.ts';
import { diagnose } from './diagnostics.ts';
import { isObject } from './value/convert.ts';
import type { Value } from './value/cty.ts';
import { UNKNOWN } from './value/cty.ts';

/** Counts a plan, and says what forbids it beside those that were counted before. */
export type CountPlan = (root: Address, plan: Plan) => readonly Diagnostic[];

/** How a provider block says what an option of a command says. */
const SETTINGS: Readonly<Record<string, string>> = {
  '--allow-deletes': 'allow_deletes',
  '--allow-charges': 'allow_charges',
  '--max-spend': 'max_spend',
};

/** The variables that stand for ceilings that a provider block leaves out. */
const GUARD_VARIABLES = {
  allow_deletes: 'HOSTWRIGHT_ALLOW_DELETES',
  allow_charges: 'HOSTWRIGHT_ALLOW_CHARGES',
  max_spend: 'HOSTWRIGHT_MAX_SPEND',
} as const;

/** The ceilings of the provider block, and of the environment where it says nothing. */
export function guardsIn(
  value: Value | undefined,
  outside: Readonly<Record<string, string | undefined>>,
): { readonly guards: Partial<Workspace['guards']>; readonly diagnostics: readonly Diagnostic[] } {
  const written = isObject(value) ? value : {};
  const diagnostics: Diagnostic[] = [];
  const said = (name: keyof typeof GUARD_VARIABLES): Value => written[name] ?? (outside[name] || null);
  const wrong = (name: keyof typeof GUARD_VARIABLES, form: string): undefined => {
    const place =
      (written[name] ?? null) === null ? `The environment variable ${GUARD_VARIABLES[name]}` : `\`guards.${name}\``;
    diagnostics.push(diagnose('HW7013', `${place} is ${JSON.stringify(said(name))}. Write ${form}.`));
    return undefined;
  };
  const count = (name: 'allow_deletes' | 'allow_charges'): number | undefined => {
    const given = said(name);
    if (given === null || given === UNKNOWN) return undefined;
    const number = given === '' ? NaN : Number(given);
    return Number.isSafeInteger(number) && number >= 0 ? number : wrong(name, 'a whole number, such as 1');
  };
  const spend = said('max_spend');
  const allowDeletes = count('allow_deletes');
  const allowCharges = count('allow_charges');
  const maxSpend =
    typeof spend !== 'string'
      ? undefined
      : /^\d+(\.\d{1,2})? ?[A-Z]{3}$/.test(spend)
        ? spend.replace(/ ?(?=[A-Z]{3}$)/, ' ')
        : wrong('max_spend', 'an amount and a currency, such as "20.00 EUR"');
  return {
    guards: {
      ...(allowDeletes !== undefined && { allowDeletes }),
      ...(allowCharges !== undefined && { allowCharges }),
      ...(maxSpend !== undefined && { maxSpend }),
    },
    diagnostics,
  };
}

/** The ledger of a provider block. */
export interface GuardedLedger {
  readonly standing: LedgerView['standing'];
  /** Absent: the block names none. */
  readonly place?: string;
}

export function createGuards({ guards }: Pick<Workspace, 'guards'>, ledger: GuardedLedger): CountPlan {
  const { standing } = ledger;
  const counted = new Map<Address, Plan['actions']>();
  return (root, plan) => {
    counted.delete(root);
    const before = refusalsOf({ ...plan, actions: [...counted.values()].flat() }, { guards }, {}, standing);
    const actions = [...[...counted.values()].flat(), ...plan.actions];
    counted.set(root, plan.actions);
    const told = new Set(before.guards.map(({ code }) => code));
    const { guards: refused } = refusalsOf({ ...plan, actions }, { guards }, {}, standing);
    const own = refusalsOf(plan, { guards }, {}, standing).guards;
    // One that was broken before is told again only where this resource adds to it.
    return refused
      .filter(
        ({ code }) =>
          !told.has(code) || own.some((one) => one.code === code) || countedBy(code, plan.actions).length > 0,
      )
      .map(({ short, ...diagnostic }) => ({
        ...diagnostic,
        detail: BLIND.includes(diagnostic.code)
          ? `${root} would be bought or made for good, and ${whyBlind(ledger)}`
          : `${root}, with what the resources before it do: ${short.reason}${namesOf(countedBy(diagnostic.code, actions))}. ${remedyOf(short)}`,
      }));
  };
}

const NAMED = 10;

/** What a guard counts, by name. */
function namesOf(actions: Plan['actions']): string {
  const more = actions.length > NAMED ? ` and ${actions.length - NAMED} more` : '';
  const names = actions.slice(0, NAMED).map(({ address }) => decodeURIComponent(address));
  return names.length === 0 ? '' : ` (${names.join(', ')}${more})`;
}

/** What a guard counts. */
function countedBy(code: string, actions: Plan['actions']): Plan['actions'] {
  const counted: Risk = code === 'HW2202' ? 'delete' : 'charge';
  return actions.filter(({ risk }) => risk.includes(counted));
}

/** What only a ledger can tell. */
const BLIND: readonly string[] = ['HW2206', 'HW2207'];

/** What is missing before anything is bought, and how it is given. */
function whyBlind({ standing, place }: GuardedLedger): string {
  if (place === undefined)
    return 'the provider has no `ledger`: what was sent would be known to nobody. Give it one, such as `ledger = { file = "hostwright.ledger", create = true }`.';
  const remedy =
    'If this account bought nothing by another ledger, write `create = true` in `ledger`, and it begins with the apply; else restore the one that there was.';
  return standing === 'missing'
    ? `${place} is not there. ${remedy}`
    : `${place} is not complete: it began in an apply without \`create = true\`, and does not know what was bought before. ${remedy}`;
}

function remedyOf(short: { readonly option?: string; readonly remedy?: string }): string {
  const [option = '', value = ''] = (short.option ?? '').split(' ');
  const setting = SETTINGS[option] ?? option;
  const written = setting === 'max_spend' ? `"${value.replace(/([A-Z]+)$/, ' $1')}"` : value;
  return `To allow it, set \`guards = { ${setting} = ${written} }\` in the provider block, or ${(GUARD_VARIABLES as Readonly<Record<string, string>>)[setting]} where it says nothing.`;
}
