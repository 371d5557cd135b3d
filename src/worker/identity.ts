// Who has an identity: the process that was started last with it. The one before it is gone, as whoever starts them declares;
// where that is not so, it finds itself replaced here, and ends.
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose } from '../model/diagnostic.ts';
import type { Ask } from './database.ts';

export interface Identity {
  readonly name: string;
  /** Told apart from any other process. */
  readonly instance: string;
  readonly host: string;
}

export const IDENTITY_TABLE = `CREATE TABLE IF NOT EXISTS hostwright.worker (
  identity text PRIMARY KEY, instance text NOT NULL, host text NOT NULL, since timestamptz NOT NULL)`;

export async function claimIdentity(ask: Ask, { name, instance, host }: Identity): Promise<void> {
  await ask(
    `INSERT INTO hostwright.worker AS known (identity, instance, host, since) VALUES ($1, $2, $3, now())
     ON CONFLICT (identity) DO UPDATE
       SET instance = excluded.instance, host = excluded.host, since = excluded.since`,
    [name, instance, host],
  );
}

/** What there is to say when another process has it by now. */
export async function findReplaced(ask: Ask, { name, instance }: Identity): Promise<Diagnostic | undefined> {
  const { rows } = await ask('SELECT host, since FROM hostwright.worker WHERE identity = $1 AND instance <> $2', [
    name,
    instance,
  ]);
  const [other] = rows as readonly { readonly host: string; readonly since: Date }[];
  if (other === undefined) return undefined;
  return diagnose(
    'HW7142',
    `A worker on ${other.host} was started as ${name} at ${other.since.toISOString()}, while this one ran under that name. It takes over the locks of this one, so this one ends. Give each worker an identity of its own, or none.`,
  );
}
