// The ceilings of the provider block, counted over all that one walk of Terraform plans: the resource that passes one
// gets the error.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { Plan, Risk } from '../model/plan/plan.ts';
import type { Workspace } from '../model/workspace.ts';
import { refusalsOf } from '../usecases/guards.ts';

/** Counts a plan, and says what forbids it beside those that were counted before. */
export type CountPlan = (root: Address, plan: Plan) => readonly Diagnostic[];

/** How a provider block says what an option of a command says. */
const SETTINGS: Readonly<Record<string, string>> = {
  '--allow-deletes': 'allow_deletes',
  '--allow-charges': 'allow_charges',
  '--max-spend': 'max_spend',
};

export function createGuards({ guards }: Pick<Workspace, 'guards'>, standing: LedgerView['standing']): CountPlan {
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
        detail: `${root}, with what the resources before it do: ${short.reason}${namesOf(countedBy(diagnostic.code, actions))}. ${remedyOf(short)}`,
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

function remedyOf(short: { readonly option?: string; readonly remedy?: string }): string {
  const [option = '', value = ''] = (short.option ?? '').split(' ');
  const setting = SETTINGS[option];
  if (setting === undefined)
    return 'Give the provider a `ledger`; when this account has bought nothing by it yet, begin it with `hostwright ledger init`.';
  const written = setting === 'max_spend' ? `"${value.replace(/([A-Z]+)$/, ' $1')}"` : value;
  return `To allow it, set \`guards = { ${setting} = ${written} }\` in the provider block.`;
}
