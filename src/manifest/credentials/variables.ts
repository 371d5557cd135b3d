// The one list of variables that contain a credential, by name and by the shape of the name. Output is redacted of their
// values, and a program that declares manifests does not run next to one.

interface CredentialVariables {
  /** The whole name, in whatever letter case: Windows tells none apart. */
  readonly name: RegExp;
  /** What they open, in words for a message. */
  readonly opens: string;
  /** Returns the secret parts of a value. Absent: all of it. */
  readonly secretsOf?: (value: string) => readonly string[];
  /** The value is the path of a socket or a file: no secret itself, and out of reach in a sandbox that hides both. */
  readonly isPath?: true;
}

const CREDENTIALS: readonly CredentialVariables[] = [
  { name: /^HOSTWRIGHT_(?:READ_)?TOKEN(?:_\w+)?$/i, opens: 'the hosting platform' },
  { name: /^HOSTWRIGHT_DATABASE_URL\w*$/i, opens: 'the database', secretsOf: ofAddress },
  { name: /^HOSTWRIGHT_HOOK_\w+$/i, opens: 'the receiver', secretsOf: ofHeaders },
  { name: /^HOSTWRIGHT_NOTIFY_\w+$/i, opens: 'notifications', secretsOf: (text) => [text, ...ofAddress(text)] },
  { name: /^(?:GITHUB|GH)(?:_ENTERPRISE)?_TOKEN$/i, opens: 'GitHub' },
  { name: /^ACTIONS_(?:ID_TOKEN_REQUEST|RUNTIME)_TOKEN$/i, opens: 'GitHub' },
  { name: /^GITLAB_(?:\w+_)?TOKEN$/i, opens: 'GitLab' },
  { name: /^CI_(?:JOB_TOKEN|JOB_JWT\w*|BUILD_TOKEN|\w+_PASSWORD)$/i, opens: 'GitLab' },
  { name: /^CI_REPOSITORY_URL$/i, opens: 'GitLab', secretsOf: ofAddress },
  { name: /^(?:GITEA|FORGEJO|BITBUCKET|CIRCLE|SYSTEM)_?(?:ACCESS_?)?TOKEN$/i, opens: 'the forge' },
  { name: /^(?:NPM|NODE_AUTH)_TOKEN$/i, opens: 'the package registry' },
  { name: /^PGPASSWORD$/i, opens: 'the database' },
  { name: /^(?:VAULT|OP_SERVICE_ACCOUNT)_TOKEN$/i, opens: 'the store of secrets' },
  { name: /^SOPS_AGE_KEY$/i, opens: 'the store of secrets' },
  { name: /^AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN)$/i, opens: 'the cloud' },
  { name: /^(?:AZURE|ARM)_CLIENT_SECRET$/i, opens: 'the cloud' },
  { name: /^(?:HTTPS?|ALL)_PROXY$/i, opens: 'the proxy', secretsOf: ofAddress },
  { name: /_SOCK$|^KUBECONFIG$/i, opens: 'what it names', secretsOf: () => [], isPath: true },
  { name: /(?:^|_)(?:TOKEN|KEY|SECRET|PASSWORD|AUTH_CONFIG)$/i, opens: 'a service' },
];

export type Environment = Readonly<Record<string, string | undefined>>;

export interface FoundCredential {
  readonly name: string;
  readonly opens: string;
  /** Empty for a path. */
  readonly secrets: readonly string[];
  readonly isPath: boolean;
}

/** The credentials that an environment holds, by the names of their variables. */
export function credentialsIn(env: Environment): readonly FoundCredential[] {
  return Object.entries(env).flatMap(([name, value]): readonly FoundCredential[] => {
    const text = value?.trim() ?? '';
    const known = text === '' ? undefined : CREDENTIALS.find((one) => one.name.test(name));
    if (known === undefined) return [];
    const secrets = known.secretsOf?.(text) ?? [text];
    const { opens, isPath = false } = known;
    return secrets.length === 0 && !isPath ? [] : [{ name, opens, secrets, isPath }];
  });
}

/** True for a variable that holds a credential, or whose name says that it holds one of something else. */
export function isCredentialName(name: string): boolean {
  return (
    CREDENTIALS.some((one) => one.name.test(name)) ||
    /(?:^|_)(?:TOKEN|PASSWORD|PASSWD|SECRET|CREDENTIALS?|(?:API|ACCESS|PRIVATE|SECRET)_?KEY)$/i.test(name)
  );
}

/** Of an address with a login: the address as a whole, and its password as it is written and as it is meant. */
function ofAddress(address: string): readonly string[] {
  const [, password = ''] = /^[\w+.-]+:\/\/[^/\s:@]*:([^/\s@]+)@/.exec(address) ?? [];
  return password === '' ? [] : [address, password, decoded(password)];
}

/** A header a line, and what stands behind its scheme: `Bearer`, `Basic`. */
function ofHeaders(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line) => [line, withoutScheme(line)]);
}

/** The value of a header Authorization without the word before it. */
export function withoutScheme(header: string): string {
  return header.trim().replace(/^[A-Za-z][\w-]*\s+/, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
