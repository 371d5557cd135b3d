// The main job in one go, against the local sandbox: validate, plan, apply, plan again, drift, repair. Runs the built
// command as a user would and fails when a step ends otherwise than it says.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import chalk from 'chalk';

const root = join(import.meta.dirname, '..');
const command = join(root, 'dist', 'main.js');

interface SandboxStart {
  readonly url: string;
  readonly token: string;
}

function tell(text: string): void {
  process.stdout.write(`\n${chalk.cyan.bold(`## ${text}`)}\n`);
}

async function startSandbox(): Promise<{ readonly child: ChildProcess; readonly start: SandboxStart }> {
  const child = spawn(
    process.execPath,
    [command, 'sandbox', '--port', '0', '--scenario', 'small', '--format', 'json', '--quiet'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    text += line;
    try {
      return { child, start: JSON.parse(text) as SandboxStart };
    } catch {
      // Not whole yet.
    }
  }
  throw new Error('the sandbox did not start');
}

async function main(): Promise<void> {
  const workspace = await mkdtemp(join(tmpdir(), 'hostwright-demo-'));
  await cp(join(root, 'examples', 'small-agency'), workspace, { recursive: true });
  const { child, start } = await startSandbox();
  const env = {
    ...process.env,
    HOSTWRIGHT_API_URL: start.url,
    HOSTWRIGHT_TOKEN: start.token,
    ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
  };

  const hostwright = async (args: readonly string[], expected: number): Promise<void> => {
    process.stdout.write(`${chalk.bold(`$ hostwright ${args.join(' ')}`)}\n`);
    const run = spawn(process.execPath, [command, ...args], {
      cwd: workspace,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = (await once(run, 'exit')) as [number | null];
    process.stdout.write(chalk.dim(`(exit code ${code})\n`));
    if (code !== expected) throw new Error(`hostwright ${args.join(' ')} ended with ${code}, expected ${expected}`);
  };

  try {
    tell('Three sites exist already. Their manifests say what they should be; first, are the manifests sound?');
    await hostwright(['validate'], 0);
    tell('What would be done? Only reads are sent.');
    await hostwright(['plan', '--out', 'plan.json'], 0);
    tell('A reviewer has read that plan. Run it, as it is or not at all.');
    await hostwright(['apply', 'plan.json'], 0);
    tell('Is there anything left to do?');
    await hostwright(['plan', '--detailed-exitcode'], 0);
    tell('Somebody changes a setting in the dashboard ...');
    await fetch(`${start.url}/_sandbox/sites/site-shop/caching`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ cache_expiration: 60, smart_cache: false }),
    });
    tell('... and the scheduled run finds it (exit code 2: there are differences).');
    await hostwright(['drift'], 2);
    tell('Put it back.');
    await hostwright(['apply', '--yes'], 0);
    await hostwright(['drift'], 0);
    tell('Done: what the manifests say is what is live.');
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    await rm(workspace, { recursive: true, force: true });
  }
}

await main();
