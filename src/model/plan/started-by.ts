// Who started a run: a job of a forge, a worker, or a person at a machine. The ledger keeps it with each run, and the lock
// of the ledger while the run goes on. It is for people and for the question whether a job has ended; nothing else rests
// on it, because whoever may write the ledger may write anything there.
import type { Json } from '../json.ts';
import { isJsonObject } from '../json.ts';

/** A job of GitHub Actions or of GitLab CI. */
export interface StartedByJob {
  readonly via: 'github' | 'gitlab';
  /** The address of the forge: `https://github.com`. */
  readonly server: string;
  /** `owner/name`; on GitLab the path of the project. */
  readonly repository: string;
  /** The number of the workflow run on GitHub, and of the job on GitLab. */
  readonly job: string;
  /** Which attempt of the workflow run. GitLab gives each attempt a job of its own. */
  readonly attempt?: string;
  /** Where a person reads its log. */
  readonly url: string;
  /** The login of whoever started it. */
  readonly actor: string;
  /** The commit that it ran for. */
  readonly commit: string;
  /** The pull requests whose reviews approved what was run. Absent: the command did not know of any. */
  readonly pulls?: readonly number[];
}

/** `worker`: `hostwright serve worker`. `local`: a command at a machine, or a job of a CI that is not known here. */
export interface StartedByProcess {
  readonly via: 'worker' | 'local';
  readonly user: string;
  readonly host: string;
  /** As of a job: where a plan was approved on a forge and is run elsewhere. */
  readonly pulls?: readonly number[];
}

export type StartedBy = StartedByJob | StartedByProcess;

/**
 * Who approved what a run carried out: the pull requests that the forge confirmed during the run, or the user who
 * answered the question at the terminal. A file that names a pull request is not an approval.
 */
export type ApprovedBy =
  | { readonly via: 'github' | 'gitlab'; readonly pulls: readonly number[] }
  | { readonly via: 'terminal'; readonly user: string; readonly host: string };

const JOB_TEXTS = ['server', 'repository', 'job', 'url', 'actor', 'commit'] as const;

export function isJob(by: StartedBy): by is StartedByJob {
  return by.via === 'github' || by.via === 'gitlab';
}

/** Returns true for a value that names who started a run. */
export function isStartedBy(value: Json | undefined): boolean {
  return parseStartedBy(value) !== undefined;
}

/** Returns true for a value that names who approved a run. */
export function isApprovedBy(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const { via, user, host, pulls } = value;
  if (via === 'terminal') return typeof user === 'string' && typeof host === 'string';
  return (
    (via === 'github' || via === 'gitlab') && Array.isArray(pulls) && pulls.every((one) => Number.isSafeInteger(one))
  );
}

/** What a ledger or a lock says; undefined for anything else. */
export function parseStartedBy(value: Json | undefined): StartedBy | undefined {
  if (!isJsonObject(value)) return undefined;
  const { via, attempt } = value;
  const pulls = Array.isArray(value.pulls)
    ? { pulls: value.pulls.filter((pull): pull is number => Number.isSafeInteger(pull)) }
    : {};
  if (via === 'worker' || via === 'local') {
    const { user, host } = value;
    return typeof user === 'string' && typeof host === 'string' ? { via, user, host, ...pulls } : undefined;
  }
  if ((via !== 'github' && via !== 'gitlab') || !JOB_TEXTS.every((key) => typeof value[key] === 'string'))
    return undefined;
  const texts = Object.fromEntries(JOB_TEXTS.map((key) => [key, value[key]])) as Record<
    (typeof JOB_TEXTS)[number],
    string
  >;
  return { via, ...texts, ...(typeof attempt === 'string' && { attempt }), ...pulls };
}

/** `alice, GitHub job https://..., commit 1a2b3c4d5e6f, pull request 12`; `alice on build-1`. */
export function describeStartedBy(by: StartedBy): string {
  const { pulls = [] } = by;
  if (!isJob(by)) {
    const who = `${by.via === 'worker' ? 'worker, ' : ''}${by.user}${by.host === '' ? '' : ` on ${by.host}`}`;
    return [who, ...pullWords(pulls, 'pull request')].join(', ');
  }
  const [forge, pull] = by.via === 'github' ? ['GitHub', 'pull request'] : ['GitLab', 'merge request'];
  return [by.actor, `${forge} job ${by.url}`, `commit ${by.commit.slice(0, 12)}`, ...pullWords(pulls, pull)].join(', ');
}

/** Returns `pull request 12 on GitHub`, or `alice on build-1 at the terminal`. */
export function describeApprovedBy(by: ApprovedBy): string {
  if (by.via === 'terminal') return `${by.user}${by.host === '' ? '' : ` on ${by.host}`} at the terminal`;
  const [forge, pull] = by.via === 'github' ? ['GitHub', 'pull request'] : ['GitLab', 'merge request'];
  return [...pullWords(by.pulls, pull), `on ${forge}`].join(' ');
}

/** A pull request of the job's repository: what it is called, and where it is. */
export function pullOf(
  { via, server, repository }: StartedByJob,
  pull: number,
): { readonly text: string; readonly href: string } {
  const [word, place] = via === 'github' ? ['pull request', 'pull'] : ['merge request', '-/merge_requests'];
  return { text: `${word} ${pull}`, href: `${server}/${repository}/${place}/${pull}` };
}

function pullWords(pulls: readonly number[], word: string): readonly string[] {
  return pulls.length === 0 ? [] : [`${word}${pulls.length === 1 ? '' : 's'} ${pulls.join(', ')}`];
}
