// Decides which documented behaviours of the platform are in force. Each is registered under the id of the rule it
// honours, beside the code that consults it, and can be switched off one by one: that is how the conformance suite
// proves that its cases bite. Must not know what a behaviour does.
import { CATALOGUE } from './catalogue.ts';

export interface Behaviour {
  /** A rule id, or `RULE-01/aspect` where one rule has several behaviours. */
  readonly id: string;
  readonly statement: string;
}

export interface SandboxRules {
  on(behaviour: Behaviour | string): boolean;
}

const registered = new Map<string, Behaviour>();

/** Registers a behaviour; called once at module level. */
export function rule(id: string, statement: string): Behaviour {
  const [ruleId] = id.split('/');
  if (!CATALOGUE.some((entry) => entry.id === ruleId)) throw new Error(`'${id}' names no rule of the catalogue`);
  if (registered.has(id)) throw new Error(`the behaviour '${id}' is registered twice`);
  const behaviour = { id, statement };
  registered.set(id, behaviour);
  return behaviour;
}

/** Every registered behaviour, in order of id. Complete once the server's module is loaded. */
export function behaviours(): readonly Behaviour[] {
  return [...registered.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** The switches of one sandbox. A rule's id switches off all its behaviours. */
export function createRules(disabled: readonly string[]): SandboxRules {
  const known = behaviours().map((behaviour) => behaviour.id);
  for (const id of disabled) {
    if (known.some((one) => one === id || one.startsWith(`${id}/`))) continue;
    throw new Error(`no behaviour '${id}' can be switched off; there are: ${known.join(', ')}`);
  }
  const off = new Set(known.filter((id) => disabled.some((one) => one === id || id.startsWith(`${one}/`))));
  return {
    on(behaviour) {
      const id = typeof behaviour === 'string' ? behaviour : behaviour.id;
      if (!registered.has(id)) throw new Error(`'${id}' is not a registered behaviour`);
      return !off.has(id);
    },
  };
}
