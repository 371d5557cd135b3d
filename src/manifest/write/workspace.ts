// What stands in the files of a new workspace: the workspace file with every setting explained, and a first manifest
// that asks for nothing yet. A token never does.
import { stringify } from 'yaml';
import { DATABASE_VARIABLE, ledgerRefOf } from '../workspace.ts';

/** Where the ledger of a new workspace is kept. */
export type LedgerKind = 'file' | 'git' | 'postgres';

export interface NewWorkspace {
  readonly account: string;
  readonly baseUrl: string;
  readonly ledger: LedgerKind;
  readonly guards: {
    readonly allowDeletes: number;
    readonly allowCharges: number;
    /** `15.00 EUR` */ readonly maxSpend?: string;
  };
  /** Folders of profiles and contacts that other workspaces of the repository read too. */
  readonly shared?: readonly string[];
  /** A program declares the manifests. */
  readonly isProgram?: boolean;
  /** Where the schema for editors is, seen from the workspace's folder. */
  readonly schema: string;
}

/** Where a new workspace has its manifests. */
export const MANIFESTS = 'manifests';

const LEDGERS = {
  file: () =>
    '    # A file of this machine. Runs that share no disk, such as jobs in CI, need `git: {}`, `http:` or `postgres: {}` instead.\n    file: .hostwright/ledger.jsonl',
  git: (account: string) =>
    `    # A ref of its own on the remote, so that jobs in CI and people share it; no branch is touched.\n    git:\n      remote: origin\n      ref: ${ledgerRefOf(account)}`,
  postgres: () =>
    `    # A database that jobs in CI and people share. Its address comes from this environment variable; it is never in here.\n    postgres:\n      env: ${DATABASE_VARIABLE}`,
} as const;

const SYNTH = `  # The program that declares the manifests, and where \`hostwright synth\` writes them.
  synth: { program: hosting.ts, out: ${MANIFESTS} }
`;

/** The text of `hostwright.yaml`. */
export function workspaceText({
  account,
  baseUrl,
  ledger,
  guards,
  shared,
  isProgram = false,
  schema,
}: NewWorkspace): string {
  const [amount, currency] = guards.maxSpend?.split(' ') ?? [];
  const spend =
    amount === undefined
      ? '# maxSpend: { amount: "15.00", currency: EUR }'
      : `maxSpend:\n      amount: "${amount}"\n      currency: ${currency}`;
  return `${modeline(schema)}
# One account, one ledger, and what may be done without asking again. A token is never in here: it comes from HOSTWRIGHT_TOKEN.
apiVersion: hostwright/v1
kind: Workspace
spec:
  # The account that the manifests are about. --account and HOSTWRIGHT_ACCOUNT beat it.
  account: ${scalar(account)}
  # Where the platform's API is, without /api. --api-url and HOSTWRIGHT_API_URL beat it.
  baseUrl: ${scalar(baseUrl)}
  # Files, folders and globs of the manifests, seen from this folder.
  manifests: [${MANIFESTS}]
${isProgram ? SYNTH : ''}  # Folders of profiles and contacts that several workspaces of this repository read.
  ${shared === undefined ? '# shared: [../../shared]' : `shared: [${shared.map(scalar).join(', ')}]`}
  # What is bound to what, what is ours and what is in flight. It holds no secrets. Begun once, with \`hostwright ledger init\`.
  ledger:
${LEDGERS[ledger](account)}
  # Ceilings for one run; what would go beyond is refused (exit code 5) unless a flag of apply allows it.
  guards:
    allowDeletes: ${guards.allowDeletes}
    allowCharges: ${guards.allowCharges}
    ${spend}
  # The entry of the credentials file that the token comes from (a command or a file), where it is not in the environment.
  # credentialEntry: clients
  # What the credential is, so that what it may not do is said before the first write. \`hostwright doctor\` says what reads tell of it.
  # credential: { type: oauth, scopes: [sites:read, sites:write] }
  # The only places that manifests may take secrets from, and have credentials written to.
  # secrets: { env: [ALICE_PASSWORD], files: [secrets], keep: [credentials] }
`;
}

/** A manifest with nothing in it that is live: a shared setting that a site can take. */
export function emptyManifest(schema: string): string {
  return `${modeline(schema)}
# Nothing is managed yet. \`hostwright export\` writes down what is live; \`hostwright explain Site\` says what a manifest can hold.
# Settings that several sites share stand in a profile: a site takes them with \`profiles: [shared]\`, and by itself it asks for nothing.
apiVersion: hostwright/v1
kind: SiteProfile
metadata:
  name: shared
spec: {}
`;
}

/** A profile, and a site that takes it, written out as a comment: to be filled in. */
export function exampleManifest(schema: string): string {
  return `${modeline(schema)}
# Settings that several sites share. By itself a profile asks for nothing: a site takes it with \`profiles: [base]\`.
apiVersion: hostwright/v1
kind: SiteProfile
metadata:
  name: base
spec:
  caching:
    smartCache: true
    cacheExpiration: 3600
  cacheLayers:
    nginx: true
  edgeRules:
    - name: Force TLS
      action:
        type: ForceSSL
      triggers:
        - type: Url
          match: any
          patterns: ["http://*"]
---
# A site of the account: take the # away from the lines below, fill in its hostname, and look at what \`hostwright plan\` says. It is found by the
# hostname that it declares. What is not written here is left as it is; nothing is bought without an \`order:\` block.
#
# apiVersion: hostwright/v1
# kind: Site
# metadata: { name: shop }
# spec:
#   profiles: [base]
#   domains: [shop.example.com]
#   caching: { cacheExpiration: 600 }   # the site's own value beats the profile's
`;
}

/** A manifest that was made elsewhere, with the line that editors look for. */
export function withSchema(schema: string, text: string): string {
  return `${modeline(schema)}\n${text}`;
}

/** Tells editors which schema holds. */
function modeline(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}

/** As YAML reads it back: an id of digits is text. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd();
}
