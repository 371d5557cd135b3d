// Which live registration a person means, by its name; no manifest is read. And how one is waited for while its
// registrar works on it.
import { diagnose } from '../../model/diagnostic.ts';
import { canonicalHostname } from '../../model/hostname.ts';
import type { JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt, textAt } from '../../model/kind/rows.ts';
import { didYouMean, quote } from '../../model/format.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { OpenAccount } from '../contact/open-account.ts';
import { withAccount } from '../contact/open-account.ts';
import { createAccountReader } from '../get/account-reader.ts';
import type { Session } from '../session.ts';
import type { Ending, SiteResult } from '../site/open-site.ts';

/** A live registration: its row, as the list shows it, and its path. */
export interface OpenRegistration extends OpenAccount {
  readonly name: string;
  readonly row: JsonObject;
  readonly id: string;
  readonly path: string;
}

/** Finds the registration and lets `use` work on it. Resolves for everything but our own bugs. */
export function withRegistration<Value>(
  session: Session,
  wanted: string,
  use: (registration: OpenRegistration) => Promise<Ending<Value>>,
): Promise<SiteResult<Value>> {
  return withAccount(session, async (account): Promise<Ending<Value>> => {
    const rows = await createAccountReader(account.client, account.workspace.account).list('registrations');
    const row = rows.find((one) => typeof one.name === 'string' && isCalled(one.name, wanted));
    if (row === undefined) return noSuch(wanted, rows);
    const name = textAt(row, '/name');
    const id = textAt(row, '/id');
    const path = `/api/domain_registrations/${encodeURIComponent(id)}`;
    return use({ ...account, label: name, name, row, id, path });
  });
}

/** The registration as its own page shows it; undefined where the account no longer has it. */
export async function readRegistration({
  client,
  path,
}: Pick<OpenRegistration, 'client' | 'path'>): Promise<JsonObject | undefined> {
  let answer;
  try {
    answer = await client.read(path);
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return undefined;
    throw error;
  }
  const inner = valueAt(answer, '/domain_registration');
  return objectAt(isJsonObject(inner) ? inner : answer);
}

function isCalled(name: string, wanted: string): boolean {
  return canonicalHostname(name) === canonicalHostname(wanted);
}

function noSuch(wanted: string, rows: readonly JsonObject[]): Ending<never> {
  const names = rows.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const detail = `The account has no registration ${quote(wanted)}.${didYouMean(wanted, names)} Whether somebody can buy it is told by \`hostwright registration check ${wanted}\`.`;
  return {
    outcome: 'error',
    diagnostics: [diagnose('HW4583', detail)],
  };
}
