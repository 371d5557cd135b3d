// The command in the network of a company: a proxy, a certificate authority of its own, and checks that somebody has
// switched off. Built and in a process of its own where Node reads its environment only at the start.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request as send } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, start } from '../../support/processes/command.ts';
import type { Harness } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';
import type { WebProxy } from '../../support/servers/web-proxy.ts';
import { startWebProxy } from '../../support/servers/web-proxy.ts';
import { listen } from '../../support/servers/plain.ts';
import { containing } from '../../support/matchers.ts';

const SITE =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec: { domains: [s00001.example.com] }\n';

/** A certificate for localhost, signed by itself; undefined where there is no openssl to make one. */
function makeCertificate(
  folder: string,
): { readonly key: Buffer; readonly cert: Buffer; readonly file: string } | undefined {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(key), cert: readFileSync(cert), file: cert };
  } catch {
    return undefined;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hostwright-tls-'));
const certificate = makeCertificate(folder);
if (certificate === undefined)
  process.stdout.write(
    'Not tested: HTTPS through a proxy, and certificates. There is no openssl to make a certificate.\n',
  );

let harness: Harness;
let proxy: WebProxy;
let front: ReturnType<typeof createServer> | undefined;
let secure = '';
beforeAll(async () => {
  harness = await startHarness({ scenario: 'sites:2', files: { 'sites/shop.yaml': SITE } });
  proxy = await startWebProxy('user:hunter2');
  if (certificate === undefined) return;
  const server = createServer(certificate, (incoming, outgoing) => {
    const onward = send(
      harness.sandbox.url + (incoming.url ?? ''),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  const port = await listen(server);
  front = server;
  secure = `https://localhost:${port}`;
});
afterAll(async () => {
  front?.closeAllConnections();
  front?.close();
  await proxy.close();
  await harness.close();
  await rm(folder, { recursive: true });
});

const run = (args: readonly string[], url: string, env: Readonly<Record<string, string>>) =>
  'NODE_EXTRA_CA_CERTS' in env
    ? start(args, { cwd: harness.root, url, env }).ended
    : runCommand(args, { cwd: harness.root, url, env });

describe.runIf(certificate !== undefined)('over HTTPS', () => {
  const trusting = { NODE_EXTRA_CA_CERTS: certificate?.file ?? '' };

  it('HTTPS_PROXY is a tunnel, and NODE_EXTRA_CA_CERTS says whose certificates are good', async () => {
    proxy.asked.length = 0;
    const planned = await run(['plan'], secure, { ...trusting, HTTPS_PROXY: proxy.url });
    expect(planned.code, planned.stderr).toBe(0);
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${new URL(secure).host}`]));
    expect(planned.stdout + planned.stderr).not.toContain('hunter2');
  });

  it('NO_PROXY leaves it out', async () => {
    proxy.asked.length = 0;
    expect((await run(['plan'], secure, { ...trusting, https_proxy: proxy.url, NO_PROXY: 'localhost' })).code).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  it('a certificate of nobody that is trusted ends the command before the token is sent', async () => {
    const before = harness.sandbox.requests.length;
    const ended = await run(['plan'], secure, { HTTPS_PROXY: proxy.url });
    expect(ended.code).not.toBe(0);
    expect(ended.stdout + ended.stderr).toMatch(/unknown\s+authority[\s\S]*NODE_EXTRA_CA_CERTS/);
    expect(harness.sandbox.requests.length).toBe(before);
  });

  it.each(['plan', 'drift', 'apply --yes', 'export', 'dns', 'get tasks --site shop', 'get contacts', 'doctor'])(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is told in every result: %s',
    async (line) => {
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
      const args = line.split(' ');
      const human = await run(args, secure, env);
      expect(human.stdout + human.stderr).toContain('Certificates are not verified');
      const json = await run([...args, '--format', 'json'], secure, env);
      expect(json.stdout).toMatch(/"HW6576"/);
      expect(json.stdout).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0 is set');
    },
  );
});

describe('over HTTP', () => {
  it('HTTP_PROXY on this machine is used for a platform on this machine', async () => {
    proxy.asked.length = 0;
    expect((await run(['plan'], harness.sandbox.url, { HTTP_PROXY: proxy.url })).code).toBe(0);
    expect(proxy.asked.every((asked) => asked.startsWith(`GET ${harness.sandbox.url}/api/`))).toBe(true);
    expect(proxy.asked.length).toBeGreaterThan(0);
  });

  it('a proxy that is none is told before anything is sent, without its value', async () => {
    const before = harness.sandbox.requests.length;
    const ended = await run(['plan'], harness.sandbox.url, { HTTPS_PROXY: 'socks5://user:hunter2@proxy.example' });
    expect([ended.code, ended.stderr]).toEqual([1, containing('HW6575')]);
    expect(ended.stderr).not.toContain('hunter2');
    expect(harness.sandbox.requests.length).toBe(before);
  });
});
