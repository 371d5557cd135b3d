// What the entries of the credentials file give to this process.
import { homedir } from 'node:os';
import type { Credentials, CredentialsOptions } from '../usecases/credentials/credentials.ts';
import { createCredentials } from '../usecases/credentials/credentials.ts';
import type { Context } from './context.ts';

/** Credentials by the entries of one file. Nothing is read before it is asked for. */
export function openCredentials(
  { env, clock, stop, learnt }: Context,
  place: CredentialsOptions['place'],
  programEnv: CredentialsOptions['programEnv'],
): Credentials {
  return createCredentials({
    place,
    programEnv,
    env: (name) => env[name],
    home: env.HOME || homedir(),
    clock,
    stop,
    onValue: (value) => learnt.add(value),
  });
}
