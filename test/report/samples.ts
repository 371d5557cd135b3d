// Hand-written plans and outcomes for the reporters.
import { actionDigest, planDigest, planIdentity } from '../../src/planner/digest.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { toShare } from '../../src/model/diagnostic.ts';
import type { Outcome } from '../../src/model/plan/outcome.ts';
import type { Action, Plan } from '../../src/model/plan/plan.ts';
import { path, ref } from '../../src/model/plan/step.ts';
import { aPlan } from '../support/actions.ts';

export const SHOP = 'Site/shop';
export const WWW = 'Site/shop/SiteDomain/www.example.com';
export const NEW = 'Site/shop/SiteDomain/new.example.com';
export const OLD = 'Site/shop/SiteDomain/old.example.com';

export function planOf(parts: Partial<Plan>): Plan {
  const nothing = aPlan();
  return {
    ...nothing,
    planId: 'p'.repeat(64),
    ledgerSequence: 3,
    account: 'acme',
    digest: 'd'.repeat(64),
    summary: { ...nothing.summary, unchanged: 14 },
    ...parts,
    // As the planner does: a plan has only lines that may be shown.
    notices: (parts.notices ?? []).map(toShare),
  };
}

export function actionOf(parts: Partial<Action> & Pick<Action, 'address' | 'verb'>): Action {
  return {
    kind: 'SiteDomain',
    digest: 'a'.repeat(64),
    reason: 'will be created',
    changes: [],
    expect: { exists: parts.verb !== 'create', tests: [] },
    risk: [],
    protected: false,
    requires: { userCredential: false, scopes: [], roles: ['can_modify'] },
    stage: parts.verb === 'delete' ? 'removal' : 'change',
    effects: [],
    locks: [SHOP],
    steps: [],
    needs: [],
    ...parts,
  };
}

export const create = actionOf({
  address: NEW,
  verb: 'create',
  source: { file: 'sites/shop.yaml', line: 9, column: 7 },
  changes: [
    { op: 'add', path: '/hostname', value: 'new.example.com' },
    { op: 'add', path: '/attach', value: 'dns' },
  ],
  steps: [
    {
      do: 'request',
      name: 'attach',
      method: 'POST',
      path: path`/api/sites/${ref(SHOP)}/domains`,
      body: { domain: 'new.example.com', provision_method: 'dns' },
      idempotent: false,
      answers: [
        { status: '2xx', has: '/id', then: 'done', capture: { id: '/id', ns1: '/ns1', ns2: '/ns2' } },
        { status: '2xx', then: 'look-up', rule: 'DOM-07' },
      ],
      recovery: {
        lookUp: {
          read: path`/api/sites/${ref(SHOP)}/domains`,
          rows: '/domains',
          where: [{ pointer: '/hostname', value: 'new.example.com', as: 'hostname' }],
          capture: { id: '/id' },
        },
        ifNotFound: 'ask',
        graceMs: 10_000,
        rule: 'DOM-16',
      },
      reason: 'attach the hostname by name servers',
      rule: 'DOM-06',
    },
    {
      do: 'wait-for',
      name: 'listed',
      waitFor: {
        how: 'until',
        found: true,
        lookUp: {
          read: path`/api/sites/${ref(SHOP)}/domains`,
          rows: '/domains',
          where: [{ pointer: '/id', value: ref(NEW) }],
          capture: {},
        },
        deadlineMs: 120_000,
        reason: 'the list of the site shows the hostname',
      },
    },
  ],
});

export const promote = actionOf({
  address: WWW,
  verb: 'update',
  reason: 'primary differs',
  source: { file: 'sites/shop.yaml', line: 8, column: 18 },
  changes: [{ op: 'replace', path: '/primary', was: false, value: true }],
  risk: ['exposure'],
  effects: [{ address: OLD, path: '/primary', value: false }],
  needs: [{ address: NEW, rule: 'O-12', reason: 'its id comes from the attach' }],
  steps: [
    {
      do: 'request',
      name: 'promote',
      method: 'PATCH',
      path: path`/api/sites/${ref(SHOP)}/domains/${ref(WWW)}`,
      idempotent: true,
      answers: [{ status: '2xx', then: 'done' }],
      skipIf: {
        lookUp: { read: path`/api/sites`, rows: '/sites', where: [{ pointer: '/id', value: ref(SHOP) }], capture: {} },
        reason: 'the first domain of a site becomes primary by itself',
        rule: 'DOM-08',
      },
      reason: 'make it the primary domain; the previous one becomes an alias',
      rule: 'DOM-09',
    },
    { do: 'verify', name: 'read back', reason: 'the answer is not documented', rule: 'GAP-05' },
  ],
});

export const remove = actionOf({
  address: OLD,
  verb: 'delete',
  reason: 'the ledger shows it to be ours, and no manifest names it any more',
  changes: [
    { op: 'remove', path: '/hostname', was: 'old.example.com' },
    { op: 'remove', path: '/primary', was: true },
  ],
  risk: ['delete'],
  requires: { userCredential: true, scopes: ['sites:write'], roles: ['can_destroy'] },
  needs: [
    { address: WWW, rule: 'O-13', reason: 'without a new primary the site would fall back to its temporary URL' },
    { address: NEW, rule: 'O-70', reason: 'a failed change must not leave less than there was before' },
  ],
  steps: [
    {
      do: 'request',
      name: 'detach',
      method: 'DELETE',
      path: path`/api/sites/${ref(SHOP)}/domain/${ref(OLD)}`,
      idempotent: true,
      recheck: true,
      answers: [
        { status: '2xx', then: 'done' },
        { status: 404, code: 'not_found', then: 'fail', reason: 'it is gone already', rule: 'SIT-17' },
      ],
      reason: 'detach the hostname',
      rule: 'DOM-10',
    },
  ],
});

export const shopPlan = planOf({
  actions: [create, promote, remove],
  bindings: { [SHOP]: 'site-1', [WWW]: 'dom 2' },
  unmanaged: [
    {
      collection: 'Site/shop/SiteDomain',
      kind: 'SiteDomain',
      identity: 'a.example.com',
      yaml: 'domains:\n  - a.example.com\n',
    },
    {
      collection: 'Site/shop/SiteDomain',
      kind: 'SiteDomain',
      identity: 'b.example.com',
      yaml: 'domains:\n  - b.example.com\n',
    },
    {
      collection: 'Site/blog/SiteDomain',
      kind: 'SiteDomain',
      identity: 'c.example.com',
      yaml: 'domains:\n  - c.example.com\n',
    },
  ],
});

export const warning: Diagnostic = {
  code: 'HW2301',
  severity: 'warning',
  summary: 'The declared value is not read back',
  detail: 'The method of an attached hostname is sent once. Remove the field to silence this.',
  address: WWW,
  pointer: '/spec/domains/1/attach',
  source: { file: 'sites/shop.yaml', line: 9, column: 7, endLine: 9, endColumn: 12 },
  frame: '   8 |   domains:\n>  9 |     - { hostname: new.example.com, attach: dns }\n     |       ^^^^^',
  isTracked: true,
};

export const error: Diagnostic = {
  code: 'HW1203',
  severity: 'error',
  summary: 'Unknown field',
  detail: 'There is no field `phpVersoin`; did you mean `phpVersion`?',
  source: { file: 'a.yaml', line: 3, column: 1, endLine: 3, endColumn: 4 },
};

export function outcomeOf(parts: Partial<Outcome>): Outcome {
  return {
    format: 'hostwright.outcome/1',
    outcome: 'done',
    exitCode: 0,
    account: 'acme',
    planDigest: 'd'.repeat(64),
    actions: [],
    remaining: [],
    diagnostics: [],
    requests: { reads: 4, writes: 0 },
    ...parts,
  };
}

/** The plan with digests and an id that hold. */
export function sealed({ planId: _planId, ...plan }: Plan): Plan {
  const actions = plan.actions.map((action) => ({ ...action, digest: actionDigest(plan.account, action) }));
  const content = { ...plan, actions, digest: planDigest(actions) };
  return { ...content, planId: planIdentity(content) };
}
