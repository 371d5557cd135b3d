// What the sandbox offers to whoever plays the outside: every line that it prints works as it stands, with the ids that
// are there, and the page in the browser has the same lines, safely.
import { spawn, spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { OpenSandbox, Sandbox } from '../../src/sandbox/server.ts';
import { openSandbox, startSandbox } from '../../src/sandbox/server.ts';
import { curlLine } from '../../src/sandbox/core/outside.ts';
import { plain } from '../../src/sandbox/core/snapshot.ts';

const ORIGIN = 'http://127.0.0.1:4010';
const incoming = { socket: { remoteAddress: '127.0.0.1' } };

/** The request of a line, taken apart as a shell and curl would. */
function requestOf(line: string): Request {
  const words = [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll(`'\\''`, "'") ?? plain ?? '',
  );
  expect(words[0]).toBe('curl');
  const after = (name: string): string | undefined =>
    words.includes(name) ? words[words.indexOf(name) + 1] : undefined;
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const body = after('-d');
  return new Request(url, { method: after('-X') ?? 'GET', ...(body !== undefined && { body }) });
}

const play = async (sandbox: OpenSandbox, line: string): Promise<Response> =>
  sandbox.app.fetch(requestOf(line), { incoming, outgoing: {} });
const stored = ({ state }: OpenSandbox): string => JSON.stringify(plain(state));

/** A cart that waits for a person, a task that runs, a domain that nobody has proven. */
async function busy(sandbox: OpenSandbox): Promise<void> {
  const call = (path: string, body: object): Promise<Response> =>
    Promise.resolve(
      sandbox.app.fetch(
        new Request(ORIGIN + path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${API_KEY}`,
            'content-type': 'application/json',
            'x-auth-account': 'acc-acme',
          },
          body: JSON.stringify(body),
        }),
        { incoming, outgoing: {} },
      ),
    );
  await call('/api/orders', { site: { variant: 'vanilla', location: 'ams', plan: 'pro', term: 'monthly' } });
  await call('/api/mailspace', { domain: 'fresh.example.com' });
}

const scenarios = ['empty', 'small', 'billing-3ds', 'mail', 'registrar', 'panel', 'shield', 'hostile'];

describe('what can happen outside', () => {
  it.each(scenarios)('%s: every line works, and changes what it says', async (scenario) => {
    const made = async (): Promise<OpenSandbox> => {
      const sandbox = openSandbox({ scenario });
      await busy(sandbox);
      return sandbox;
    };
    const events = (await made()).outside();
    expect(events.map(({ does }) => does)).toEqual([...new Set(events.map(({ does }) => does))]);
    for (const event of events) {
      const sandbox = await made();
      const before = `${stored(sandbox)} ${sandbox.clock.now()}`;
      const line = curlLine(ORIGIN, event);
      const answer = await play(sandbox, line);
      expect(`${answer.status} ${line} ${answer.status === 200 ? '' : await answer.text()}`).toBe(`200 ${line} `);
      const isLookOrAccident = event.method === 'GET' || event.path === '/_sandbox/faults';
      if (!isLookOrAccident) expect(`${stored(sandbox)} ${sandbox.clock.now()}`, line).not.toBe(before);
    }
  });

  it('O-32, MSP-17: shows first what waits for somebody, with its id: a cart, a record to publish', async () => {
    const sandbox = openSandbox({ scenario: 'billing-3ds' });
    await busy(sandbox);
    const [token] = [...sandbox.state.carts.values()].map((cart) => cart.token);
    expect(sandbox.outside()[0]).toMatchObject({ does: `Pay cart ${token}` });
    const mail = openSandbox({ scenario: 'mail' });
    expect(mail.outside().map(({ group }) => group)).toContain('Mail');
  });
});

describe('the page at /', () => {
  it('has the same lines, escaped, and nothing from elsewhere', async () => {
    const sandbox = openSandbox({ scenario: 'small' });
    const [site] = sandbox.state.sites.values();
    site!.name = `<script>alert(1)</script>'`;
    const answer = await sandbox.app.fetch(new Request(`${ORIGIN}/`), { incoming, outgoing: {} });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
    const text = await answer.text();
    expect(text).not.toContain('<script');
    expect(text).not.toMatch(/(src|href)=/);
    expect(text).toContain('prefers-color-scheme: dark');
    const lines = [...text.matchAll(/<pre><code>(curl .*?)<\/code><\/pre>/g)].map(([, line = '']) =>
      line
        .replaceAll('&#39;', "'")
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    );
    expect(lines).toEqual(sandbox.outside().map((event) => curlLine(ORIGIN, event)));
  });
});

describe('a shell', () => {
  let sandbox: Sandbox | undefined;
  afterEach(() => sandbox?.close());

  it.runIf(spawnSync('curl', ['--version']).status === 0)('takes every line as it stands', async () => {
    sandbox = await startSandbox({ scenario: 'small' });
    const { url } = sandbox;
    const lines = sandbox
      .outside()
      .map((event) => curlLine(url, event).replace('curl ', "curl -sS -o /dev/null -w '%{http_code}\\n' "));
    const child = spawn('sh', ['-c', lines.join('\n')], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await new Promise((resolve) => child.on('close', resolve));
    expect(out.trim().split('\n')).toEqual(lines.map(() => '200'));
  });
});
