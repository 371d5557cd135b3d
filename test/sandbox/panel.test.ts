// What a test can do to panel accounts, users and messages behind a client's back, and how they look in a fixture; the
// API itself is the conformance suite's.
import { describe, expect, it } from 'vitest';
import { sandboxes } from './sandboxes.ts';

const LIST = '/api/panel_accounts';
const ORDER = { package: 'basic', domain: 'owned.example.com' };
const start = sandboxes({ scenario: 'panel' });

describe('the raw store of panel accounts', () => {
  it('is read whole, and takes and loses accounts', async () => {
    const { sandbox, client } = await start();
    await client.call('POST', '/_sandbox/panel', { username: 'fresh', accountId: 'acc-acme' });
    await client.call('PATCH', '/_sandbox/panel/fresh', { adminSuspended: true, mirror: { mailboxes: 7 } });
    expect((await client.get(`${LIST}/fresh`)).at('panel_account')).toMatchObject({
      state: 'admin_suspended',
      mailbox_count: 7,
    });
    expect((await client.get('/_sandbox/panel')).at('accounts', 'fresh', 'mirror', 'mailboxes')).toBe(7);
    await client.call('PATCH', '/_sandbox/panel/fresh', { adminSuspended: false, mirror: null });
    expect((await client.get(`${LIST}/fresh`)).at('panel_account', 'state')).toBe('provisioning');
    expect((await client.call('DELETE', '/_sandbox/panel/fresh')).status).toBe(200);
    expect((await client.get(`${LIST}/fresh`)).status).toBe(404);
    expect(sandbox.requests.every(({ path }) => path.startsWith('/api'))).toBe(true);
  });

  it.each([
    ['PATCH', '/_sandbox/panel/nobody', {}, 404],
    ['PATCH', '/_sandbox/panel', { troubles: ['weather'] }, 400],
    ['PATCH', '/_sandbox/panel', { enabledFor: 'acc-acme' }, 400],
    ['POST', '/_sandbox/panel', { username: 'x' }, 400],
    ['PUT', '/_sandbox/receivers', { url: 'https://ci.example' }, 400],
    ['POST', '/_sandbox/deliveries/9/repeat', {}, 404],
    ['POST', '/_sandbox/sites/nowhere/owner', { accountId: 'acc-acme' }, 404],
  ])('%s %s is told what is wrong', async (method, path, body, status) => {
    const { client } = await start();
    expect((await client.call(method, path, body)).status).toBe(status);
  });
});

describe('panel accounts under accidents', () => {
  it('a lost answer has bought the account once, and the list shows it', async () => {
    const { sandbox, client } = await start({ faults: [{ kind: 'reset-after', at: 1 }] });
    await expect(client.call('POST', LIST, ORDER)).rejects.toThrow();
    sandbox.clock.advance(10_000);
    expect([...sandbox.creations]).toEqual([['panel account owned.example.com basic/monthly', 1]]);
    expect((await client.get(LIST)).column('panel_accounts', 'primary_domain')).toContain('owned.example.com');
  });

  it('a request that was lost on its way has bought nothing and made nobody', async () => {
    const { sandbox, client } = await start({ faults: [{ kind: 'reset-before' }] });
    await expect(client.call('POST', LIST, ORDER)).rejects.toThrow();
    await expect(
      client.call('POST', '/api/users', { user: { fname: 'E', lname: 'K', email: 'e@k.example' } }),
    ).rejects.toThrow();
    expect([sandbox.creations.size, sandbox.state.carts.size, sandbox.state.webhooks.deliveries.length]).toEqual([
      0, 0, 0,
    ]);
  });

  it('two purchases of one domain on their way at the same time make two accounts: only the first check helps', async () => {
    const { sandbox, client } = await start();
    for (let time = 0; time < 2; time += 1) await client.call('POST', LIST, ORDER);
    sandbox.clock.advance(300_000);
    const domains = (await client.get(LIST)).column('panel_accounts', 'primary_domain');
    expect(domains.filter((domain) => domain === 'owned.example.com')).toHaveLength(2);
    expect(sandbox.creations.get('panel account owned.example.com basic/monthly')).toBe(2);
  });

  it('names that nobody expects come through', async () => {
    const { client } = await start({ scenario: 'hostile' });
    for (const username of (await client.get(LIST)).column('panel_accounts', 'username')) {
      expect((await client.get(`${LIST}/${String(username)}`)).at('panel_account', 'package', 'key')).toBeNull();
    }
  });
});

describe('messages', () => {
  it('never leave the process: they are a list, and answers come from a script', async () => {
    const { sandbox, client } = await start();
    await client.call('PUT', '/_sandbox/receivers', { url: 'https://ci.example/done', answers: [{ status: null }] });
    await client.call('POST', LIST, { ...ORDER, callback: { url: 'https://ci.example/done' } });
    sandbox.clock.advance(30_000);
    expect((await client.get('/_sandbox/deliveries')).at('deliveries', 0)).toMatchObject({
      url: 'https://ci.example/done',
      state: 'waiting',
      attempts: [{ answer: 'unreachable' }],
    });
  });
});

describe('a snapshot that a person could have written', () => {
  it('names panel accounts by domain and users by address, without usernames, times and tokens', async () => {
    const { sandbox, client } = await start({ ambiguities: { 'GAP-48': 'flat' } });
    await client.call('PATCH', `${LIST}/acmeshop/password`, { password: 'fake' });
    await client.call('POST', '/api/users', { user: { fname: 'Eve', lname: 'Klant', email: 'eve@client.example' } });
    const { panelAccounts, subAccounts } = sandbox.snapshot() as {
      panelAccounts: Record<string, unknown>;
      subAccounts: unknown;
    };
    expect(panelAccounts['acmeshop.example.com']).toEqual({
      account: 'acc-acme',
      package: 'M',
      mirroredPackage: 'M',
      addons: ['shop2.example.com'],
      term: 'monthly',
      pendingDeletion: false,
      passwordsSet: 1,
    });
    expect(Object.keys(panelAccounts)).not.toContain('acmepurg.example.com');
    expect(subAccounts).toEqual({ 'eve@client.example in Eve Klant': 'acc-acme' });
    expect(JSON.stringify(sandbox.snapshot())).not.toContain('sandbox-user-token');
  });
});
