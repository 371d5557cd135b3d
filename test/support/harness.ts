// A workspace in a temporary folder and a sandbox to run it against, in one process and without real waits.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { planMark, readApprovedSet, showMark } from '../../src/report/blocks/mark.ts';
import type { RunEvent } from '../../src/model/plan/event.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Rehearsal } from '../../src/model/plan/rehearsal.ts';
import type { Site, State } from '../../src/sandbox/core/state.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/server.ts';
import { openSandbox, serveSandbox } from '../../src/sandbox/server.ts';
import type { ApplyResult } from '../../src/usecases/apply/apply.ts';
import type { ApplyOptions } from '../../src/usecases/apply/run.ts';
import { applyWorkspace } from '../../src/usecases/apply/apply.ts';
import { ledgerCommand } from '../../src/usecases/ledger.ts';
import type { PlanOptions, PlanResult } from '../../src/usecases/plan/plan.ts';
import { planChanges } from '../../src/usecases/plan/nothing-changed.ts';
import type { Session } from '../../src/usecases/session.ts';
import { inProcess } from '../../src/testing/in-process.ts';
import { memoryFolder } from './memory-folder.ts';
import { memoryStores } from './memory-store.ts';
import type { SentFor } from './sent-requests.ts';
import { noteSent, noting } from './sent-requests.ts';
import { isWhole } from './whole.ts';

export interface Harness {
  readonly root: string;
  readonly sandbox: Sandbox;
  readonly events: RunEvent[];
  readonly session: (extra?: Partial<Session>) => Session;
  readonly write: (file: string, text: string) => Promise<void>;
  readonly plan: (options?: Partial<PlanOptions>, session?: Partial<Session>) => Promise<PlanResult>;
  /** A plan that must exist. */
  readonly planned: (options?: Partial<PlanOptions>) => Promise<Plan>;
  readonly apply: (options?: Partial<ApplyOptions>, session?: Partial<Session>) => Promise<ApplyResult>;
  /** What was sent from that request on, as `METHOD path`, in order. */
  readonly sent: (from?: number) => readonly string[];
  /** What was sent beside reads; `without` is left out of each path. */
  readonly writes: (without?: string | RegExp) => readonly string[];
  /** A site of the sandbox, by its name there. */
  readonly site: (name: string) => Site;
  /** May be called again, and does nothing then. */
  readonly close: () => Promise<void>;
}

export interface HarnessOptions extends SandboxOptions {
  /** A folder of examples/ to copy, or files to write. */
  readonly example?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly workspace?: string;
  /** Where the workspace's folder is made; else in memory. */
  readonly folder?: string;
  /** Begin a ledger that counts as complete: without one nothing is bought. */
  readonly ledger?: true;
  /**
   * False: requests go over sockets, where those are the point. Else the harness asks without sockets, which is faster;
   * something listens all the same, for what is asked in other ways.
   */
  readonly inProcess?: boolean;
  /**
   * Whether the ledger is in memory, where it would be in a file; false where the file is the point, or all files are
   * looked at. Absent: unless everything is played.
   */
  readonly memoryLedger?: boolean;
  /** The environment of Git, for a ledger in a remote. */
  readonly programEnv?: Readonly<Record<string, string | undefined>>;
  /** The address of the database, for a ledger in PostgreSQL. */
  readonly database?: string;
}

/** The workspace file of a harness. It dismisses what the scenario has and most manifests do not declare (HW2063). */
function workspaceFor({ registrar }: State): string {
  const dismissed = ['site-shop', 'site-blog', 'site-docs', ...registrar.registrations.keys()];
  return `apiVersion: hostwright/v1
kind: Workspace
spec:
  account: acc-acme
  baseUrl: http://127.0.0.1:1
  manifests: [sites]
  dismissed: ${JSON.stringify(dismissed)}
`;
}

export async function startHarness({
  example,
  files = {},
  workspace,
  ledger,
  folder = memoryFolder,
  inProcess: isLocal = true,
  memoryLedger = !isWhole,
  programEnv,
  database,
  ...options
}: HarnessOptions = {}): Promise<Harness> {
  const root = await mkdtemp(join(folder, 'hostwright-'));
  const open = openSandbox(options);
  const sandbox = await serveSandbox(open, options.port);
  const events: RunEvent[] = [];
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };
  if (example === undefined) await write('hostwright.yaml', workspace ?? workspaceFor(open.state));
  else await cp(join(import.meta.dirname, '../../examples', example), root, { recursive: true });
  for (const [file, text] of Object.entries(files)) await write(file, text);

  const storeFor = memoryLedger ? memoryStores(root) : undefined;
  let runs = 0;
  let purpose: SentFor = 'command';
  const seen = new Set<string>();
  const transport = noting(inProcess(open), (request) => {
    seen.add(`${request.method} ${request.path}`);
    return purpose;
  });
  /** What is sent meanwhile is sent for this. */
  const sendingFor = async <Result>(what: SentFor, run: () => Promise<Result>): Promise<Result> => {
    purpose = what;
    try {
      return await run();
    } finally {
      purpose = 'command';
    }
  };
  const session = (extra: Partial<Session> = {}): Session => ({
    cwd: root,
    overrides: { baseUrl: sandbox.url },
    token: API_KEY,
    clock: sandbox.clock,
    emit: (event) => events.push(event),
    stop: new AbortController().signal,
    concurrency: 16,
    timeoutMs: 60_000,
    stdin: () => Promise.resolve(new Uint8Array()),
    env: () => undefined,
    runtime: {
      hostname: 'test-host',
      pid: process.pid,
      user: 'tester',
      random: () => 0.5,
      uuid: () => `run-${(runs += 1)}`,
    },
    // A request to somewhere else, such as a proxy before the sandbox, goes there.
    ...(isLocal && [undefined, sandbox.url].includes(extra.overrides?.baseUrl) && { transport }),
    ...(programEnv !== undefined && { ledger: { waitMs: 0, programEnv } }),
    ...(database !== undefined && { ledger: { waitMs: 0, programEnv: {}, databaseNamed: () => database } }),
    ...(storeFor !== undefined && { storeFor }),
    ...extra,
  });
  if (ledger === true) await ledgerCommand(session(), { do: 'init' });
  const sent = (from = 0): readonly string[] =>
    sandbox.requests.slice(from).map(({ method, path }) => `${method} ${path}`);
  const plan = (given: Partial<PlanOptions> = {}, extra: Partial<Session> = {}) =>
    sendingFor('plan', () => planChanges(session(extra), { paths: [], targets: [], ...given }));
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    for (const { method, path } of open.requests) if (!seen.has(`${method} ${path}`)) noteSent('cli', method, path);
    await sandbox.close();
    await rm(root, { recursive: true, force: true });
  };
  return {
    root,
    sandbox,
    events,
    session,
    write,
    plan,
    planned: async (given) => {
      const { plan: made, diagnostics } = await plan(given);
      if (made === undefined) throw new Error(`no plan: ${JSON.stringify(diagnostics, null, 1)}`);
      return made;
    },
    apply: (given = {}, extra = {}) =>
      sendingFor('apply', () =>
        applyWorkspace(session(extra), {
          paths: [],
          targets: [],
          parallelism: 4,
          resumeOnly: false,
          // A person reads the plan and answers yes.
          confirm: () => Promise.resolve('asked'),
          ...given,
        }),
      ),
    sent,
    writes: (without = '') =>
      sandbox.requests
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path.replace(without, '')}`),
    site: (name) => {
      const site = sandbox.state.sites.get(`site-${name}`);
      if (site === undefined) throw new Error(`the sandbox has no site ${name}`);
      return site;
    },
    close: () => (closing ??= close()),
  };
}

/** Options of an apply with `--expect` and the comment of this plan. */
export function reviewOf(
  plan: Plan,
  rehearsal?: Rehearsal,
): Pick<ApplyOptions, 'approved' | 'approvedFor' | 'reviewed' | 'rehearsedExcept'> {
  const review = readApprovedSet(`${showMark(planMark('plan', plan, rehearsal), true)}\n`);
  if (review === undefined || review === 'too long') throw new Error('no review');
  const { digests, account, subjects, rehearsedExcept } = review;
  return {
    approved: digests,
    approvedFor: account,
    ...(subjects !== undefined && { reviewed: subjects }),
    ...(rehearsedExcept !== undefined && { rehearsedExcept }),
  };
}

/** Options of an apply: something that happens to the account when the plan is made, and before anything runs. */
export function afterPlanning(change: () => void): { readonly confirm: () => Promise<boolean> } {
  return {
    confirm: () => {
      change();
      return Promise.resolve(true);
    },
  };
}
