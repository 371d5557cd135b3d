// The built command on one site: what is on stdout and what on stderr, which exit code, and where a login URL may
// stand.
import { afterEach, describe, expect, it } from 'vitest';
import { oauthToken } from '../../../src/sandbox/core/http/credentials.ts';
import { logEntry } from '../../../src/sandbox/core/traffic-state.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

async function session(
  options: HarnessOptions = {},
): Promise<Harness & { readonly run: (...args: readonly string[]) => Promise<Ended> }> {
  harness = await startHarness({ example: 'sender-identity', ...options });
  const { root, sandbox } = harness;
  return { ...harness, run: (...args) => runCommand(args, { cwd: root, url: sandbox.url, clock: sandbox.clock }) };
}

describe('hostwright site', () => {
  it('asks nobody without a terminal: an error names the flag, and nothing is sent', async () => {
    const { run, sandbox } = await session();
    for (const args of [
      ['restart', 'shop'],
      ['purge', 'shop'],
      ['backup', 'shop'],
      ['sso', 'shop', '--database'],
      ['mail', 'unblock', 'shop'],
      ['mail', 'check', 'shop'],
    ]) {
      expect(await run('site', ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('Give --yes to run it without asking') as string,
      });
    }
    expect(sandbox.requests).toEqual([]);
  });

  it('restart, purge and backup wait until it is true, and then end with 0', async () => {
    const { run, sandbox } = await session();
    const ended = await Promise.all([
      run('site', 'restart', 'docs', '--yes'),
      run('site', 'purge', 'shop', '--yes', '--quiet'),
      run('site', 'backup', 'shop', '--yes', '--volume', 'content', '--name', 'before', '--format', 'json'),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ended[0].stdout).toMatch(/^docs \(site-docs\) restarts: task \d+ site\.restart OK\.\n$/);
    expect([ended[1].stdout, ended[1].stderr]).toEqual(['The CDN cache of shop (site-shop) is empty.\n', '']);
    expect(JSON.parse(ended[2].stdout)).toMatchObject({
      format: 'hostwright.site/1',
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
    const { run } = await session();
    const human = await run('site', 'sso', 'shop', '--user', 'editor', '--yes');
    expect(human.stdout).toMatch(/^https:\/\/\S+token=\S+\n$/);
    expect(human.stderr).not.toContain('token=');
    const json = await run('site', 'sso', 'shop', '--database', '--yes', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ login: { url: expect.stringContaining('token=') as string } });
    expect(json.stderr).not.toContain('token=');
    const listed = await run('site', 'sso', 'shop', '--list');
    expect(listed.stdout).toContain('editor');
    expect(listed.stdout).not.toContain('@');
    for (const args of [
      ['tasks', 'shop'],
      ['mail', 'show', 'shop'],
      ['logs', 'shop'],
      ['metrics', 'shop'],
    ]) {
      const { stdout, stderr, code } = await run('site', ...args, '--format', 'json');
      expect(code).toBe(0);
      expect(`${stdout}${stderr}`).not.toMatch(/token=|sandbox-ssh-password|sandbox-api-key/);
    }
  });

  it('logs are lines as they come, or one JSON document', async () => {
    const { run, sandbox } = await session();
    const traffic = sandbox.state.sites.get('site-shop')?.traffic;
    traffic?.cdnLog.push(
      ...Array.from({ length: 1_500 }, (_, index) =>
        logEntry(Date.now() - index, { url: `https://shop.example.com/${index}` }),
      ),
    );
    // The sandbox's time stands still; the command's does not.
    sandbox.clock.advance(Math.max(0, Date.now() - sandbox.clock.now()));
    const human = await run('site', 'logs', 'shop', '--limit', '1200');
    expect(human.code).toBe(0);
    expect(human.stdout.trimEnd().split('\n')).toHaveLength(1_200);
    expect(human.stdout).toContain('url=https://shop.example.com/17 ');
    expect(human.stderr).toContain('Stopped after 1200 entries');
    const json = JSON.parse(
      (await run('site', 'logs', 'shop', '--filter', 'url_contains=/149', '--format', 'json')).stdout,
    ) as { entries: unknown[] };
    expect(json).toMatchObject({ outcome: 'done', read: { entries: 11, more: false } });
    expect(json.entries).toHaveLength(11);
    expect(
      JSON.parse((await run('site', 'logs', 'shop', '--of', 'mail', '--since', '1h', '--format', 'json')).stdout),
    ).toMatchObject({ entries: [], outcome: 'done' });
    expect(await run('site', 'logs', 'shop', '--of', 'origin')).toMatchObject({
      code: 0,
      stdout: '2026-01-14 php notice\n2026-01-15 php warning\n',
    });
    expect(JSON.parse((await run('site', 'logs', 'id:nope', '--format', 'json')).stdout)).toMatchObject({
      entries: [],
      outcome: 'error',
      diagnostics: [{ code: 'HW4507' }],
    });
  });

  it('an option that would do nothing is an error', async () => {
    const { run, sandbox } = await session();
    for (const args of [
      ['logs', 'shop', '--of', 'origin', '--since', '1h'],
      ['logs', 'shop', '--filter', 'rcpt=a'],
      ['metrics', 'shop', '--of', 'now', '--since', '1h'],
    ]) {
      expect(await run('site', ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('HW6513') as string,
      });
    }
    for (const args of [
      ['logs', 'shop', '--limit', '0'],
      ['logs', 'shop', '--filter', 'x'],
      ['sso', 'shop', '--list', '--yes'],
      ['purge', 'shop', '--layer', 'disk'],
      ['tasks'],
    ])
      expect((await run('site', ...args)).code).toBe(1);
    expect(sandbox.requests).toEqual([]);
  });

  it('metrics, tasks and mail are tables and plots for people', async () => {
    const { run } = await session();
    const metrics = await run('site', 'metrics', 'shop', '--of', 'resources', '--chart', 'cms.resources.cpu');
    expect(metrics.stdout).toMatch(/cms\.resources\.cpu 61 points[\s\S]*┤/);
    expect(metrics.stderr).toContain('cms.resources.memory, cms.resources.memory_throttled');
    expect((await run('site', 'metrics', 'shop', '--of', 'shield', '--chart', 'x')).stderr).toContain(
      'There is no chart x.',
    );
    expect((await run('site', 'tasks', 'shop', '--status', 'OK')).stdout).toContain('site.created');
    expect((await run('site', 'mail', 'show', 'shop')).stdout).toMatch(/SENDS AS[\s\S]+noreply@shop\.example\.com/);
  });

  it('CDN-01, TML-03, TML-04, MET-04, CNV-10: a refusal that the documents name is named, and no broken answer', async () => {
    const { run, sandbox, root } = await session();
    const told = async (words: string, env = {}): Promise<string> => {
      const { stderr, code } = await runCommand(words.split(' '), {
        cwd: root,
        url: sandbox.url,
        clock: sandbox.clock,
        env,
      });
      expect(code).toBe(1);
      expect(stderr).not.toMatch(/HW3004|as it should|insufficient_scope: insufficient_scope/);
      return stderr.replaceAll(/\s+/g, ' ');
    };
    const shop = sandbox.state.sites.get('site-shop') as NonNullable<ReturnType<typeof sandbox.state.sites.get>>;
    shop.traffic.shieldCounts = null;
    expect(await told('site metrics shop --of shield')).toContain('Shield is not active on the site, or has counted');
    shop.cdn.zone = 'none';
    for (const words of ['site logs shop', 'site logs shop --of origin', 'site logs shop --summary'])
      expect(await told(words)).toContain(
        'HW4501: The platform refuses The CDN of the site is not active, and no call of the API activates it: GET /api/',
      );
    (shop.mail as NonNullable<typeof shop.mail>).status = 'failed';
    for (const words of ['site logs shop --of mail', 'site metrics shop --of mail'])
      expect(await told(words)).toContain('The mail of the site is not active: GET');
    shop.mail = null;
    expect(await told('site logs shop --of mail')).toContain('The site has no mail account: GET');
    const env = { HOSTWRIGHT_TOKEN: oauthToken(['sites:read']) };
    expect(await told('get mailspaces', env)).toMatch(
      /HW4590: The credential lacks a scope The credential lacks .*: GET \/api\/mailspace answered 403 \(insufficient_scope: The token lacks/,
    );
    await run('site', 'tasks', 'shop');
  });

  it('TML-24: what is not possible now is exit code 3, with the time', async () => {
    const { run, sandbox } = await session();
    expect(await run('site', 'mail', 'check', 'shop', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is verified') as string,
    });
    expect(await run('site', 'mail', 'check', 'shop', '--yes')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/another is possible from \d{4}-/) as string,
    });
    expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
