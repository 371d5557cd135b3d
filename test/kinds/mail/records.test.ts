// Which DNS records a domain of mail needs: told by the platform, never made up, and none that the platform publishes
// itself.
import { describe, expect, it } from 'vitest';
import { mailDomain } from '../../../src/areas/mail/kinds/domain/index.ts';
import { mailspace } from '../../../src/areas/mail/kinds/mailspace/index.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Kind, Member } from '../../../src/model/kind/kind.ts';
import { containing } from '../../support/matchers.ts';

const parent: Member = { identity: 'a.nl', id: 'm/1', spec: {}, computed: {}, keys: [] };

function of(kind: Kind, computed: JsonObject | null, report?: Json) {
  const context = {
    desired: { domain: 'a.nl', name: 'b.nl' },
    live: computed === null ? null : { id: kind === mailspace ? 'm/1' : 'b.nl', spec: {}, computed },
    parent: kind === mailspace ? null : parent,
    outputs: {},
  };
  return {
    reads: kind.capabilities.records?.reads?.(context) ?? {},
    records: kind.capabilities.records?.records(context, report === undefined ? {} : { report }) ?? [],
  };
}

const row = (more: JsonObject): JsonObject => ({
  type: 'MX',
  name: 'a.nl',
  value: 'mx.example.net',
  priority: 10,
  purpose: 'receives',
  optional: false,
  placeholder: false,
  status: 'ok',
  found: null,
  ...more,
});

describe('the records of mail', () => {
  it('are asked of the report where the domain is served, the primary without its name (MDM-19)', () => {
    expect(of(mailspace, { ready: true }).reads).toEqual({ report: ['/api/mailspace/m%2F1/domains/dns'] });
    expect(of(mailDomain, { state: 'served' }).reads).toEqual({
      report: ['/api/mailspace/m%2F1/domains/dns?domain=b.nl'],
    });
    expect([
      of(mailspace, { ready: false }).reads,
      of(mailspace, null).reads,
      of(mailDomain, { state: 'pending_verification' }).reads,
      of(mailDomain, null).reads,
    ]).toEqual([{}, {}, {}, {}]);
    expect(
      mailDomain.capabilities.records?.reads?.({
        desired: { name: 'b.nl' },
        live: { id: 'b.nl', spec: {}, computed: { state: 'served' } },
        parent: null,
        outputs: {},
      }),
    ).toEqual({});
  });

  it('are not known before the domain is added', () => {
    for (const kind of [mailspace, mailDomain])
      expect(of(kind, null).records).toEqual([
        {
          name: kind === mailspace ? 'a.nl' : 'b.nl',
          type: 'MX',
          purpose: 'receives mail',
          rule: 'MDM-22',
          reason: 'not known before the domain is added',
        },
      ]);
  });

  it('MSP-17: are the proof of ownership first, and none once that is given', () => {
    expect(of(mailspace, { ready: false, proven: false, txtHost: '_v.a.nl', txtValue: 'x' }).records).toEqual([
      { name: '_v.a.nl', type: 'TXT', value: 'x', purpose: 'proves whose the domain is', rule: 'MSP-17' },
    ]);
    expect(of(mailspace, { ready: false, proven: false, txtHost: null, txtValue: null }).records).toMatchObject([
      { name: 'a.nl', type: 'TXT', reason: containing('dashboard') },
    ]);
    expect(
      of(mailDomain, { state: 'pending_verification', proven: false, txtHost: '_v.b.nl', txtValue: null }).records,
    ).toMatchObject([{ name: '_v.b.nl', reason: expect.any(String) as string }]);
    expect(of(mailDomain, { state: 'pending_verification', proven: true }).records).toEqual([]);
  });

  it('MDM-22: are what the report lists, with what it says of them', () => {
    const { records } = of(
      mailspace,
      { ready: true },
      {
        managed: false,
        records: [
          row({}),
          row({ type: 'AAAA', value: '2001:db8::1', priority: null, optional: true, status: 'unchecked' }),
          row({ type: 'TXT', value: 'v=spf1 -all', priority: null, status: 'mismatch', found: 'v=spf1' }),
          row({ type: 'A', value: '192.0.2.1', priority: null, status: 'missing' }),
          row({ type: 'SRV' }),
        ],
      },
    );
    expect(records).toEqual([
      {
        name: 'a.nl',
        type: 'MX',
        value: 'mx.example.net',
        priority: 10,
        purpose: 'receives',
        rule: 'MDM-22',
        reported: { status: 'found', found: [] },
      },
      { name: 'a.nl', type: 'AAAA', value: '2001:db8::1', purpose: 'receives', rule: 'MDM-22', optional: true },
      {
        name: 'a.nl',
        type: 'TXT',
        value: 'v=spf1 -all',
        purpose: 'receives',
        rule: 'MDM-22',
        reported: { status: 'mismatched', found: ['v=spf1'] },
      },
      {
        name: 'a.nl',
        type: 'A',
        value: '192.0.2.1',
        purpose: 'receives',
        rule: 'MDM-22',
        reported: { status: 'missing', found: [] },
      },
    ]);
  });

  it('never hold a placeholder for a key that could not be read', () => {
    expect(
      of(mailspace, { ready: true }, { records: [row({ type: 'TXT', placeholder: true, value: 'put the key here' })] })
        .records,
    ).toEqual([
      { name: 'a.nl', type: 'TXT', purpose: 'receives', rule: 'MDM-22', reason: expect.any(String) as string },
    ]);
  });

  it('are none where the platform hosts the zone, or tells nothing', () => {
    expect(of(mailspace, { ready: true }, { managed: true, records: [row({})] }).records).toEqual([]);
    expect(of(mailspace, { ready: true }).records).toEqual([]);
    expect(
      of(mailspace, { ready: true }, { records: [row({ status: undefined as never })] }).records[0],
    ).not.toHaveProperty('reported');
  });
});
