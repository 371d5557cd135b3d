// Conformance of what no billing webhook tells of.
import assert from 'node:assert/strict';
import type { CaseContext, Client, ConformanceCase } from '../context.ts';
import { actions, listen, wait } from '../panel/support.ts';

type Write = readonly [method: string, path: string, body?: object];

/** None of these writes, each of which is done, is told of. */
function silent(
  rule: string,
  title: string,
  scenario: string,
  writes: (client: Client) => readonly Write[],
): ConformanceCase {
  return {
    rule,
    title,
    async run(context: CaseContext) {
      const client = await context.start({ scenario });
      await listen(client);
      for (const [method, path, body] of writes(client)) {
        const { status, text } = await client.call(method, path, body);
        assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
      }
      wait(client, 600_000);
      assert.deepEqual(await actions(client), []);
    },
  };
}

const volume = (client: Client): number => client.sandbox.state.sites.get('site-shop')?.volumes[0]?.id ?? 0;

export const silentAreaCases: readonly ConformanceCase[] = [
  silent('TSK-12', 'cache layers and backups come and go without an event', 'small', (client) => [
    ['PATCH', '/api/sites/site-shop/cache/nginx'],
    ['DELETE', '/api/sites/site-shop/cache/nginx/purge'],
    ['PATCH', `/api/sites/site-shop/backups/${volume(client)}`, { name: 'x' }],
  ]),
  silent('BKP-07', 'neither a backup nor a restore is an event', 'small', (client) => [
    ['PATCH', `/api/sites/site-shop/backups/${volume(client)}`, { name: 'x' }],
    ['PATCH', `/api/sites/site-shop/restores/${volume(client)}`, { backup_id: 'arch-nightly' }],
  ]),
  silent('SHD-28', 'Shield comes and goes without an event', 'small', () => [
    ['POST', '/api/sites/site-shop/shield'],
    ['PATCH', '/api/sites/site-shop/shield', { learning_mode: false }],
    ['DELETE', '/api/sites/site-shop/shield'],
  ]),
  silent('MSP-20', 'mailspaces and mailboxes are no events', 'mail', () => [
    ['POST', '/api/mailspace', { domain: 'new.example.com' }],
    ['POST', '/api/mailspace/mail-shop/mailboxes', { username: 'dan', password: 'fake' }],
  ]),
  silent('CBK-18', 'renaming, restarting, attaching and paying are no events', 'small', () => [
    ['PATCH', '/api/sites/site-shop', { site: { name: 'x' } }],
    ['POST', '/api/sites/site-shop'],
    ['POST', '/api/sites/site-blog/domains', { domain: 'new.example.com', provision_method: 'cname' }],
    ['PATCH', '/_sandbox/sites/site-shop', { package: 'max' }],
  ]),
];
