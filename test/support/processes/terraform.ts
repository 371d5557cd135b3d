// The real Terraform with the provider as it was built, against a sandbox over HTTP; no registry is asked for anything.
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { arch, platform } from 'node:process';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { closing } from '../closing.ts';
import { memoryFolder } from '../memory-folder.ts';
import { runHere } from './run-here.ts';

const PROVIDER = join(import.meta.dirname, '../../../dist/terraform-provider-hostwright');
const SYSTEMS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Empty where there is none. */
export const terraformVersion: string = (() => {
  try {
    const { terraform_version: version } = JSON.parse(
      execFileSync('terraform', ['version', '-json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    ) as { readonly terraform_version: string };
    return version;
  } catch {
    return '';
  }
})();

/** Why tests with the real Terraform cannot run here; undefined where they can. */
export const noTerraform: string | undefined =
  terraformVersion === ''
    ? 'terraform is not installed'
    : /^1\.(1[1-9]|[2-9]\d)\./.test(terraformVersion)
      ? undefined
      : `terraform is ${terraformVersion}, and has to be 1.11 or newer`;

if (noTerraform !== undefined) process.stderr.write(`tests with the real terraform are skipped: ${noTerraform}\n`);

export interface Ran {
  readonly code: number;
  /** What it printed, both streams, without colours and frames. */
  readonly printed: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
}

/** Printed text on one line: Terraform breaks it where it likes. */
export function flat(printed: string): string {
  return printed.replace(/[│╷╵]/g, '').replace(/\s+/g, ' ');
}

export interface TerraformFolder {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
  readonly read: (file: string) => Promise<string>;
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ran>;
  /** Runs it in a group of processes of its own, as a terminal does. */
  readonly start: (args: readonly string[], env?: Readonly<Record<string, string>>) => Started;
  readonly close: () => Promise<void>;
}

const VERSIONS = 'terraform {\n  required_providers {\n    hostwright = { source = "hostwright/hostwright" }\n  }\n}\n';

/** A ledger that was begun and knows of nothing: what a provider block needs before anything is bought. */
export async function newLedger(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder, 'hostwright-ledger-'));
  try {
    await writeFile(
      join(folder, 'hostwright.yaml'),
      'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme, baseUrl: "http://127.0.0.1:1", ledger: { file: it } }\n',
    );
    const { code, stderr } = await runHere(['ledger', 'init'], { cwd: folder, env: { PATH: process.env.PATH } });
    if (code !== 0) throw new Error(stderr);
    return await readFile(join(folder, 'it'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder that is gone when the test ends that opens it. */
export async function openTerraform(...given: Parameters<typeof startTerraform>): Promise<TerraformFolder> {
  return closing(await startTerraform(...given));
}

/** A folder in which `terraform init` has run. `account`: a sandbox that others use too, and somebody else closes. */
export async function startTerraform(
  files: Readonly<Record<string, string>>,
  { account, ...options }: SandboxOptions & { readonly account?: Sandbox } = {},
): Promise<TerraformFolder> {
  const folder = await mkdtemp(join(memoryFolder, 'hostwright-terraform-'));
  const sandbox = account ?? (await startSandbox(options));
  const plugin = join(
    folder,
    'terraform.d/plugins/registry.terraform.io/hostwright/hostwright/0.1.0',
    `${platform}_${SYSTEMS[arch] ?? arch}`,
    'terraform-provider-hostwright',
  );
  await mkdir(dirname(plugin), { recursive: true });
  await symlink(PROVIDER, plugin);
  const own = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    CHECKPOINT_DISABLE: '1',
    TF_IN_AUTOMATION: '1',
    HOSTWRIGHT_API_URL: sandbox.url,
    HOSTWRIGHT_TOKEN: API_KEY,
    HOSTWRIGHT_ACCOUNT: 'acc-acme',
  };
  const write: TerraformFolder['write'] = async (more) => {
    for (const [name, text] of Object.entries(more)) await writeFile(join(folder, name), text);
  };
  const start: TerraformFolder['start'] = (args, env = {}) => {
    const isPlain = ['show', 'state', 'output'].includes(args[0] ?? '');
    const child = spawn('terraform', [...args, ...(isPlain ? [] : ['-no-color'])], {
      cwd: folder,
      env: { ...own, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const ended = new Promise<Ran>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? 1, printed }));
    });
    return { child, ended };
  };
  const run: TerraformFolder['run'] = (args, env) => start(args, env).ended;
  await write({ 'versions.tf': VERSIONS, ...files });
  const begun = await run(['init', '-input=false']);
  if (begun.code !== 0) throw new Error(begun.printed);
  return {
    folder,
    sandbox,
    write,
    read: (file) => readFile(join(folder, file), 'utf8'),
    run,
    start,
    close: async () => {
      if (account === undefined) await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The processes that a process has started, such as its providers. */
export function childrenOf(parent: number): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, of]) => (of === parent ? [pid] : []));
}
