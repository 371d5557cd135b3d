// The variables of the environment that each program is given. Variables of Hostwright itself, HOSTWRIGHT_TOKEN among
// them, are given to none.
import type { Environment } from './search-path.ts';

/** The reason to start a program. It selects the variables that the program is given. */
export type Purpose = keyof typeof VARIABLES;

const BASE =
  /^(?:HOME|USER|LOGNAME|LANG|TZ|TMPDIR|TEMP|TMP|SystemRoot|windir|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|ProgramData)$/i;
const GIT = /^(?:XDG_CONFIG_HOME|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/;
/** What SSH, credential helpers and proxies of the user need. GIT_CONFIG_COUNT and GIT_DIR are not among them. */
const GIT_REMOTE = [
  /^(?:SSH_(?:AUTH_SOCK|AGENT_PID|ASKPASS|ASKPASS_REQUIRE)|GIT_(?:ASKPASS|SSH|SSH_COMMAND|SSH_VARIANT))$/,
  /^(?:GIT_SSL_\w+|GIT_PROXY_SSL_\w+|GIT_HTTP_PROXY_AUTHMETHOD|SSL_CERT_(?:FILE|DIR)|CURL_CA_BUNDLE)$/,
  /^(?:HTTPS?|ALL|NO)_PROXY$/i,
  /^(?:XDG_(?:RUNTIME_DIR|CACHE_HOME|DATA_HOME)|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY)$/,
  /^(?:KRB5CCNAME|KRB5_CONFIG|GNUPGHOME|GPG_TTY|GCM_\w+|VSCODE_GIT_\w+)$/,
  /^(?:(?:GH|GITHUB)(?:_ENTERPRISE)?_TOKEN|GH_(?:HOST|CONFIG_DIR)|GITLAB_(?:TOKEN|HOST)|CI_(?:JOB_TOKEN|SERVER_HOST))$/,
  /^(?:AWS_\w+|CLOUDSDK_\w+|GOOGLE_APPLICATION_CREDENTIALS)$/,
];
/** Of a program outside of the repository that the user named: only the user knows which variables it reads. */
const ALL_BUT_OURS = /^(?!HOSTWRIGHT_)/i;

const VARIABLES = {
  /** Git, reading the repository. */
  git: [BASE, GIT],
  /** Git, talking to a remote: it starts ssh and the credential helpers of the user. */
  'git-remote': [BASE, GIT, ...GIT_REMOTE],
  /** A command of the credentials file, such as the client of a vault. */
  credential: [ALL_BUT_OURS],
  /** The program that a receiver hands its requests to. */
  dispatch: [ALL_BUT_OURS],
  /** A program that declares manifests, and the probe of its sandbox: nothing beyond what the workspace lists. */
  declare: [/^SystemRoot$/i],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>;

/** Returns the variables of an environment that a program with this purpose is given. The PATH is not among them. */
export function variablesFor(purpose: Purpose, env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined &&
      !/^path$/i.test(name) &&
      !/^HOSTWRIGHT_/i.test(name) &&
      VARIABLES[purpose].some((pattern) => pattern.test(name))
        ? [[name, value]]
        : [],
    ),
  );
}
