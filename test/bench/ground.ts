// What a section of the bench stands on: the builds that are measured, servers, workspaces, floors. All of it is gone
// when the section ends.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import type { Account } from './accounts.ts';
import { filesOf, WORKSPACE } from './accounts.ts';
import type { Ran } from './measure.ts';
import { median, runProgram, USAGE } from './measure.ts';
import type { Served, Taken } from './server.ts';

export type Label = 'before' | 'now';

/** A build of the command. */
export interface Subject {
  readonly label: Label;
  readonly command: string;
}

export type Values = Readonly<Partial<Record<Label, number>>>;

/** One line of the table. */
export interface Row {
  readonly name: string;
  /** What it was measured against, in the same run: the value is a multiple of that, unless `unit` says otherwise. */
  readonly against: string;
  readonly aim?: number;
  /** How many times as fast as something else: more is better. */
  readonly moreIsBetter?: true;
  readonly unit?: 'MB' | 'requests' | 'exponent' | '%';
  readonly values: Values;
  /** Why it was not measured, or not wholly. */
  readonly word?: string;
}

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly run: (ground: Ground) => Promise<readonly Row[]>;
}

export interface Server {
  readonly url: string;
  /** What was asked since the last time. */
  readonly take: () => Promise<Taken>;
  /** The account as it was at the start. */
  readonly reset: () => Promise<void>;
}

export interface Place {
  readonly cwd: string;
  readonly url?: string;
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are no failure; 0 is none. */
  readonly may?: readonly number[];
  /** Its peak memory is wanted too. */
  readonly memory?: true;
}

export interface Ground {
  readonly subjects: readonly Subject[];
  readonly quick: boolean;
  readonly full: boolean;
  /** How often something is measured. */
  readonly rounds: (usual: number, quick: number) => number;
  readonly run: (subject: Subject, args: readonly string[], place: Place) => Promise<Ran>;
  /** The same requests from undici, as many at once. */
  readonly undici: (taken: Taken, url: string, atOnce: number) => Promise<Ran>;
  /** A program that does nothing. */
  readonly nothing: (node: string, env: Readonly<Record<string, string>>) => Promise<Ran>;
  readonly git: (root: string, ...args: readonly string[]) => Promise<Ran>;
  /** The same files from the YAML package. */
  readonly yaml: (root: string) => Promise<Ran>;
  readonly serve: (served: Served) => Promise<Server>;
  /** What makes a Terraform provider answer with what it is asked with: a file for `--require`. */
  readonly echoProvider: string;
  /** A folder with a workspace in it. */
  readonly workspace: (account: Pick<Account, 'manifests'>, perFile?: number) => Promise<string>;
  readonly emptyFolder: () => Promise<string>;
  /** A folder with these files in it. */
  readonly folder: (files: Readonly<Record<string, string>>) => Promise<string>;
  readonly say: (line: string) => void;
  /** Whether the help of a build speaks of this. */
  readonly knows: (subject: Subject, command: string, option: string) => Promise<boolean>;
}

export interface Options {
  readonly subjects: readonly Subject[];
  readonly quick: boolean;
  readonly full: boolean;
}

/** Gives `use` a ground, and clears it away. */
export async function onGround<Result>(options: Options, use: (ground: Ground) => Promise<Result>): Promise<Result> {
  // In memory: what a disk takes to sync a ledger says nothing about the program.
  const folder = await mkdtemp(join(memoryFolder, 'hostwright-bench-'));
  const servers: ChildProcess[] = [];
  try {
    return await use(await groundIn(folder, servers, options));
  } finally {
    for (const server of servers) server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

async function groundIn(folder: string, servers: ChildProcess[], options: Options): Promise<Ground> {
  const programs = join(folder, 'programs');
  await build({
    entryPoints: ['server', 'floor', 'yaml-floor', 'echo-provider'].map((name) =>
      join(import.meta.dirname, `${name}.ts`),
    ),
    outdir: programs,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    logLevel: 'error',
  });
  const usage = join(programs, 'usage.cjs');
  await writeFile(usage, USAGE);
  let count = 0;
  const newFolder = async (): Promise<string> => {
    const made = join(folder, String((count += 1)));
    await mkdir(made);
    return made;
  };

  const folderWith: Ground['folder'] = async (files) => {
    const made = await newFolder();
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(made, name)), { recursive: true });
      await writeFile(join(made, name), text);
    }
    return made;
  };

  const ended = (ran: Ran, what: string, may: readonly number[] = []): Ran => {
    if (ran.code !== 0 && !may.includes(ran.code ?? -1))
      throw new Error(`${what} ended with ${String(ran.code)}: ${ran.stderr.slice(-2000)}`);
    return ran;
  };
  const own = (name: string, args: readonly string[]): Promise<Ran> =>
    runProgram({
      file: process.execPath,
      args: [join(programs, `${name}.cjs`), ...args],
      cwd: folder,
    }).then((ran) => ended(ran, name));

  const run: Ground['run'] = async (
    { label, command },
    args,
    { cwd, url, node = process.execPath, env, may, memory },
  ) => {
    // One home a build: what it remembers from run to run is its own.
    const home = join(folder, `home-${label}`);
    await mkdir(home, { recursive: true });
    const ran = await runProgram({
      file: node,
      args: [...(memory === true ? ['--require', usage] : []), command, ...args],
      cwd,
      env: { HOME: home, HOSTWRIGHT_TOKEN: API_KEY, ...env, ...(url !== undefined && { HOSTWRIGHT_API_URL: url }) },
    });
    return ended(ran, `${label}: hostwright ${args.join(' ')}`, may);
  };

  return {
    ...options,
    rounds: (usual, quick) => (options.quick ? quick : usual),
    run,
    undici: async (taken, url, atOnce) => {
      const file = join(await newFolder(), 'requests.json');
      await writeFile(file, JSON.stringify(taken));
      return own('floor', [file, url, String(atOnce)]);
    },
    nothing: (node, env) => runProgram({ file: node, args: ['-e', '0'], cwd: folder, env }),
    git: (root, ...args) => runProgram({ file: 'git', args, cwd: root }),
    yaml: (root) => own('yaml-floor', [join(root, 'sites')]),
    echoProvider: join(programs, 'echo-provider.cjs'),
    serve: async (served) => {
      const child = fork(join(programs, 'server.cjs'), [JSON.stringify(served)], {
        execArgv: ['--max-old-space-size=6000'],
      });
      servers.push(child);
      const told = async (): Promise<unknown> => (await once(child, 'message'))[0];
      const { url } = (await told()) as { readonly url: string };
      return {
        url,
        take: async () => {
          child.send('take');
          return (await told()) as Taken;
        },
        reset: async () => {
          child.send('reset');
          await told();
        },
      };
    },
    workspace: (account, perFile) => folderWith({ 'hostwright.yaml': WORKSPACE, ...filesOf(account, perFile) }),
    emptyFolder: newFolder,
    folder: folderWith,
    say: (line) => process.stderr.write(`  ${line}\n`),
    knows: async (subject, command, option) => {
      const { spawnSync } = await import('node:child_process');
      const { stdout } = spawnSync(process.execPath, [subject.command, command, '--help'], { encoding: 'utf8' });
      const { stdout: whole } = spawnSync(process.execPath, [subject.command, '--help'], { encoding: 'utf8' });
      return `${stdout}${whole}`.includes(option);
    },
  };
}

/** A value for each build, one after the other. */
export async function each(ground: Ground, one: (subject: Subject) => Promise<number | undefined>): Promise<Values> {
  const values: Partial<Record<Label, number>> = {};
  for (const subject of ground.subjects) {
    const value = await one(subject);
    if (value !== undefined) values[subject.label] = value;
  }
  return values;
}

/** Times of a floor and of a build, round by round. */
export type Pair = readonly [floorMs: number, tookMs: number];

/**
 * In each round every build and its floor, in turn, so that what else the machine does strikes all of them. They change
 * places from round to round: whoever comes second finds the machine as the first left it.
 */
export async function pairsInTurn(
  ground: Ground,
  rounds: number,
  floor: (subject: Subject) => Promise<number>,
  one: (subject: Subject) => Promise<number>,
): Promise<ReadonlyMap<Label, readonly Pair[]>> {
  const pairs = new Map<Label, Pair[]>(ground.subjects.map(({ label }) => [label, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const subject of ground.subjects) {
      if (round % 2 === 0) {
        const floorMs = await floor(subject);
        pairs.get(subject.label)?.push([floorMs, await one(subject)]);
      } else {
        const tookMs = await one(subject);
        pairs.get(subject.label)?.push([await floor(subject), tookMs]);
      }
    }
  return pairs;
}

/** The median of the rounds' ratios. */
export async function inTurn(...args: Parameters<typeof pairsInTurn>): Promise<Values> {
  const all = await pairsInTurn(...args);
  return Object.fromEntries(
    [...all].map(([label, pairs]) => [label, median(pairs.map(([floorMs, tookMs]) => tookMs / floorMs))]),
  );
}
