// Whole sessions of the command line against the sandbox: what is printed where, which exit code, which files.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import { manifest } from '../../support/manifests.ts';
import type { CommandLine } from '../../support/command-line.ts';
import { openCommandLine } from '../../support/command-line.ts';
import { openFolder } from '../../support/closing.ts';
import type { Running } from '../../support/processes/command.ts';
import { start } from '../../support/processes/command.ts';
import type { HarnessOptions } from '../../support/harness.ts';
import { containing, matching } from '../../support/matchers.ts';

interface Session extends CommandLine {
  /** Starts it in another process. */
  readonly begin: (line: string) => Running;
}

async function session(options: HarnessOptions = { example: 'small-agency' }): Promise<Session> {
  const one = await openCommandLine(options);
  return { ...one, begin: (line) => start(line.split(' '), { cwd: one.root, url: one.sandbox.url }) };
}

describe('the story of a change', () => {
  it('is validate, plan, show, apply the reviewed plan, drift', async () => {
    const { run, root, site } = await session();
    expect(await run('validate')).toMatchObject({ code: 0, stdout: containing('3 manifests') });
    const planned = await run('plan --out plan.json');
    expect(planned).toMatchObject({ code: 0, stdout: containing('Site/blog/SiteDomain/blog.example.com') });
    expect((await stat(join(root, 'plan.json'))).mode & 0o777).toBe(0o600);
    expect((await run('plan --detailed-exitcode')).code).toBe(2);
    const shown = await run('plan --saved plan.json');
    expect(shown.stdout).toContain('Site/blog/SiteDomain/blog.example.com');
    expect(await run('apply plan.json')).toMatchObject({ code: 0, stdout: containing('ns1.zone.sandbox.example') });
    expect((await run('plan --detailed-exitcode')).code).toBe(0);
    expect((await run('drift')).code).toBe(0);
    site('shop').cdn.caching.cache_expiration = 5;
    expect(await run('drift')).toMatchObject({ code: 2, stdout: matching(/cacheExpiration +7200 +5\n/) });
    expect((await run('apply plan.json')).code).toBe(4);
    expect((await run('apply --yes')).code).toBe(0);
    expect((await run('drift')).code).toBe(0);
  });

  it('runs only what was reviewed: --expect takes a plan file or digests', async () => {
    const { run, root, write } = await session();
    await run('plan --out plan.json');
    const shop = await readFile(join(root, 'sites/shop.yaml'), 'utf8');
    await write('sites/shop.yaml', shop.replace('7200', '7201'));
    const refused = await run('apply --expect plan.json');
    expect(refused).toMatchObject({ code: 4, stderr: containing('HW2104') });
    await write('sites/shop.yaml', shop);
    const plan = JSON.parse(await readFile(join(root, 'plan.json'), 'utf8')) as Plan;
    expect((await run(`apply --expect ${plan.actions.map(({ digest }) => digest).join(',')}`)).code).toBe(0);
  });

  it('runs what a comment on a pull request approves, and tells a job what became of it', async () => {
    const { run, write } = await session();
    const comment = (await run('plan --format markdown')).stdout;
    await write('comment.md', comment);
    // Somebody without approval adds an action: the comment does not hold it.
    await write('sites/more.yaml', manifest('Site', 'more', { caching: { smartCache: true } }, { id: 'site-blog' }));
    expect((await run('apply --expect comment.md --format markdown')).code).not.toBe(0);
    await write('sites/more.yaml', '# nothing\n');
    const applied = await run('apply --expect comment.md --format github');
    expect(applied).toMatchObject({
      code: 0,
      stdout: matching(
        /^::stop-commands::[^]*Plan for account acc-acme[^]*Done\.[^]*\n::[0-9a-f-]{36}::\n::notice file=sites\/more\.yaml,[^\n]*\n$/,
      ),
    });
    expect((await run('drift --format markdown')).stdout).toContain('**Drift: none, ');
    expect((await run('apply --yes --format markdown')).stdout).toMatch(
      /^<!-- hostwright: apply acc-acme -->\n\n### Hostwright apply[^]*\*\*Done\.\*\*/,
    );
  });

  it('runs without review what is approved by its verb; another primary hostname has to be named beside its verb', async () => {
    const { run } = await session();
    const given = await run('apply --approve update,create');
    expect(given).toMatchObject({
      code: 5,
      stderr: matching(/HW2210[^]*--approve update,create,primary|HW2210[^]*--approve create,update,primary/),
    });
    expect((await run('apply --approve primary,update,create')).code).toBe(0);
  });

  it('narrows to a target and what it needs', async () => {
    const { run, writes } = await session();
    expect((await run('apply --yes --target Site/docs/Caching')).code).toBe(0);
    expect(writes()).toEqual([
      'POST /api/sites/site-docs/domains',
      matching(/^PATCH \/api\/sites\/site-docs\/domains\//),
      'PATCH /api/sites/site-docs/cdn/caching',
    ]);
  });
});

describe('output', () => {
  it('of `plan --format json` is a plan that apply takes', async () => {
    const { run, write } = await session();
    await write('saved.json', (await run('plan --format json')).stdout);
    expect((await run('apply saved.json')).code).toBe(0);
  });

  it('never holds the token, whatever goes wrong', async () => {
    const { run, root, sandbox } = await session({
      example: 'small-agency',
      faults: [{ kind: 'status-before', status: 500, probability: 0.3, times: 8 }],
    });
    const texts: string[] = [];
    for (const line of ['plan --verbose', 'apply --yes --verbose', 'apply --yes --format json', 'ledger list'])
      texts.push((await run(line)).all);
    for (const file of await readdir(join(root, '.hostwright')))
      texts.push(await readFile(join(root, '.hostwright', file), 'utf8'));
    expect(texts.join('')).not.toContain(API_KEY);
    expect(texts.join('').length).toBeGreaterThan(1000);
    expect(sandbox.requests.every(({ path }) => !path.includes(API_KEY))).toBe(true);
    expect((await stat(join(root, '.hostwright', 'ledger.jsonl'))).mode & 0o777).toBe(0o600);
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
    const first = one.begin('apply --yes');
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
    expect((await run('ledger list')).stdout).toContain('stopped at the step listed');
    expect((await run('apply --yes')).code).toBe(0);
    expect((await run('plan --detailed-exitcode')).code).toBe(0);
    expect([...sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });

  it.each(['validate', 'plan', 'apply --yes'])(
    'ends `%s` at once while it reads manifests: it does not come to look at signals while it computes',
    async (command) => {
      const { begin, root } = await session({ example: 'small-agency' });
      const pipe = join(root, 'pipe.yaml');
      execFileSync('mkfifo', [pipe]);
      const { child, ended } = begin(`${command} ${pipe}`);
      // Opens when the command reads from it, and lets it wait for more.
      const writer = await open(pipe, 'w');
      child.kill('SIGINT');
      const { code } = await ended;
      await writer.close();
      expect(code).toBeNull();
    },
  );

  it('ends a plan at once while it stands still for Git', async () => {
    const { root, sandbox } = await session();
    execFileSync('git', ['init', '--quiet', root]);
    // Outside of the checkout: no program is started from inside.
    const shim = await openFolder();
    const pipe = join(shim, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await writeFile(join(shim, 'git'), `#!/bin/sh\necho $$ > ${pipe}\nexec sleep 600\n`, { mode: 0o755 });
    const env = { PATH: `${shim}:${process.env.PATH}` };
    const { child, ended } = start(['plan', '--changed-since', 'HEAD'], { cwd: root, url: sandbox.url, env });
    const git = Number(await readFile(pipe, 'utf8'));
    child.kill('SIGINT');
    expect((await ended).code).toBeNull();
    process.kill(git, 'SIGKILL');
  });

  it('twice exits at once, and the next run goes on all the same', async () => {
    const { first, answer, run, sandbox } = await inTheMiddle();
    const stopping = hears(first, 'Stopping');
    first.child.kill('SIGTERM');
    await stopping;
    first.child.kill('SIGTERM');
    // By the signal.
    expect((await first.ended).code).toBeNull();
    answer();
    expect((await run('ledger list')).stdout).toContain('in flight');
    expect((await run('apply --yes')).code).toBe(0);
    expect([...sandbox.creations.values()].every((times) => times === 1)).toBe(true);
  });

  it('by another run: the second says who holds the ledger', async () => {
    const { first, answer, run } = await inTheMiddle();
    expect(await run('apply --yes')).toMatchObject({ code: 1, stderr: containing('HW5004') });
    expect((await run('plan')).code).toBe(0);
    answer();
    expect((await first.ended).code).toBe(0);
  });
});
