// The one comment on a pull request (a note on a merge request) that a workspace has for each command: made once, then written over. Whether it was
// made is found out by looking, never by trying again: an answer may be lost.
import { forgeError } from './client.ts';
import type { Forge } from './forge.ts';
import type { Sticky } from './sticky.ts';
import { isSticky, normal } from './sticky.ts';

export interface Written {
  readonly did: 'created' | 'updated' | 'unchanged';
  readonly url: string;
  readonly number: number;
  /** Who the forge says wrote it. */
  readonly author: string;
}

/** How a comment is found, and whether one is made where there is none. */
interface Kind extends Pick<Sticky, 'what' | 'key'> {
  readonly onlyOver?: boolean;
}

const TRIES = 3;
/** The sticky line at the end of a text. */
const LAST_LINE = /\n<!--[^\n]*-->$/;

/**
 * `text` ends with its sticky line. undefined: there is none to write over, and none is wanted. Throws what the forge
 * answers.
 */
export async function putComment(
  forge: Forge,
  pull: number,
  text: string,
  { what, key, onlyOver = false }: Kind,
): Promise<Written | undefined> {
  const body = forge.safe(text);
  return tryMaking(async () => {
    const comments = await forge.comments(pull);
    const mine = comments.find(({ body: found, author }) => author === forge.author && isSticky(found, what, key));
    if (mine === undefined && onlyOver) return undefined;
    if (mine === undefined) {
      const { url, author } = await forge.addComment(pull, body);
      return { did: 'created', url, number: pull, author: author ?? '' };
    }
    const written = { url: mine.url, number: pull, author: forge.author };
    const isSame = normal(mine.body) === body;
    if (isSame && (await forge.historyOf(mine)).byOther === undefined) return { did: 'unchanged', ...written };
    // What another changed approves nothing until it is ours again, and a forge takes an equal text for no change.
    await forge.setComment(pull, mine, mine.body === body ? body.replace(LAST_LINE, '\n$&') : body);
    return { did: 'updated', ...written };
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
