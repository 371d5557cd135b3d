// The one issue that tells of drift: opened when something differs, written over only when its text is another, closed
// with a word when nothing differs any more.
import type { Written } from './comment.ts';
import { tryMaking } from './comment.ts';
import type { Forge, Issue } from './forge.ts';
import { isSticky, normal } from './sticky.ts';

export interface IssueText {
  readonly title: string;
  readonly label: string;
  readonly key: string;
  /** Ends with its sticky line. */
  readonly text: string;
}

export type IssueWritten = Omit<Written, 'did'> & { readonly did: Written['did'] | 'closed' };

/** Drift there is: the issue says so. Throws what the forge answers. */
export async function openIssue(forge: Forge, { title, label, key, text }: IssueText): Promise<IssueWritten> {
  const body = forge.safe(text);
  return tryMaking(async () => {
    const [mine] = await ownIssues(forge, label, key);
    if (mine === undefined) {
      const { url, number, author } = await forge.addIssue({ title, body, label });
      return { did: 'created', url, number, author: author ?? '' };
    }
    const written = { url: mine.url, number: mine.number, author: forge.author };
    if (normal(mine.body) === body && mine.title === title) return { did: 'unchanged', ...written };
    await forge.setIssue(mine, { title, body });
    return { did: 'updated', ...written };
  });
}

/** Drift is gone: whatever is open is closed, the reason beside it. undefined: none was open. */
export async function closeIssue(
  forge: Forge,
  { label, key, reason }: Pick<IssueText, 'label' | 'key'> & { readonly reason: string },
): Promise<IssueWritten | undefined> {
  let last: IssueWritten | undefined;
  for (const issue of await ownIssues(forge, label, key)) {
    // Closed before the word is said: should the word be lost, the next run has nothing left to repeat.
    await forge.closeIssue(issue);
    await forge.sayOnIssue(issue, reason);
    last = { did: 'closed', url: issue.url, number: issue.number, author: forge.author };
  }
  return last;
}

async function ownIssues(forge: Forge, label: string, key: string): Promise<readonly Issue[]> {
  const issues = await forge.openIssues(label);
  return issues.filter(({ body, author }) => author === forge.author && isSticky(body, 'drift', key));
}
