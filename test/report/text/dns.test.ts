// DNS records as a table, as JSON and as a zone file.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DnsReport, PublishedRecord } from '../../../src/model/dns.ts';
import { dnsBlocks } from '../../../src/report/blocks/dns.ts';
import { writeText } from '../../../src/report/text/write.ts';
import { renderDnsJson } from '../../../src/report/json/index.ts';
import { renderZone } from '../../../src/report/text/zone.ts';
import { expectGolden } from '../golden.ts';

const record = (extra: Partial<PublishedRecord>): PublishedRecord => ({
  address: 'Site/shop',
  name: 'www.example.com',
  type: 'CNAME',
  status: 'found',
  found: [],
  purpose: 'leads visitors to the site',
  rule: 'DOM-07',
  ...extra,
});

function renderDns(records: DnsReport, { color }: { color: boolean }): string {
  return writeText(dnsBlocks(records), { color, width: Infinity });
}

const report: DnsReport = {
  account: 'acc-acme',
  records: [
    record({
      name: 'example.com',
      type: 'NS',
      value: 'ns1.zone.example.net',
      at: 'registrar',
      status: 'mismatched',
      found: ['ns.old.example', 'ns1.zone.example.net'],
      reason: 'other name servers are named beside these',
      purpose: 'hands the name to the platform',
    }),
    record({
      name: 'example.com',
      type: 'MX',
      value: 'mx.example.net',
      priority: 10,
      status: 'missing',
      purpose: 'receives mail',
    }),
    record({
      name: 'mail._domainkey.example.com',
      type: 'TXT',
      value: `v=DKIM1; p=${'k'.repeat(300)}`,
      status: 'unknown',
      reason: 'nobody looked',
      purpose: 'signs mail',
    }),
    record({
      name: 'mail.example.com',
      type: 'AAAA',
      value: '2001:db8::25',
      optional: true,
      status: 'missing',
      purpose: 'webmail',
    }),
    record({ name: 'mail.example.com', type: 'A', value: '192.0.2.25', purpose: 'webmail' }),
    record({ name: 'new.example.com', status: 'not-known', reason: 'not known before it is attached' }),
    record({ value: 'edge.example.net', found: ['edge.example.net'] }),
  ],
};

describe('DNS records', () => {
  it('are a table', () => {
    expectGolden('dns.txt', renderDns(report, { color: false }));
    expectGolden('dns.color.txt', renderDns(report, { color: true }));
    expect(renderDns({ account: 'acc-acme', records: [] }, { color: false })).toBe(
      'DNS records for account acc-acme: nothing to publish.',
    );
    expect(renderDns({ account: 'acc-acme', records: [record({ status: 'not-known' })] }, { color: false })).toContain(
      'CNAME  ()',
    );
  });

  it('are JSON', () => {
    expectGolden('dns.json', renderDnsJson(report, { outcome: 'waiting', diagnostics: [] }));
  });

  it('are a zone file, in which what is not known is a notice', () => {
    expectGolden('dns.zone', renderZone(report));
    expect(renderZone({ account: 'acc-acme', records: [] })).toBe(
      '; DNS records for account acc-acme\n; nothing to publish',
    );
  });
});

/** The records of a zone file, read as RFC 1035 says: only what our own writer uses of it. */
function parseZone(text: string): readonly { readonly name: string; readonly type: string; readonly data: string }[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';') && !line.startsWith('$'))
    .map((line) => {
      const [name = '', , type = '', ...data] = line.split('\t');
      return { name, type, data: data.join('\t') };
    });
}

function textOf(data: string): Buffer {
  const bytes = [...data.matchAll(/"((?:[^"\\]|\\\d{3}|\\[^\d])*)"/g)].flatMap(([, inside = '']) => {
    const own = [...inside.matchAll(/\\(\d{3})|\\(.)|(.)/g)].map(([, code, escaped, plain]) =>
      code === undefined ? (escaped ?? plain ?? '').charCodeAt(0) : Number(code),
    );
    expect(own.length).toBeLessThanOrEqual(255);
    return own;
  });
  return Buffer.from(bytes);
}

describe('a zone file', () => {
  it('holds any text in strings of 255 bytes at most, and gives it back', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 700, unit: 'binary' }), (value) => {
        const rows = parseZone(renderZone({ account: 'a', records: [record({ type: 'TXT', value })] }));
        expect(rows).toHaveLength(1);
        expect(rows[0]?.data).toMatch(/^[\x20-\x7e]*$/);
        expect(textOf(rows[0]?.data ?? '').equals(Buffer.from(value, 'utf8'))).toBe(true);
      }),
    );
  });

  it('has one line a record, whatever stands in a name, a value or a notice', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', '.', '"', ';', '\n', '\r', '\t', ' ', '(', ')', '\\', '$', '@', 'ü', '\u2028'),
    });
    fc.assert(
      fc.property(
        hostile,
        hostile,
        hostile,
        fc.constantFrom('CNAME', 'NS', 'MX', 'TXT', 'A', 'AAAA'),
        (name, value, purpose, type) => {
          const rows = parseZone(
            renderZone({ account: purpose, records: [record({ name, value, purpose, rule: purpose, type })] }),
          );
          expect(rows).toHaveLength(type === 'A' || type === 'AAAA' ? 0 : 1);
          if (type !== 'TXT')
            for (const row of rows) expect(`${row.name} ${row.data}`).toMatch(/^[\w*.\\-]+ (\d+ )?[\w*.\\-]+$/);
        },
      ),
    );
  });

  it('leaves out an address that is none', () => {
    expect(renderZone({ account: 'a', records: [record({ type: 'A', value: 'soon' })] })).toContain(
      '; left out: www.example.com A (its value is no address)',
    );
    expect(renderZone({ account: 'a', records: [record({ type: 'MX', value: 'mx.example.net.' })] })).toContain(
      'MX\t0 mx.example.net.',
    );
  });
});
