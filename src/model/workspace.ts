// What one workspace is: one account, one ledger, one lock, and what may be done without asking again. Tokens are never
// part of it.
import type { Notify } from './generated/workspace.ts';

/** Where the ledger is kept: one of these, with everything that the file leaves out filled in. */
export type LedgerSetting =
  /** Relative to the folder of the workspace file. */
  | { readonly file: string }
  | { readonly git: { readonly remote: string; readonly ref: string } }
  /** The environment variable that holds the address of the database, with its password; or an entry that gives it. */
  | { readonly postgres: { readonly env: string } | { readonly entry: string } };

export interface Workspace {
  /** Absolute folder of the workspace file; manifests, ledger and secret files are resolved from it. */
  readonly root: string;
  readonly account: string;
  readonly baseUrl: string;
  /** Globs relative to `root`. */
  readonly manifests: readonly string[];
  /** Folders of profiles and contacts that several workspaces of the repository read, relative to `root`. */
  readonly shared?: readonly string[];
  /** The folder of observed manifests, relative to `root`. Absent: nothing is compared but what is declared. */
  readonly observed?: string;
  readonly ledger: LedgerSetting;
  /** The workspace file says where the ledger is, as `init` writes it. Absent: the default place. */
  readonly namesLedger?: true;
  readonly guards: {
    readonly allowDeletes: number;
    readonly allowCharges: number;
    /** What may be spent at most, such as `15.00 EUR`. */
    readonly maxSpend?: string;
    /** What changes the account has to be reviewed, or agreed to by a person at a terminal. */
    readonly unreviewed?: 'refuse';
  };
  /** Ids of unbound paid objects and orders that block no purchase. Absent: none. */
  readonly dismissed?: readonly string[];
  /** The environment variable that holds the token of this account. Absent: HOSTWRIGHT_TOKEN. */
  readonly credentialEnv?: string;
  /** The entry of the credentials file that the token of this account comes from. Absent: the environment has it. */
  readonly credentialEntry?: string;
  /** What the credential is, where the account wants that checked before the first write. */
  readonly credential?: {
    readonly type: 'session' | 'apiKey' | 'oauth' | 'system';
    readonly scopes?: readonly string[];
    readonly sendAs?: 'bearer' | 'raw';
  };
  /** Where the platform says that the task of an order has ended. */
  readonly callback?: {
    readonly url: string;
    /** The environment variable with the value of the header Authorization that it sends. */
    readonly authorization?: { readonly env: string };
  };
  /** Who gets a message when the state of the account changes. */
  readonly notify?: Notify;
  /** Where secrets may come from, and (`keep`) where those that the platform tells only once may be written to. */
  readonly secrets: {
    readonly env: readonly string[];
    readonly files: readonly string[];
    readonly keep: readonly string[];
    /** Entries of the credentials file that manifests may name. Absent: none. */
    readonly entries?: readonly string[];
    /** Public keys of age that kept files are encrypted to. Absent: they are not encrypted. */
    readonly recipients?: readonly string[];
    /** Entries of the credentials file whose commands may be given what is told only once. Absent: none. */
    readonly sinks?: readonly string[];
  };
  /** In CI each plan is carried out on a copy of the account before it is shown. */
  readonly rehearse?: true;
  /** The program that declares the manifests, where there is one. */
  readonly synth?: {
    /** Relative to `root`. */
    readonly program?: string;
    /** The folder that its YAML is written to, relative to `root`. */
    readonly out?: string;
    /** Variables that it is given. */
    readonly env?: readonly string[];
  };
}
