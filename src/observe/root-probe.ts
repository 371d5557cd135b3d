// What the list of roots does not show of one: that it is gone, or that nothing can be done with it. One read below it
// tells, by its error answer.
import type { Blocker, Kind } from '../model/kind/kind.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Client } from '../platform/http.ts';
import { unreadAfter } from './unread.ts';

/** True when the kind's probe says that it is gone. Rejects only for a refused credential and our own bugs. */
export async function isGone({ capabilities }: Kind, id: string, client: Pick<Client, 'read'>): Promise<boolean> {
  if (capabilities.probe === undefined) return false;
  const { path, gone } = capabilities.probe;
  try {
    await client.read(path(id));
    return false;
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind === 'unauthorised') throw error;
    return gone.some(({ status, code }) => status === error.status && (code === undefined || code === error.code));
  }
}

/**
 * Why nothing can be done with an object that its list shows as any other, by one read below it; null where the read
 * does not say so. Rejects only for a refused credential and our own bugs.
 */
export async function whyFrozen(
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
