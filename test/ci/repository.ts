// A checkout on a runner: a Git repository with manifests, the sandbox as its platform, and a small GitHub.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { stickyText } from '../../src/forge/sticky.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { FakeComment, FakeGithub } from '../support/servers/github.ts';
import { startGithub } from '../support/servers/github.ts';
import type { Harness } from '../support/harness.ts';
import type { JobEnd } from '../support/processes/runner.ts';
import type { Event } from './workflows.ts';
import { gitIn, runWorkflow } from './workflows.ts';
import { planMarkdown } from '../support/reports.ts';
import { openHarness } from '../support/open-harness.ts';
import { closing } from '../support/closing.ts';

/** Who writes with the token of a job. */
export const AUTHOR = 'github-actions[bot]';

export interface Repository extends Harness {
  readonly github: FakeGithub;
  readonly job: (file: string, event?: Event, inputs?: Readonly<Record<string, string>>) => Promise<JobEnd>;
  /** Replaces a text in a file of the checkout. */
  readonly change: (file: string, from: string, to: string) => Promise<void>;
  /** Commits what is there. */
  readonly commit: () => Promise<string>;
  readonly writes: () => readonly string[];
  /** A pull request with the comment that its plan job makes, without running the job. */
  readonly review: (number: number) => Promise<FakeComment>;
}

/** A repository with the small agency in it, a sandbox and a GitHub that are closed at the end of the test. */
export async function repository(): Promise<Repository> {
  const harness = await openHarness({ example: 'small-agency' });
  const github = closing(await startGithub());
  const { root, sandbox } = harness;
  const git = await gitIn(root);
  const commit = async (): Promise<string> => {
    await git('add', '.');
    await git('commit', '-q', '--allow-empty', '-m', 'change');
    return git('rev-parse', 'HEAD');
  };
  await commit();
  return {
    ...harness,
    github,
    commit,
    job: (file, event, inputs) =>
      runWorkflow(file, { folder: root, github, platform: sandbox.url, token: API_KEY }, event, inputs),
    change: async (file, from, to) => {
      const text = await readFile(join(root, file), 'utf8');
      expect(text).toContain(from);
      await harness.write(file, text.replace(from, to));
    },
    review: async (number) => {
      github.addPull(number);
      const report = planMarkdown(await harness.planned());
      return github.say(number, AUTHOR, stickyText(report, { what: 'plan', key: '. ', outcome: 'differences' }) ?? '');
    },
    writes: () =>
      sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
  };
}
