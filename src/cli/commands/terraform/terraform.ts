// `terraform`: lays the Terraform provider that came with the package where Terraform finds it, or packs it for a
// registry.
import { diagnose } from '../../../model/diagnostic.ts';
import { createHash } from 'node:crypto';
import type { ZippableFile } from 'fflate';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderJson } from '../../../report/json/index.ts';
import type { CliCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { listPackageFiles, readPackageBytes, readPackageFile } from '../../../library/package-files.ts';
import type { ProviderSource } from '../../parse.ts';
import { parseProviderSource } from '../../parse.ts';
import { reportProblems } from '../../report.ts';
import { isExecutable } from '../../../library/executable.ts';

/** The provider as it was built; Terraform knows it by this name. */
const PROVIDER = 'terraform-provider-hostwright';
const PROTOCOL = '6.0';
const SOURCE = 'hostwright/hostwright';
const FOLDER = 'terraform.d/plugins';
/** The host of a source that names none. */
const PUBLIC = 'registry.terraform.io';

/** Where a file that begins with `#!` is a program, as Terraform calls each. Windows has no such files. */
const PLATFORMS = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64', 'freebsd_amd64'] as const;

/** The system that wrote an archive, and what a file in it may do there: whoever unpacks it may run it. */
const UNIX = 3;
const EXECUTABLE = 0o100755 * 0x10000;

const INSTALL_HELP = `
Terraform finds the provider in ./terraform.d/plugins by itself, so \`terraform init\` asks no registry. With --dir name a folder
that the command line configuration of Terraform has as a filesystem_mirror, or hand it to \`terraform init -plugin-dir\`.
The provider of the npm package needs Node.js on the path of whoever runs Terraform; that of the executable is a copy of itself. Run this again after an update of hostwright.`;

const PACK_HELP = `
Writes an archive for each platform, the checksums and the manifest. A registry wants the checksums signed too:
  gpg --detach-sign terraform-provider-hostwright_VERSION_SHA256SUMS`;

export function addTerraform(program: CliCommand): void {
  const parent = program.command('terraform').description('Install the Terraform provider, or pack it for a registry.');
  parent
    .command('install')
    .description('Lay the Terraform provider where `terraform init` finds it.')
    .addOption(new Option('--dir <folder>', 'Where the mirror is.').default(FOLDER))
    .addOption(
      new Option('--source <source>', 'What `required_providers` calls it: HOST/NAMESPACE/hostwright.')
        .default(parseProviderSource(SOURCE), SOURCE)
        .argParser(parseProviderSource),
    )
    .addHelpText('after', INSTALL_HELP)
    .examples(
      ['hostwright terraform install', 'for the Terraform configuration in this folder'],
      ['hostwright terraform install --dir mirror --source tf.example.com/acme/hostwright', 'for a mirror of your own'],
    )
    .runs(install);
  parent
    .command('pack')
    .description('Write the files that a registry of providers asks for.')
    .addOption(new Option('--out <folder>', 'Where they are written.').default('terraform-provider'))
    .addHelpText('after', PACK_HELP)
    .examples(['hostwright terraform pack', 'zip archives, checksums and the manifest'])
    .runs(pack);
}

interface InstallOptions {
  readonly dir: string;
  readonly source: ProviderSource;
}

interface PackOptions {
  readonly out: string;
}

async function install(context: Context, { dir, source: { host, namespace } }: InstallOptions): Promise<OutcomeWord> {
  const platform = platformHere();
  if (platform === undefined)
    return reportProblems(context, [
      diagnose(
        'HW7031',
        `The provider is a file that Node.js runs, and ${process.platform} on ${process.arch} starts no such file. Use Linux, macOS or WSL. There are: ${PLATFORMS.join(', ')}.`,
      ),
    ]);
  const { version, bytes } = await builtProvider();
  const file = join(dir, host, namespace, 'hostwright', version, platform, `${PROVIDER}_v${version}`);
  const failed = await written(context, [{ file, bytes, isExecutable: true }]);
  if (failed !== undefined) return failed;
  const name = host === PUBLIC ? `${namespace}/hostwright` : `${host}/${namespace}/hostwright`;
  context.output.result(
    context.json
      ? renderJson({ file, source: name, version })
      : [
          `The provider is in ${file}. Name it in the configuration, then run \`terraform init\`:`,
          '',
          'terraform {',
          '  required_providers {',
          `    hostwright = { source = "${name}", version = "${version}" }`,
          '  }',
          '}',
        ].join('\n'),
  );
  if (resolve(context.cwd, dir) !== resolve(context.cwd, FOLDER))
    context.hint(`Terraform looks there with \`terraform init -plugin-dir ${dir}\`, or as a filesystem_mirror.`);
  return 'done';
}

async function pack(context: Context, { out }: PackOptions): Promise<OutcomeWord> {
  const { version, bytes } = await builtProvider();
  const here = platformHere();
  const platforms = !isExecutable ? PLATFORMS : here === undefined ? [] : [here];
  const files = await registryFiles(version, new Map(platforms.map((platform) => [platform, bytes])));
  const failed = await written(
    context,
    files.map((file) => ({ file: join(out, file.name), bytes: file.bytes, isExecutable: false })),
  );
  if (failed !== undefined) return failed;
  const names = files.map(({ name }) => join(out, name));
  context.output.result(context.json ? renderJson(names) : names.join('\n'));
  context.hint(`Sign the checksums for a registry: gpg --detach-sign ${names.at(-1) ?? ''}`);
  return 'done';
}

/** What a registry takes, the checksums last; `programs`: the provider by platform; `notices`: of what is in them. */
export async function registryFiles(
  version: string,
  programs: ReadonlyMap<string, Uint8Array>,
  notices?: string,
): Promise<readonly { readonly name: string; readonly bytes: Uint8Array }[]> {
  const base = `${PROVIDER}_${version}`;
  const { zipSync } = await import('fflate');
  // Dates in an archive are local; the first one that the format knows makes it the same bytes each time, everywhere.
  const mtime = new Date(1980, 0, 1);
  const docs = (await listPackageFiles('docs/terraform')).filter((name) => name.endsWith('.md'));
  const beside = [
    ['LICENSE', 'LICENSE'],
    ...docs.map((name) => [`docs/${name}`, `docs/terraform/${name}`] as const),
  ] as const;
  const texts = await Promise.all(
    beside.map(async ([name, file]): Promise<[string, ZippableFile]> => [
      name,
      [await readPackageBytes(file), { level: 9, mtime, os: UNIX }],
    ]),
  );
  const thirdParty = notices === undefined ? await readPackageBytes('dist/THIRD-PARTY.txt') : Buffer.from(notices);
  const archives = new Map<Uint8Array, Uint8Array>();
  const archiveOf = (program: Uint8Array): Uint8Array => {
    const made =
      archives.get(program) ??
      zipSync({
        [`${PROVIDER}_v${version}`]: [program, { level: 6, mtime, os: UNIX, attrs: EXECUTABLE }],
        'THIRD-PARTY.txt': [thirdParty, { level: 9, mtime, os: UNIX }],
        ...Object.fromEntries(texts),
      });
    archives.set(program, made);
    return made;
  };
  const manifest = Buffer.from(
    `${JSON.stringify({ version: 1, metadata: { protocol_versions: [PROTOCOL] } }, null, 2)}\n`,
  );
  const files = [
    ...[...programs].map(([platform, program]) => ({ name: `${base}_${platform}.zip`, bytes: archiveOf(program) })),
    { name: `${base}_manifest.json`, bytes: manifest },
  ];
  const sums = files.map((file) => `${createHash('sha256').update(file.bytes).digest('hex')}  ${file.name}\n`).join('');
  return [...files, { name: `${base}_SHA256SUMS`, bytes: Buffer.from(sums) }];
}

/** An executable is the provider by another name. */
async function builtProvider(): Promise<{ readonly version: string; readonly bytes: Uint8Array }> {
  const [{ version }, bytes] = await Promise.all([
    readPackageFile('package.json').then((text) => JSON.parse(text) as { readonly version: string }),
    isExecutable ? readFile(process.execPath) : readPackageBytes(`dist/${PROVIDER}`),
  ]);
  return { version, bytes };
}

function platformHere(): string | undefined {
  const machine = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  return PLATFORMS.find((platform) => platform === `${process.platform}_${machine ?? ''}`);
}

interface NewFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** How the command ends when they could not be written. A running Terraform keeps the provider that it has begun with. */
async function written(context: Context, files: readonly NewFile[]): Promise<OutcomeWord | undefined> {
  for (const { file, bytes, isExecutable } of files) {
    const target = resolve(context.cwd, file);
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(`${target}.new`, bytes, { mode: isExecutable ? 0o755 : 0o644 });
      await rename(`${target}.new`, target);
    } catch (error) {
      return reportProblems(context, [
        diagnose(
          'HW7030',
          `\`${file}\`: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}. Name a folder that can be written to.`,
        ),
      ]);
    }
  }
  return undefined;
}
