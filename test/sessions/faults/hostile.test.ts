// What hostile people can put into names, answers and files, through every command that reads: nothing of it reaches
// the terminal as anything but visible text, nothing is taken for markup or for a command to the CI that runs us, and
// no secret is in any byte that is printed, written or sent where it does not belong.
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { addEdgeRule } from '../../../src/sandbox/cdn/edge-rules.ts';
import { addDomain, addSite } from '../../../src/sandbox/core/state.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { runCommand } from '../../support/processes/command.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest, siteManifest, workspaceFile } from '../../support/manifests.ts';
import type { Proxy } from '../../support/servers/proxy.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { matching } from '../../support/matchers.ts';

let proxy: Proxy | undefined;
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
});

async function begin(options: HarnessOptions): Promise<Harness> {
  return openHarness({ inProcess: false, memoryLedger: false, ...options });
}

/** What a terminal, an editor or a reviewer's eye could be led astray by; a line feed is layout. */
const INVISIBLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
/** What a CI runner takes for a command. */
const CI_COMMAND = /^\s*(?:::[a-z-]+|##\[)/im;

const TEXTS = [
  '\u001b[31mred\u001b[0m\u001b]8;;https://evil.example\u0007link',
  'bell\u0007 back\b\b\b\bhidden\rreturn',
  'abc\u202egnp.exe\u2066x\u2069',
  '<img src=x onerror=alert(1)>',
  '[click](javascript:alert(1)) | **bold** `code` <!-- -->',
  '::error file=a,line=1::owned',
  '##[group]owned',
  '__proto__',
  '${{ secrets.TOKEN }} $(touch owned) `id` {{7*7}} %0A::error::owned',
  '\u200bzero\u200dwidth\ufeff',
];

function checkOutput({ code, stdout, stderr }: Ended, what: string): void {
  const output = stdout + stderr;
  expect(
    INVISIBLE.exec(output)?.[0].codePointAt(0),
    `${what}: ${JSON.stringify(output.slice(Math.max(0, output.search(INVISIBLE) - 80), output.search(INVISIBLE) + 80))}`,
  ).toBeUndefined();
  expect(CI_COMMAND.exec(output)?.[0], what).toBeUndefined();
  expect(output, what).not.toContain('this is a bug');
  expect([0, 1, 2, 3, 4, 5, 6], what).toContain(code);
}

/** Every file below a folder, with its bytes. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      files.set(
        join(entry.parentPath, entry.name).slice(folder.length + 1),
        await readFile(join(entry.parentPath, entry.name), 'latin1'),
      );
  }
  return files;
}

describe('a hostile platform', () => {
  it('reaches nobody through any command, in any format', async () => {
    const files = Object.fromEntries(
      TEXTS.map((_, index) => [
        `sites/s${index}.json`,
        manifest(
          'Site',
          `s${index}`,
          { name: `S ${index}`, domains: [`s${index}.example.com`], caching: { varyCookie: true }, edgeRules: [] },
          { id: `site-${index}` },
        ),
      ]),
    );
    const one = await begin({ scenario: 'sites:1', files });
    const { state } = one.sandbox;
    TEXTS.forEach((name, index) => {
      const site = addSite(state, { id: `site-${index}`, accountId: 'acc-acme', name });
      addDomain(state, site, { id: `dom-${index}`, hostname: `other${index}.example.com` });
      site.phpVersion = name;
      addEdgeRule(site, { Guid: `rule-${name}`, Description: name, ActionParameter1: name });
    });
    const run = async (...args: readonly string[]): Promise<void> => {
      for (const format of args[0] === 'plan' || args[0] === 'apply' ? ['human', 'json'] : ['human']) {
        const ended = await runCommand([...args, '--format', format], {
          cwd: one.root,
          url: one.sandbox.url,
          env: { GITHUB_ACTIONS: 'true' },
        });
        checkOutput(ended, `${args.join(' ')} --format ${format}`);
        if (format === 'json') expect(() => JSON.parse(ended.stdout) as unknown, args.join(' ')).not.toThrow();
      }
    };
    await Promise.all([run('plan', '--verbose'), run('drift')]);
    await Promise.all([
      run('get', 'tasks', '--site', 'id:site-0'),
      run('get', 'logs', '--site', 'id:site-0'),
      run('get', 'metrics', '--site', 'id:site-0'),
    ]);
    await Promise.all([
      run('get', 'site-mail', '--site', 'id:site-1'),
      run('get', 'cms-users', '--site', 'id:site-1'),
      run('get', 'shield-events', '--site', 'id:site-2'),
      run('dns', '--no-lookup'),
    ]);
    await run('apply', '--yes', '--allow-deletes', '100');
    await run('ledger', 'list');
    expect([...one.sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });

  it('that sends megabytes and deep nesting is told of in few words', async () => {
    const one = await begin({ example: 'small-agency' });
    const long = 'A\u202e'.repeat(500_000);
    proxy = await startProxy(one.sandbox.url, (request, answer) => {
      if (request.method === 'GET')
        return {
          ...answer,
          body: answer.body
            .replaceAll('"Shop"', () => JSON.stringify(long))
            .replaceAll('"cache_expiration":', `"deep":${'['.repeat(20_000)}${']'.repeat(20_000)},"cache_expiration":`),
        };
      return { status: 422, body: JSON.stringify({ code: 'refused', errors: [long, '::error::owned'] }) };
    });
    for (const args of [['plan'], ['apply', '--yes'], ['apply', '--yes', '--format', 'json']]) {
      const ended = await runCommand(args, { cwd: one.root, url: proxy.url });
      checkOutput(ended, args.join(' '));
      if (args.length < 3) expect(ended.stdout.length + ended.stderr.length, args.join(' ')).toBeLessThan(200_000);
    }
  });
});

describe('a hostile manifest', () => {
  it('is shown, refused or planned as text, whatever its strings, keys and file names', async () => {
    const one = await begin({
      files: Object.fromEntries(
        TEXTS.map((name, index) => [
          `sites/${index}.json`,
          manifest(
            'Site',
            `s${index}`,
            {
              name,
              caching: { cookieVaryParameters: [name] },
              edgeRules: [
                { name, action: { type: 'Redirect', url: name }, triggers: [{ type: 'Url', patterns: [name] }] },
              ],
              [name]: { [name]: name },
            },
            { id: 'site-shop' },
          ),
        ]),
      ),
    });
    await one.write(`sites/${TEXTS[2]}.yaml`, `kind: ${TEXTS[0]}\n${TEXTS[4]}\n`);
    await one.write('sites/\u001b[2J::error::.yaml', '&a [*a]\n');
    for (const args of [
      ['validate'],
      ['plan'],
      ['validate', '--expanded'],
      ['validate', TEXTS[0] as string],
      ['plan', '--target', TEXTS[5] as string],
    ]) {
      for (const format of ['human', 'json'])
        checkOutput(
          await runCommand([...args, '--format', format], { cwd: one.root, url: one.sandbox.url }),
          `${args.join(' ')} ${format}`,
        );
    }
    expect(one.sandbox.requests).toEqual([]);
  });

  it.each(['g\u043e\u043egle.example.com', 'ex\u0430mple.example.com'])(
    'that looks like another name (%s) is shown by the letters that the DNS knows',
    async (hostname) => {
      const one = await begin({ files: { 'sites/a.json': siteManifest('shop', { domains: [hostname] }) } });
      const { stdout } = await runCommand(['plan'], { cwd: one.root, url: one.sandbox.url });
      expect(stdout).toContain('xn--');
      expect((await one.planned()).actions.map(({ address }) => address)).toEqual([
        matching(/^Site\/shop\/SiteDomain\/xn--/),
      ]);
    },
  );

  it.each([
    ['file', (root: string, outside: string) => symlink(join(outside, 'word'), join(root, 'secrets', 'word'))],
    ['folder', (root: string, outside: string) => symlink(outside, join(root, 'secrets', 'inner'))],
  ] as const)(
    'does not reach a secret outside its folder through a link to a %s, nor through a plan that was saved before',
    async (what, link) => {
      const workspace = workspaceFile('manifests: [mail], secrets: { files: [secrets] }');
      const file = what === 'file' ? 'secrets/word' : 'secrets/inner/word';
      const mailspace = manifest('Mailspace', 'shop.example.com', {
        mailboxes: [{ address: 'new@shop.example.com', password: { file } }],
      });
      const one = await begin({ scenario: 'mail', workspace, ledger: true, files: { 'mail/main.json': mailspace } });
      const outside = join(tmpdir(), `hostwright-outside-${process.pid}-${what}`);
      await mkdir(outside, { recursive: true });
      await writeFile(join(outside, 'word'), 'someone-elses-secret');
      await mkdir(join(one.root, 'secrets'));
      // Reviewed while the link was not there yet.
      const plan = await one.planned();
      await link(one.root, outside);
      const fresh = await one.apply();
      expect(fresh.outcome).toMatchObject({ exitCode: 1 });
      const saved = await one.apply({ plan });
      expect(saved.outcome).toMatchObject({ exitCode: 1 });
      expect(JSON.stringify([fresh.outcome, saved.outcome, one.sandbox.requests])).not.toContain(
        'someone-elses-secret',
      );
      expect(one.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
    },
  );
});

describe('secrets', () => {
  it('are in no byte that is printed or written, and are sent only in their header or the request that sets them, even by a platform that echoes', async () => {
    const secrets = { DAAN_PASSWORD: 'Daan-Secret "1" & \u00e9', ledger: 'ledger-pass' };
    const one = await begin({ example: 'mail-for-a-company', scenario: 'mail', ledger: true });
    proxy = await startProxy(one.sandbox.url, ({ method, headers, body }, answer) =>
      // It says back what it was told, in every place that a report might quote.
      method === 'GET' || answer.status < 400
        ? {
            ...answer,
            body:
              method === 'GET'
                ? answer.body
                : answer.body.replace(
                    /^\{/,
                    () => `{"echo":${JSON.stringify(`${headers.authorization ?? ''} ${body}`)},`,
                  ),
          }
        : { status: 422, body: JSON.stringify({ code: 'bad', errors: [body, headers.authorization], detail: body }) },
    );
    const env = {
      DAAN_PASSWORD: secrets.DAAN_PASSWORD,
      HOSTWRIGHT_DEBUG: '1',
    };
    const run = (...args: readonly string[]): Promise<Ended> =>
      runCommand(args, { cwd: one.root, url: proxy?.url ?? '', env });
    const texts: string[] = [];
    // The first time the platform refuses what was sent, in words that hold it.
    one.sandbox.setFaults([
      { kind: 'status-before', status: 422, match: { method: 'POST', path: '/api/mailspace/*/mailboxes' } },
    ]);
    for (const args of [
      ['validate'],
      ['plan', '--verbose', '--out', 'plan.json'],
      ['apply', '--yes', '--verbose', '--allow-deletes', '2'],
      ['apply', '--yes', '--format', 'json', '--allow-deletes', '2'],
    ]) {
      const { stdout, stderr } = await run(...args);
      texts.push(stdout, stderr);
    }
    one.sandbox.setFaults([]);
    for (const args of [
      ['apply', '--yes', '--verbose', '--allow-deletes', '2'],
      ['drift', '--verbose'],
      ['plan', '--format', 'json'],
      ['plan', '--saved', 'plan.json', '--verbose'],
      ['validate', '--expanded'],
      ['ledger', 'list'],
      ['dns', '--no-lookup'],
    ]) {
      const { stdout, stderr } = await run(...args);
      texts.push(stdout, stderr);
    }
    const written = await filesIn(one.root);
    expect([...written.keys()]).toContain('.hostwright/ledger.jsonl');
    const { passed } = proxy;
    const setting = passed.filter(({ body }) => body.includes('Daan-Secret'));
    expect(setting.length).toBeGreaterThan(0);
    for (const [name, secret] of Object.entries({ token: API_KEY, ...secrets })) {
      const spellings = [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      ];
      for (const spelling of spellings) {
        expect(texts.join('\n').includes(spelling), `${name} is printed`).toBe(false);
        for (const [file, bytes] of written)
          expect(bytes.includes(Buffer.from(spelling).toString('latin1')), `${name} is in ${file}`).toBe(false);
        for (const { method, path, headers, body } of passed) {
          expect(path.includes(spelling), `${name} is in the path ${method} ${path}`).toBe(false);
          const { authorization, ...rest } = headers;
          expect(JSON.stringify(rest).includes(spelling), `${name} is in a header of ${method} ${path}`).toBe(false);
          if (name !== 'DAAN_PASSWORD')
            expect(body.includes(spelling), `${name} is in the body of ${method} ${path}`).toBe(false);
          if (name !== 'token') expect(authorization?.includes(spelling)).toBe(false);
        }
      }
    }
    expect(setting.every(({ method, path }) => method !== 'GET' && path.includes('/mailboxes'))).toBe(true);
  });

  it('stay with their owner: ledger and plan are 0600 whatever the umask, also where a wider file was there before', async () => {
    const one = await begin({ example: 'small-agency' });
    const command = join(import.meta.dirname, '../../../dist/main.js');
    const run = async (line: string): Promise<void> => {
      const child = spawn('sh', ['-c', `umask 0; node '${command}' ${line}`], {
        cwd: one.root,
        env: { PATH: process.env.PATH, HOSTWRIGHT_API_URL: one.sandbox.url, HOSTWRIGHT_TOKEN: API_KEY },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      await Promise.all([text(child.stdout), text(child.stderr)]);
    };
    await run('plan --out plan.json');
    await run('apply plan.json');
    for (const file of ['plan.json', '.hostwright/ledger.jsonl'])
      expect((await stat(join(one.root, file))).mode & 0o777, file).toBe(0o600);
    await run('plan --out plan.json');
    expect((await stat(join(one.root, 'plan.json'))).mode & 0o777).toBe(0o600);
  });
});
