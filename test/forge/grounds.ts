// A small GitHub and a small GitLab as the same rules of trust are held against both.
import { openForge } from '../../src/forge/client.ts';
import type { Forge } from '../../src/forge/forge.ts';
import { openGitlab } from '../../src/forge/gitlab.ts';
import { stickyText } from '../../src/forge/sticky.ts';
import type { OutcomeWord } from '../../src/model/plan/outcome.ts';
import { closing } from '../support/closing.ts';
import type { Fault } from '../support/servers/forge.ts';
import type { FakeComment, FakeGithub } from '../support/servers/github.ts';
import { githubToken, startGithub } from '../support/servers/github.ts';
import type { FakeGitlab, FakeNote } from '../support/servers/gitlab.ts';
import { BOT, gitlabToken, startGitlab } from '../support/servers/gitlab.ts';

export const KEY = 'sites of acme';
export const A = 'a'.repeat(64);
export const B = 'b'.repeat(64);
const APP = 'github-actions[bot]';

/** A comment of GitHub, or a note of GitLab. */
export interface Said {
  readonly body: string;
  readonly editor: string | null;
}

export interface Ground {
  readonly forge: Forge;
  /** Whose comments are believed. */
  readonly author: string;
  /** Seconds that a limit of requests was waited for. */
  readonly waits: readonly number[];
  /** The end of the path of comments, the method that changes one, and how too many requests are refused. */
  readonly comments: RegExp;
  readonly change: string;
  readonly limit: Pick<Fault, 'status' | 'body'>;
  readonly fault: (fault: Partial<Fault> & Pick<Fault, 'method' | 'path' | 'status'>) => void;
  readonly addPull: (number: number) => void;
  readonly merge: (number: number, commit: string) => void;
  readonly commit: (...commits: readonly string[]) => void;
  /** `METHOD /path` of each request. */
  readonly requests: string[];
  readonly say: (number: number, who: string, text: string) => Said;
  readonly edit: (said: Said, who: string, text: string) => void;
  /** All that was said, on whatever. */
  readonly texts: () => readonly string[];
  /** Issues as `open Drift [label]`, and the text of each. */
  readonly issues: () => readonly (readonly [state: string, text: string, labels: readonly string[]])[];
}

/** Takes every request at once. */
const unpaced = {
  key: () => ({
    schedule: (_options: unknown, task: (...given: readonly unknown[]) => unknown, ...given: readonly unknown[]) =>
      Promise.resolve(task(...given)),
  }),
};

const faulty =
  ({ faults }: { readonly faults: Fault[] }): Ground['fault'] =>
  (fault) =>
    void faults.push({ times: 1, ...fault });

/** GitHub, with pull request 1. */
export async function onGithub(): Promise<Ground & { readonly github: FakeGithub }> {
  const github = closing(await startGithub());
  const waits: number[] = [];
  github.addPull(1);
  return {
    github,
    waits,
    forge: openForge({
      apiUrl: github.url,
      token: githubToken,
      owner: 'acme',
      repo: 'hosting',
      author: APP,
      version: '0',
      pauseMs: 1,
      pacing: { write: unpaced, notifications: unpaced },
      onWait: (seconds) => waits.push(seconds),
    }),
    author: APP,
    comments: /comments$/,
    change: 'PATCH',
    limit: { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } },
    fault: faulty(github),
    addPull: github.addPull,
    merge: github.merge,
    commit: github.commit,
    requests: github.requests,
    say: github.say,
    edit: (said, who, text) => github.edit(said as FakeComment, who, text),
    texts: () => github.comments.map(({ body }) => body),
    issues: () =>
      github.issues
        .filter(({ pull_request: pull }) => pull === undefined)
        .map(({ state, body, labels }) => [state, body, labels.map(({ name }) => name)]),
  };
}

/** GitLab, with merge request 1. */
export async function onGitlab(): Promise<Ground & { readonly gitlab: FakeGitlab }> {
  const gitlab = closing(await startGitlab());
  const waits: number[] = [];
  gitlab.addPull(1);
  return {
    gitlab,
    waits,
    forge: await openGitlab({
      apiUrl: gitlab.url,
      token: gitlabToken,
      project: '42',
      version: '0',
      pauseMs: 0,
      onWait: (seconds) => waits.push(seconds),
    }),
    author: BOT,
    comments: /notes$/,
    change: 'PUT',
    limit: { status: 429, body: { message: 'Too many requests' } },
    fault: faulty(gitlab),
    addPull: gitlab.addPull,
    merge: gitlab.merge,
    commit: gitlab.commit,
    requests: gitlab.requests,
    say: gitlab.say,
    edit: (said, who, text) => gitlab.edit(said as FakeNote, who, text),
    texts: () => gitlab.notes.map(({ body }) => body),
    issues: () =>
      gitlab.issues.map(({ state, description, labels }) => [state.replace('opened', 'open'), description, labels]),
  };
}

/** A report with the line at its end by which it is found again. */
export function sticky(
  report: string,
  what: 'plan' | 'apply' | 'drift' = 'plan',
  outcome: OutcomeWord = 'differences',
  key = KEY,
): string {
  return stickyText(report, { what, key, outcome }) ?? '';
}

/** The report of a plan of these actions. */
export function planText(digests: readonly string[], key = KEY, more: readonly string[] = []): string {
  const lines = [...digests, ...more].map((line) => `${line}\n`).join('');
  return sticky(`<!-- hostwright: plan acme ${'c'.repeat(64)}\n${lines}-->\n\n### Plan`, 'plan', 'differences', key);
}
