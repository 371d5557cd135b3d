// What a process of the provider knows once it is configured: the account, how it is reached, and what was read in it.
import type { Address } from '../model/address.ts';
import { rootOf } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, hasErrors } from '../model/diagnostic.ts';
import type { Json } from '../model/json.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import { MISSING_LEDGER } from '../model/plan/ledger-view.ts';
import type { LedgerSetting, Workspace } from '../model/workspace.ts';
import { bareWorkspace } from '../usecases/workspace-file.ts';
import { connect } from '../usecases/connect.ts';
import type { RootAccess } from '../usecases/one-root/live-root.ts';
import type { Session } from '../usecases/session.ts';
import { completeLedgerOf, ledgerOf, ledgerPlace, openWorkspaceLedger, viewLedger } from '../usecases/ledger.ts';
import { openMemoryLedger } from '../usecases/one-root/memory-ledger.ts';
import type { Snapshot } from '../usecases/one-root/snapshot.ts';
import type { CountPlan } from './guards.ts';
import { createGuards, guardsIn } from './guards.ts';
import type { Claims } from './claims.ts';
import { createClaims } from './claims.ts';
import type { Value, ValueObject } from './value/cty.ts';
import { hasUnknown, isObject } from './value/convert.ts';

/** What the environment gives where the configuration says nothing. */
export interface Surroundings {
  readonly account?: string;
  readonly apiUrl?: string;
  /** Ceilings, by the attributes of `guards`. */
  readonly guards?: Readonly<Record<string, string | undefined>>;
}

type Ledger = NonNullable<Awaited<ReturnType<typeof openWorkspaceLedger>>['ledger']>;
type Client = Extract<Awaited<ReturnType<typeof connect>>, { readonly client: unknown }>['client'];

export interface Configured {
  /** What tells this build of the provider from others: another one may see something else in the same answers. */
  readonly engine: string;
  readonly session: Session;
  readonly workspace: Workspace;
  readonly client: Client;
  /** What the ceilings of the provider block have to say to a plan. */
  readonly count: CountPlan;
  /** Which resource is about what. */
  readonly claims: Claims;
  /** The managed values of resources that this process has read and found as declared, by `resourceKey`: they are valid. */
  readonly inSync: Map<string, ValueObject>;
  /** Hostnames that a resource which was planned before detaches, and its address. */
  readonly leaving: Map<string, string>;
  /**
   * Applies a root while nobody else in this process has the locks; see `Action.locks`. What it has begun is no
   * obstacle to the plan of another one: that waits for the locks.
   */
  readonly locked: <Result>(
    root: Address,
    locks: readonly string[],
    work: (release: Release) => Promise<Result>,
  ) => Promise<Result>;
  /** The ledger for one run, and how it is given back. Without a ledger: one that begins with what is remembered. */
  readonly openLedger: (
    remembered: Snapshot | undefined,
  ) => Promise<OpenLedger | { readonly diagnostics: readonly Diagnostic[] }>;
  /** Gives back the lock of the ledger. */
  readonly close: () => Promise<void>;
  /** Reads through answers that are kept: all resources of a walk see the same account. */
  readonly access: () => RootAccess;
  /** What was read is out of date. */
  readonly forget: () => void;
}

export interface OpenLedger {
  readonly ledger: Ledger;
  readonly close: () => Promise<void>;
}

/** What can be seen of a provider block before anything is asked. What is not known yet is not looked at. */
export function checkProvider(values: ValueObject): readonly Diagnostic[] {
  const { token, credential_entry: entry = null, ledger } = values;
  const found: Diagnostic[] = [];
  const refuse = (attribute: string, detail: string): void =>
    void found.push({ ...diagnose('HW7013', detail), pointer: `/${attribute}` });
  if (typeof token === 'string') {
    if (!/^[\x21-\x7e]+$/.test(token))
      refuse(
        'token',
        '`token` is empty, or has white space, control characters or letters outside ASCII: no header can carry it. Give the token alone.',
      );
    if (entry !== null) refuse('token', 'Give one of `token` and `credential_entry`.');
  }
  if (isObject(ledger)) {
    const said = PLACES.filter((place) => (ledger[place] ?? null) !== null);
    const names = PLACES.map((place) => `\`${place}\``).join(', ');
    if (said.length === 0) refuse('ledger', `\`ledger\` does not say where the ledger is. Give one of ${names}.`);
    if (said.length > 1)
      refuse(
        'ledger',
        `\`ledger\` says ${said.length} places: ${said.map((place) => `\`${place}\``).join(' and ')}. Give one of them.`,
      );
    if (isObject(ledger.postgres) && (ledger.postgres.env ?? null) !== null && (ledger.postgres.entry ?? null) !== null)
      refuse('ledger', 'Give one of `env` and `entry` in `ledger.postgres`.');
  }
  return found;
}

/** Where a ledger can be. */
const PLACES = ['file', 'git', 'postgres'] as const;

/** What messages call the place of a token that the provider block has. */
const TOKEN = '`token` of the provider block';

/** The account as the configuration and the environment name it, or what is missing. */
export async function configure(
  given: Session,
  values: ValueObject,
  surroundings: Surroundings,
  engine = '',
): Promise<Configured | { readonly diagnostics: readonly Diagnostic[] }> {
  // Taken from the environment instead, another account could be meant.
  const unknown = Object.keys(values).filter((name) => hasUnknown(values[name] ?? null));
  const account = textIn(values.account) ?? surroundings.account ?? '';
  const apiUrl = textIn(values.api_url) ?? surroundings.apiUrl ?? '';
  const token = textIn(values.token);
  const missing = [
    ...unknown.map((name) =>
      diagnose(
        'HW7013',
        `\`${name}\` is not known yet: it comes from what only an apply makes. Take it from a variable or an ephemeral resource, or apply what it comes from first, with \`-target\`.`,
      ),
    ),
    ...(account === '' && !unknown.includes('account')
      ? [
          diagnose(
            'HW7013',
            'It is not said which account is meant. Set `account` in the provider block, or the environment variable HOSTWRIGHT_ACCOUNT.',
          ),
        ]
      : []),
    ...(apiUrl === '' && !unknown.includes('api_url')
      ? [
          diagnose(
            'HW7013',
            'It is not said where the API is. Set `api_url` in the provider block, or the environment variable HOSTWRIGHT_API_URL.',
          ),
        ]
      : []),
  ];
  const { guards, diagnostics: strange } = guardsIn(values.guards, surroundings.guards ?? {});
  if (missing.length + strange.length > 0) return { diagnostics: [...missing, ...strange] };
  const bare = bareWorkspace(given.cwd, account, apiUrl.replace(/\/+$/, ''));
  const place = ledgerIn(values.ledger);
  const isBegun = isObject(values.ledger) && values.ledger.create === true;
  const entry = textIn(values.credential_entry);
  const workspace: Workspace = {
    ...bare,
    ...(place !== undefined && { ledger: place }),
    guards: { ...bare.guards, ...guards },
    secrets: secretsIn(values.secrets),
    ...(entry !== undefined && { credentialEntry: entry }),
    ...(token !== undefined && { credentialEnv: TOKEN }),
  };
  const session: Session = token === undefined ? given : { ...given, tokenNamed: () => token };
  const connection = await connect(session, workspace);
  if ('error' in connection) return { diagnostics: [withAttribute(connection.error)] };
  const { client } = connection;
  let answers = new Map<string, Promise<Json>>();
  const read: Client['read'] = (path, ...options) => {
    const answer = answers.get(path) ?? client.read(path, ...options);
    answers.set(path, answer);
    return answer;
  };
  const found =
    place === undefined
      ? { view: { ...MISSING_LEDGER, standing: 'partial' as const, account }, diagnostics: [] }
      : await viewLedger(session, workspace);
  // A database has no tables before a ledger begins in it.
  const isNew = isBegun && found.diagnostics.some(({ code }) => code === 'HW7163');
  if (hasErrors(found.diagnostics) && !isNew) return { diagnostics: found.diagnostics };
  const { standing } = found.view;
  const view: LedgerView = isBegun ? { ...found.view, standing: 'complete', account } : found.view;
  // One for all runs of this process: they hold its lock together.
  let opened: ReturnType<typeof openWorkspaceLedger> | undefined;
  let shared: Ledger | undefined;
  const open = async (): ReturnType<typeof openWorkspaceLedger> => {
    const begun = isBegun && standing !== 'complete' ? await completeLedgerOf(session, workspace, standing) : [];
    return hasErrors(begun) ? { diagnostics: begun } : openWorkspaceLedger(session, workspace);
  };
  const locks = createLocks();
  const applied = new Set<Address>();
  const withoutApplied = (view: LedgerView): LedgerView =>
    applied.size === 0
      ? view
      : { ...view, inFlight: view.inFlight.filter(({ action }) => !applied.has(rootOf(action.address))) };
  return {
    engine,
    session,
    workspace,
    client,
    count: createGuards(workspace, {
      standing: view.standing,
      ...(place !== undefined && { place: ledgerPlace(session, workspace) }),
    }),
    claims: createClaims(),
    inSync: new Map(),
    leaving: new Map(),
    locked: async (root, names, work) => {
      applied.add(root);
      try {
        return await locks([root, ...names], work);
      } finally {
        applied.delete(root);
      }
    },
    access: () => ({
      session,
      workspace,
      client: { read, ask: client.ask },
      ledger: withoutApplied(shared?.view() ?? view),
      ...(place === undefined && { isWithoutLedger: true as const }),
    }),
    forget: () => {
      answers = new Map();
      client.forget();
    },
    openLedger: async (remembered) => {
      if (place === undefined) {
        const ledger = await openMemoryLedger(session, account, remembered);
        return { ledger, close: async () => void (await ledger.close()) };
      }
      const { ledger, diagnostics } = await (opened ??= open());
      if (ledger === undefined) {
        opened = undefined;
        return { diagnostics };
      }
      shared = ledger;
      return { ledger, close: () => Promise.resolve() };
    },
    close: async () => {
      await shared?.close();
      await client.close();
    },
  };
}

/** The provider block can have a token too. */
function withAttribute(error: Diagnostic): Diagnostic {
  return error.code === 'HW3002'
    ? { ...error, detail: `Set \`token\` in the provider block, or: ${error.detail}` }
    : error;
}

function textIn(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Where the ledger is; undefined: nowhere. */
function ledgerIn(value: Value | undefined): LedgerSetting | undefined {
  if (!isObject(value)) return undefined;
  const { file, git, postgres } = value;
  const texts = (object: ValueObject): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  if (typeof file === 'string') return ledgerOf({ file });
  if (isObject(git)) return ledgerOf({ git: texts(git) });
  return isObject(postgres) ? ledgerOf({ postgres: texts(postgres) }) : undefined;
}

function secretsIn(value: Value | undefined): Workspace['secrets'] {
  const listed = (name: string): readonly string[] => {
    const list = isObject(value) ? value[name] : undefined;
    return Array.isArray(list) ? (list as readonly Value[]).filter((one) => typeof one === 'string') : [];
  };
  return {
    ...{ env: listed('env'), files: listed('files'), keep: listed('keep') },
    ...{ entries: listed('entries'), recipients: listed('recipients'), sinks: listed('sinks') },
  };
}

/** Gives locks back before the work has ended. */
type Release = (names: readonly string[]) => void;

/**
 * Runs work under named locks, in the order in which it was asked for: resources that are applied side by side must not do
 * the same at once. Between processes it is the ledger's lock that does this.
 */
function createLocks(): <Result>(
  names: readonly string[],
  work: (release: Release) => Promise<Result>,
) => Promise<Result> {
  const last = new Map<string, Promise<void>>();
  return async (names, work) => {
    const before = [...new Set(names)].flatMap((name) => last.get(name) ?? []);
    const held = new Map<string, () => void>();
    for (const name of new Set(names)) last.set(name, new Promise<void>((resolve) => void held.set(name, resolve)));
    const release: Release = (given) => {
      for (const name of given) held.get(name)?.();
    };
    await Promise.all(before);
    try {
      return await work(release);
    } finally {
      release(names);
    }
  };
}
