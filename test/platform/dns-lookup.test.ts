// Looks at the DNS, asked of a name server on this machine.
import { describe, expect, it } from 'vitest';
import { createDnsLookup } from '../../src/platform/dns-lookup.ts';
import { startNameServer } from '../support/servers/dns-server.ts';
import { closing } from '../support/closing.ts';

describe('a look at the DNS', () => {
  it('gives the values of every type', async () => {
    const long = 'v=DKIM1; p='.padEnd(400, 'x');
    const server = closing(
      await startNameServer({
        'A a.example.com': ['192.0.2.1', '192.0.2.2'],
        'AAAA a.example.com': ['2001:db8:0:0:0:0:0:1'],
        'CNAME www.example.com': ['target.example.net'],
        'NS example.com': ['ns1.example.net', 'ns2.example.net'],
        'MX example.com': ['10 mx.example.net'],
        'TXT example.com': ['v=spf1 -all', long],
      }),
    );
    const lookup = createDnsLookup({ servers: [server.address] });
    expect(await lookup('a.example.com', 'A')).toEqual({ state: 'answered', values: ['192.0.2.1', '192.0.2.2'] });
    expect(await lookup('a.example.com', 'AAAA')).toEqual({ state: 'answered', values: ['2001:db8::1'] });
    expect(await lookup('www.example.com', 'CNAME')).toEqual({ state: 'answered', values: ['target.example.net'] });
    expect(await lookup('example.com', 'NS')).toEqual({
      state: 'answered',
      values: ['ns1.example.net', 'ns2.example.net'],
    });
    expect(await lookup('example.com', 'MX')).toEqual({ state: 'answered', values: ['10 mx.example.net'] });
    expect(await lookup('example.com', 'TXT')).toEqual({ state: 'answered', values: ['v=spf1 -all', long] });
  });

  it('tells no record from no answer', async () => {
    const server = closing(
      await startNameServer({ 'NS gone.example.com': 'nxdomain', 'NS broken.example.com': 'servfail' }),
    );
    const lookup = createDnsLookup({ servers: [server.address] });
    expect(await lookup('empty.example.com', 'NS')).toEqual({ state: 'answered', values: [] });
    expect(await lookup('gone.example.com', 'NS')).toEqual({ state: 'answered', values: [] });
    expect(await lookup('broken.example.com', 'NS')).toEqual({ state: 'failed', reason: 'the name server failed' });
    expect(await lookup(`${'x'.repeat(70)}.example.com`, 'NS')).toMatchObject({ state: 'failed' });
    const nobody = await startNameServer({});
    await nobody.close();
    expect(await createDnsLookup({ servers: [nobody.address] })('example.com', 'NS')).toMatchObject({
      state: 'failed',
    });
  });

  it('is not waited for once the run is stopped', async () => {
    const server = closing(await startNameServer({ 'NS silent.example.com': 'silent' }));
    const stop = new AbortController();
    const lookup = createDnsLookup({ servers: [server.address], signal: stop.signal });
    const asked = lookup('silent.example.com', 'NS');
    stop.abort();
    expect(await asked).toEqual({ state: 'failed', reason: 'it was called off' });
    expect(await lookup('silent.example.com', 'NS')).toEqual({ state: 'failed', reason: 'it was called off' });
  });
});
