// The built command on one site: what is on stdout and what on stderr, which exit code, and where a login URL may
// stand.
import { describe, expect, it } from 'vitest';
import { oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { logEntry } from '../../../src/sandbox/core/traffic-state.ts';
import { openCommandLine } from '../../support/command-line.ts';
import { containing, matching } from '../../support/matchers.ts';

const open = () => openCommandLine({ example: 'sender-identity' });

describe('operations, logs and metrics', () => {
  it('asks nobody without a terminal: an error names the flag, and nothing is sent', async () => {
    const { run, sandbox } = await open();
    for (const line of [
      'run restart Site/shop',
      'run purge Site/shop',
      'run backup Site/shop',
      'run delete-archive Site/shop',
      'run restore Site/shop --volume content --archive nightly',
      'run sso-database Site/shop',
      'run unblock-mail Site/shop',
      'run check-mail Site/shop',
      'run learn Site/shop',
      'run cancel Order/order-1',
      'run resend DomainContact/801',
      'run delete DomainContact/805',
      'run transfer-out DomainRegistration/plain.com --decision reject',
      'run push-transfer DomainRegistration/plain.com --to ABC1',
      'run refresh DomainRegistration/plain.com',
      'run epp-code DomainRegistration/plain.com',
    ])
      expect(await run(line)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: matching(/HW6514[^]*Give --yes to run it without asking/),
      });
    expect(sandbox.requests).toEqual([]);
  });

  it('restart, purge and backup wait until it is true, and then end with 0', async () => {
    const { run, sandbox } = await open();
    const ended = await Promise.all([
      run('run restart Site/docs --yes'),
      run('run purge Site/shop --yes --quiet'),
      run('run backup Site/shop --yes --volume content --name before --format json'),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ended[0].stdout).toMatch(/^docs \(site-docs\) restarts: task \d+ site\.restart OK\.\n$/);
    expect([ended[1].stdout, ended[1].stderr]).toEqual(['The CDN cache of shop (site-shop) is empty.\n', '']);
    expect(JSON.parse(ended[2].stdout)).toMatchObject({
      format: 'hostwright.run/1',
      outcome: 'done',
      exitCode: 0,
      site: { id: 'site-shop' },
      backup: { name: 'before', volumes: ['content'] },
    });
    expect(sandbox.state.sites.get('site-shop')?.volumes[0]?.archives.map(({ name }) => name)).toEqual([
      'nightly',
      'before',
    ]);
  });

  it('CNV-35: a login URL is the result on stdout, and nowhere else', async () => {
    const { run } = await open();
    const human = await run('run sso Site/shop --user editor --yes');
    expect(human.stdout).toMatch(/^https:\/\/\S+token=\S+\n$/);
    expect(human.stderr).not.toContain('token=');
    const json = await run('run sso-database Site/shop --yes --format json');
    expect(JSON.parse(json.stdout)).toMatchObject({ login: { url: containing('token=') } });
    expect(json.stderr).not.toContain('token=');
    const listed = await run('get cms-users --site shop');
    expect(listed.stdout).toContain('editor');
    expect(listed.stdout).not.toContain('@');
    for (const kind of ['tasks', 'site-mail', 'logs', 'metrics']) {
      const { all, code } = await run(`get ${kind} --site shop --format json`);
      expect(code).toBe(0);
      expect(all).not.toMatch(/token=|sandbox-ssh-password|sandbox-api-key/);
    }
  });

  it('logs are lines as they come, or one JSON document', async () => {
    const { run, sandbox } = await open();
    const traffic = sandbox.state.sites.get('site-shop')?.traffic;
    traffic?.cdnLog.push(
      ...Array.from({ length: 1_500 }, (_, index) =>
        logEntry(sandbox.clock.now() - index, { url: `https://shop.example.com/${index}` }),
      ),
    );
    const human = await run('get logs --site shop --limit 1200');
    expect(human.code).toBe(0);
    expect(human.stdout.trimEnd().split('\n')).toHaveLength(1_200);
    expect(human.stdout).toContain('url=https://shop.example.com/17 ');
    expect(human.stderr).toContain('Stopped after 1200 entries');
    const json = JSON.parse((await run('get logs --site shop --filter url_contains=/149 --format json')).stdout) as {
      entries: unknown[];
    };
    expect(json).toMatchObject({ outcome: 'done', read: { entries: 11, more: false } });
    expect(json.entries).toHaveLength(11);
    expect(
      JSON.parse((await run('get logs mail --site shop --filter rcpt=nobody@b.example --format json')).stdout),
    ).toMatchObject({ entries: [], outcome: 'done' });
    expect(await run('get logs origin --site shop')).toMatchObject({
      code: 0,
      stdout: '2026-01-14 php notice\n2026-01-15 php warning\n',
    });
    expect(JSON.parse((await run('get logs --site id:nope --format json')).stdout)).toMatchObject({
      entries: [],
      outcome: 'error',
      diagnostics: [{ code: 'HW4507' }],
    });
  });

  it('an option that would do nothing is an error', async () => {
    const { run, sandbox } = await open();
    for (const words of [
      'get logs origin --site shop --since 1h',
      'get logs origin --site shop --until 1h',
      'get logs --site shop --filter rcpt=a',
      'get logs --site shop --since 1h --until 2h',
      'get logs summary --site shop --since 4d',
      'get logs summary --site shop --limit 5',
      'get logs summary --site shop --watch',
      'get logs --site shop --watch --until 1h',
      'get logs errors --site shop',
      'get logs',
      'get metrics now --site shop --since 1h',
      'get metrics cdn --site shop --until 1h',
      'get metrics resources --site shop --since 1h --until 1h',
      'get metrics disk --site shop',
      'get tasks --since 1h',
      'get sites shop docs',
      'run purge Site/shop --volume content',
    ])
      expect(await run(words), words).toMatchObject({ code: 1, stdout: '', stderr: containing('HW6513') });
    for (const words of [
      'get logs --site shop --limit 0',
      'get logs --site shop --filter x',
      'get --raw /api/sites sites',
      'run purge Site/shop --layer disk',
      'run',
      'run restart',
    ])
      expect((await run(words)).code, words).toBe(1);
    expect(sandbox.requests).toEqual([]);
  });

  it('metrics, tasks and mail are tables and plots for people', async () => {
    const { run } = await open();
    const metrics = await run('get metrics resources --site shop --chart cms.resources.cpu');
    expect(metrics.stdout).toMatch(/cms\.resources\.cpu 61 points[\s\S]*┤/);
    expect(metrics.stderr).toContain('cms.resources.memory, cms.resources.memory_throttled');
    expect((await run('get metrics shield --site shop --chart x')).stderr).toContain('There is no chart x.');
    expect((await run('get tasks --site shop --status OK')).stdout).toContain('site.created');
    expect((await run('get site-mail --site shop')).stdout).toMatch(/SENDS AS[\s\S]+noreply@shop\.example\.com/);
  });

  it('CDN-01, TML-03, TML-04, MET-04, CNV-10: a refusal that the documents name is named, and no broken answer', async () => {
    const { run, sandbox } = await open();
    const told = async (words: string, env = {}): Promise<string> => {
      const { stderr, code } = await run(words, { env });
      expect(code).toBe(1);
      expect(stderr).not.toMatch(/HW3004|as it should|insufficient_scope: insufficient_scope/);
      return stderr.replaceAll(/\s+/g, ' ');
    };
    const shop = sandbox.state.sites.get('site-shop') as NonNullable<ReturnType<typeof sandbox.state.sites.get>>;
    shop.traffic.shieldCounts = null;
    expect(await told('get metrics shield --site shop')).toContain('Shield is not active on the site, or has counted');
    shop.cdn.zone = 'none';
    for (const words of ['get logs origin --site shop', 'get logs --site shop', 'get logs summary --site shop'])
      expect(await told(words)).toContain(
        'HW4501: The platform refused the request The CDN of the site is not active, and no call of the API activates it: GET /api/',
      );
    (shop.mail as NonNullable<typeof shop.mail>).status = 'failed';
    for (const words of ['get logs mail --site shop', 'get metrics mail --site shop'])
      expect(await told(words)).toContain('The mail of the site is not active: GET');
    shop.mail = null;
    expect(await told('get logs mail --site shop')).toContain('The site has no mail account: GET');
    const env = { HOSTWRIGHT_TOKEN: oauthToken(['sites:read']) };
    expect(await told('get mailspaces', env)).toMatch(
      /HW4590: Credential lacks a scope The credential lacks .*: GET \/api\/mailspace answered 403 \(insufficient_scope: The token lacks/,
    );
    await run('get tasks --site shop');
  });
});
