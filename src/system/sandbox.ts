// The sandbox of the operating system (bwrap or unshare on Linux) around programs that declare manifests. It is used only
// after a probe inside it has observed what it keeps out, and everything that is reported of it is what the probe saw.
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInside } from './paths.ts';
import { startProgram } from './start-program.ts';

export interface SystemSandbox {
  readonly name: 'bwrap' | 'unshare';
  /** Absolute. */
  readonly command: string;
}

/** What a program sees in addition to the operating system. */
export interface SandboxView {
  /** Absolute paths of folders and files, links followed. */
  readonly folders: readonly string[];
  /** Folders and files in them that it does not see. */
  readonly hidden: readonly string[];
  readonly cwd: string;
}

/** The Node.js that is started inside, and the script of ours that runs the probe there. */
export interface SandboxedNode {
  readonly node: string;
  /** `constructs-child.mjs`; below `node` where the executable contains it. */
  readonly child: string;
}

/** One thing that the probe tried, in the sandbox. */
export interface Observation {
  readonly subject: 'network' | 'Unix sockets' | 'processes' | 'files' | 'environment';
  readonly isClosed: boolean;
  /** What happened, such as `connect ENETUNREACH`. */
  readonly seen: string;
}

export interface ProbedSandbox extends SystemSandbox {
  readonly observations: readonly Observation[];
}

const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
const PROBE_MS = 20_000;
/** Folders of the root that contain the operating system. Every other one is hidden, with the sockets in it. */
const SYSTEM = ['bin', 'etc', 'gnu', 'lib', 'lib32', 'lib64', 'libx32', 'nix', 'sbin', 'usr'];
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);

const found = new Map<string, Promise<ProbedSandbox | undefined>>();

/**
 * Returns the first sandbox in which the probe was kept from everything that it tried, or undefined. Many systems have
 * the command, and do not permit users to create namespaces.
 */
export function systemSandbox(node: SandboxedNode): Promise<ProbedSandbox | undefined> {
  const key = `${node.node}\0${node.child}`;
  const probed = found.get(key) ?? findSandbox(node);
  found.set(key, probed);
  return probed;
}

async function findSandbox(node: SandboxedNode): Promise<ProbedSandbox | undefined> {
  if (process.platform !== 'linux') return undefined;
  for (const name of ['bwrap', 'unshare'] as const) {
    const command = FOLDERS.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
    if (command === undefined) continue;
    const observations = await probeSandbox({ name, command }, node);
    if (observations !== undefined && observations.every(({ isClosed }) => isClosed))
      return { name, command, observations };
  }
  return undefined;
}

/**
 * Starts the probe in a sandbox, which tries to reach a port, sockets and a file of this process; undefined if it does not
 * start or does not answer.
 */
export async function probeSandbox(
  sandbox: SystemSandbox,
  { node, child }: SandboxedNode,
): Promise<readonly Observation[] | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostwright-probe-'));
  const servers: Server[] = [];
  try {
    const [file, socket, abstract] = [
      path.join(folder, 'file'),
      path.join(folder, 'socket'),
      `\0hostwright-${randomUUID()}`,
    ];
    await writeFile(file, 'seen', { mode: 0o644 });
    servers.push(await listen({ host: '127.0.0.1', port: 0 }), await listen({ path: socket }));
    servers.push(await listen({ path: abstract }));
    const address = servers[0]?.address();
    const known = ['/run/docker.sock', '/var/run/docker.sock', '/run/dbus/system_bus_socket'].filter((one) =>
      existsSync(one),
    );
    const trial = {
      port: typeof address === 'object' ? address?.port : 0,
      sockets: [socket, abstract, ...known],
      file,
      pids: readlinkSync('/proc/self/ns/pid'),
    };
    const [command, ...args] = sandboxCommand(sandbox, node, {
      folders: withNode({ node, child }),
      hidden: [],
      cwd: '/',
    });
    const ended = await startProgram({
      purpose: 'declare',
      program: command,
      args: [...args, child, PROBE, JSON.stringify(trial)],
      cwd: '/',
      env: {},
      closed: [],
      timeoutMs: PROBE_MS,
      maxBytes: 64 * 1024,
      answer: 'fd3',
    });
    if (ended.end !== 'exit' || ended.code !== 0) return undefined;
    return JSON.parse(ended.answer.toString('utf8')) as readonly Observation[];
  } catch {
    return undefined;
  } finally {
    for (const server of servers) server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The argument that has `constructs-child.mjs` run the probe in place of a program. */
const PROBE = '--probe-sandbox';

/** Returns the folders that Node.js and our side of the process need. */
export function withNode({ node, child }: SandboxedNode): readonly string[] {
  const real = realpathSync(node);
  return [...new Set([node, real, ...(child.startsWith(node + path.sep) ? [] : [realpathSync(path.dirname(child))])])];
}

function listen(where: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', fail);
    server.listen(where, () => done(server));
    server.unref();
  });
}

/** Returns the command, with all of its arguments, to which those of Node.js are appended. */
export function sandboxCommand(
  sandbox: SystemSandbox,
  node: string,
  view: SandboxView,
): readonly [string, ...string[]] {
  return sandbox.name === 'bwrap' ? bwrapCommand(sandbox, node, view) : unshareCommand(sandbox, node, view);
}

function bwrapCommand(
  { command }: SystemSandbox,
  node: string,
  { folders, hidden, cwd }: SandboxView,
): [string, ...string[]] {
  const system = SYSTEM.map((name) => `/${name}`).filter((place) => existsSync(place));
  return [
    command,
    ...['--unshare-all', '--die-with-parent'],
    ...system.flatMap((place) =>
      lstatSync(place).isSymbolicLink() ? ['--symlink', readlinkSync(place), place] : ['--ro-bind', place, place],
    ),
    ...['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...outermost(folders).flatMap((place) => ['--ro-bind', place, place]),
    ...hidden.flatMap((place) =>
      statSync(place).isDirectory() ? ['--tmpfs', place] : ['--ro-bind', '/dev/null', place],
    ),
    ...['--chdir', cwd, '--', node],
  ];
}

/**
 * Hides every folder of the root that is not the operating system under an empty one, and shows the folders of the view
 * again. A second user namespace then owns nothing of these mounts, so that the program cannot take them away.
 */
const HIDE = `set -eu
PATH=/usr/bin:/bin:/usr/sbin:/sbin
unshare=$1 uid=$2 gid=$3 stash=$4 cwd=$5
shift 5
mount -t tmpfs tmpfs "$stash"
number=0
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir "$stash/$number"; else : >"$stash/$number"; fi
  mount --rbind "$1" "$stash/$number"
  number=$((number + 1))
  shift
done
shift
while [ "$1" != -- ]; do
  mount -t tmpfs tmpfs "$1"
  shift
done
shift
number=0
while [ "$1" != -- ]; do
  if [ -d "$stash/$number" ]; then mkdir -p "$1"; else mkdir -p "\${1%/*}"; : >"$1"; fi
  mount --move "$stash/$number" "$1"
  mount -o remount,bind,ro "$1" 2>/dev/null || :
  number=$((number + 1))
  shift
done
shift
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mount -t tmpfs tmpfs "$1"; else mount --bind /dev/null "$1"; fi
  shift
done
shift
while [ "$1" != -- ]; do
  mount --rbind "$1" "$1"
  mount -o remount,bind,ro "$1" 2>/dev/null || :
  shift
done
shift
mount -t tmpfs tmpfs "$stash"
cd "$cwd"
unset PATH PWD OLDPWD
exec "$unshare" --user --map-user="$uid" --map-group="$gid" -- "$@"
`;
const SPACES = [
  ...['--user', '--map-root-user', '--mount', '--net', '--ipc', '--pid'],
  ...['--fork', '--kill-child', '--mount-proc'],
];

function unshareCommand(
  { command }: SystemSandbox,
  node: string,
  { folders, hidden, cwd }: SandboxView,
): [string, ...string[]] {
  const tops = readdirSync('/', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const isSystem = (name: string): boolean => SYSTEM.includes(name);
  const closed = tops.filter((name) => !isSystem(name) && name !== 'proc').map((name) => `/${name}`);
  const shown = [...DEVICES.filter((device) => existsSync(device)), ...outermost(folders)].filter((place) =>
    closed.some((top) => isInside(top, place)),
  );
  // The mounts wait there while what is above them is hidden.
  const stash = closed.find((top) => shown.every((place) => !isInside(top, place))) ?? '/tmp';
  const system = tops.filter(isSystem).map((name) => `/${name}`);
  return [
    command,
    ...[...SPACES, '--', '/bin/sh', '-c', HIDE, 'sh'],
    ...[command, String(process.geteuid?.() ?? 0), String(process.getegid?.() ?? 0), stash, cwd],
    ...[...shown, '--', ...closed.filter((top) => top !== stash), '--', ...shown, '--', ...hidden, '--'],
    ...[...system, '--', node],
  ];
}

/** Those that are not in another one. */
function outermost(folders: readonly string[]): readonly string[] {
  return [...new Set(folders)].filter((one) => !folders.some((other) => other !== one && isInside(other, one)));
}
