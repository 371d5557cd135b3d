// A real PostgreSQL for tests: a private server in a temporary folder, one for the process, and a database a test.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { memoryFolder } from '../memory-folder.ts';
import { freePort } from './plain.ts';

interface Programs {
  /** The folder of `initdb` and `postgres`. */
  readonly folder: string;
  /** Whom they run as; undefined: us. PostgreSQL refuses to run as root. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}

const DEBIAN = '/usr/lib/postgresql';
const USER = 'hostwright';
const MOST_STARTS = 3;

const found: Programs | string = findPrograms();

/** Why tests with a real PostgreSQL cannot run here; undefined where they can. */
export const noPostgres: string | undefined = typeof found === 'string' ? found : undefined;

if (noPostgres !== undefined) process.stderr.write(`tests with a real PostgreSQL are skipped: ${noPostgres}\n`);

let server: Promise<string> | undefined;
let count = 0;

/**
 * The address of a new and empty database, with a password in it. The server starts with the first one, and ends with
 * this process.
 */
export async function createDatabase(): Promise<string> {
  const address = await (server ??= startServer());
  count += 1;
  const name = `test_${count}`;
  await query(`${address}/postgres`, `CREATE DATABASE ${name}`);
  return `${address}/${name}`;
}

/** Runs one statement in a connection of its own, and returns its rows. */
export async function query(
  address: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** The folder of its programs, such as `pg_dump`. */
export function postgresPrograms(): string {
  if (typeof found === 'string') throw new Error(found);
  return found.folder;
}

function findPrograms(): Programs | string {
  const isRoot = process.getuid?.() === 0;
  let folder = findFolder();
  if (folder === undefined && isRoot && process.env.CI !== undefined) {
    try {
      const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
      execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'update'], options);
      execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', 'postgresql'], options);
    } catch {
      return 'postgresql is not installed, and apt-get could not install it';
    }
    folder = findFolder();
  }
  if (folder === undefined) return 'postgresql is not installed';
  if (!isRoot) return { folder, user: undefined };
  try {
    const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
    );
    return { folder, user: { uid, gid } };
  } catch {
    return 'it does not run as root, and there is no user `postgres`';
  }
}

function findFolder(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((left, right) => Number(right) - Number(left)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** The address of a server that answers, without the name of a database. */
async function startServer(): Promise<string> {
  if (typeof found === 'string') throw new Error(found);
  for (let starts = 1; ; starts += 1) {
    const started = await tryServer(found);
    if (started.address !== undefined) return started.address;
    if (starts === MOST_STARTS) throw new Error(`PostgreSQL does not start: ${started.printed}`);
  }
}

async function tryServer({ folder: programs, user }: Programs): Promise<{
  readonly address: string | undefined;
  readonly printed: string;
}> {
  const folder = await mkdtemp(join(memoryFolder, 'hostwright-postgres-'));
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  if (user !== undefined) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const port = await freePort();
  const init = ['--username', USER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200'];
  // The shell waits for its input to end, which it does with this process, however that ends: then all of it goes.
  const script = [
    'folder=$1 programs=$2 port=$3; shift 3',
    '"$programs/initdb" -D "$folder/data" --encoding UTF8 --locale C --no-sync --no-instructions "$@" || exit 1',
    `"$programs/postgres" -D "$folder/data" -p "$port" ${settings.map((setting) => `-c '${setting}'`).join(' ')} &`,
    'cat > /dev/null; kill -INT $!; wait; rm -rf "$folder"',
  ].join('\n');
  const child = spawn('sh', ['-c', script, 'sh', folder, programs, String(port), ...init], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...user,
  });
  let printed = '';
  let ended = false;
  child.on('exit', () => {
    ended = true;
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      printed = (printed + bytes.toString('utf8')).slice(-4000);
    });
  const address = `postgres://${USER}:${password}@127.0.0.1:${port}`;
  while (!ended && !printed.includes('could not')) {
    const answers = await query(`${address}/postgres`, 'SELECT 1').then(
      () => true,
      () => false,
    );
    if (answers) {
      // Nothing waits for it.
      child.unref();
      for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
      return { address, printed };
    }
    await sleep(50);
  }
  child.stdin.end();
  return { address: undefined, printed };
}
