// Plans and applies what a program declares against a sandbox in this process: no file, no port, no real waiting. The
// engine is that of `plan` and `apply`; only the workspace, the ledger and the network are in memory.
import type { Json, JsonObject } from '../model/json.ts';
import { valueAt } from '../model/json.ts';
import type { Outcome } from '../model/plan/outcome.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Workspace } from '../model/workspace.ts';
import { initLedger } from '../ledger/by-hand.ts';
import { memoryStore } from '../ledger/memory-store.ts';
import { API_KEY } from '../sandbox/core/http/credentials.ts';
import { parseFaults } from '../sandbox/core/http/faults.ts';
import type { OpenSandbox } from '../sandbox/server.ts';
import { openSandbox as startSandbox } from '../sandbox/server.ts';
import { applyWorkspace } from '../usecases/apply/apply.ts';
import { ledgerOptions } from '../usecases/ledger.ts';
import { planWorkspace } from '../usecases/plan/plan.ts';
import type { Session } from '../usecases/session.ts';
import { inProcess } from './in-process.ts';
import type { Program } from './program.ts';
import { readProgramHere, stopAtErrors } from './program.ts';

/** The account that every scenario of the sandbox has: it stands in for that of the program. */
const ACCOUNT = 'acc-acme';
const BASE_URL = 'http://127.0.0.1:1';
const STATUS_FAULT = /^[1-5]\d\d(?=@|:|$)/;

export interface SandboxOptions {
  /** What is in the account before: a scenario of `hostwright sandbox`, such as `small`, `mail` or `sites:50`. */
  readonly scenario?: string;
  /** Whose manifests are taken. Needed where the program has several accounts; the sandbox's account stands in for it. */
  readonly account?: string;
  /** Accidents as `hostwright sandbox --faults` takes them; `429@3` is short for `status-before:429@3`. */
  readonly faults?: readonly string[];
  /** Values of secrets, by the name of their variable or file. A secret without one has a made-up value. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Ceilings that beat those of the account's `guards`. */
  readonly allowDeletes?: number;
  readonly allowCharges?: number;
  /** `15.00 EUR` */
  readonly maxSpend?: string;
}

export interface Applied {
  /** What became of the plan, as `apply --json` tells it. */
  readonly outcome: Outcome;
  /** What was planned before; absent where nothing could be. */
  readonly plan?: Plan;
  /** The plan after it, without accidents: empty where everything was done. */
  readonly again: Plan;
}

/** An account that several programs are planned and applied against, one after the other. */
export interface SandboxAccount {
  /** The plan of a program; throws where none can be made. */
  readonly plan: (app: Program) => Promise<Plan>;
  /** Applies a program, as if every question were answered with yes, and plans once more. */
  readonly apply: (app: Program) => Promise<Applied>;
  /** Everything that is in the account by now, as the simulated platform keeps it. */
  readonly state: () => unknown;
}

/** Opens an account that lasts: what a change of a program does to what the program made before. */
export function openSandbox(options: SandboxOptions = {}): SandboxAccount {
  const { scenario, account, faults = [] } = options;
  const sandbox = startSandbox({
    ...(scenario !== undefined && { scenario }),
    faults: parseFaults(faults.map((fault) => fault.replace(STATUS_FAULT, 'status-before:$&')).join(',')),
  });
  const sessionFor = sessionsOf(sandbox, options);
  return {
    plan: async (app) => planned(await sessionFor(readProgramHere(app, account)), options),
    apply: async (app) => {
      const session = await sessionFor(readProgramHere(app, account));
      const { outcome, plan } = await applyWorkspace(session, {
        ...guardsIn(options),
        confirm: () => Promise.resolve('asked'),
      });
      sandbox.setFaults([]);
      return { outcome, ...(plan !== undefined && { plan }), again: await planned(session, options) };
    },
    state: () => sandbox.snapshot(),
  };
}

/** The plan of a program against a new sandbox; throws where none can be made. */
export async function planInSandbox(app: Program, options: SandboxOptions = {}): Promise<Plan> {
  return openSandbox(options).plan(app);
}

/** Applies a program to a new sandbox, as if every question were answered with yes, and plans once more. */
export async function applyInSandbox(app: Program, options: SandboxOptions = {}): Promise<Applied> {
  return openSandbox(options).apply(app);
}

async function planned(session: Session, options: SandboxOptions): Promise<Plan> {
  const { plan, diagnostics } = await planWorkspace(session, { guards: guardsIn(options) });
  stopAtErrors(diagnostics);
  if (plan === undefined) throw new Error('No plan could be made.');
  return plan;
}

function guardsIn({ allowDeletes, allowCharges, maxSpend }: SandboxOptions) {
  return {
    ...(allowDeletes !== undefined && { allowDeletes }),
    ...(allowCharges !== undefined && { allowCharges }),
    ...(maxSpend !== undefined && { maxSpend }),
  };
}

/** Sessions of one account: each with the manifests of its program, all with the same ledger. */
function sessionsOf(
  sandbox: OpenSandbox,
  { secrets = {} }: SandboxOptions,
): (program: ReturnType<typeof readProgramHere>) => Promise<Session> {
  const store = memoryStore();
  // The sites of the scenario are not declared by the program under test.
  const inherited = [...sandbox.state.sites.keys()];
  let runs = 0;
  let isBegun = false;
  return async ({ documents, spec }) => {
    const workspace = workspaceOf(spec, inherited);
    const session: Session = {
      cwd: workspace.root,
      overrides: {},
      token: API_KEY,
      clock: sandbox.clock,
      emit: () => undefined,
      stop: new AbortController().signal,
      concurrency: 16,
      timeoutMs: 60_000,
      stdin: () => Promise.resolve(new Uint8Array()),
      env: () => undefined,
      transport: inProcess(sandbox),
      runtime: {
        hostname: 'test',
        pid: process.pid,
        user: 'test',
        random: () => 0.5,
        uuid: () => `run-${(runs += 1)}`,
      },
      inMemory: {
        workspace,
        documents,
        store,
        resolveSecret: (secret) => {
          const [name = ''] = Object.values(secret);
          return Object.hasOwn(secrets, name) ? secrets[name] : `Made-up-4-${name}`;
        },
      },
    };
    // Without a ledger that counts as complete nothing is bought.
    if (!isBegun)
      stopAtErrors((await initLedger(ledgerOptions(session, workspace, session.runtime.uuid()))).diagnostics);
    isBegun = true;
    return session;
  };
}

/** What the account says of guards counts; where anything is kept does not. */
function workspaceOf(spec: JsonObject, dismissed: readonly string[]): Workspace {
  const numberAt = (pointer: string): number => {
    const value: Json | undefined = valueAt(spec, pointer);
    return typeof value === 'number' ? value : 0;
  };
  const [amount, currency] = [valueAt(spec, '/guards/maxSpend/amount'), valueAt(spec, '/guards/maxSpend/currency')];
  return {
    root: '/',
    account: ACCOUNT,
    baseUrl: BASE_URL,
    manifests: [],
    ledger: { file: 'memory' },
    guards: {
      allowDeletes: numberAt('/guards/allowDeletes'),
      allowCharges: numberAt('/guards/allowCharges'),
      ...(typeof amount === 'string' && typeof currency === 'string' && { maxSpend: `${amount} ${currency}` }),
    },
    dismissed,
    secrets: { env: [], files: [], keep: [] },
  };
}
