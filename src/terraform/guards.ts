// The ceilings of the provider block, counted over all that one walk of Terraform plans: the resource that passes one
// gets the error.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { Plan, Risk } from '../model/plan/plan.ts';
import { parsePrice, showPrice } from '../model/price.ts';
import type { Workspace } from '../model/workspace.ts';
import { refusalsOf } from '../usecases/guards.ts';
import { named } from '../usecases/plan/limits.ts';
import { isObject } from './value/convert.ts';
import type { Value } from './value/cty.ts';
import { UNKNOWN } from './value/cty.ts';

/** Counts a plan, and says what forbids it beside those that were counted before. */
export type CountPlan = (root: Address, plan: Plan) => readonly Diagnostic[];

type Setting = 'allow_deletes' | 'allow_charges' | 'max_spend';

/** The variable that stands for a ceiling that the provider block leaves out: that of CI. */
function variableOf(setting: Setting): string {
  return `HOSTWRIGHT_${setting.toUpperCase()}`;
}

/** The ceilings of the provider block, and of the environment where it says nothing. */
export function guardsIn(
  value: Value | undefined,
  outside: Readonly<Record<string, string | undefined>>,
): { readonly guards: Partial<Workspace['guards']>; readonly diagnostics: readonly Diagnostic[] } {
  const written = isObject(value) ? value : {};
  const diagnostics: Diagnostic[] = [];
  const said = (name: Setting): Value => written[name] ?? (outside[name] || null);
  const wrong = (name: Setting, form: string): undefined => {
    const place =
      (written[name] ?? null) === null ? `The environment variable ${variableOf(name)}` : `\`guards.${name}\``;
    diagnostics.push(diagnose('HW7013', `${place} is ${JSON.stringify(said(name))}. Write ${form}.`));
    return undefined;
  };
  const count = (name: Exclude<Setting, 'max_spend'>): number | undefined => {
    const given = said(name);
    if (given === null || given === UNKNOWN) return undefined;
    const number = Number(given);
    return Number.isSafeInteger(number) && number >= 0 ? number : wrong(name, 'a whole number, such as 1');
  };
  const spend = said('max_spend');
  const allowDeletes = count('allow_deletes');
  const allowCharges = count('allow_charges');
  const price =
    typeof spend === 'string'
      ? (parsePrice(spend) ?? wrong('max_spend', 'an amount and a currency, such as "20.00 EUR"'))
      : undefined;
  return {
    guards: {
      ...(allowDeletes !== undefined && { allowDeletes }),
      ...(allowCharges !== undefined && { allowCharges }),
      ...(price !== undefined && { maxSpend: showPrice(price) }),
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

/** What a guard counts, by name. */
function namesOf(actions: Plan['actions']): string {
  return actions.length === 0 ? '' : ` (${named(actions.map(({ address }) => decodeURIComponent(address)))})`;
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

/**
 * Returns how to allow what a guard refuses.
 *
 * @param option - The option of the command that allows it, such as `--allow-deletes 2`. Absent: the price is not quoted, or
 * not in the currency of `max_spend`, so that no ceiling in money can be checked.
 */
function remedyOf({ option }: { readonly option?: string }): string {
  if (option === undefined)
    return `No value of \`max_spend\` allows it, because the platform quotes no price in that currency. Remove \`max_spend\` from \`guards\` in the provider block and ${variableOf('max_spend')} from the environment, and limit the number of purchases with \`allow_charges\`.`;
  const [name = '', value = ''] = option.replace(/^--/, '').split(' ');
  const setting = name.replace('-', '_') as Setting;
  const written = setting === 'max_spend' ? `"${value.replace(/([A-Z]+)$/, ' $1')}"` : value;
  return `To allow it, set \`guards = { ${setting} = ${written} }\` in the provider block, or ${variableOf(setting)} where it says nothing.`;
}
