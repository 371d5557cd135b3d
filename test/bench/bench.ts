// Measures ratios, never absolute times: start-up against a bare Node, a plan against what its requests cost at best,
// planning against its own size.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { planWorkspace } from '../../src/workflow/plan/plan.ts';
import { realClock } from '../../src/cli/real-clock.ts';

const command = join(import.meta.dirname, '../../dist/main.js');
const LATENCY_MS = 20;

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] as number;
}

function print(name: string, value: number, aim: string): void {
  process.stdout.write(`${name.padEnd(58)} ${value.toFixed(2).padStart(8)}   ${aim}\n`);
}

/** Median over pairs of (time of A) / (time of B), run in turn. */
function startRatio(args: readonly string[], cwd: string): number {
  const time = (argv: readonly string[]): number => {
    const from = performance.now();
    spawnSync(process.execPath, argv, { cwd, stdio: 'ignore' });
    return performance.now() - from;
  };
  const ratios = Array.from({ length: 21 }, () => time([command, ...args]) / time(['-e', '0']));
  return median(ratios);
}

async function sandboxOf(
  scenario: string,
  latencyMs: number,
): Promise<{ readonly child: ChildProcess; readonly url: string; readonly token: string }> {
  const child = spawn(
    process.execPath,
    [
      command,
      'sandbox',
      '--port',
      '0',
      '--scenario',
      scenario,
      ...(latencyMs > 0 ? ['--latency', `${latencyMs}ms`] : []),
      '--format',
      'json',
      '--quiet',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    text += line;
    try {
      return { child, ...(JSON.parse(text) as { url: string; token: string }) };
    } catch {
      // Not whole yet.
    }
  }
  throw new Error('the sandbox did not start');
}

async function workspaceOf(count: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'hostwright-bench-'));
  await writeFile(
    join(root, 'hostwright.yaml'),
    'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", manifests: [sites] }\n',
  );
  await mkdir(join(root, 'sites'));
  for (let from = 1; from <= count; from += 500) {
    const documents = Array.from({ length: Math.min(500, count - from + 1) }, (_, index) => {
      const name = `s${String(from + index).padStart(5, '0')}`;
      return `---\napiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name} }\nspec:\n  primaryDomain: ${name}.example.com\n  domains: [${name}.example.com, www.${name}.example.com]\n  caching: { cacheExpiration: ${(from + index) * 60} }\n`;
    });
    await writeFile(join(root, 'sites', `${from}.yaml`), documents.join(''));
  }
  return root;
}

interface Measured {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly requests: number;
  readonly actions: number;
}

async function measurePlan(root: string, url: string, token: string, concurrency: number): Promise<Measured> {
  const cpu = process.cpuUsage();
  const from = performance.now();
  const { plan, diagnostics, requests } = await planWorkspace(
    {
      cwd: root,
      overrides: { baseUrl: url },
      token,
      clock: realClock,
      emit: () => undefined,
      stop: new AbortController().signal,
      concurrency,
      timeoutMs: 120_000,
      stdin: () => Promise.resolve(new Uint8Array()),
      env: () => undefined,
      runtime: { hostname: 'bench', pid: process.pid, user: 'bench', random: Math.random, uuid: () => 'bench' },
    },
    { paths: [], targets: [] },
  );
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics.slice(0, 3)));
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - from, cpuMs: (user + system) / 1000, requests, actions: plan.actions.length };
}

async function benchStart(): Promise<void> {
  const root = await workspaceOf(1);
  print('start of --version / node -e 0', startRatio(['--version'], root), 'aim <= 2');
  print('validate of one file / node -e 0', startRatio(['validate', 'sites/1.yaml'], root), 'aim <= 2');
  await rm(root, { recursive: true });
}

async function benchWall(): Promise<void> {
  const root = await workspaceOf(2000);
  const { child, url, token } = await sandboxOf('sites:2000', LATENCY_MS);
  // Both processes share the machine's cores, and both have to warm up.
  await measurePlan(root, url, token, 64);
  const offlineMs = await measureOffline(root);
  for (const [concurrency, aim] of [
    [16, 1.15],
    [64, 1.35],
  ] as const) {
    const ratios: number[] = [];
    const whole: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const { wallMs, requests } = await measurePlan(root, url, token, concurrency);
      const idealMs = (requests / concurrency) * LATENCY_MS;
      ratios.push((wallMs - offlineMs) / idealMs);
      whole.push(wallMs / idealMs);
    }
    print(`plan of 2,000 sites, ${concurrency} at once, without reading YAML / ideal`, median(ratios), `aim <= ${aim}`);
    print(`the same with reading and checking 2,000 manifests / ideal`, median(whole), '');
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  await rm(root, { recursive: true });
}

/** Reading and checking the manifests is not what the requests cost: it is measured by itself and taken off. */
async function measureOffline(root: string): Promise<number> {
  const { openWorkspace } = await import('../../src/workflow/workspace.ts');
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const from = performance.now();
    await openWorkspace({ cwd: root, overrides: {}, stdin: () => Promise.resolve(new Uint8Array()) } as never, []);
    times.push(performance.now() - from);
  }
  return median(times);
}

/** Each size in a process of its own, so that peak memory is its own. */
function benchSize(count: number): { readonly cpuMs: number; readonly peakMb: number } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', import.meta.filename, 'size', String(count)],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const line = stdout.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(stderr);
  return JSON.parse(line) as { cpuMs: number; peakMb: number };
}

async function childSize(count: number): Promise<void> {
  const root = await workspaceOf(count);
  const { child, url, token } = await sandboxOf(`sites:${count}`, 0);
  const { cpuMs } = await measurePlan(root, url, token, 64);
  process.stdout.write(`${JSON.stringify({ cpuMs, peakMb: process.resourceUsage().maxRSS / 1024 })}\n`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await rm(root, { recursive: true });
}

const [mode, size] = process.argv.slice(2);
if (mode === 'size') await childSize(Number(size));
else {
  await benchStart();
  await benchWall();
  const [small, large] = [benchSize(1000), benchSize(10_000)];
  print('planning CPU of 10,000 sites / 10 x that of 1,000', large.cpuMs / (10 * small.cpuMs), 'aim <= 1 (linear)');
  print('peak memory of 10,000 sites / 10 x that of 1,000', large.peakMb / (10 * small.peakMb), 'aim <= 1 (linear)');
  process.stdout.write(
    `(${small.cpuMs.toFixed(0)} ms and ${small.peakMb.toFixed(0)} MB for 1,000 sites, ${large.cpuMs.toFixed(0)} ms and ${large.peakMb.toFixed(0)} MB for 10,000, on this machine)\n`,
  );
}
