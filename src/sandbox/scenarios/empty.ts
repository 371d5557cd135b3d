// An account with its users and nothing in it: where every other scenario starts.
import type { State } from '../core/state.ts';

export function empty(state: State): void {
  state.accounts.set('acc-acme', { id: 'acc-acme', name: 'acme' });
  state.accounts.set('acc-other', { id: 'acc-other', name: 'other' });
  // Reaches a second account: without the account header its things show up too.
  state.users.set('user-ada', {
    id: 'user-ada',
    firstName: 'Ada',
    lastName: 'Vries',
    email: 'ada@acme.example',
    accountIds: ['acc-acme', 'acc-other'],
    role: 'full',
    siteRoles: new Map(),
  });
  state.users.set('user-rob', {
    id: 'user-rob',
    firstName: 'Rob',
    lastName: 'Reader',
    email: 'rob@acme.example',
    accountIds: ['acc-acme'],
    role: 'read',
    siteRoles: new Map(),
  });
}
