// Whole sessions of the built command against the sandbox: what is printed where, which exit code, which files.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/model/plan/outcome.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { Running } from '../../support/processes/command.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { runCommand, start } from '../../support/processes/command.ts';
import type { Harness, HarnessOptions } from '../../support/harness.ts';
import { startHarness } from '../../support/harness.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

interface Session extends Harness {
  readonly begin: (...args: readonly string[]) => Running;
  readonly run: (...args: readonly string[]) => Promise<Ended>;
}

async function session(
  options: HarnessOptions = { example: 'small-agency' },
  env: Readonly<Record<string, string>> = {},
): Promise<Session> {
  harness = await startHarness(options);
  const { root, sandbox } = harness;
  const begin = (...args: readonly string[]): Running => start(args, { cwd: root, url: sandbox.url, env });
  return {
    ...harness,
    begin,
    run: (...args) => runCommand(args, { cwd: root, url: sandbox.url, clock: sandbox.clock, env }),
  };
}

describe('the story of a change', () => {
  it('is validate, plan, show, apply the reviewed plan, drift', async () => {
    const { run, root, sandbox } = await session();
    expect(await run('validate')).toMatchObject({ code: 0, stdout: expect.stringContaining('3 manifests') as string });
    const planned = await run('plan', '--out', 'plan.json');
    expect(planned).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Site/blog/SiteDomain/blog.example.com') as string,
    });
    expect((await stat(join(root, 'plan.json'))).mode & 0o777).toBe(0o600);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(2);
    const shown = await run('show', 'plan.json');
    expect(shown.stdout).toContain('Site/blog/SiteDomain/blog.example.com');
    expect(await run('apply', 'plan.json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ns1.zone.sandbox.example') as string,
    });
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect((await run('drift')).code).toBe(0);
    const shop = sandbox.state.sites.get('site-shop');
    if (shop === undefined) throw new Error('no site');
    shop.cdn.caching.cache_expiration = 5;
    expect(await run('drift')).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/cacheExpiration +7200 +5\n/) as string,
    });
    expect((await run('apply', 'plan.json')).code).toBe(4);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('drift')).code).toBe(0);
  });

  it('runs only what was reviewed: --expect takes a plan file or digests', async () => {
    const { run, root, write } = await session();
    await run('plan', '--out', 'plan.json');
    await write(
      'sites/more.yaml',
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: extra, id: site-foreign }\nspec: { caching: { smartCache: true } }\n',
    );
    await write(
      'sites/more.yaml',
      (await readFile(join(root, 'sites/shop.yaml'), 'utf8')).replace('name: shop', 'name: shop2'),
    );
    expect((await run('apply', '--expect', 'plan.json')).code).toBe(1);
    await write('sites/more.yaml', '# nothing\n');
    await write('sites/shop.yaml', (await readFile(join(root, 'sites/shop.yaml'), 'utf8')).replace('7200', '7201'));
    const refused = await run('apply', '--expect', 'plan.json');
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('HW2104') as string });
    await write('sites/shop.yaml', (await readFile(join(root, 'sites/shop.yaml'), 'utf8')).replace('7201', '7200'));
    const plan = JSON.parse(await readFile(join(root, 'plan.json'), 'utf8')) as Plan;
    expect((await run('apply', '--expect', plan.actions.map(({ digest }) => digest).join(','))).code).toBe(0);
  });

  it('runs what a comment on a pull request approves, and tells a job what became of it', async () => {
    const { run, write } = await session();
    const comment = (await run('plan', '--format', 'markdown')).stdout;
    await write('comment.md', comment);
    // Somebody without approval adds an action: the comment does not hold it.
    await write(
      'sites/more.yaml',
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: more, id: site-blog }\nspec: { caching: { smartCache: true } }\n',
    );
    expect((await run('apply', '--expect', 'comment.md', '--format', 'markdown')).code).not.toBe(0);
    await write('sites/more.yaml', '# nothing\n');
    const applied = await run('apply', '--expect', 'comment.md', '--format', 'github');
    expect(applied).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^::stop-commands::[^]*Plan for account acc-acme[^]*Done\.[^]*\n::[0-9a-f-]{36}::\n::notice file=sites\/more\.yaml,[^\n]*\n$/,
      ) as string,
    });
    expect((await run('drift', '--format', 'markdown')).stdout).toContain('**Drift: none, ');
    expect((await run('apply', '--yes', '--format', 'markdown')).stdout).toMatch(
      /^<!-- hostwright: apply acc-acme -->\n\n### Hostwright apply[^]*\*\*Done\.\*\*/,
    );
  });

  it('runs without review what is approved by its verb, and a saved plan needs no such thing', async () => {
    const { run } = await session();
    await run('plan', '--out', 'plan.json');
    expect(await run('apply', 'plan.json', '--approve', 'create')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('HW6512') as string,
    });
    const refused = await run('apply', '--approve', 'create');
    expect(refused).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/HW2210[^]*--approve create,update/) as string,
    });
    // Another primary hostname has to be named beside its verb.
    const given = await run('apply', '--approve', 'update,create');
    expect(given).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        /HW2210[^]*--approve update,create,primary|HW2210[^]*--approve create,update,primary/,
      ) as string,
    });
    expect((await run('apply', '--approve', 'primary,update,create')).code).toBe(0);
  });

  it('narrows to a target and what it needs', async () => {
    const { run, sandbox } = await session();
    expect((await run('apply', '--yes', '--target', 'Site/docs/Caching')).code).toBe(0);
    expect(
      sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
    ).toEqual([
      'POST /api/sites/site-docs/domains',
      expect.stringMatching(/^PATCH \/api\/sites\/site-docs\/domains\//) as string,
      'PATCH /api/sites/site-docs/cdn/caching',
    ]);
    expect(await run('plan', '--target', 'docs')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is invalid') as string,
    });
  });
});

describe('output', () => {
  it('of --format json is one document on stdout, for every command', async () => {
    const { run } = await session();
    for (const args of [
      ['validate'],
      ['plan'],
      ['drift'],
      ['apply', '--yes'],
      ['ledger', 'list'],
      ['plan'],
      ['show', 'missing.json'],
    ]) {
      const { stdout } = await run(...args, '--format', 'json');
      expect(() => JSON.parse(stdout) as unknown, `${args.join(' ')}: ${stdout}`).not.toThrow();
    }
    const outcome = JSON.parse((await run('apply', '--yes', '--format', 'json')).stdout) as Outcome;
    expect(outcome).toMatchObject({ outcome: 'done', exitCode: 0, actions: [] });
  });

  it('of `plan --format json` is a plan that apply takes', async () => {
    const { run, write } = await session();
    await write('saved.json', (await run('plan', '--format', 'json')).stdout);
    expect((await run('apply', 'saved.json')).code).toBe(0);
  });

  it('never holds the token, whatever goes wrong', async () => {
    const { run, root, sandbox } = await session({
      example: 'small-agency',
      faults: [{ kind: 'status-before', status: 500, probability: 0.3, times: 8 }],
    });
    const texts: string[] = [];
    for (const args of [
      ['plan', '--verbose'],
      ['apply', '--yes', '--verbose'],
      ['apply', '--yes', '--format', 'json'],
      ['ledger', 'list'],
    ]) {
      const { stdout, stderr } = await run(...args);
      texts.push(stdout, stderr);
    }
    for (const file of await readdir(join(root, '.hostwright')))
      texts.push(await readFile(join(root, '.hostwright', file), 'utf8'));
    expect(texts.join('')).not.toContain(API_KEY);
    expect(texts.join('').length).toBeGreaterThan(1000);
    expect(sandbox.requests.every(({ path }) => !path.includes(API_KEY))).toBe(true);
    expect((await stat(join(root, '.hostwright', 'ledger.jsonl'))).mode & 0o777).toBe(0o600);
  });

  it('is plain without a terminal, coloured when asked', async () => {
    const { run } = await session();
    expect((await run('plan')).stdout).not.toContain('\u001b');
    expect((await run('plan', '--color')).stdout).toContain('\u001b');
  });
});

describe('mistakes', () => {
  it('in a manifest are shown all at once, with a frame and the nearest name', async () => {
    const { run } = await session({
      files: {
        'sites/a.yaml':
          'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: a }\nspec:\n  caching:\n    smartCach: true\n    cacheExpiration: soon\n',
        'sites/b.yaml': 'apiVersion: hostwright/v1\nkind: Sit\nmetadata: { name: b }\n',
      },
    });
    const { code, stdout, stderr } = await run('validate');
    const text = stdout + stderr;
    expect(code).toBe(1);
    for (const expected of ['sites/a.yaml:6:5', 'smartCache', 'sites/a.yaml:7:22', 'sites/b.yaml:2:7', '^'])
      expect(text).toContain(expected);
  });

  it('without a terminal are not asked about', async () => {
    const { run, sandbox } = await session();
    const { code, stderr } = await run('apply');
    expect(code).toBe(1);
    expect(stderr).toContain('--yes');
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('in a saved plan refuse it: cut off, changed, newer, of another account', async () => {
    const { run, root, write, sandbox } = await session();
    await run('plan', '--out', 'plan.json');
    const text = await readFile(join(root, 'plan.json'), 'utf8');
    const plan = JSON.parse(text) as Plan;
    const variants: Readonly<Record<string, string>> = {
      'cut.json': text.slice(0, -200),
      'changed.json': text.replace('shop.example.net', 'evil.example.net'),
      'newer.json': text.replace('hostwright.plan/1', 'hostwright.plan/2'),
      'foreign.json': text.replaceAll('acc-acme', 'acc-other'),
      'unordered.json': JSON.stringify({ ...plan, actions: plan.actions.map((action) => ({ ...action, needs: [] })) }),
    };
    for (const [file, content] of Object.entries(variants)) {
      await write(file, content);
      expect((await run('apply', file)).code, file).toBe(1);
    }
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('interruption', () => {
  /** A run in another process, stopped while its first write is carried out and not yet answered. */
  async function inTheMiddle(): Promise<Session & { readonly first: Running; readonly answer: () => void }> {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let write: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (write = resolve));
    const after = ({ method }: { readonly method: string }): Promise<void> | undefined => {
      if (method === 'GET') return undefined;
      write();
      return answered;
    };
    const one = await session({ example: 'small-agency', hooks: { after } });
    const first = one.begin('apply', '--yes');
    await written;
    return { ...one, first, answer };
  }

  /** Lines from before may arrive after a signal, and two signals of a sort at once are one. */
  async function hears({ child }: Running, word: string): Promise<void> {
    for (let said = ''; !said.includes(word);) said += String((await once(child.stderr as Readable, 'data'))[0]);
  }

  it('by SIGINT finishes what runs, records it, and exits with 130; the next run goes on', async () => {
    const { first, answer, run, sandbox } = await inTheMiddle();
    const stopping = hears(first, 'Stopping');
    first.child.kill('SIGINT');
    await stopping;
    answer();
    expect((await first.ended).code).toBe(130);
    // What was written is in the ledger: only the steps after it are left.
    expect((await run('ledger', 'list')).stdout).toContain('stopped at the step listed');
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect([...sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });

  it.each([['validate'], ['plan'], ['apply', '--yes']])(
    'ends `%s` at once while it reads manifests: it does not come to look at signals while it computes',
    async (...command) => {
      const { begin, root } = await session({ example: 'small-agency' });
      const pipe = join(root, 'pipe.yaml');
      execFileSync('mkfifo', [pipe]);
      const { child, ended } = begin(...command, pipe);
      // Opens when the command reads from it, and lets it wait for more.
      const writer = await open(pipe, 'w');
      child.kill('SIGINT');
      const { code } = await ended;
      await writer.close();
      expect(code).toBeNull();
    },
  );

  it('twice exits at once, and the next run goes on all the same', async () => {
    const { first, answer, run, sandbox } = await inTheMiddle();
    const stopping = hears(first, 'Stopping');
    first.child.kill('SIGTERM');
    await stopping;
    first.child.kill('SIGTERM');
    // By the signal.
    expect((await first.ended).code).toBeNull();
    answer();
    expect((await run('ledger', 'list')).stdout).toContain('in flight');
    expect((await run('apply', '--yes')).code).toBe(0);
    expect([...sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });

  it('by another run: the second says who holds the ledger', async () => {
    const { first, answer, run } = await inTheMiddle();
    expect(await run('apply', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('HW5004') as string });
    expect((await run('plan')).code).toBe(0);
    answer();
    expect((await first.ended).code).toBe(0);
  });
});

describe('ledger', () => {
  it('is begun, looked at, and forgets', async () => {
    const { run, root } = await session({ example: 'caching-only' });
    expect(await run('ledger', 'list')).toMatchObject({ code: 0 });
    await expect(readdir(join(root, '.hostwright'))).rejects.toThrow();
    expect((await run('ledger', 'init')).code).toBe(0);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('ledger', 'list')).stdout).toContain('Site/shop-site/Caching');
    expect((await run('ledger', 'forget', 'Site/shop-site')).code).toBe(0);
    expect((await run('ledger', 'forget', 'Site/nobody')).code).toBe(1);
    expect((await run('ledger', 'unlock')).code).toBe(0);
    expect((await run('ledger', 'confirm', 'Site/shop-site', '--not-made')).code).toBe(1);
  });

  it('that is damaged, newer or of another account is refused, and nothing is sent', async () => {
    const { run, root, sandbox } = await session({ example: 'caching-only' });
    await mkdir(join(root, '.hostwright'));
    for (const content of ['not a ledger\n', '{"format":"hostwright.ledger/9"}\n']) {
      await writeFile(join(root, '.hostwright', 'ledger.jsonl'), content);
      expect((await run('apply', '--yes')).code, content).toBe(1);
    }
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('schema', () => {
  it('prints what editors and validators read', async () => {
    const { run } = await session();
    const schema = JSON.parse((await run('schema', 'Site')).stdout) as { readonly title: string };
    expect(schema.title).toContain('Site');
    expect((await run('schema', 'Nobody')).code).toBe(1);
  });
});
