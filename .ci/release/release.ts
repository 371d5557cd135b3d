// `npm run release`: makes everything that a release consists of, in the folder `release`, and publishes nothing. The
// release job runs it with `--tag v1.2.3`, which has to name the version; CI runs it without: a dry run.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { registryFiles } from '../../src/cli/commands/terraform/terraform.ts';
import { buildExecutables } from './executables.ts';
import { formula } from './formula.ts';
import { NODE_BUILDS, PLATFORMS } from './node-builds.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

const release = join(root, 'release');
/** Each executable by itself: for the image, and to try. */
const executables = join(release, 'executables');

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { tag: { type: 'string' } } });
  const product = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly repository: { readonly url: string };
  };
  const { version } = product;
  const repository = product.repository.url.replace(/^.*github\.com\/|\.git$/g, '');
  if (values.tag !== undefined && values.tag !== `v${version}`)
    throw new Error(`the tag is ${values.tag}, and package.json has the version ${version}`);
  // npm takes no word of where a package was built that its own page contradicts.
  const { GITHUB_REPOSITORY: builtIn = repository } = process.env;
  if (values.tag !== undefined && builtIn !== repository)
    throw new Error(`this is ${builtIn}, and package.json has the repository ${repository}`);
  const notes = notesOf(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version, values.tag === undefined);
  await rm(release, { recursive: true, force: true });
  await mkdir(release, { recursive: true });
  const files = new Map<string, string | Uint8Array>([['notes.md', notes]]);

  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', release], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  const [{ filename }] = JSON.parse(packed.stdout) as readonly [{ readonly filename: string }];

  const built = PLATFORMS.map((platform) => ({
    platform,
    known: NODE_BUILDS[platform].known,
    file: join(executables, NODE_BUILDS[platform].known, 'hostwright'),
  }));
  const beside = await buildExecutables(root, Object.fromEntries(built.map(({ platform, file }) => [platform, file])));
  files.set(`hostwright_${version}.cdx.json`, beside.sbom);

  const sums = new Map<string, string>();
  for (const { known, file } of built) {
    const name = `hostwright_${version}_${known}.tar.gz`;
    await cp(join(root, 'LICENSE'), join(file, '../LICENSE'));
    await writeFile(join(file, '../THIRD-PARTY.txt'), beside.notices);
    await archived(join(file, '..'), join(release, name));
    sums.set(known, sha256(await readFile(join(release, name))));
  }
  const archives = { version, repository, sums };
  files.set('hostwright.rb', formula(archives));
  const installer = await readFile(join(root, 'install.sh'), 'utf8');
  files.set('install.sh', filledIn(installer, archives));
  for (const [name, content] of files) await writeFile(join(release, name), content);

  const listed = [
    filename,
    ...[...sums.keys()].map((known) => `hostwright_${version}_${known}.tar.gz`),
    ...files.keys(),
  ];
  const lines = await Promise.all(
    listed.sort().map(async (name) => `${sha256(await readFile(join(release, name)))}  ${name}\n`),
  );
  await writeFile(join(release, 'SHA256SUMS'), lines.join(''));

  await mkdir(join(release, 'terraform'));
  const programs = new Map<string, Uint8Array>();
  for (const { known, file } of built) programs.set(known, await readFile(file));
  for (const { name, bytes } of await registryFiles(version, programs, beside.notices))
    await writeFile(join(release, 'terraform', name), bytes);
  process.stdout.write(`${lines.join('')}In ${release}. Nothing was published.\n`);
}

/** What the changelog says of the version; in a dry run, of what is not released yet. */
export function notesOf(changelog: string, version: string, isDryRun: boolean): string {
  const sections = changelog.split(/^(?=## \[)/m).slice(1);
  const of = (name: string): string | undefined => sections.find((section) => section.startsWith(`## [${name}]`));
  const section = (isDryRun ? of('Unreleased') : undefined) ?? of(version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section [${version}]`);
  const text = section.replace(/^.*\n/, '').trim();
  if (text === '') throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return `${text}\n`;
}

/** The same bytes for the same files, whoever packs them and when. */
async function archived(folder: string, archive: string): Promise<void> {
  const names = ['hostwright', 'LICENSE', 'THIRD-PARTY.txt'];
  const same = ['--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  await run('tar', ['-C', folder, ...same, '-I', 'gzip -n', '-cf', archive, ...names]);
}

interface Archives {
  readonly version: string;
  readonly repository: string;
  readonly sums: ReadonlyMap<string, string>;
}

/** The installer of one version, which has its sums in it. */
function filledIn(installer: string, { version, repository, sums }: Archives): string {
  const lines = [...sums].map(([known, sum]) => `${sum} ${known}`).join('\n');
  const text = installer
    .replace(/^VERSION=.*$/m, `VERSION='${version}'`)
    .replace(/^REPOSITORY=.*$/m, `REPOSITORY='${repository}'`)
    .replace(/^SUMS=''$/m, `SUMS='${lines}'`);
  if (!text.includes(lines)) throw new Error('install.sh has no place for the sums');
  return text;
}

if (process.argv[1] === import.meta.filename) await main();
