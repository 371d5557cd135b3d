// Whether an object that a list still shows is gone: by one read, whose error answer says so.
import type { Kind } from '../model/kind/kind.ts';
import { ApiError } from '../platform/api-error.ts';
import type { Client } from '../platform/http.ts';

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
