// What every use case is given: where it runs, who it is, and the clock, randomness and progress it must use.
import type { GitRemote } from '../ledger/git/remote.ts';
import type { JobEnd } from '../ledger/lock.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { ResolveSecret } from '../apply/preflight.ts';
import type { ParsedDocument } from '../manifest/read/parse.ts';
import type { MemoryStore } from '../manifest/remembered.ts';
import type { Credentials } from '../manifest/credentials/source.ts';
import type { ProgramAccess } from '../manifest/program/run-program.ts';
import type { Clock } from '../model/clock.ts';
import type { Deadline } from '../model/deadline.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Lookup } from '../model/dns.ts';
import type { EmitEvent } from '../model/plan/event.ts';
import type { StartedBy } from '../model/plan/started-by.ts';
import type { SecretSink } from '../model/secret-sink.ts';
import type { Workspace } from '../model/workspace.ts';
import type { RequestMade } from '../platform/http.ts';
import type { Limiter } from '../platform/limiter.ts';
import type { Proxies } from '../platform/proxies.ts';
import type { Transport } from '../platform/transport.ts';

export type { ProgramAccess } from '../manifest/program/run-program.ts';
export type { RequestMade } from '../platform/http.ts';

/** What a ledger that is not in a file needs from outside, and how long any ledger is waited for. */
export interface LedgerAccess {
  /** How long to wait for another run to end. */
  readonly waitMs: number;
  /** The address of a database, in the environment variable that a workspace names. Absent: there is none. */
  readonly databaseNamed?: (variable: string) => string | undefined;
  /** Asks the forge of this process about a job that holds a lock. Absent: no forge can be asked. */
  readonly jobEnd?: JobEnd;
  /** The environment of the `git` command, without what belongs to this program. */
  readonly programEnv: Readonly<Record<string, string | undefined>>;
}

/** A workspace that is in no file. */
export interface InMemory {
  readonly workspace: Workspace;
  readonly documents: readonly ParsedDocument[];
  readonly store: LedgerStore;
  readonly resolveSecret: ResolveSecret;
  /** Keeps what is told once. Absent: as the workspace says. */
  readonly secretSink?: SecretSink;
}

/** One limit and one set of connections. Who shares it does not close it. */
export interface Shared {
  readonly limiter: Limiter;
  readonly transport: Transport;
}

export interface Session {
  readonly cwd: string;
  /** Path of the workspace file; without one it is looked for upward from `cwd`. */
  readonly configFile?: string;
  /** Folders whose files the user trusts whoever owns them. Absent: none. */
  readonly trustedRoots?: readonly string[];
  /** From flags and environment; they beat the file. */
  readonly overrides: { readonly account?: string; readonly baseUrl?: string };
  readonly token: string | undefined;
  /** The token in the environment variable that a workspace names. Absent: there are none beside `token`. */
  readonly tokenNamed?: (variable: string) => string | undefined;
  /** What comes from entries of the credentials file of the user or the runner. Absent: there are none. */
  readonly credentials?: () => Promise<Credentials>;
  /** The run is a job of CI: its disk is gone with it. */
  readonly ci?: boolean;
  /** The value of the header that callbacks carry, in the environment variable that a workspace names. */
  readonly hookNamed?: (variable: string) => string | undefined;
  /** An address or a secret of a channel that is told, in the environment variable that a workspace names. */
  readonly notifyNamed?: (variable: string) => string | undefined;
  readonly clock: Clock;
  readonly emit: EmitEvent;
  /** Aborted by the first SIGINT or SIGTERM: nothing new is started. */
  readonly stop: AbortSignal;
  /** Until it connects, the process does nothing else and signals end it at once: it may stand still. Absent: it may not. */
  readonly alone?: boolean;
  /** Told before the first request may be sent, and the first lock be held. */
  readonly connecting?: () => void;
  /** Does what takes the processor for long, when no signal can be looked at. Absent: it is just done. */
  readonly computing?: <Result>(work: () => Result | Promise<Result>) => Promise<Result>;
  /** Requests in flight at most. */
  readonly concurrency: number;
  /** Requests that leave a second at most. Absent: as the platform lets us. */
  readonly maxRps?: number;
  /** How long one read may take, all its retries together. */
  readonly timeoutMs: number;
  /** What several accounts behind one address share. Absent: each client has its own. */
  readonly shared?: (baseUrl: string) => Shared;
  /** A remote of the repository that a folder is in, where several accounts share it. Absent: each has its own. */
  readonly gitRemote?: (folder: string, remote: string) => GitRemote;
  /** By when the run has to be over. Absent: it takes as long as it takes. */
  readonly deadline?: Deadline;
  /** A commit whose workspace file says the guards. Absent: the one that is checked out. */
  readonly guardsFrom?: string;
  readonly stdin: () => Promise<Uint8Array>;
  /** Value of an environment variable that the workspace lists under `secrets.env`. */
  readonly env: (name: string) => string | undefined;
  /** What is planned and applied instead of what is found on disk. Absent: that. */
  readonly inMemory?: InMemory;
  /** How programs that declare manifests are run. Absent: none is. */
  readonly programs?: ProgramAccess;
  /** A file of places of made YAML. */
  readonly sources?: string;
  /** How the DNS is asked; absent: by name servers that the use case is given, or those of this machine. */
  readonly lookup?: Lookup;
  /** How bytes reach the platform; absent: over the network. */
  readonly transport?: Transport;
  /** Told of each request to the platform that left; absent: nobody. */
  readonly onRequest?: (request: RequestMade) => void;
  /** Through which all requests go; absent: none. */
  readonly proxies?: Proxies;
  /** What every result has to say about how the platform is reached. */
  readonly notices?: readonly Diagnostic[];
  /** Absent: no credentials, and nobody is waited for. */
  readonly ledger?: LedgerAccess;
  /** Where manifests are remembered between runs, by what only reads them; absent: nowhere. */
  readonly memory?: MemoryStore;
  /** What a run uses instead of the store of its ledger. Absent: that store. */
  readonly storeFor?: (store: LedgerStore) => LedgerStore;
  readonly runtime: {
    readonly hostname: string;
    readonly pid: number;
    readonly user: string;
    /** Absent: the user at the host. */
    readonly by?: StartedBy;
    /** A name that one living process has at a time. Absent: nobody declared one. */
    readonly identity?: string;
    readonly random: () => number;
    readonly uuid: () => string;
  };
}
