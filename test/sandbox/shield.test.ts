import { describe, expect, it } from 'vitest';
import { sandboxes } from './sandboxes.ts';

const start = sandboxes({ scenario: 'shield' });
const NONE = '/_sandbox/sites/site-none/shield';
const BASIC = '/_sandbox/sites/site-basic/shield';

describe("the Shield of a site can be looked at and changed behind a client's back", () => {
  it('the zone, its settings, and whether its upstream answers', async () => {
    const { client } = await start();
    await client.call('PATCH', NONE, { zone: { tier: 'business', waf: { executionMode: 1 } } });
    expect((await client.call('GET', NONE)).at()).toMatchObject({
      upstreamDown: false,
      zone: { active: true, tier: 'business', waf: { enabled: true, executionMode: 1 }, customRules: [] },
    });
    expect((await client.get('/api/sites/site-none/shield')).at('plan')).toBe('business');
    await client.call('PATCH', NONE, { upstreamDown: true });
    expect((await client.get('/api/sites/site-none/shield')).status).toBe(502);
    await client.call('PATCH', NONE, { upstreamDown: false, zone: null });
    expect((await client.get('/api/sites/site-none/shield')).at('code')).toBe('shield_not_active');
  });

  it('rules, limits, lists and events', async () => {
    const { sandbox, client } = await start();
    await client.call('POST', `${BASIC}/waf_custom_rules`, {
      name: 'Made elsewhere',
      configuration: { is_negated: true },
    });
    await client.call('POST', `${BASIC}/rate_limits`, { id: 'limit-new', name: 'New' });
    await client.call('POST', `${BASIC}/access_lists`, { id: 'list-new', name: 'New', content: 'x' });
    await client.call('POST', `${BASIC}/events`, { atMs: sandbox.clock.now() + 1, action: 'block' });
    await client.call('PATCH', `${BASIC}/access_lists/list-new`, { content: 'y' });
    await client.call('DELETE', `${BASIC}/rate_limits/limit-login`);
    const path = '/api/sites/site-basic/shield';
    expect((await client.get(`${path}/waf_custom_rules`)).at(0, 'rule_configuration', 'is_negated')).toBe(true);
    expect((await client.get(`${path}/rate_limits`)).column(null, 'id')).toEqual(['limit-new', 'limit-search']);
    expect((await client.get(`${path}/access_lists/list-new`)).at('content')).toBe('y');
    expect((await client.get(`${path}/events`)).at('logs', 0, 'action')).toBe('block');
    expect(sandbox.creations.size).toBe(0);
  });

  it.each([
    ['GET', 'nowhere/shield', undefined, 404],
    ['PATCH', 'nowhere/shield', {}, 404],
    ['POST', 'site-none/shield/rate_limits', { name: 'x' }, 400],
    ['POST', 'site-basic/shield/rate_limits', {}, 400],
    ['POST', 'site-basic/shield/cats', { name: 'x' }, 400],
    ['POST', 'site-basic/shield/events', {}, 400],
    ['PATCH', 'site-basic/shield/rate_limits/nowhere', {}, 404],
    ['DELETE', 'site-basic/shield/rate_limits/nowhere', undefined, 404],
  ])('%s %s %o is refused', async (method, path, body, status) => {
    const { client } = await start();
    expect((await client.call(method, `/_sandbox/sites/${path}`, body)).status).toBe(status);
  });
});

it('a snapshot shows Shield by names, twins as a list, and null where there is none', async () => {
  const { sandbox } = await start();
  const { sites } = sandbox.snapshot() as { sites: Record<string, { shield: unknown }> };
  expect(sites['site-none']?.shield).toBeNull();
  expect(sites['site-premium']?.shield).toMatchObject({
    active: true,
    plan: 'advanced',
    learning: false,
    waf: { executionMode: 1, disabledRules: ['941100', '942100'] },
    rateLimits: { Api: { description: 'at most 5 in 300 seconds', configuration: { timeframe: 300 } } },
    accessLists: { Countries: { type: 3, content: 'NL\nDE' }, Partners: { type: 1 } },
  });
  expect(sites['site-intricate']?.shield).toMatchObject({
    customRules: { Twin: [{ configuration: { action_type: 1 } }, { configuration: { action_type: 2 } }] },
  });
});
