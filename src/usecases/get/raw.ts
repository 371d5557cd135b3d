// `get --raw PATH`: one read as the platform answers it, for what no view shows.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { LISTS } from '../../areas/index.ts';
import type { Opened } from '../client.ts';
import { openAccount } from '../client.ts';
import type { Session } from '../session.ts';
import type { GetResult } from './get.ts';
import type { ListName } from '../../areas/views.ts';
import { createAccountReader } from './account-reader.ts';
import { namesSecret, withoutSecretsIn } from './secrets.ts';

export interface RawResult extends Omit<GetResult, 'shown' | 'cuts'> {
  /** What the platform answered, without secrets. Absent: nothing was read. */
  readonly answer?: Json;
}

/** Why a request is not sent; undefined for a read that may be. Nothing but a path of the platform's API is asked for. */
export function refusedRequest(path: string): Diagnostic | undefined {
  const pathname = /^\/api\/[^\s#\\]*$/.test(path) ? new URL(path, 'https://platform.invalid').pathname : undefined;
  if (pathname === undefined || pathname !== path.replace(/\?.*$/s, ''))
    return diagnose(
      'HW6578',
      'Write the path alone, as the documents of the platform do: `/api/sites`, `/api/orders?page=2`.',
    );
  if (pathname.split('/').some((segment) => namesSecret(segment, '')))
    return diagnose('HW6579', `\`${pathname}\` answers with nothing but a secret, and those are never shown (CNV-35).`);
  return undefined;
}

/** Reads a path that {@link refusedRequest} lets through. A list that is asked for without a query is read to its end. */
export function readPath(session: Session, path: string): Promise<RawResult> {
  const read = async (opened: Opened): Promise<RawResult> => {
    const list = (Object.keys(LISTS) as ListName[]).find((name) => LISTS[name].path().replace(/\?.*$/, '') === path);
    const reader = createAccountReader(opened);
    const answer: Json =
      list === undefined
        ? await reader.read(path)
        : ({ [LISTS[list].rows.slice(1)]: await reader.list(list) } satisfies JsonObject);
    return { outcome: 'done', answer: withoutSecretsIn(answer), diagnostics: [] };
  };
  return openAccount(session, read, { reads: true });
}
