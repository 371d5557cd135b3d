// `hostwright terraform`: what it lays down is found and started by the real Terraform, and nothing is asked of a registry.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { arch, platform } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseProviderSource } from '../../src/cli/parse.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import type { Ended } from '../support/processes/run-here.ts';
import { runHere } from '../support/processes/run-here.ts';
import { noTerraform } from '../support/processes/terraform.ts';
import { containing } from '../support/matchers.ts';

let own = '';
beforeAll(async () => {
  own = await mkdtemp(join(memoryFolder, 'hostwright-install-'));
});
afterAll(() => rm(own, { recursive: true, force: true }));
const folder = (): string => own;
const run = (argv: readonly string[]): Promise<Ended> => runHere(argv, { cwd: own, env: { PATH: process.env.PATH } });
const HERE = `${platform}_${arch === 'x64' ? 'amd64' : arch}`;

/** Ends with what it printed; fails where Terraform fails. */
function terraform(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, CHECKPOINT_DISABLE: '1' };
  return new Promise((resolve, reject) =>
    execFile('terraform', [...args], { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stdout + stderr)),
    ),
  );
}

describe('terraform install', () => {
  it('lays a program where it says, again too, and prints how a configuration names it', async () => {
    const { code, stdout } = await run(['terraform', 'install']);
    const file = `terraform.d/plugins/registry.terraform.io/hostwright/hostwright/0.1.0/${HERE}/terraform-provider-hostwright_v0.1.0`;
    expect(code).toBe(0);
    expect(stdout).toContain(file);
    expect(stdout).toContain('hostwright = { source = "hostwright/hostwright", version = "0.1.0" }');
    expect((await stat(join(folder(), file))).mode & 0o111).toBe(0o111);
    expect((await run(['terraform', 'install'])).code).toBe(0);
    expect(await readdir(dirname(join(folder(), file)))).toHaveLength(1);
  });

  it('takes another mirror and another host', async () => {
    const { stdout, stderr } = await run(
      ['terraform', 'install', '--dir', 'mirror', '--source', 'tf.example.com/acme/hostwright'].concat('-o', 'json'),
    );
    expect(JSON.parse(stdout)).toMatchObject({
      file: `mirror/tf.example.com/acme/hostwright/0.1.0/${HERE}/terraform-provider-hostwright_v0.1.0`,
      source: 'tf.example.com/acme/hostwright',
      version: '0.1.0',
    });
    expect(stderr).toContain('terraform init -plugin-dir mirror');
  });

  it.each(['acme', 'acme/other', 'localhost/acme/hostwright', '../acme/hostwright', 'Acme/hostwright'])(
    'refuses the source %s',
    (source) => {
      expect(() => parseProviderSource(source)).toThrow('hostwright/hostwright');
    },
  );

  it('says so where it cannot write', async () => {
    await writeFile(join(folder(), 'a-file'), '');
    const { code, stderr } = await run(['terraform', 'install', '--dir', 'a-file']);
    expect([code, stderr]).toEqual([1, containing('HW7030')]);
  });

  it.skipIf(noTerraform !== undefined)('Terraform finds it without a registry', async () => {
    const { stdout } = await run(['terraform', 'install']);
    await writeFile(join(folder(), 'versions.tf'), stdout.slice(stdout.indexOf('terraform {')));
    await terraform(folder(), 'init', '-input=false');
    expect(await terraform(folder(), 'providers', 'schema', '-json')).toContain('hostwright_site');
  });
});

describe('terraform pack', () => {
  it('writes what a registry asks for, with the same bytes each time', async () => {
    const { stdout } = await run(['terraform', 'pack', '--out', 'packed']);
    const files = stdout.trim().split('\n');
    expect(files.map((file) => file.replace('packed/terraform-provider-hostwright_0.1.0_', ''))).toEqual([
      ...['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64', 'freebsd_amd64'].map((one) => `${one}.zip`),
      'manifest.json',
      'SHA256SUMS',
    ]);
    const sums = (await readFile(join(folder(), files.at(-1) ?? ''), 'utf8')).trim().split('\n');
    expect(sums).toHaveLength(files.length - 1);
    for (const line of sums) {
      const [sum = '', file = ''] = line.split('  ');
      const bytes = await readFile(join(folder(), 'packed', file));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum);
    }
    expect(JSON.parse(await readFile(join(folder(), files.at(-2) ?? ''), 'utf8'))).toEqual({
      version: 1,
      metadata: { protocol_versions: ['6.0'] },
    });
  });

  it.skipIf(noTerraform !== undefined)('Terraform unpacks the archive and starts what is in it', async () => {
    const archive = `terraform-provider-hostwright_0.1.0_${HERE}.zip`;
    const below = join(folder(), 'unpacks');
    const mirror = join(below, 'mirror/registry.terraform.io/hostwright/hostwright');
    await mkdir(mirror, { recursive: true });
    await run(['terraform', 'pack', '--out', 'packed']);
    await copyFile(join(folder(), 'packed', archive), join(mirror, archive));
    await writeFile(
      join(below, 'versions.tf'),
      'terraform {\n  required_providers {\n    hostwright = { source = "hostwright/hostwright" }\n  }\n}\n',
    );
    await terraform(below, 'init', '-input=false', '-plugin-dir=mirror');
    expect(await terraform(below, 'providers', 'schema', '-json')).toContain('hostwright_site');
    const unpacked = join(below, '.terraform/providers/registry.terraform.io/hostwright/hostwright/0.1.0', HERE);
    expect(await readdir(unpacked)).toEqual(expect.arrayContaining(['LICENSE', 'THIRD-PARTY.txt', 'docs']));
  });
});
