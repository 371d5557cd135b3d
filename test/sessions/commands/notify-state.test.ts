// `notify:` of a workspace: what arrives where people read, and when. Each channel is a server that the test starts.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { startSmtp } from '../../support/servers/smtp.ts';
import { runHere } from '../../support/processes/run-here.ts';
import { closing } from '../../support/closing.ts';
import { openServer } from '../../support/servers/plain.ts';
import { manifest, siteManifest } from '../../support/manifests.ts';
import { matching } from '../../support/matchers.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const isNotification = new Ajv2020({ strict: true, strictTypes: false }).compile(
  JSON.parse(readFileSync(new URL('../../../schemas/notification.schema.json', import.meta.url), 'utf8')) as object,
);

interface Receiver {
  readonly address: string;
  readonly bodies: string[];
  readonly headers: Record<string, string>[];
  status: number;
}

async function receiver(): Promise<Receiver> {
  const bodies: string[] = [];
  const headers: Record<string, string>[] = [];
  const { url } = await openServer((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (text: string) => (body += text))
      .on('end', () => {
        bodies.push(body);
        headers.push(request.headers as Record<string, string>);
        response.writeHead(one.status).end();
      });
  });
  const one: Receiver = { address: `${url}/services/very-secret`, bodies, headers, status: 200 };
  return one;
}

const site = (name: string, spec: object): string => siteManifest(name, spec);

const workspace = (account: string, notify: object, more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'hostwright/v1',
    kind: 'Workspace',
    spec: { account, baseUrl: 'http://127.0.0.1:1', manifests: ['sites'], notify, ...more },
  });

function begin(scenario: string, files: Readonly<Record<string, string>>): Promise<Harness> {
  return openHarness({ scenario, memoryLedger: false, files });
}

async function account(notify: object, caching: object = { smartCache: true }): Promise<Harness> {
  const one = await begin('small', {
    'hostwright.yaml': workspace('acc-acme', notify),
    'sites/shop.json': site('shop', { caching }),
  });
  await run(one, {}, 'ledger', 'init');
  return one;
}

function run(one: Harness, env: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Ended> {
  return runAt(one, false, env, argv);
}

/** `isThen`: when the sandbox says that it is. */
function runAt(
  one: Harness,
  isThen: boolean,
  env: Readonly<Record<string, string>>,
  argv: readonly string[],
): Promise<Ended> {
  return runHere([...argv, '--api-url', one.sandbox.url], {
    cwd: one.root,
    env: { HOSTWRIGHT_TOKEN: API_KEY, ...env },
    ...(isThen && { clock: one.sandbox.clock }),
  });
}

const SLACK = { slack: { env: 'HOSTWRIGHT_NOTIFY_SLACK' } };

/** The caching of the site as the platform has it. */
function cachingOf(one: Harness): { smart_cache: boolean; cache_expiration: number } {
  return one.sandbox.state.sites.get('site-shop')?.cdn.caching as never;
}

/** What the messages say, a line each, oldest first. */
const titles = ({ bodies }: Receiver): readonly string[] =>
  bodies.map((body) => (JSON.parse(body) as { readonly text: string }).text);

/** What of notifications went wrong. */
const warned = (...ended: readonly Ended[]): readonly string[] =>
  ended.flatMap(({ stdout, stderr }) => [...new Set((stdout + stderr).match(/HW65\d\d/g))]);

describe('a channel of a workspace', () => {
  it('is told when drift comes or changes, once, and when it is over', async () => {
    const slack = await receiver();
    const one = await account(SLACK);
    const env = { HOSTWRIGHT_NOTIFY_SLACK: slack.address };
    expect(await run(one, env, 'apply', '--yes')).toMatchObject({ code: 0 });
    cachingOf(one).smart_cache = false;
    const first = await run(one, env, 'drift');
    expect(first.code).toBe(2);
    expect(warned(first, await run(one, env, 'drift'))).toEqual([]);
    expect(titles(slack)).toEqual(['acc-acme: 1 differs']);
    expect(slack.bodies[0]).toContain('Site/shop/Caching');
    expect(slack.bodies[0]).toContain('Changed on the account: smartCache.');
    cachingOf(one).smart_cache = true;
    for (const _ of [1, 2]) expect(await run(one, env, 'drift')).toMatchObject({ code: 0 });
    expect(titles(slack).slice(1)).toEqual(['acc-acme: 1 over']);
    expect(first.stdout + first.stderr).not.toContain('very-secret');
  });

  it('is told again by the next run when the message did not arrive; result and exit code stand', async () => {
    const slack = await receiver();
    const one = await account(SLACK, { smartCache: false });
    const env = { HOSTWRIGHT_NOTIFY_SLACK: slack.address };
    slack.status = 400;
    const failed = await run(one, env, 'drift');
    expect(failed.code).toBe(2);
    expect(warned(failed)).toEqual(['HW6522']);
    expect(failed.stdout + failed.stderr).not.toContain('very-secret');
    slack.status = 200;
    expect(warned(await run(one, env, 'drift'), await run(one, env, 'drift'))).toEqual([]);
    expect(titles(slack)).toEqual(['acc-acme: 1 differs', 'acc-acme: 1 differs']);
  });

  it('that the environment does not name costs a warning, and only when there is something to tell', async () => {
    const one = await account(SLACK, { smartCache: false });
    expect(warned(await run(one, {}, 'apply', '--yes'))).toEqual([]);
    cachingOf(one).smart_cache = true;
    const drift = await run(one, {}, 'drift');
    expect(drift.code).toBe(2);
    expect(warned(drift)).toEqual(['HW6523']);
    const env = { HOSTWRIGHT_NOTIFY_SLACK: (await receiver()).address };
    expect(warned(await run(one, env, 'ci', 'notify'), await run(one, env, 'drift'))).toEqual([]);
  });

  it('hears of an account that cannot be read, and what was told before is not over because of it', async () => {
    const slack = await receiver();
    const one = await account(SLACK, { smartCache: false });
    const env = { HOSTWRIGHT_NOTIFY_SLACK: slack.address };
    await run(one, env, 'drift');
    const refused = { ...env, HOSTWRIGHT_TOKEN: 'nobody' };
    expect(await run(one, refused, 'drift')).toMatchObject({ code: 1 });
    expect(await run(one, refused, 'drift')).toMatchObject({ code: 1 });
    expect(await run(one, env, 'drift')).toMatchObject({ code: 2 });
    expect(titles(slack)).toEqual(['acc-acme: 1 differs', 'acc-acme: 1 could not be read', 'acc-acme: 1 over']);
  });

  it('is told that an apply failed, once, and that it is over', async () => {
    const slack = await receiver();
    const one = await account({ ...SLACK, link: 'https://hosting.example.com/accounts' }, { smartCache: false });
    const env = { HOSTWRIGHT_NOTIFY_SLACK: slack.address };
    one.sandbox.setFaults([{ kind: 'status-before', status: 422, match: { method: 'PATCH' } }]);
    const failed = await run(one, env, 'apply', '--yes');
    expect(await run(one, env, 'apply', '--yes')).toMatchObject({ code: failed.code });
    expect(failed.code).not.toBe(0);
    expect(await run(one, env, 'drift')).toMatchObject({ code: 2 });
    one.sandbox.setFaults([]);
    expect(await run(one, env, 'apply', '--yes')).toMatchObject({ code: 0 });
    expect(titles(slack)).toEqual(['acc-acme: apply failed', 'acc-acme: 1 differs', 'acc-acme: 2 over']);
    expect(slack.bodies[0]).toContain('https://hosting.example.com/accounts');
  });

  it('without a ledger is told by every run, which says so, and once when there is one', async () => {
    const slack = await receiver();
    const one = await account(SLACK, { smartCache: false });
    const env = { HOSTWRIGHT_NOTIFY_SLACK: slack.address };
    await rm(join(one.root, '.hostwright'), { recursive: true });
    expect(warned(await run(one, env, 'drift'), await run(one, env, 'drift'))).toEqual(['HW6524', 'HW6524']);
    await run(one, {}, 'ledger', 'init');
    for (const _ of [1, 2]) expect(warned(await run(one, env, 'drift'))).toEqual([]);
    expect(titles(slack)).toEqual(Array.from({ length: 3 }, () => 'acc-acme: 1 differs'));
  });

  it('of Teams gets a card, and a webhook the document, signed, whatever failed elsewhere', async () => {
    const [teams, hook, slack] = [await receiver(), await receiver(), await receiver()];
    const env = {
      HOSTWRIGHT_NOTIFY_TEAMS: teams.address,
      HOSTWRIGHT_NOTIFY_HOOK: hook.address,
      HOSTWRIGHT_NOTIFY_SLACK: slack.address,
      HOSTWRIGHT_NOTIFY_SECRET: SECRET,
    };
    const one = await account(
      {
        ...SLACK,
        teams: { env: 'HOSTWRIGHT_NOTIFY_TEAMS' },
        webhook: { env: 'HOSTWRIGHT_NOTIFY_HOOK', secret: { env: 'HOSTWRIGHT_NOTIFY_SECRET' } },
      },
      { smartCache: false },
    );
    slack.status = 404;
    expect(await run(one, env, 'drift')).toMatchObject({ code: 2 });
    expect(await run(one, env, 'drift')).toMatchObject({ code: 2 });
    expect([teams.bodies.length, hook.bodies.length, slack.bodies.length]).toEqual([1, 1, 2]);
    const verified = new Webhook(SECRET).verify(hook.bodies[0] ?? '', hook.headers[0] ?? {});
    expect(isNotification(verified), JSON.stringify(isNotification.errors)).toBe(true);
    expect(verified).toMatchObject({
      type: 'hostwright.state',
      data: { account: 'acc-acme', firing: [{ is: 'drift', where: 'Site/shop/Caching' }], resolved: [] },
    });
    expect(JSON.parse(teams.bodies[0] ?? '')).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } }],
    });
  });

  it('of mail gets one mail, sent again as the same one, with the login of the variable alone', async () => {
    const smtp = closing(await startSmtp());
    const one = await account(
      {
        email: { env: 'HOSTWRIGHT_NOTIFY_SMTP', from: 'hosting@example.com', to: ['ops@example.com', 'b@example.com'] },
      },
      { smartCache: false },
    );
    const env = { HOSTWRIGHT_NOTIFY_SMTP: `smtp://me:very%2Fsecret@127.0.0.1:${smtp.port}` };
    smtp.answers = ['451 later', '250 taken'];
    const [first, second] = [await run(one, env, 'drift'), await run(one, env, 'drift')];
    expect(warned(first, second)).toEqual([]);
    expect(smtp.mails).toMatchObject([{ from: 'hosting@example.com', to: ['ops@example.com', 'b@example.com'] }]);
    expect([smtp.ids.length, new Set(smtp.ids).size]).toEqual([2, 1]);
    const { text } = smtp.mails[0] as { readonly text: string };
    expect(text).toContain('Subject: acc-acme: 1 differs\r\n');
    expect(text).toContain('Drift: Site/shop/Caching');
    expect(Buffer.from(smtp.logins[0]?.split(' ')[2] ?? '', 'base64').toString()).toBe('\0me\0very/secret');
    smtp.answers = ['550 unknown very/secret'];
    const refused = await run(one, env, 'ci', 'notify');
    expect(warned(refused)).toEqual(['HW6522']);
    expect(refused.stdout + refused.stderr).toContain('it answered 550');
    expect(refused.stdout + refused.stderr).not.toContain('very');
    const logins = smtp.logins.length;
    const elsewhere = { HOSTWRIGHT_NOTIFY_SMTP: `smtp://me:secret@0.0.0.0:${smtp.port}` };
    expect((await run(one, elsewhere, 'ci', 'notify')).stderr).toContain('it offers no encryption');
    expect(smtp.logins).toHaveLength(logins);
    const wrong = { HOSTWRIGHT_NOTIFY_SMTP: 'https://very-secret.example.com/' };
    expect(warned(await run(one, wrong, 'ci', 'notify'))).toEqual(['HW6523']);
  });

  it('is told of what ends soon, from what the run has read anyway', async () => {
    const slack = await receiver();
    const one = await begin('registrar', {
      'hostwright.yaml': workspace('acc-acme', SLACK),
      'sites/name.json': manifest('DomainRegistration', 'unrenewed.com', { autoRenew: false }),
    });
    await run(one, {}, 'ledger', 'init');
    const env = { HOSTWRIGHT_NOTIFY_SLACK: slack.address };
    for (const _ of [1, 2]) expect(await runAt(one, true, env, ['drift'])).toMatchObject({ code: 0 });
    expect(titles(slack)).toEqual(['acc-acme: 1 ends soon']);
    expect(slack.bodies[0]).toContain('DomainRegistration/unrenewed.com');
    expect(new Set(one.sandbox.requests.map(({ path }) => path))).toEqual(new Set(['/api/domain_registrations']));
  });

  it('gets one message about all accounts of a run, and one that cannot be read silences nobody', async () => {
    const slack = await receiver();
    const shop = (id: string): string =>
      manifest('Site', 'shop', { domains: [`shop.${id}.example.com`], caching: { cacheExpiration: 77 } });
    const one = await begin('accounts:3', {
      ...Object.fromEntries(
        ['acc-00001', 'acc-00002', 'acc-00003'].flatMap((id, index) => [
          [
            `accounts/${id}/hostwright.yaml`,
            workspace(id, SLACK, index === 1 ? { credentialEnv: 'HOSTWRIGHT_TOKEN_LOST' } : {}),
          ],
          [`accounts/${id}/sites/shop.json`, shop(id)],
        ]),
      ),
    });
    await run(one, {}, 'fleet', 'ledger', 'init', 'accounts/*');
    const env = { HOSTWRIGHT_NOTIFY_SLACK: slack.address };
    for (const _ of [1, 2]) expect(warned(await run(one, env, 'fleet', 'drift', 'accounts/*'))).toEqual([]);
    expect(titles(slack)).toEqual(['3 accounts: 1 could not be read, 2 differ']);
    expect(slack.bodies[0]).toContain('acc-00003 Site/shop/Caching');
    expect(await run(one, env, 'fleet', 'apply', 'accounts/*', '--yes')).toMatchObject({ code: 1 });
    expect(titles(slack).slice(1)).toEqual(['2 accounts: 2 over']);
  });

  it('is tried by `ci notify`, which asks the account nothing', async () => {
    const [slack, hook] = [await receiver(), await receiver()];
    const one = await account({});
    expect(warned(await run(one, {}, 'ci', 'notify'))).toEqual(['HW6525']);
    await one.write(
      'hostwright.yaml',
      workspace('acc-acme', {
        ...SLACK,
        webhook: { env: 'HOSTWRIGHT_NOTIFY_HOOK', secret: { env: 'HOSTWRIGHT_NOTIFY_SECRET' } },
      }),
    );
    const env = { HOSTWRIGHT_NOTIFY_HOOK: hook.address, HOSTWRIGHT_NOTIFY_SECRET: SECRET };
    const half = await run(one, env, 'ci', 'notify');
    expect(half).toMatchObject({ code: 1, stdout: matching(/^Sent: webhook, by 127\.0\.0\.1:/) });
    expect(warned(half)).toEqual(['HW6523']);
    expect(await run(one, { ...env, HOSTWRIGHT_NOTIFY_SLACK: slack.address }, 'ci', 'notify')).toMatchObject({
      code: 0,
    });
    expect(titles(slack)).toEqual(['acc-acme: a test message of Hostwright']);
    expect(JSON.parse(hook.bodies[0] ?? '')).toMatchObject({ type: 'hostwright.test', data: { outcome: 'done' } });
    expect(isNotification(JSON.parse(hook.bodies[0] ?? ''))).toBe(true);
    const wrong = await run(one, { ...env, HOSTWRIGHT_NOTIFY_SLACK: 'very-secret' }, 'ci', 'notify');
    expect(wrong.stdout + wrong.stderr).not.toContain('very-secret');
    expect(one.sandbox.requests).toEqual([]);
  });
});
