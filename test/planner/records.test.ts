// What is said of a DNS record: by the platform's word first, then by a look at the DNS; a look that failed says
// nothing.
import { describe, expect, it } from 'vitest';
import type { NeededRecord } from '../../src/planner/records.ts';
import { judgeRecords, questionsFor, questionsForAliases } from '../../src/planner/records.ts';
import type { LookupAnswer } from '../../src/model/dns.ts';

const record = (extra: Partial<NeededRecord>): NeededRecord => ({
  address: 'Site/a',
  name: 'www.example.com',
  type: 'CNAME',
  value: 'target.example.net',
  purpose: 'p',
  rule: 'R-1',
  ...extra,
});
const none = (): NeededRecord => {
  const { value: _value, ...rest } = record({ reason: 'not known before it is attached' });
  return rest;
};
const answers = (given: Readonly<Record<string, readonly string[] | 'failed'>>): ReadonlyMap<string, LookupAnswer> =>
  new Map(
    Object.entries(given).map(([key, values]) => [
      key,
      values === 'failed' ? { state: 'failed', reason: 'no answer' } : { state: 'answered', values },
    ]),
  );
const judged = (extra: Partial<NeededRecord>, given: Parameters<typeof answers>[0]) => {
  const { status, found, reason } = judgeRecords([record(extra)], answers(given))[0]!;
  return reason === undefined ? [status, found] : [status, found, reason];
};

describe('a DNS record', () => {
  it('is found whatever the spelling, missing, or something else', () => {
    expect(judged({}, { 'CNAME www.example.com': ['TARGET.example.net.'] })).toEqual([
      'found',
      ['TARGET.example.net.'],
    ]);
    expect(judged({}, { 'CNAME www.example.com': ['other.example.net'] })).toEqual([
      'mismatched',
      ['other.example.net'],
    ]);
    expect(judged({ type: 'A', value: '192.0.2.1' }, { 'A www.example.com': ['192.0.2.1'] })).toEqual([
      'found',
      ['192.0.2.1'],
    ]);
    expect(judged({ type: 'A', value: '192.0.2.1' }, { 'A www.example.com': [] })).toEqual(['missing', []]);
    expect(judged({ type: 'AAAA', value: '2001:DB8:0::1' }, { 'AAAA www.example.com': ['2001:db8::1'] })).toEqual([
      'found',
      ['2001:db8::1'],
    ]);
    expect(judged({ type: 'AAAA', value: 'no address' }, { 'AAAA www.example.com': ['2001:db8::1'] })).toEqual([
      'mismatched',
      ['2001:db8::1'],
    ]);
    expect(
      judged(
        { type: 'MX', value: 'mx.example.net', priority: 10 },
        { 'MX www.example.com': ['10 MX.example.net', '20 backup.example.net'] },
      )[0],
    ).toBe('found');
    expect(
      judged({ type: 'MX', value: 'mx.example.net' }, { 'MX www.example.com': ['10 mx.example.net', ''] })[0],
    ).toBe('mismatched');
  });

  it('of text is told from the other texts of its name by how it begins', () => {
    const spf = { type: 'TXT', value: 'v=spf1 include:a -all' } as const;
    expect(judged(spf, { 'TXT www.example.com': ['google-site=1', 'v=spf1 include:a -all'] })).toEqual([
      'found',
      ['v=spf1 include:a -all'],
    ]);
    expect(judged(spf, { 'TXT www.example.com': ['google-site=1', 'v=spf1 -all'] })).toEqual([
      'mismatched',
      ['v=spf1 -all'],
    ]);
    expect(judged(spf, { 'TXT www.example.com': ['google-site=1'] })).toEqual(['missing', []]);
  });

  it('of name servers allows no strangers beside ours', () => {
    const [one, two] = ['ns1.example.net', 'ns2.example.net'].map((value) =>
      record({ type: 'NS', name: 'example.com', value }),
    );
    const status = (...values: readonly string[]) =>
      judgeRecords([two!, one!], answers({ 'NS example.com': values })).map(
        (judgement) => `${judgement.value} ${judgement.status}`,
      );
    expect(status('ns1.example.net', 'ns2.example.net')).toEqual(['ns1.example.net found', 'ns2.example.net found']);
    expect(status('ns1.example.net')).toEqual(['ns1.example.net found', 'ns2.example.net mismatched']);
    expect(status('ns1.example.net', 'ns2.example.net', 'ns.old.example')).toEqual([
      'ns1.example.net mismatched',
      'ns2.example.net mismatched',
    ]);
  });

  it('of a name without a CNAME is judged by where the name leads', () => {
    const there = {
      'CNAME www.example.com': [],
      'A www.example.com': ['192.0.2.1'],
      'A target.example.net': ['192.0.2.1', '192.0.2.2'],
    };
    expect(judged({}, there)).toEqual([
      'found',
      ['192.0.2.1'],
      'it has no CNAME record, and the addresses of the target',
    ]);
    expect(judged({}, { ...there, 'A www.example.com': ['198.51.100.1'] })).toEqual(['mismatched', ['198.51.100.1']]);
    expect(judged({}, { ...there, 'A www.example.com': [] })).toEqual(['missing', []]);
    expect(judged({}, { ...there, 'A www.example.com': [], 'AAAA www.example.com': 'failed' })).toEqual([
      'unknown',
      [],
      'no answer',
    ]);
  });

  it('is unknown where nobody looked or the look failed: that is not missing', () => {
    expect(judged({}, {})).toEqual(['unknown', [], 'nobody looked']);
    expect(judged({}, { 'CNAME www.example.com': 'failed' })).toEqual(['unknown', [], 'no answer']);
  });

  it('is what the platform says of it, without a look at the DNS', () => {
    const reported = record({ reported: { status: 'mismatched', found: ['x'] } });
    const judgement = judgeRecords([reported], answers({ 'CNAME www.example.com': ['target.example.net'] }))[0];
    expect(judgement).toMatchObject({ status: 'mismatched', found: ['x'] });
    expect(judgement).not.toHaveProperty('reported');
    expect(questionsFor([reported])).toEqual([]);
  });

  it('whose value is not known yet is neither looked for nor judged', () => {
    expect(questionsFor([none()])).toEqual([]);
    expect(judgeRecords([none()], new Map())).toMatchObject([
      { status: 'not-known', reason: 'not known before it is attached' },
    ]);
  });

  it('stands in the order of name, type and value', () => {
    const records = [
      record({ name: 'b.example.com' }),
      record({ name: 'a.example.com', type: 'TXT', value: 'b' }),
      record({ name: 'a.example.com', type: 'TXT', value: 'a', address: 'Site/b' }),
      record({ name: 'a.example.com', type: 'TXT', value: 'a' }),
      record({ name: 'a.example.com' }),
    ];
    expect(
      judgeRecords(records, new Map()).map(({ name, type, value, address }) => `${name} ${type} ${value} ${address}`),
    ).toEqual([
      'a.example.com CNAME target.example.net Site/a',
      'a.example.com TXT a Site/a',
      'a.example.com TXT a Site/b',
      'a.example.com TXT b Site/a',
      'b.example.com CNAME target.example.net Site/a',
    ]);
  });
});

describe('the questions to the DNS', () => {
  it('are each asked once; a name without a CNAME is asked for its addresses, and so is the target', () => {
    const records = [
      record({}),
      record({}),
      record({ type: 'TXT', value: 'x' }),
      record({ name: 'there.example.com' }),
    ];
    expect(questionsFor(records)).toEqual([
      { name: 'www.example.com', type: 'CNAME' },
      { name: 'www.example.com', type: 'TXT' },
      { name: 'there.example.com', type: 'CNAME' },
    ]);
    const lookups = answers({ 'CNAME www.example.com': [], 'CNAME there.example.com': ['x'] });
    expect(questionsForAliases(records, lookups).map(({ name, type }) => `${type} ${name}`)).toEqual([
      'A www.example.com',
      'AAAA www.example.com',
      'A target.example.net',
      'AAAA target.example.net',
    ]);
    expect(questionsForAliases(records, answers({ 'CNAME www.example.com': 'failed' }))).toEqual([]);
  });
});
