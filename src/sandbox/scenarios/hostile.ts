// Everything that is allowed and that nobody expects: names made to break terminals, pages and parsers, ids that need
// encoding, lists in another order at each read, empty lists as null, fresh domains that show up late.
import { addMailGroup, addMailbox, addMailspace } from '../mail/state.ts';
import { addPanelAccount, panelMirror } from '../panel/state.ts';
import { addDomain, addSite } from '../core/state.ts';
import type { State } from '../core/state.ts';
import { empty } from './empty.ts';

export const hostileAmbiguities: Readonly<Record<string, string>> = {
  listOrder: 'reshuffled',
  lateLists: 'reads:1',
  emptyLists: 'null',
  'GAP-19.temporary': 'listed',
};

const NAMES: readonly (readonly [id: string, name: string])[] = [
  ['site/ansi', '\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007'],
  ['site%control', 'bell\u0007 null\u0000 return\rline\nfeed\u0085\u2028end'],
  ['site bidi', 'abc\u202egnp.exe\u2066x\u2069'],
  ['site#html', '<img src=x onerror=alert(1)>"\'&amp;</script>'],
  ['site?markdown', '[click](javascript:alert(1)) | **bold** `code` ::warning::owned <!-- -->'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['site\u00e9\ud83d\ude80', '\ud83d\ude80 \u0065\u0301 \u00e9 \ufeff'],
  ['site+$(x)', '${{ secrets.TOKEN }} %0A $(rm -rf /) {{7*7}}'],
];

export function hostile(): State {
  const state = empty();
  const account = state.accounts.get('acc-acme');
  if (account !== undefined) account.name = 'acme \u001b[2J<b>|';
  NAMES.forEach(([id, name], index) => {
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
  const space = addMailspace(state.mail, {
    id: 'mail/ansi?a=%25',
    domain: 'hostile.example.net',
    accountId: 'acc-acme',
    token: 'e'.repeat(32),
    package: 'mail_50',
  });
  NAMES.forEach(([id, name], index) => {
    addMailbox(space, { id: `mbx ${id}`, email: `m${index}@hostile.example.net`, displayName: name });
    addMailGroup(space, { principalId: `grp ${id}`, email: `g${index}@hostile.example.net`, description: name });
  });
  state.panel.enabledFor = ['acc-acme'];
  // Usernames have a form of their own; nothing else of an account does.
  NAMES.forEach(([, name], index) => {
    const mirror = panelMirror({ packageCode: name, primaryDomain: name, server: name });
    addPanelAccount(state.panel, {
      username: `hostile_${index}`,
      accountId: 'acc-acme',
      local: { packageCode: name, primaryDomain: name },
      mirror,
    });
  });
  return state;
}
