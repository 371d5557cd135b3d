// The DNS records of a site's hostname: from what the attach told, else from the view of the site, else not at all.
import { describe, expect, it } from 'vitest';
import { siteDomainRecords } from '../../../src/areas/site/kinds/domain/records.ts';
import type { SiteDomainSpec } from '../../../src/areas/site/kinds/domain/spec.ts';
import type { RecordContext } from '../../../src/model/kind/capabilities/records.ts';
import { containing } from '../../support/matchers.ts';

const parent = { identity: 'shop', id: 'site/1', spec: {}, computed: {}, keys: [] };
const live = { id: 'dom-1', spec: {}, computed: {} };
const of = (extra: Partial<RecordContext<SiteDomainSpec>>): RecordContext<SiteDomainSpec> => ({
  desired: { hostname: 'www.example.com' },
  live,
  parent,
  outputs: {},
  ...extra,
});
const dns = { hostname: 'www.example.com', attach: 'dns' } as const;
const cname = { name: 'www.example.com', type: 'CNAME', purpose: 'leads visitors to the site' };

describe('a hostname', () => {
  it('attached by CNAME points at what the attach told (DOM-07), or at what the site says (SIT-03)', () => {
    const known = of({ outputs: { cname: 'edge.example.net' } });
    expect(siteDomainRecords.reads?.(known)).toEqual({});
    expect(siteDomainRecords.records(known, {})).toEqual([{ ...cname, value: 'edge.example.net', rule: 'DOM-07' }]);
    expect(siteDomainRecords.reads?.(of({}))).toEqual({ site: ['/api/sites/site%2F1', '/api/sites/site%2F1/restart'] });
    expect(siteDomainRecords.records(of({}), { site: { site: { domain_cname: 'edge.example.org' } } })).toEqual([
      { ...cname, value: 'edge.example.org', rule: 'SIT-03' },
    ]);
  });

  it('has no value where nobody tells one', () => {
    const unreported = { ...cname, rule: 'SIT-03', reason: 'neither the ledger nor the site tells its target' };
    for (const site of [undefined, {}, { site: { domain_cname: null } }, { site: { domain_cname: '' } }])
      expect(siteDomainRecords.records(of({}), { site })).toEqual([unreported]);
    const absent = of({ live: null });
    expect(siteDomainRecords.reads?.(absent)).toEqual({});
    expect(siteDomainRecords.reads?.(of({ parent: null }))).toEqual({});
    expect(siteDomainRecords.records(absent, {})).toEqual([
      { ...cname, rule: 'SIT-03', reason: 'not known before it is attached' },
    ]);
  });

  it('attached by name servers names them at its registrar; they are told only once (DOM-07)', () => {
    const ns = {
      name: 'www.example.com',
      type: 'NS',
      purpose: 'hands the name to the platform',
      rule: 'DOM-07',
      at: 'registrar',
    };
    expect(
      siteDomainRecords.records(of({ desired: dns, outputs: { ns1: 'ns1.example.net', ns2: 'ns2.example.net' } }), {}),
    ).toEqual([
      { ...ns, value: 'ns1.example.net' },
      { ...ns, value: 'ns2.example.net' },
    ]);
    expect(siteDomainRecords.records(of({ desired: dns }), {})).toEqual([
      { ...ns, reason: containing('hosts the zone of this name') },
    ]);
    expect(siteDomainRecords.records(of({ desired: dns, live: null }), {})).toEqual([
      { ...ns, reason: 'not known before it is attached' },
    ]);
    expect(siteDomainRecords.reads?.(of({ desired: dns }))).toEqual({});
  });

  it('was attached as the answer shows, whatever the manifest says now (GAP-18)', () => {
    expect(siteDomainRecords.records(of({ outputs: { ns1: 'ns1.example.net' } }), {})).toMatchObject([{ type: 'NS' }]);
    expect(siteDomainRecords.records(of({ desired: dns, outputs: { cname: 'edge.example.net' } }), {})).toMatchObject([
      { type: 'CNAME' },
    ]);
  });
});
