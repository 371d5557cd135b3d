// What a test can do to mailspaces behind a client's back, and how they look in a fixture; the API itself is the
// conformance suite's.
import { describe, expect, it } from 'vitest';
import { sandboxes } from './sandboxes.ts';

const SHOP = '/api/mailspace/mail-shop';
const CONTROL = '/_sandbox/mailspaces/shop.example.com';
const start = sandboxes({ scenario: 'mail' });

describe('the raw store of mail', () => {
  it('is read whole, with what time has done to it', async () => {
    const { sandbox, client } = await start();
    sandbox.clock.advance(11 * 86_400_000);
    const reply = await client.get('/_sandbox/mail');
    expect(reply.at('spaces', 'mail-docs', 'mailboxes')).toMatchObject([{ email: 'dora@docs.example.com' }]);
    expect(sandbox.requests).toEqual([]);
  });

  it('takes domains, mailboxes and groups, and lets them go', async () => {
    const { client } = await start();
    await client.call('POST', `${CONTROL}/domains`, { name: 'x.example.com' });
    await client.call('PATCH', `${CONTROL}/domains`, { name: 'x.example.com', description: 'x' });
    await client.call('POST', `${CONTROL}/mailboxes`, { email: 'x@x.example.com' });
    await client.call('POST', `${CONTROL}/groups`, { email: 'g@x.example.com', members: ['x@x.example.com'] });
    await client.call('PATCH', `${CONTROL}/groups`, { email: 'g@x.example.com', description: 'g' });
    expect((await client.get(`${SHOP}/groups?q=g@x`)).at('groups')).toMatchObject([
      { description: 'g', member_count: 1 },
    ]);
    expect((await client.get(`${SHOP}/domains/x.example.com`)).at('domain', 'description')).toBe('x');
    for (const [path, body] of [
      ['groups', { email: 'g@x.example.com' }],
      ['mailboxes', { email: 'x@x.example.com' }],
      ['domains', { name: 'x.example.com' }],
    ] as const) {
      expect((await client.call('DELETE', `${CONTROL}/${path}`, body)).status).toBe(200);
    }
    expect((await client.get(`${SHOP}/domains/x.example.com`)).status).toBe(404);
  });

  it('changes a mailspace itself', async () => {
    const { client } = await start();
    await client.call('PATCH', CONTROL, { suspended: true });
    expect((await client.get(`${SHOP}/mailboxes`)).at('code')).toBe('mailspace_suspended');
  });

  it('publishes and withdraws DNS records; one that is gone before the sweep proves nothing', async () => {
    const { sandbox, client } = await start();
    const record = { name: '_mailspace-verify.blog.example.com', value: '2'.repeat(32) };
    await client.call('POST', '/_sandbox/dns', record);
    expect((await client.get('/_sandbox/dns')).at('dns')).toMatchObject([record]);
    await client.call('DELETE', '/_sandbox/dns', record);
    sandbox.clock.advance(600_000);
    expect((await client.get('/api/mailspace/mail-blog')).at('mailspace', 'verified')).toBe(false);
    await client.call('POST', '/_sandbox/dns', record);
    sandbox.clock.advance(600_000);
    expect((await client.get('/api/mailspace/mail-blog')).at('mailspace', 'provisioned')).toBe(true);
  });

  it('hosts a zone: its domain is managed from then on', async () => {
    const { client } = await start();
    await client.call('POST', '/_sandbox/dns/zones', { name: 'shop.example.com', accountId: 'acc-acme' });
    expect((await client.get(`${SHOP}/domains/dns`)).at('managed')).toBe(true);
  });

  it.each([
    ['PUT', `${CONTROL}/troubles`, { troubles: [{ part: 'weather' }] }, 400],
    ['PATCH', `${CONTROL}/mailboxes`, { email: 'nobody@shop.example.com' }, 400],
    ['PATCH', '/_sandbox/mailspaces/nowhere', {}, 404],
  ])('%s %s is told what is wrong', async (method, path, body, status) => {
    const { client } = await start();
    expect((await client.call(method, path, body)).status).toBe(status);
  });
});

describe('mail in numbers and under accidents', () => {
  it('a mailspace of any size', async () => {
    const { client } = await start({ scenario: 'mailboxes:30' });
    expect((await client.get('/api/mailspace/mail-big/mailboxes')).column('mailboxes', 'id')).toHaveLength(30);
    expect((await client.get('/api/mailspace')).at('mailspaces', 0, 'mailbox_count')).toBe(30);
  });

  it('ids that need encoding and names that nobody expects', async () => {
    const { client } = await start({ scenario: 'hostile' });
    const path = `/api/mailspace/${encodeURIComponent('mail/ansi?a=%25')}`;
    const rows = await client.get(`${path}/mailboxes`);
    for (const id of rows.column('mailboxes', 'id')) {
      const view = await client.get(`${path}/mailboxes/${encodeURIComponent(String(id))}`);
      expect([view.status, view.at('mailbox', 'id')]).toEqual([200, id]);
    }
  });

  it('a lost answer has made the mailbox once', async () => {
    const { sandbox, client } = await start({ faults: [{ kind: 'reset-after', at: 1 }] });
    await expect(client.call('POST', `${SHOP}/mailboxes`, { username: 'jane', password: 'fake' })).rejects.toThrow();
    expect([...sandbox.creations]).toEqual([['mailbox jane@shop.example.com on shop.example.com', 1]]);
  });

  it('a purchase on its way twice ends in one mailspace, and was processed twice', async () => {
    const { sandbox, client } = await start();
    for (let time = 0; time < 2; time += 1) await client.call('POST', '/api/mailspace', { domain: 'new.example.com' });
    sandbox.clock.advance(60_000);
    expect(
      (await client.get('/api/mailspace'))
        .column('mailspaces', 'domain')
        .filter((domain) => domain === 'new.example.com'),
    ).toHaveLength(1);
    expect(sandbox.creations.get('mailspace new.example.com mail_5')).toBe(2);
  });
});

describe('a snapshot that a person could have written', () => {
  it('names mailspaces by domain and mailboxes by address, without ids, times and passwords', async () => {
    const { sandbox } = await start();
    const { mailspaces } = sandbox.snapshot() as { mailspaces: Record<string, unknown> };
    expect(mailspaces['shop.example.com']).toEqual({
      account: 'acc-acme',
      package: 'mail_20',
      suspended: false,
      verified: true,
      provisioned: true,
      pendingDelete: false,
      passwordsSet: 0,
      domains: { 'shop.example.com': null, 'shop.example.net': 'the other shop' },
      pendingDomains: { 'shop.example.org': null },
      mailboxes: {
        'anna@shop.example.com': {
          displayName: 'Anna',
          status: 'active',
          quotaMb: 2_048,
          aliases: ['anna@shop.example.net', 'sales@shop.example.com'],
          allowedIps: ['192.0.2.0/24'],
          groups: ['team@shop.example.com'],
          lists: ['news@shop.example.com'],
        },
        'ben@shop.example.com': {
          displayName: null,
          status: 'suspended',
          quotaMb: 0,
          aliases: [],
          allowedIps: [],
          groups: ['team@shop.example.com'],
          lists: [],
        },
        'cleo@shop.example.com': {
          displayName: 'Cleo',
          status: 'active',
          quotaMb: 0,
          aliases: [],
          allowedIps: [],
          groups: [],
          lists: [],
        },
      },
      groups: {
        'everyone@shop.example.com': { description: null, aliases: [], members: [] },
        'team@shop.example.com': {
          description: 'The team',
          aliases: ['crew@shop.example.com'],
          members: ['anna@shop.example.com', 'ben@shop.example.com'],
        },
      },
      lists: { 'news@shop.example.com': { description: 'News', aliases: [], members: ['anna@shop.example.com'] } },
    });
    expect(JSON.stringify(mailspaces)).not.toContain('sandbox-mailbox-password');
  });
});
