// Everything that is allowed and that nobody expects: names made to break terminals, pages and parsers, ids that need
// encoding, lists in another order at each read, empty lists as null, fresh domains that show up late.
import { addDomain, addSite } from '../core/state.ts';
import type { State } from '../core/state.ts';
import { HOSTILE_NAMES } from '../core/hostile-names.ts';

export const hostileAmbiguities: Readonly<Record<string, string>> = {
  listOrder: 'reshuffled',
  lateLists: 'reads:1',
  emptyLists: 'null',
  'GAP-19.temporary': 'listed',
};

export function hostile(state: State): void {
  const account = state.accounts.get('acc-acme');
  if (account !== undefined) account.name = 'acme \u001b[2J<b>|';
  HOSTILE_NAMES.forEach(([id, name], index) => {
    const site = addSite(state, {
      id,
      accountId: 'acc-acme',
      name,
      temporaryHostname: `hostile-${index}.tmp.sandbox.example`,
    });
    // Lists of two, in no particular order, one of them with an id that needs encoding.
    addDomain(state, site, { id: `dom/${index}?a=%25#x`, hostname: `h${index}.example.net` });
    addDomain(state, site, { id: `dom-${index}`, hostname: `www.h${index}.example.net` });
  });
}
