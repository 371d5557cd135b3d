// What the entries of the credentials file give to this process.
import { homedir } from 'node:os';
import type { Credentials } from '../workflow/credentials/credentials.ts';
import { createCredentials } from '../workflow/credentials/credentials.ts';
import type { Context } from './context.ts';
import { credentialsPlace, programEnvOf } from './settings.ts';

/** Credentials by the file that the environment names, or that of the user. Nothing is read before it is asked for. */
export function openCredentials({ env, clock, stop, learnt }: Context): Credentials {
  return createCredentials({
    place: credentialsPlace(env),
    programEnv: programEnvOf(env),
    env: (name) => env[name],
    home: env.HOME || homedir(),
    clock,
    stop,
    onValue: (value) => learnt.add(value),
  });
}
