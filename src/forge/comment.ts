// The one comment on a pull request that a workspace has for each command: made once, then written over. Whether it was
// made is found out by looking, never by trying again: an answer may be lost.
import { forgeError, ONCE } from './client.ts';
import type { Forge } from './client.ts';
import type { Sticky } from './sticky.ts';
import { isSticky, normal } from './sticky.ts';

export interface Written {
  readonly did: 'created' | 'updated' | 'unchanged';
  readonly url: string;
  readonly number: number;
  /** Who GitHub says wrote it. */
  readonly author: string;
}

const TRIES = 3;

/** `text` ends with its sticky line. Throws what GitHub answers. */
export async function putComment(
  forge: Forge,
  pull: number,
  text: string,
  { what, key }: Pick<Sticky, 'what' | 'key'>,
): Promise<Written> {
  return tryMaking(async () => {
    const comments = await commentsOf(forge, pull);
    const mine = comments.find(({ body, user }) => user?.login === forge.author && isSticky(body, what, key));
    if (mine === undefined) {
      const { data } = await forge.client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...forge.at,
        issue_number: pull,
        body: text,
        ...ONCE,
      });
      return { did: 'created', url: data.html_url, number: pull, author: data.user?.login ?? '' };
    }
    const written = { url: mine.html_url, number: pull, author: forge.author };
    if (normal(mine.body ?? '') === text) return { did: 'unchanged', ...written };
    await forge.client.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
      ...forge.at,
      comment_id: mine.id,
      body: text,
    });
    return { did: 'updated', ...written };
  });
}

/** All comments on a pull request or an issue, the oldest first. */
export async function commentsOf({ client, at }: Forge, number: number) {
  return client.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...at,
    issue_number: number,
    per_page: 100,
  });
}

/** Looks, then makes; when the answer is lost, looks again. */
export async function tryMaking<Made>(make: () => Promise<Made>): Promise<Made> {
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await make();
    } catch (error) {
      const status = forgeError(error)?.status ?? 0;
      if (left === 0 || status < 500) throw error;
    }
  }
}
