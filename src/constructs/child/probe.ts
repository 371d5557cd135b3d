// What a program could reach from inside the sandbox of the operating system: tried, not assumed. Runs in place of a
// program and without the permissions of Node.js, so that the answer is about the sandbox alone.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What the probe is given to try. */
interface Trial {
  /** A port of this machine that takes connections. */
  readonly port: number;
  /** Unix sockets that take connections. */
  readonly sockets: readonly string[];
  /** A file outside of everything that a program may see. */
  readonly file: string;
  /** The process namespace that the probe was started from. */
  readonly pids: string;
}

interface Observation {
  readonly subject: 'network' | 'Unix sockets' | 'processes' | 'files' | 'environment';
  readonly isClosed: boolean;
  readonly seen: string;
}

/** Variables that the sandbox or the shell in it sets. */
const SET_INSIDE = ['TZ', 'PWD', 'OLDPWD', 'SHLVL', '_', 'NODE_OPTIONS', 'SystemRoot'];
const CONNECT_MS = 3_000;
/** bwrap has a process of its own in there. */
const MOST_PROCESSES = 2;

/** Tries everything and returns what happened. */
export async function probe(text: string): Promise<readonly Observation[]> {
  const { port, sockets, file, pids } = JSON.parse(text) as Trial;
  const port_ = await connecting({ host: '127.0.0.1', port });
  const tried = await Promise.all(sockets.map((path) => connecting({ path })));
  const open = tried.findIndex((end) => end === CONNECTED);
  const processes = attempt(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length);
  const space = attempt(() => readlinkSync('/proc/self/ns/pid'));
  const read = attempt(() => readFileSync(file, 'utf8').length);
  const variables = Object.keys(process.env).filter((name) => !SET_INSIDE.includes(name));
  return [
    { subject: 'network', isClosed: port_ !== CONNECTED, seen: `connect to a port of this machine: ${port_}` },
    {
      subject: 'Unix sockets',
      isClosed: open === -1,
      seen:
        open === -1
          ? `connect to ${tried.length} sockets of this machine: ${[...new Set(tried)].join(', ')}`
          : `connect to ${JSON.stringify(sockets[open])}: ${CONNECTED}`,
    },
    {
      subject: 'processes',
      isClosed: typeof processes !== 'number' || (processes <= MOST_PROCESSES && space !== pids),
      seen: typeof processes === 'number' ? `${processes} in /proc, its own included` : `reading /proc: ${processes}`,
    },
    {
      subject: 'files',
      isClosed: typeof read !== 'number',
      seen: `read a temporary file of the user: ${typeof read === 'number' ? 'done' : read}`,
    },
    {
      subject: 'environment',
      isClosed: variables.length === 0,
      seen: variables.length === 0 ? 'no variable of the user' : `variables ${variables.join(', ')}`,
    },
  ];
}

const CONNECTED = 'connected';

async function connecting(
  where: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<string> {
  const { connect } = await import('node:net');
  return new Promise((done) => {
    const socket = connect({ ...where, timeout: CONNECT_MS });
    const end = (how: string): void => {
      socket.destroy();
      done(how);
    };
    socket.once('connect', () => end(CONNECTED));
    socket.once('timeout', () => end('no answer'));
    socket.once('error', ({ code = 'an error' }: NodeJS.ErrnoException) => end(code));
  });
}

function attempt<Result>(work: () => Result): Result | string {
  try {
    return work();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'an error';
  }
}
