// How objects are called for people, and that the command line takes what reports show.
import { describe, expect, it } from 'vitest';
import { collectAddress, collectIgnore, collectTarget } from '../../../src/cli/parse.ts';
import { addressOf } from '../../../src/model/address.ts';
import { nounOf, nounsOf, showAddress, showHostname, showProse, titleOf } from '../../../src/report/view/names.ts';

describe('an address', () => {
  it.each(['made elsewhere', '100% off/on', 'say "hi"', 'back\\slash', '"quoted"', 'plain', '*.example.com'])(
    'of %s is shown without percent signs, and read back from what is shown',
    (name) => {
      const address = addressOf('Site/shop', 'EdgeRule', name);
      const shown = showAddress(address);
      expect(shown).not.toMatch(/%20|%2F/i);
      expect(collectAddress(shown, [])).toEqual([address]);
      expect(collectTarget(shown, [])).toEqual([address]);
      expect(collectIgnore(`${shown}#/enabled`, [])).toEqual([`${address}#/enabled`]);
      // A name that is in quotes itself can only be given as it is shown.
      if (!name.startsWith('"')) expect(collectAddress(address, [])).toEqual([address]);
    },
  );

  it('is words in a sentence', () => {
    expect(titleOf('Site/shop/EdgeRule/made%20elsewhere')).toBe('edge rule "made elsewhere" of site shop');
    expect(titleOf('Site/shop/PhpVersion')).toBe('PHP version of site shop');
    expect([
      nounOf('ShieldCustomRule'),
      nounsOf('Mailbox'),
      nounsOf('SiteDomain'),
      nounsOf('RegistrationOwner'),
    ]).toEqual(['Shield custom rule', 'mailboxes', 'hostnames', 'owners']);
    expect(showProse('It deletes 1 (Site/shop/EdgeRule/made%20elsewhere); 0 allowed.')).toBe(
      'It deletes 1 (Site/shop/EdgeRule/"made elsewhere"); 0 allowed.',
    );
  });
});

describe('a hostname', () => {
  it('of another script has its ASCII form beside it', () => {
    expect(showHostname('xn--wgv71a119e.example.com')).toBe('日本語.example.com (xn--wgv71a119e.example.com)');
    expect(titleOf('Site/shop/SiteDomain/xn--bcher-kva.example.com')).toBe(
      'hostname bücher.example.com (xn--bcher-kva.example.com) of site shop',
    );
    expect(showHostname('www.example.com')).toBeUndefined();
  });

  it('that may be meant to be confused comes in ASCII first, with a warning', () => {
    // аррӏе in Cyrillic alone, and a Latin word with one Cyrillic letter.
    for (const name of ['xn--80ak6aa92e.com', 'xn--pypal-4ve.com'])
      expect(showHostname(name)).toMatch(new RegExp(`^${name} \\(shown as .*check it\\)$`));
  });
});
