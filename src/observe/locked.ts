// Whether nothing can be done with an object that its list shows as any other: by one read below it, whose refusal says
// so.
import type { Blocker, Kind } from '../model/kind/kind.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Client } from '../platform/http.ts';
import { unreadAfter } from './unread.ts';

/**
 * Why nothing can be done with the object; null where the read does not say so. Rejects only for a refused credential
 * and our own bugs.
 */
export async function whyLocked(
  { path }: NonNullable<Kind['capabilities']['probe']>,
  id: string,
  client: Pick<Client, 'read'>,
): Promise<Blocker | null> {
  try {
    await client.read(path(id));
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind === 'unauthorised') throw error;
    const why = unreadAfter(error);
    return why !== undefined && why.state !== 'deferred' ? (why.root ?? null) : null;
  }
}
