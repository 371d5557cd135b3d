// Actions and plans written by hand, for what looks at some of their members alone.
import type { BegunAction } from '../../src/model/ledger/begun.ts';
import { begunAction } from '../../src/model/ledger/begun.ts';
import type { Action, Plan } from '../../src/model/plan/plan.ts';

/** An update that does nothing, but for what is given; its kind is that of its address. */
export function anAction(given: Partial<Omit<Action, 'source'>> & Pick<Action, 'address'>): Action {
  const [root = '', , child] = given.address.split('/');
  return {
    kind: child ?? root,
    verb: 'update',
    digest: `digest of ${given.address}`,
    reason: 'differs',
    changes: [],
    expect: { exists: given.verb !== 'create', tests: [] },
    risk: [],
    effects: [],
    protected: false,
    requires: { userCredential: false, scopes: [], roles: [] },
    stage: given.verb === 'delete' ? 'removal' : 'change',
    locks: [given.address],
    steps: [],
    needs: [],
    ...given,
  };
}

/** What the ledger records of an action. */
export function begunOf(action: Action): BegunAction {
  return begunAction(action, { intent: '', stepsDigest: '' });
}

/** A plan in which nothing else stands. */
export function aPlan(given: Partial<Plan> = {}): Plan {
  return {
    format: 'hostwright.plan/1',
    planId: 'plan-1',
    account: 'acc',
    digest: 'd',
    ledgerSequence: 0,
    summary: {
      create: 0,
      update: 0,
      delete: 0,
      charges: 0,
      restarts: 0,
      manual: 0,
      waiting: 0,
      blocked: 0,
      unknown: 0,
      unmanaged: 0,
      unchanged: 0,
    },
    actions: [],
    bindings: {},
    unmanaged: [],
    blocked: [],
    unknown: [],
    waiting: [],
    manual: [],
    deferred: [],
    notices: [],
    ...given,
  };
}
