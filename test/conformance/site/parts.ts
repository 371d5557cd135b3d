// Conformance of what belongs to a site beside its domains and CDN: PHP version, cache layers, backups, and the tasks
// behind them.
import assert from 'node:assert/strict';
import { OAUTH_TOKEN, READER_API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { answered, casesIn, keysOf, refused } from '../context.ts';
import type { Client, ConformanceCase } from '../context.ts';

const SHOP = '/api/sites/site-shop';

const activeLabels = async (client: Client): Promise<readonly unknown[]> => {
  const rows = (await client.get(`${SHOP}/variants`)).at('php') as { label: string; active: boolean }[];
  return rows.filter(({ active }) => active).map(({ label }) => label);
};

/** Advances the clock until what was started is over. */
const settle = (client: Client): void => client.sandbox.clock.advance(10_000);

async function archives(client: Client): Promise<readonly unknown[]> {
  const rows = (await client.get(`${SHOP}/backups`)).at('content', 'archives') as { name: string }[];
  return rows.map(({ name }) => name).sort();
}

const phpCases = casesIn('small', {
  'PHP-01: the variants are under php, each with an integer id and a label': async (client) => {
    const reply = await client.get(`${SHOP}/variants`);
    assert.deepEqual(Object.keys(reply.at() as object), ['php']);
    assert.deepEqual(reply.column('php', 'label'), ['8.1', '8.2', '8.3']);
    assert.deepEqual(reply.column('php', 'id'), [101, 102, 103]);
  },
  'PHP-02: the version in use is not the default one': async (client) => {
    const rows = (await client.get(`${SHOP}/variants`)).at('php') as {
      label: string;
      active: boolean;
      is_default: boolean;
    }[];
    assert.deepEqual(
      rows.filter((one) => one.active).map((one) => one.label),
      ['8.2'],
    );
    assert.deepEqual(
      rows.filter((one) => one.is_default).map((one) => one.label),
      ['8.3'],
    );
  },
  'PHP-03: a change answers a task; an id of another site is refused': async (client) => {
    const reply = await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 103 });
    assert.equal(typeof reply.at('task_id'), 'number');
    assert.equal((await client.get(`/api/tasks/${String(reply.at('task_id'))}`)).at('status'), 'PENDING');
    answered(await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 203 }), 422);
    answered(await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: '103' }), 422);
  },
  'PHP-03/restart: the version changes when its task is OK, with a restart on the way': async (client) => {
    await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 103 });
    assert.deepEqual(await activeLabels(client), ['8.2']);
    settle(client);
    assert.deepEqual(await activeLabels(client), ['8.3']);
    assert.equal(client.sandbox.state.sites.get('site-shop')?.restarts.cms, 1);
  },
});

const cacheCases = casesIn('small', {
  'CCH-01: three flags': async (client) => {
    const reply = await client.get(`${SHOP}/cache`);
    assert.deepEqual(keysOf(reply.at()), ['cdn', 'nginx', 'redis']);
    assert.deepEqual([reply.at('cdn'), reply.at('nginx'), reply.at('redis')], [true, true, false]);
  },
  'CCH-02: enabling is a pending task, and done when that is OK': async (client) => {
    const site = client.sandbox.state.sites.get('site-shop');
    assert.ok(site !== undefined);
    site.package = 'max';
    const reply = await client.call('PATCH', `${SHOP}/cache/redis`);
    assert.deepEqual([reply.status, reply.at('status'), reply.at('cache_type')], [202, 'PENDING', 'redis']);
    assert.equal((await client.get(`${SHOP}/cache`)).at('redis'), false);
    settle(client);
    assert.equal((await client.get(`${SHOP}/cache`)).at('redis'), true);
  },
  'CCH-03: disabling is a DELETE that takes can_destroy': async (client) => {
    const reply = await client.call('DELETE', `${SHOP}/cache/nginx`);
    assert.deepEqual([reply.status, reply.at('status'), reply.at('cache_type')], [202, 'PENDING', 'nginx']);
    settle(client);
    assert.equal((await client.get(`${SHOP}/cache`)).at('nginx'), false);
    answered(await client.call('DELETE', '/api/sites/site-docs/cache/cdn', undefined, { token: READER_API_KEY }), 403);
  },
  'CCH-04: purging empties a layer and leaves it on': async (client) => {
    answered(await client.call('DELETE', `${SHOP}/cache/nginx/purge`), 202);
    settle(client);
    assert.deepEqual(client.sandbox.state.sites.get('site-shop')?.layers.nginx, { on: true, purges: 1 });
  },
  'CNV-15: purging a layer takes can_modify, though it is a DELETE': async (client) => {
    answered(
      await client.call('DELETE', '/api/sites/site-docs/cache/cdn/purge', undefined, { token: READER_API_KEY }),
      202,
    );
  },
  'CCH-05: all means every layer of the plan': async (client) => {
    const reply = await client.call('DELETE', `${SHOP}/cache/all`);
    assert.deepEqual([reply.status, reply.at('cache_type')], [202, 'all']);
    settle(client);
    const flags = await client.get(`${SHOP}/cache`);
    assert.deepEqual([flags.at('cdn'), flags.at('nginx')], [false, false]);
  },
  'CCH-06: an unknown layer is told what there is': async (client) => {
    const reply = await client.call('PATCH', `${SHOP}/cache/varnish`);
    refused(reply, 422, undefined);
    assert.deepEqual(
      [reply.at('error'), [...(reply.at('allowed') as string[])].sort()],
      ['unknown_cache_type', ['all', 'cdn', 'nginx', 'redis']],
    );
  },
  'CCH-06/unavailable: a layer outside the plan is named': async (client) => {
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['DELETE', '/purge'],
    ] as const) {
      const reply = await client.call(method, `${SHOP}/cache/redis${path}`);
      assert.deepEqual(
        [reply.status, reply.at('error'), reply.at('cache_type')],
        [422, 'cache_type_unavailable', 'redis'],
      );
    }
  },
  'CCH-07: without a CDN there are no layers': async (_client, start) => {
    const client = await start({ scenario: 'guards' });
    refused(await client.get('/api/sites/site-no-cdn/cache'), 409, 'cdn_not_active');
    refused(await client.call('PATCH', '/api/sites/site-cdn-off/cache/nginx'), 409, 'cdn_not_active');
  },
});

const backupCases = casesIn('small', {
  'BKP-01: backups are keyed by volume': async (client) => {
    const reply = await client.get(`${SHOP}/backups`, { token: OAUTH_TOKEN });
    assert.deepEqual(Object.keys(reply.at() as object).sort(), ['content', 'database']);
    assert.deepEqual(reply.at('content'), {
      id: 11,
      size: 2.5,
      usage: 1.25,
      archives: [{ id: 'arch-nightly', name: 'nightly', created: '2026-01-14T09:00:00.000Z' }],
    });
  },
  'BKP-02: a PATCH makes a backup, listed once its work is done; twice makes two': async (client) => {
    answered(await client.call('PATCH', `${SHOP}/backups/11`, { name: 'before' }), 204);
    assert.deepEqual(await archives(client), ['nightly']);
    settle(client);
    assert.deepEqual(await archives(client), ['before', 'nightly']);
    await client.call('PATCH', `${SHOP}/backups/11`, { name: 'before' });
    settle(client);
    assert.deepEqual(await archives(client), ['before', 'before', 'nightly']);
    answered(await client.call('PATCH', `${SHOP}/backups/11`, {}), 422);
    answered(await client.call('PATCH', `${SHOP}/backups/21`, { name: 'before' }), 404);
  },
  'BKP-03: a DELETE with a body removes the archive it names, and no other': async (client) => {
    await client.call('PATCH', `${SHOP}/backups/11`, { name: 'before' });
    settle(client);
    answered(await client.call('DELETE', `${SHOP}/backups/11`), 422);
    answered(await client.call('DELETE', `${SHOP}/backups/11`, { backup_id: 'arch-nightly' }), 204);
    settle(client);
    assert.deepEqual(await archives(client), ['before']);
  },
  'BKP-04: an archive is restored at restores': async (client) => {
    answered(await client.call('PATCH', `${SHOP}/restores/11`, { backup_id: 'arch-nightly' }), 204);
    settle(client);
    assert.equal(client.sandbox.state.sites.get('site-shop')?.volumes[0]?.restoredFrom, 'arch-nightly');
    answered(await client.call('PATCH', `${SHOP}/restores/11`, { backup_id: 'nowhere' }), 404);
  },
});

const taskCases = casesIn('small', {
  'TSK-09: cache and PHP changes name their task; backups, restart and delete do not': async (_client, start) => {
    const client = await start({ ambiguities: { 'GAP-09': 'object' } });
    assert.equal(typeof (await client.call('PATCH', `${SHOP}/cache/nginx`)).at('task_id'), 'number');
    assert.equal(
      typeof (await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 101 })).at('task_id'),
      'number',
    );
    for (const reply of [
      await client.call('PATCH', `${SHOP}/backups/11`, { name: 'a' }),
      await client.call('PATCH', `${SHOP}/restores/11`, { backup_id: 'arch-nightly' }),
      await client.call('POST', SHOP),
      await client.call('DELETE', SHOP),
    ])
      assert.deepEqual([reply.status, reply.at('task_id')], [200, undefined]);
  },
  'TSK-02: a task that fails, stops or is called off changes nothing; one that goes on does': async (client) => {
    client.sandbox.state.taskFates.push(
      { name: 'site.variant', status: 'FAILED' },
      { status: 'CANCELLED' },
      { siteId: 'site-shop', status: 'PAUSED' },
    );
    const ids = [];
    for (let time = 0; time < 3; time += 1)
      ids.push((await client.call('PATCH', `${SHOP}/variants/php`, { variant_id: 103 })).at('task_id'));
    settle(client);
    const statuses = await Promise.all(
      ids.map(async (id) => (await client.get(`/api/tasks/${String(id)}`)).at('status')),
    );
    assert.deepEqual([statuses, await activeLabels(client)], [['FAILED', 'CANCELLED', 'PAUSED'], ['8.2']]);
    await client.call('PATCH', `/_sandbox/tasks/${String(ids[2])}`, { status: 'OK' });
    assert.deepEqual(await activeLabels(client), ['8.3']);
  },
});

export const sitePartCases: readonly ConformanceCase[] = [...phpCases, ...cacheCases, ...backupCases, ...taskCases];
