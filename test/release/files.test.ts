// Everything that a release consists of: each file is the one that the sums name, each executable is for its platform and
// whole, and what installs them takes nothing else.
import { createHash } from 'node:crypto';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { NODE_BUILDS, nodeBuild, PLATFORMS } from '../../.ci/release/node-builds.ts';
import { signed } from '../../.ci/release/sign-macos.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { noTerraform } from '../support/processes/terraform.ts';
import { signatureOf } from './macos.ts';
import { executable, executableOf, here, noRelease, openBare, release, root, version, whereIs } from './made.ts';
import { containing, matching } from '../support/matchers.ts';

const sha256 = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
const KNOWN = PLATFORMS.map((platform) => NODE_BUILDS[platform].known);
const archiveOf = (known: string): string => `hostwright_${version}_${known}.tar.gz`;
const read = (name: string): Promise<string> => readFile(join(release, name), 'utf8');
const registry = join(release, 'terraform');
const provider = `terraform-provider-hostwright_${version}`;
const sumsIn = (text: string): readonly [string, string][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2}/) as [string, string]);

describe.skipIf(noRelease !== undefined)('the files of a release', () => {
  it.each([
    [release, 'SHA256SUMS', ['SHA256SUMS', 'executables', 'terraform']],
    [registry, `${provider}_SHA256SUMS`, [`${provider}_SHA256SUMS`]],
  ])('are all named by their sums in %s', async (folder, name, others) => {
    const sums = sumsIn(await readFile(join(folder, name), 'utf8'));
    expect([...sums.map(([, file]) => file), ...others].sort()).toEqual((await readdir(folder)).sort());
    for (const [sum, file] of sums) expect([file, await sha256(join(folder, file))]).toEqual([file, sum]);
  });

  it('are the npm package, an archive for each platform, their parts and licences, and what is new', async () => {
    const names = await readdir(release);
    expect(names).toEqual(expect.arrayContaining([`hostwright-${version}.tgz`, ...KNOWN.map(archiveOf)]));
    expect((await read('notes.md')).trim()).not.toBe('');
    const sbom = JSON.parse(await read(`hostwright_${version}.cdx.json`)) as {
      readonly components: { purl: string }[];
    };
    const whole = sbom.components.map(({ purl }) => purl);
    const parts = whole.map((purl) => purl.replace(/@[^@]*$/, ''));
    expect(parts).toEqual(
      expect.arrayContaining(['pkg:generic/node', 'pkg:npm/pg', 'pkg:npm/pg-boss', 'pkg:npm/undici']),
    );
    expect(new Set(whole).size).toBe(whole.length);
    for (const known of KNOWN) {
      const listed = execFileSync('tar', ['-tvzf', join(release, archiveOf(known))], { encoding: 'utf8' }).trim();
      expect(listed.split('\n').map((line) => line.replace(/^(\S+)\s.* /, '$1 '))).toEqual([
        '-rwxr-xr-x hostwright',
        '-rw-r--r-- LICENSE',
        '-rw-r--r-- THIRD-PARTY.txt',
      ]);
      const notices = await readFile(join(executableOf(known), '../THIRD-PARTY.txt'), 'utf8');
      expect(notices).toMatch(/^== pg-boss \d[^]*^== node \d/m);
    }
  });

  it.each(PLATFORMS)(
    'has an executable for %s that is told to look into itself, and has the program there',
    async (platform) => {
      const bytes = await readFile(executableOf(NODE_BUILDS[platform].known));
      const [system, machine] = platform.split('-');
      if (system === 'linux') {
        expect(bytes.toString('latin1', 1, 4)).toBe('ELF');
        expect(bytes.readUInt16LE(18)).toBe(machine === 'x64' ? 62 : 183);
      } else {
        expect(bytes.readUInt32LE(0)).toBe(0xfeedfacf);
        expect(bytes.readUInt32LE(4)).toBe(machine === 'x64' ? 0x01000007 : 0x0100000c);
      }
      expect(bytes.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).toBe(true);
      expect(bytes.includes(await readFile(join(root, 'dist/main.js')))).toBe(true);
      expect(bytes.includes(await readFile(join(root, 'schemas/site.schema.json')))).toBe(true);
    },
  );

  it.each(['darwin-x64', 'darwin-arm64'] as const)('signs that for %s ad hoc, each page of it', async (platform) => {
    const { node } = await nodeBuild(root, platform);
    // What reads signatures is right about one of Apple's own tool.
    expect(signatureOf(await readFile(node))).toMatchObject({ isAdHoc: false, wrong: [] });
    const bytes = await readFile(executableOf(NODE_BUILDS[platform].known));
    const { pages, startsAt, ...found } = signatureOf(bytes) ?? { pages: 0, startsAt: 0 };
    expect(found).toEqual({ identifier: 'hostwright', isAdHoc: true, covered: startsAt, wrong: [] });
    expect(pages).toBe(Math.ceil(startsAt / 4096));
    bytes[4096 * 7] = (bytes[4096 * 7] as number) ^ 1;
    expect(signatureOf(bytes)?.wrong).toEqual([7]);
    expect(() => signed(bytes, 'again')).toThrow('signed already');
  });

  it('has a formula for Homebrew with the sums of the archives', async () => {
    const formula = await read('hostwright.rb');
    for (const known of KNOWN)
      expect(formula).toContain(
        `${archiveOf(known)}"\n      sha256 "${await sha256(join(release, archiveOf(known)))}"`,
      );
    if (whereIs('ruby') !== undefined) execFileSync('ruby', ['-c', join(release, 'hostwright.rb')]);
  });
});

describe.skipIf(noRelease !== undefined)('the image', () => {
  it('is made of the archives that were made, for a user by number who is not root', async () => {
    const text = await readFile(join(root, 'Dockerfile'), 'utf8');
    const [, added = ''] = /^ADD (\S+) /m.exec(text) ?? [];
    const archives = ['amd64', 'arm64'].map((machine) =>
      added.replace('${VERSION}', version).replace('${TARGETARCH}', machine),
    );
    expect(archives).toEqual([archiveOf('linux_amd64'), archiveOf('linux_arm64')]);
    expect(/^USER (.*)$/m.exec(text)?.[1]).toBe('65532:65532');
    expect(text.indexOf('USER')).toBeGreaterThan(text.lastIndexOf('RUN'));
  });
});

describe.skipIf(noRelease !== undefined)('install.sh', () => {
  const TOOLS = [
    'sh',
    'id',
    'uname',
    'ls',
    'mktemp',
    'rm',
    'curl',
    'sha256sum',
    'tar',
    'gzip',
    'mkdir',
    'cp',
    'chmod',
    'mv',
  ];

  it('installs the archive of this machine, and nothing that has another sum', async () => {
    const bare = await openBare(TOOLS);
    const archives = new Map([[archiveOf(here), await readFile(join(release, archiveOf(here)))]]);
    const server = createServer(({ url = '' }, answer) => {
      const bytes = archives.get(url.slice('/mirror/'.length));
      answer.writeHead(bytes === undefined ? 404 : 200).end(bytes);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror/`;
    const install = (...args: readonly string[]) => bare.run('/bin/sh', [join(release, 'install.sh'), ...args]);
    try {
      const dir = join(bare.folder, 'programs');
      const done = await install('--dir', dir, '--from', from);
      expect(done).toMatchObject({ code: 0, stderr: '' });
      expect(done.stdout).toContain(
        `hostwright ${version} is in ${dir} (its sum is right; who built it says \`gh attestation`,
      );
      expect(done.stdout).toContain(`Put ${dir} on your PATH.`);
      expect(await sha256(join(dir, 'hostwright'))).toBe(await sha256(executable));
      expect(await readdir(dir)).toEqual(['hostwright']);

      archives.set(archiveOf(here), Buffer.concat([await readFile(join(release, archiveOf(here))), Buffer.from(' ')]));
      const other = join(bare.folder, 'other');
      const refused = await install('--dir', other, '--from', from);
      expect([refused.code, refused.stderr]).toEqual([1, containing('is not the file that was released')]);
      archives.clear();
      expect((await install('--dir', other, '--from', from)).stderr).toContain('cannot be fetched');
      expect((await install('--prefix', other)).stderr).toContain('what is --prefix?');
      expect(await readdir(bare.folder)).not.toContain('other');
    } finally {
      server.close();
      await bare.close();
    }
  });

  it('of the repository installs nothing: each release has its own', async () => {
    const failed = await promisify(execFile)('sh', [join(root, 'install.sh')]).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1, stderr: containing('each release has its own') });
  });
});

describe.skipIf(noRelease !== undefined)('the archives of the provider', () => {
  it('say which protocol they speak', async () => {
    const manifest = await readFile(join(registry, `${provider}_manifest.json`), 'utf8');
    expect(JSON.parse(manifest)).toEqual({ version: 1, metadata: { protocol_versions: ['6.0'] } });
  });

  it.skipIf(whereIs('gpg') === undefined)('are signed by the release job as a registry takes it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hostwright-gpg-'));
    const gpg = (...args: readonly string[]): string =>
      execFileSync('gpg', ['--batch', ...args], { encoding: 'utf8', env: { ...process.env, GNUPGHOME: folder } });
    try {
      gpg('--passphrase', '', '--quick-gen-key', 'release@example.com', 'rsa3072', 'sign', '1d');
      const key = gpg('--armor', '--export-secret-keys');
      await mkdir(join(folder, 'job/release/terraform'), { recursive: true });
      const sums = `${provider}_SHA256SUMS`;
      await copyFile(join(registry, sums), join(folder, 'job/release/terraform', sums));
      const { jobs } = parse(await readFile(join(root, '.github/workflows/release.yml'), 'utf8')) as {
        readonly jobs: {
          readonly provider: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
        };
      };
      const step = jobs.provider.steps.find(({ name = '' }) => name.startsWith('Sign'))?.run ?? '';
      const env = { ...process.env, GPG_PRIVATE_KEY: key, RUNNER_TEMP: folder };
      execFileSync('bash', ['-e', '-c', step], { cwd: join(folder, 'job'), env, stdio: 'pipe' });
      const made = join(folder, 'job/release/terraform', sums);
      // A registry takes a detached signature, in binary form.
      expect((await readFile(`${made}.sig`)).toString('latin1')).not.toContain('BEGIN PGP');
      gpg('--verify', `${made}.sig`, made);
    } finally {
      execFileSync('gpgconf', ['--kill', 'all'], { env: { ...process.env, GNUPGHOME: folder } });
      await rm(folder, { recursive: true, force: true });
    }
  });

  const programs = [
    ['terraform', noTerraform, 'registry.terraform.io'],
    ['tofu', whereIs('tofu') === undefined ? 'tofu is not installed' : undefined, 'registry.opentofu.org'],
  ] as const;
  for (const [program, missing, host] of programs) {
    if (missing !== undefined) process.stderr.write(`tests with the real ${program} are skipped: ${missing}\n`);
    it.skipIf(missing !== undefined)(
      `are what \`${program} init\` takes from a mirror, and plans with, without Node.js`,
      async () => {
        const bare = await openBare([program]);
        const sandbox = await startSandbox();
        try {
          const mirror = join(bare.folder, 'mirror', host, 'hostwright/hostwright');
          await mkdir(mirror, { recursive: true });
          for (const known of KNOWN)
            await copyFile(join(registry, `${provider}_${known}.zip`), join(mirror, `${provider}_${known}.zip`));
          const lines = [
            'terraform {\n  required_providers {\n    hostwright = { source = "hostwright/hostwright" }\n  }\n}',
            'provider "hostwright" {\n  account = "acc-acme"\n}',
            'data "hostwright_account" "all" {}\noutput "sites" {\n  value = length(data.hostwright_account.all.sites)\n}',
          ];
          await writeFile(join(bare.folder, 'main.tf'), lines.join('\n'));
          const rc = `provider_installation {\n  filesystem_mirror {\n    path = "${join(bare.folder, 'mirror')}"\n  }\n}\n`;
          await writeFile(join(bare.folder, 'cli.tfrc'), rc);
          const env = {
            HOSTWRIGHT_API_URL: sandbox.url,
            HOSTWRIGHT_TOKEN: API_KEY,
            TF_CLI_CONFIG_FILE: join(bare.folder, 'cli.tfrc'),
          };
          expect(await bare.run(program, ['init', '-no-color'], { env })).toMatchObject({ code: 0 });
          const planned = await bare.run(program, ['plan', '-no-color'], { env });
          expect([planned.code, planned.stdout]).toEqual([0, matching(/\+ sites = 3/)]);
          const lock = await readFile(join(bare.folder, '.terraform.lock.hcl'), 'utf8');
          expect(lock).toContain(`version = "${version}"`);
        } finally {
          await sandbox.close();
          await bare.close();
        }
      },
    );
  }
});
