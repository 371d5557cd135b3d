// Names that rest on a registration, and the name servers that a hostname has to give.
import { describe, expect, test } from 'vitest';
import { registry } from '../../../src/areas/index.ts';
import { needsRegistration } from '../../../src/areas/registration/kinds/registered-name.ts';

describe('the registration that a name rests on', () => {
  test("O-17: is that of the name or of the nearest name above it; a top-level domain is nobody's", () => {
    const { keys } = registry.get('SiteDomain')?.capabilities.needs ?? {};
    expect(keys?.({ hostname: 'WWW.Shop.Example.com.' })).toEqual([
      'www.shop.example.com',
      'shop.example.com',
      'example.com',
    ]);
    expect(keys?.({})).toEqual([]);
    expect(registry.get('Mailspace')?.capabilities.needs?.keys({ domain: 'example.com' })).toEqual(['example.com']);
    expect(registry.get('MailDomain')?.capabilities.needs?.keys({ name: 'mail.example.org' })).toEqual([
      'mail.example.org',
      'example.org',
    ]);
    expect(registry.get('PanelAccount')?.capabilities.needs?.keys({ order: { domain: 'panel.example.org' } })).toEqual([
      'panel.example.org',
      'example.org',
    ]);
    expect(registry.get('PanelAccount')?.capabilities.needs?.keys({})).toEqual([]);
    expect(needsRegistration<{ readonly of: string }>('O-66', ({ of }) => of).rule).toBe('O-66');
  });

  test('GAP-55: a transfer that has not arrived is in the list already, and does not do; a name that has run out does', () => {
    const { isMet } = registry.get('SiteDomain')?.capabilities.needs ?? {};
    expect(['OK', 'EXPIRED', 'PENDING_TRANSFER', null].map((status) => isMet?.({ computed: { status } }))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('the name servers of a hostname', () => {
  const { value } = registry.get('SiteDomain')?.capabilities.outputs?.nameservers ?? {};
  const of = (reported: Readonly<Record<string, string>>) => value?.({ spec: {}, computed: {}, reported });

  test('DOM-07: both, as the attach told them, or nothing', () => {
    expect(of({ ns1: 'ns1.example.net', ns2: 'ns2.example.net', id: '1' })).toEqual([
      'ns1.example.net',
      'ns2.example.net',
    ]);
    for (const reported of [{}, { ns1: 'ns1.example.net' }, { ns2: 'ns2.example.net' }, { cname: 'x.example.net' }])
      expect(of(reported as Record<string, string>)).toBeUndefined();
  });
});
