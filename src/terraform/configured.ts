// What a process of the provider knows once it is configured: the account, how it is reached, and what was read in it.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Json } from '../model/json.ts';
import { MISSING_LEDGER } from '../model/plan/ledger-view.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { LedgerSetting, Workspace } from '../model/workspace.ts';
import { bareWorkspace } from '../workflow/bare-workspace.ts';
import { connect } from '../workflow/connect.ts';
import type { Access } from '../workflow/root/look.ts';
import type { Session } from '../workflow/session.ts';
import { problem } from './diagnostics.ts';
import type { Value, ValueObject } from './value/cty.ts';
import { isObject } from './value/convert.ts';

/** What the environment gives where the configuration says nothing. */
export interface Surroundings {
  readonly account?: string;
  readonly apiUrl?: string;
}

type Client = Extract<ReturnType<typeof connect>, { readonly client: unknown }>['client'];

export interface Configured {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly client: Client;
  /** Where the ledger is kept; absent: nowhere. */
  readonly ledger?: LedgerSetting;
  /** Reads through answers that are kept: all resources of a walk see the same account. */
  readonly access: () => Access;
  /** What was read is out of date. */
  readonly forget: () => void;
}

/** The account as the configuration and the environment name it, or what is missing. */
export function configure(
  session: Session,
  values: ValueObject,
  surroundings: Surroundings,
): Configured | { readonly diagnostics: readonly Diagnostic[] } {
  const account = textIn(values.account) ?? surroundings.account ?? '';
  const apiUrl = textIn(values.api_url) ?? surroundings.apiUrl ?? '';
  const missing = [
    ...(account === ''
      ? [
          problem(
            'HW7013',
            'The provider is not configured',
            'It is not said which account is meant. Set `account` in the provider block, or the environment variable HOSTWRIGHT_ACCOUNT.',
          ),
        ]
      : []),
    ...(apiUrl === ''
      ? [
          problem(
            'HW7013',
            'The provider is not configured',
            'It is not said where the API is. Set `api_url` in the provider block, or the environment variable HOSTWRIGHT_API_URL.',
          ),
        ]
      : []),
  ];
  if (missing.length > 0) return { diagnostics: missing };
  const bare = bareWorkspace(session.cwd, account, apiUrl.replace(/\/+$/, ''));
  const workspace: Workspace = {
    ...bare,
    guards: guardsIn(values.guards, bare.guards),
    secrets: secretsIn(values.secrets),
  };
  const connection = connect(session, workspace);
  if ('error' in connection) return { diagnostics: [connection.error] };
  const { client } = connection;
  let answers = new Map<string, Promise<Json>>();
  const read: Client['read'] = (path, ...options) => {
    const answer = answers.get(path) ?? client.read(path, ...options);
    answers.set(path, answer);
    return answer;
  };
  const view: LedgerView = { ...MISSING_LEDGER, standing: 'partial', account };
  return {
    session,
    workspace,
    client,
    access: () => ({ session, workspace, client: { read, ask: client.ask }, ledger: view }),
    forget: () => {
      answers = new Map();
      client.forget();
    },
  };
}

function textIn(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function guardsIn(value: Value | undefined, bare: Workspace['guards']): Workspace['guards'] {
  if (!isObject(value)) return bare;
  const { allow_deletes: deletes, allow_charges: charges, max_spend: spend } = value;
  return {
    allowDeletes: typeof deletes === 'number' ? deletes : bare.allowDeletes,
    allowCharges: typeof charges === 'number' ? charges : bare.allowCharges,
    ...(typeof spend === 'string' && { maxSpend: spend }),
  };
}

function secretsIn(value: Value | undefined): Workspace['secrets'] {
  const listed = (name: string): readonly string[] => {
    const list = isObject(value) ? value[name] : undefined;
    return Array.isArray(list) ? (list as readonly Value[]).filter((one) => typeof one === 'string') : [];
  };
  return { env: listed('env'), files: listed('files'), keep: listed('keep') };
}
