// The one issue that tells of drift: opened when something differs, written over only when its text is another, closed
// with a word when nothing differs any more.
import { ONCE } from './client.ts';
import type { Forge } from './client.ts';
import type { Written } from './comment.ts';
import { forgeError } from './client.ts';
import { tryMaking } from './comment.ts';
import { isSticky, normal } from './sticky.ts';

export interface IssueText {
  readonly title: string;
  readonly label: string;
  readonly key: string;
  /** Ends with its sticky line. */
  readonly text: string;
}

export type IssueWritten = Omit<Written, 'did'> & { readonly did: Written['did'] | 'closed' };

/** Drift there is: the issue says so. Throws what GitHub answers. */
export async function openIssue(forge: Forge, { title, label, key, text }: IssueText): Promise<IssueWritten> {
  return tryMaking(async () => {
    const [mine] = await ownIssues(forge, label, key);
    if (mine === undefined) {
      await makeLabel(forge, label);
      const { data } = await forge.client.request('POST /repos/{owner}/{repo}/issues', {
        ...forge.at,
        title,
        body: text,
        labels: [label],
        ...ONCE,
      });
      return { did: 'created', url: data.html_url, number: data.number, author: data.user?.login ?? '' };
    }
    const written = { url: mine.html_url, number: mine.number, author: forge.author };
    if (normal(mine.body ?? '') === text && mine.title === title) return { did: 'unchanged', ...written };
    await forge.client.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
      ...forge.at,
      issue_number: mine.number,
      title,
      body: text,
    });
    return { did: 'updated', ...written };
  });
}

/** Drift is gone: whatever is open is closed, the reason beside it. undefined: none was open. */
export async function closeIssue(
  forge: Forge,
  { label, key, reason }: Pick<IssueText, 'label' | 'key'> & { readonly reason: string },
): Promise<IssueWritten | undefined> {
  let last: IssueWritten | undefined;
  for (const { number, html_url: url } of await ownIssues(forge, label, key)) {
    // Closed before the word is said: should the word be lost, the next run has nothing left to repeat.
    await forge.client.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
      ...forge.at,
      issue_number: number,
      state: 'closed',
      state_reason: 'completed',
    });
    await forge.client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...forge.at,
      issue_number: number,
      body: reason,
      ...ONCE,
    });
    last = { did: 'closed', url, number, author: forge.author };
  }
  return last;
}

/** The oldest first. A pull request is an issue too. */
async function ownIssues({ client, at, author }: Forge, label: string, key: string) {
  const issues = await client.paginate('GET /repos/{owner}/{repo}/issues', {
    ...at,
    state: 'open',
    labels: label,
    sort: 'created',
    direction: 'asc',
    per_page: 100,
  });
  return issues.filter(
    ({ body, user, pull_request }) =>
      pull_request === undefined && user?.login === author && isSticky(body, 'drift', key),
  );
}

async function makeLabel({ client, at }: Forge, name: string): Promise<void> {
  try {
    await client.request('GET /repos/{owner}/{repo}/labels/{name}', { ...at, name });
  } catch (error) {
    if (forgeError(error)?.status !== 404) throw error;
    await client.request('POST /repos/{owner}/{repo}/labels', {
      ...at,
      name,
      color: 'd93f0b',
      description: 'What is live is not as declared (Hostwright).',
      ...ONCE,
    });
  }
}
