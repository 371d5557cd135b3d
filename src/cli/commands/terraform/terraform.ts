// `terraform`: puts the provider that came with the package where Terraform finds it, and packs it for a registry.
import { createHash } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { version } from '../../../../package.json';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { renderJson } from '../../../report/json/index.ts';
import type { CliCommand, Execute } from '../../command.ts';
import type { Context } from '../../context.ts';
import { readProvider } from '../../package-files.ts';
import { reportProblems } from '../../report.ts';
import { problem } from '../../settings.ts';
import { zipExecutable } from './zip.ts';

const NAME = 'terraform-provider-hostwright';
const SOURCE = 'registry.terraform.io/hostwright/hostwright';
const FOLDER = 'terraform.d/plugins';

/** Systems on which a script with Node.js can be started as it is, as Terraform calls them. */
const SYSTEMS = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];

interface InstallOptions {
  readonly dir: string;
  readonly source: string;
}

interface PackOptions {
  readonly out: string;
}

export function addTerraform(program: CliCommand, execute: Execute): void {
  const terraform = program.command('terraform').description('The Terraform provider that comes with this package.');
  terraform
    .command('install')
    .description('Put the provider where `terraform init` finds it, and print the lines to write.')
    .option('--dir <folder>', 'The folder of local providers.', FOLDER)
    .option('--source <address>', 'The address of the provider, as host/namespace/hostwright.', SOURCE)
    .examples(
      ['hostwright terraform install', 'for this folder'],
      ['hostwright terraform install --dir ~/.terraform.d/plugins', 'for this user'],
    )
    .action((_options: InstallOptions, command: CliCommand) =>
      execute<InstallOptions>(command, (context, options) => install(context, options)),
    );
  terraform
    .command('pack')
    .description('Make the archives that a provider registry takes: zips, their sums and a manifest.')
    .option('--out <folder>', 'The folder that they are written to.', 'terraform-registry')
    .examples(['hostwright terraform pack --out release', 'one zip for each system'])
    .action((_options: PackOptions, command: CliCommand) =>
      execute<PackOptions>(command, (context, options) => pack(context, options)),
    );
}

async function install(context: Context, { dir, source }: InstallOptions): Promise<OutcomeWord> {
  const parts = source.split('/');
  if (parts.length !== 3 || parts[2] !== 'hostwright' || parts.some((part) => !/^[\w.-]+(:\d+)?$/.test(part)))
    return reportProblems(context, [
      problem(
        'HW6580',
        'The address of the provider cannot be used',
        `\`${source}\` is no address: write host/namespace/hostwright, such as ${SOURCE}.`,
      ),
    ]);
  const system = systemHere();
  if (system === undefined)
    return reportProblems(context, [
      problem(
        'HW6581',
        'The provider cannot run here',
        `Terraform starts a provider as a program of its own, and on ${process.platform} ${process.arch} a script of Node.js is none. It runs on ${SYSTEMS.join(', ')}.`,
      ),
    ]);
  const folder = join(dir, ...parts, version, system);
  const file = join(folder, NAME);
  try {
    await mkdir(resolve(context.cwd, folder), { recursive: true });
    const target = resolve(context.cwd, file);
    // Terraform may be running the old one: another file in its place leaves that as it is.
    await rm(target, { force: true });
    await writeFile(target, await readProvider());
    await chmod(target, 0o755);
  } catch (error) {
    return unwritten(context, folder, error);
  }
  const lines = [
    'terraform {',
    '  required_providers {',
    '    hostwright = {',
    `      source  = "${source}"`,
    `      version = "${version}"`,
    '    }',
    '  }',
    '}',
  ];
  context.output.result(
    context.json
      ? renderJson({ file, source, version })
      : [`The provider is ${file}.`, 'Write this in the configuration, then run `terraform init`:', '', ...lines].join(
          '\n',
        ),
  );
  return 'done';
}

async function pack(context: Context, { out }: PackOptions): Promise<OutcomeWord> {
  const provider = await readProvider();
  const stem = `${NAME}_${version}`;
  const manifest = Buffer.from(
    `${JSON.stringify({ version: 1, metadata: { protocol_versions: ['6.0'] } }, null, 2)}\n`,
  );
  const files = new Map<string, Buffer>([
    ...SYSTEMS.map((system) => [`${stem}_${system}.zip`, zipExecutable(`${NAME}_v${version}`, provider)] as const),
    [`${stem}_manifest.json`, manifest],
  ]);
  const sums = [...files].map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
  files.set(`${stem}_SHA256SUMS`, Buffer.from(sums.join('')));
  const folder = resolve(context.cwd, out);
  try {
    await mkdir(folder, { recursive: true });
    await Promise.all([...files].map(([name, bytes]) => writeFile(join(folder, name), bytes)));
  } catch (error) {
    return unwritten(context, out, error);
  }
  const written = [...files.keys()].map((name) => join(out, name));
  context.output.result(context.json ? renderJson(written) : written.join('\n'));
  context.hint(`A registry also wants ${stem}_SHA256SUMS.sig, made with your own key.`);
  return 'done';
}

function unwritten(context: Context, folder: string, error: unknown): Promise<OutcomeWord> {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return reportProblems(context, [
    problem(
      'HW6582',
      'The provider cannot be written',
      `\`${folder}\`: ${code}. Name a folder that can be written to.`,
    ),
  ]);
}

/** This machine as Terraform calls it; undefined where a script cannot be started. */
function systemHere(): string | undefined {
  const machine = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  const system = `${process.platform}_${machine ?? ''}`;
  return SYSTEMS.includes(system) ? system : undefined;
}
