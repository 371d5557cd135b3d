// A run as a job on GitHub: until its report, whatever it prints is text to the runner; then come notes and a summary.
import { randomUUID } from 'node:crypto';
import { appendFile, stat } from 'node:fs/promises';
import { fenceOff } from '../report/annotations/github.ts';
import type { Report } from '../report/blocks/block.ts';
import { STEP_SUMMARY } from '../report/markdown/fit.ts';
import type { Output } from './output.ts';
import { placeIn } from './place.ts';

export interface GithubJob {
  /** Nothing that is printed from here on is a command. */
  readonly begin: () => void;
  /** The notes, and no text after them. */
  readonly end: (commands: readonly string[]) => void;
  readonly place: (file: string) => string | undefined;
  /** Adds to the summary what fits there; true when nothing is left to be said. */
  readonly addSummary: (report: Report) => Promise<boolean>;
}

export function githubJob({
  cwd,
  env,
  output,
  redact,
}: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  /** Takes credentials out of a text. */
  readonly redact: (text: string) => string;
}): GithubJob {
  const fence = fenceOff(randomUUID());
  return {
    begin: () => output.result(fence.begin),
    end: (commands) => output.result([fence.end, ...commands].join('\n')),
    place: (file) => placeIn(env.GITHUB_WORKSPACE || cwd, cwd, file),
    addSummary: (report) =>
      env.GITHUB_STEP_SUMMARY ? addTo(env.GITHUB_STEP_SUMMARY, report, redact) : Promise.resolve(true),
  };
}

async function addTo(file: string, report: Report, redact: (text: string) => string): Promise<boolean> {
  try {
    const present = await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    // Two line breaks: what an earlier command of the step wrote may not end with one.
    const { writeMarkdown } = await import('../report/markdown/write.ts');
    const text = writeMarkdown(report, { ...STEP_SUMMARY, most: STEP_SUMMARY.most - present - 3 });
    if (text === undefined) return false;
    await appendFile(file, `${present > 0 ? '\n\n' : ''}${redact(text)}\n`);
    return true;
  } catch {
    return false;
  }
}
