// The built command, killed with SIGKILL before or after each request of an apply is processed; where not everything is
// played, at every other one: the loops in one process break each of them. A rerun converges
// without help: the dead run's lock is taken over, what was in flight is confirmed by reading, and nothing is created
// twice.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { runCommand } from '../../support/processes/command.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import { inTurn, isWhole } from '../../support/whole.ts';

const command = join(import.meta.dirname, '../../../dist/main.js');
const manifest =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: blog, id: site-blog }\nspec:\n  primaryDomain: www.blog.example.com\n  domains: [blog.example.com, www.blog.example.com]\n  caching: { smartCache: true, cacheExpiration: 60 }\n';

/** A site is bought as well: its ledger counts as complete. */
const order =
  'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: launch }\nspec:\n  plan: pro\n  order: { variant: vanilla, location: ams, term: monthly }\n  domains: [launch.example.com]\n';

async function workspace(bought = false): Promise<string> {
  const root = await mkdtemp(join(memoryFolder, 'hostwright-kill-'));
  await mkdir(join(root, 'sites'));
  await writeFile(
    join(root, 'hostwright.yaml'),
    'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [sites], guards: { allowCharges: 1 }, dismissed: [site-shop, site-blog, site-docs] }\n',
  );
  await writeFile(join(root, 'sites', 'blog.yaml'), bought ? order : manifest);
  return root;
}

function hostwright(
  args: readonly string[],
  cwd: string,
  sandbox: Sandbox,
): { readonly child: ChildProcess; readonly ended: Promise<{ readonly code: number | null; readonly text: string }> } {
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { ...process.env, HOSTWRIGHT_API_URL: sandbox.url, HOSTWRIGHT_TOKEN: API_KEY, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, text })) };
}

/** Runs once, killed around request `at`; then again until it is done; then says what went wrong, or nothing. */
async function killAt(at: number, when: 'before' | 'after'): Promise<readonly string[]> {
  const root = await workspace();
  let child: ChildProcess | undefined;
  const kill = async (n: number): Promise<void> => {
    if (n !== at || child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const sandbox = await startSandbox({ scenario: 'small', hooks: { [when]: ({ n }: { n: number }) => kill(n) } });
  try {
    const first = hostwright(['apply', '--yes'], root, sandbox);
    child = first.child;
    await first.ended;
    const killed = child.signalCode === 'SIGKILL';
    child = undefined;
    const second = await hostwright(['apply', '--yes'], root, sandbox).ended;
    const third = await runCommand(['plan', '--detailed-exitcode'], { cwd: root, url: sandbox.url });
    const twice = [...sandbox.creations.entries()].filter(([, times]) => times !== 1);
    const where = `${when} request ${at}`;
    return [
      ...(killed ? [] : [`${where}: was not killed`]),
      ...(second.code === 0 ? [] : [`${where}: the rerun ended with ${second.code}\n${second.text}`]),
      ...(third.code === 0 ? [] : [`${where}: the plan after it ended with ${third.code}\n${third.stderr}`]),
      ...(twice.length === 0 ? [] : [`${where}: created more than once: ${JSON.stringify(twice)}`]),
    ];
  } finally {
    await sandbox.close();
    await rm(root, { recursive: true, force: true });
  }
}

describe('SIGKILL', () => {
  it('at every request, before or after it is processed, is survived', async () => {
    const root = await workspace();
    const sandbox = await startSandbox({ scenario: 'small' });
    expect((await hostwright(['apply', '--yes'], root, sandbox).ended).code).toBe(0);
    const total = sandbox.requests.length;
    await sandbox.close();
    await rm(root, { recursive: true, force: true });

    const cases = Array.from({ length: total }, (_, index) => index + 1).flatMap((at) =>
      (isWhole || at % 2 === 1 ? inTurn(['before', 'after'] as const, at % 4 < 2 ? 0 : 1, 2) : []).map((when) => ({
        at,
        when,
      })),
    );
    const problems: string[] = [];
    // Two at a time: a lost creation waits out its grace period on the real clock.
    const worker = async (): Promise<void> => {
      for (let next = cases.shift(); next !== undefined; next = cases.shift())
        problems.push(...(await killAt(next.at, next.when)));
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    expect(problems).toEqual([]);
    expect(total).toBeGreaterThan(10);
  });

  it.runIf(isWhole)('through an order is survived: one purchase, and the site as it was declared', async () => {
    // What is killed: the first request that fits, once it is processed.
    const places = [
      ['POST', /^\/api\/orders$/],
      ['GET', /^\/api\/carts\//],
      ['GET', /^\/api\/orders\//],
      ['POST', /\/domains$/],
    ] as const;
    const problems: string[] = [];
    const kill = async ([method, path]: (typeof places)[number]): Promise<void> => {
      const root = await workspace(true);
      let child: ChildProcess | undefined;
      const after = async (request: { readonly method: string; readonly path: string }): Promise<void> => {
        if (child?.signalCode !== null || request.method !== method || !path.test(request.path)) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      };
      // Orders are told apart by when they were made: both sides have one clock.
      const sandbox = await startSandbox({ scenario: 'small', clock: 'real', hooks: { after } });
      try {
        expect((await runCommand(['ledger', 'init'], { cwd: root, url: sandbox.url })).code).toBe(0);
        const first = hostwright(['apply', '--yes'], root, sandbox);
        child = first.child;
        await first.ended;
        const second = await hostwright(['apply', '--yes'], root, sandbox).ended;
        const third = await runCommand(['plan', '--detailed-exitcode'], { cwd: root, url: sandbox.url });
        const purchases = [...sandbox.creations].filter(([name]) => name.startsWith('site order'));
        if (
          first.child.signalCode !== 'SIGKILL' ||
          second.code !== 0 ||
          third.code !== 0 ||
          purchases.length !== 1 ||
          purchases[0]?.[1] !== 1
        )
          problems.push(
            `${method} ${path}: ${first.child.signalCode} ${second.code} ${third.code} ${JSON.stringify(purchases)}\n${second.text}\n${third.stderr}`,
          );
      } finally {
        await sandbox.close();
        await rm(root, { recursive: true, force: true });
      }
    };
    await Promise.all(inTurn(places, 0, 4).map(kill));
    expect(problems).toEqual([]);
  });
});
