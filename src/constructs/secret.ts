// Where a secret comes from. Its value is in no program: it is read when the manifest is applied, where the workspace
// file allows it.

/** A secret in an environment variable. */
export interface SecretFromEnv {
  readonly env: string;
  readonly rotate?: string;
}

/** A secret in a file. */
export interface SecretFromFile {
  readonly file: string;
  readonly rotate?: string;
}

/** A secret that an entry of the credentials file gives: a command, a file or a variable. */
export interface SecretFromEntry {
  readonly entry: string;
  readonly rotate?: string;
}

interface Rotation {
  /** Any word. Where it changes, the secret is written again. */
  readonly rotate: string;
}

/** Names where a secret comes from. */
export const secret = {
  /** The environment variable of this name when the manifest is applied. List it under `secrets.env` of the workspace file. */
  env(name: string, rotation?: Rotation): SecretFromEnv {
    return { env: name, ...(rotation !== undefined && { rotate: rotation.rotate }) };
  },
  /** This file when the manifest is applied. List its folder under `secrets.files` of the workspace file. */
  file(path: string, rotation?: Rotation): SecretFromFile {
    return { file: path, ...(rotation !== undefined && { rotate: rotation.rotate }) };
  },
  /** This entry of the credentials file when the manifest is applied. List it under `secrets.entries` of the workspace file. */
  entry(name: string, rotation?: Rotation): SecretFromEntry {
    return { entry: name, ...(rotation !== undefined && { rotate: rotation.rotate }) };
  },
} as const;
