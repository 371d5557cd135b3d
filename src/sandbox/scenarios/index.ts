// Which scenarios there are by name. A scenario is a store to start from, and the readings that belong to it.
import type { State } from '../core/state.ts';
import type { Billing } from '../billing/state.ts';
import { empty } from './empty.ts';
import { generated, generatedAccounts } from './generated.ts';
import { guards } from './guards.ts';
import { hostile, hostileAmbiguities } from './hostile.ts';
import { shield } from '../shield/scenario.ts';
import { mail, mailboxes } from '../mail/scenario.ts';
import { panel, panelAccounts } from '../panel/scenario.ts';
import { registrar, registrations } from '../registration/scenario.ts';
import { small } from './small.ts';

export type ScenarioFn = () => State;

export interface Scenario {
  readonly state: State;
  /** Overridden by the readings that the caller gives. */
  readonly ambiguities: Readonly<Record<string, string>>;
}

const NAMED: Readonly<
  Record<string, { readonly build: ScenarioFn; readonly ambiguities?: Readonly<Record<string, string>> }>
> = {
  empty: { build: empty },
  small: { build: small },
  guards: { build: guards },
  hostile: { build: hostile, ambiguities: hostileAmbiguities },
  mail: { build: mail },
  'billing-bank': paying({ methodType: 'sepa_debit', outcome: 'processing' }),
  'billing-3ds': paying({ outcome: 'authentication' }),
  'billing-declined': paying({ outcome: 'declined' }),
  'billing-external': paying({ processor: false, methodType: null, hasCustomer: false }),
  'billing-no-method': paying({ methodType: null }),
  'billing-trial': paying({ trial: true }),
  shield: { build: shield },
  panel: { build: panel },
  registrar: { build: registrar },
};

/** Accounts of any size. */
const SIZED: Readonly<Record<string, (count: number) => State>> = {
  sites: generated,
  accounts: generatedAccounts,
  mailboxes,
  panel: panelAccounts,
  registrations,
};

/** The small account, paying in another way. */
function paying(billing: Partial<Billing>): { readonly build: ScenarioFn } {
  return {
    build() {
      const state = small();
      const account = state.accounts.get('acc-acme');
      if (account !== undefined) account.billing = billing;
      return state;
    },
  };
}

export function buildScenario(scenario: string | ScenarioFn): Scenario {
  if (typeof scenario === 'function') return { state: scenario(), ambiguities: {} };
  const [, of, count] = /^(sites|accounts|mailboxes|panel|registrations):(\d+)$/.exec(scenario) ?? [];
  if (of !== undefined && count !== undefined)
    return { state: (SIZED[of] ?? generated)(Number(count)), ambiguities: {} };
  const named = Object.hasOwn(NAMED, scenario) ? NAMED[scenario] : undefined;
  if (named === undefined)
    throw new Error(
      `unknown scenario '${scenario}'; there are: ${Object.keys(NAMED).join(', ')}, ${Object.keys(SIZED)
        .map((one) => `${one}:N`)
        .join(', ')}`,
    );
  return { state: named.build(), ambiguities: named.ambiguities ?? {} };
}
