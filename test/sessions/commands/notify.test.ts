// `drift --notify` from the command line's side: what arrives, who can check it, what a receiver that fails changes
// (nothing).
import type { Server, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { DriftOptions } from '../../../src/cli/commands/drift.ts';
import { drift } from '../../../src/cli/commands/drift.ts';
import { createContext } from '../../../src/cli/context.ts';
import { createOutput } from '../../../src/cli/output.ts';
import type { Format } from '../../../src/cli/context.ts';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { openServer } from '../../support/servers/plain.ts';
import { containing } from '../../support/matchers.ts';
import { siteManifest } from '../../support/manifests.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const isNotification = new Ajv2020({ strict: true, strictTypes: false }).compile(
  JSON.parse(readFileSync(new URL('../../../schemas/notification.schema.json', import.meta.url), 'utf8')) as object,
);

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver that answers with these statuses, the last one for ever. */
async function receiver(
  ...statuses: readonly number[]
): Promise<{ readonly address: string; readonly received: Received[]; readonly server: Server }> {
  const received: Received[] = [];
  const { url, server } = await openServer((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (text: string) => (body += text))
      .on('end', () => {
        received.push({ headers: request.headers as Record<string, string>, body });
        response
          .writeHead(statuses[Math.min(received.length, statuses.length) - 1] ?? 204, {
            location: 'https://elsewhere.example/',
          })
          .end();
      });
  });
  return { address: `${url}/hooks/very-secret-path?key=very-secret-key`, received, server };
}

function drifted(caching: object = { smartCache: false }): Promise<Harness> {
  return openHarness({ scenario: 'small', files: { 'sites/shop.json': siteManifest('shop', { caching }) } });
}

async function run(
  harness: Harness,
  options: Partial<DriftOptions> & { readonly format?: Format },
  env: Readonly<Record<string, string>> = { HOSTWRIGHT_NOTIFY_SECRET: SECRET },
  stop = new AbortController().signal,
) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const read = { stdout: '', stderr: '' };
  stdout.on('data', (chunk) => (read.stdout += String(chunk)));
  stderr.on('data', (chunk) => (read.stderr += String(chunk)));
  const process = {
    env: { HOSTWRIGHT_TOKEN: API_KEY, ...env },
    stdin,
    stdout,
    stderr,
    cwd: () => harness.root,
  } as unknown as NodeJS.Process;
  const context = createContext(
    { format: options.format ?? 'human', quiet: true, apiUrl: harness.sandbox.url },
    { process, output: createOutput(stdout, stderr), stop },
  );
  const outcome = await drift(context, [], { target: [], ignore: [], notify: [], ...options });
  await context.output.flush();
  return { outcome, ...read };
}

describe('drift --notify', () => {
  it('sends what it found, and whoever has the secret can check that it is ours', async () => {
    const { address, received } = await receiver(204);
    const { outcome } = await run(await drifted(), { notify: [address] });
    expect(outcome).toBe('differences');
    expect(received).toHaveLength(1);
    const [{ headers, body }] = received as [Received];
    const verified = new Webhook(SECRET).verify(body, headers);
    expect(verified).toEqual(JSON.parse(body));
    expect(isNotification(verified), JSON.stringify(isNotification.errors)).toBe(true);
    expect(verified).toMatchObject({
      type: 'hostwright.drift',
      data: {
        account: 'acc-acme',
        outcome: 'differences',
        exitCode: 2,
        summary: { differs: 1, drifted: 0 },
        drift: [
          {
            address: 'Site/shop/Caching',
            class: 'differs',
            fields: [{ path: '/smartCache', manifest: false, live: true }],
          },
        ],
      },
    });
    expect(() => new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`).verify(body, headers)).toThrow();
    expect(() => new Webhook(SECRET).verify(body.replace('differences', 'done'), headers)).toThrow();
  });

  it('sends it again, as the same one, while the receiver fails', async () => {
    const { address, received } = await receiver(500, 503, 200);
    const { stderr } = await run(await drifted(), { notify: [address] });
    expect(stderr).toBe('');
    expect(received).toHaveLength(3);
    expect(
      new Set(
        received.map(
          ({ headers, body }) =>
            `${headers['webhook-id']} ${headers['webhook-timestamp']} ${headers['webhook-signature']} ${body}`,
        ),
      ).size,
    ).toBe(1);
  });

  it.each([
    ['refuses', 400, 'it answered 400'],
    ['redirects', 307, 'a redirect, which is never followed'],
  ])('says that a receiver %s, by its host alone; the result stands', async (_what, status, words) => {
    const { address, received } = await receiver(status);
    const human = await run(await drifted(), { notify: [address] });
    expect(human.outcome).toBe('differences');
    expect(human.stderr).toContain('HW6522');
    expect(human.stderr).toContain(words);
    expect(human.stderr).toContain(new URL(address).host);
    expect(human.stdout + human.stderr).not.toContain('very-secret');
    expect(received).toHaveLength(1);
  });

  it('says so in JSON too, and tells the other receivers', async () => {
    const [bad, good] = [await receiver(410), await receiver(200)];
    const { outcome, stdout } = await run(await drifted(), { notify: [bad.address, good.address], format: 'json' });
    expect(outcome).toBe('differences');
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 2, diagnostics: [{ code: 'HW6522', severity: 'warning' }] });
    expect(stdout).not.toContain('very-secret');
    expect(good.received).toHaveLength(1);
  });

  it('has nothing to say when nothing differs, or all of it is ignored', async () => {
    const { address, received } = await receiver(200);
    expect(await run(await drifted({ smartCache: true }), { notify: [address] })).toMatchObject({ outcome: 'done' });
    expect(await run(await drifted(), { notify: [address], ignore: ['Site/shop/Caching'] })).toMatchObject({
      outcome: 'done',
      stdout: containing('1 ignored'),
    });
    expect(received).toEqual([]);
  });

  it('tells nobody where HOSTWRIGHT_NOTIFY is set to nothing, as in a job without that secret', async () => {
    expect(await run(await drifted(), { notify: [''] }, { HOSTWRIGHT_NOTIFY: '' })).toMatchObject({
      outcome: 'differences',
      stderr: '',
    });
  });

  it('ends with the word for it when it is interrupted while a receiver fails', async () => {
    const { address, received, server } = await receiver(503);
    const stop = new AbortController();
    server.on('request', (_request, response: ServerResponse) => response.on('finish', () => stop.abort()));
    const { outcome, stderr, stdout } = await run(await drifted(), { notify: [address] }, undefined, stop.signal);
    expect(outcome).toBe('interrupted');
    expect(stderr).toContain('interrupted before it was sent again');
    expect(stdout).toContain('Site/shop/Caching');
    expect(received.length).toBeLessThan(3);
  });

  it('tells that the account could not be read', async () => {
    const { address, received } = await receiver(200);
    expect(
      await run(
        await drifted(),
        { notify: [address] },
        { HOSTWRIGHT_NOTIFY_SECRET: SECRET, HOSTWRIGHT_TOKEN: 'nobody' },
      ),
    ).toMatchObject({ outcome: 'error' });
    const body: unknown = JSON.parse(received[0]?.body ?? '');
    expect(isNotification(body)).toBe(true);
    expect(body).toMatchObject({ data: { outcome: 'error', exitCode: 1, drift: [], problems: [{ code: 'HW3001' }] } });
  });

  it.each([
    ['no secret', 'https://hooks.example/very-secret', {}, 'HW6521'],
    ['a short secret', 'https://hooks.example/very-secret', { HOSTWRIGHT_NOTIFY_SECRET: 'whsec_c2hvcnQ=' }, 'HW6521'],
    [
      'a secret that is not base64',
      'https://hooks.example/very-secret',
      { HOSTWRIGHT_NOTIFY_SECRET: 'hunter2 hunter2 hunter2 hunter2 hunter2' },
      'HW6521',
    ],
    ['plain http', 'http://hooks.example/very-secret', undefined, 'HW6520'],
    ['a password in it', 'https://me:very-secret@hooks.example/', undefined, 'HW6520'],
    ['a fragment', 'https://hooks.example/?very-secret#part', undefined, 'HW6520'],
    ['no address', 'very-secret', undefined, 'HW6520'],
    ['an empty address', '', undefined, 'HW6520'],
  ])('is refused before anything is read: %s', async (_what, address, env, code) => {
    const harness = await drifted();
    const { outcome, stdout, stderr } = await run(harness, { notify: [address] }, env);
    expect(outcome).toBe('error');
    expect(stderr).toContain(code);
    expect(stdout + stderr).not.toMatch(/very-secret|hunter2|c2hvcnQ/);
    expect(harness.sandbox.requests).toEqual([]);
  });
});
