// The diagnostics that `explain` knows: summary and remedy as the sources have them, advice as it is written here.
import type { ExplainedCode } from '../../../model/explained.ts';
import { summaries } from '../generated/summaries.ts';
import { ACCOUNT_ADVICE } from './account.ts';
import type { AdviceTable } from './advice.ts';
import { COMMAND_ADVICE } from './commands.ts';
import { EVENT_ADVICE } from './events.ts';
import { MANIFEST_ADVICE } from './manifests.ts';
import { PROGRAM_ADVICE } from './programs.ts';
import { RUN_ADVICE } from './run.ts';
import { TERRAFORM_ADVICE } from './terraform.ts';
import { WORKER_ADVICE } from './worker.ts';

export const ADVICE: AdviceTable = {
  ...MANIFEST_ADVICE,
  ...PROGRAM_ADVICE,
  ...ACCOUNT_ADVICE,
  ...RUN_ADVICE,
  ...COMMAND_ADVICE,
  ...TERRAFORM_ADVICE,
  ...EVENT_ADVICE,
  ...WORKER_ADVICE,
};

/** Every code that a run can print. */
export const CODES: readonly string[] = Object.keys(summaries);

/** What is known of a code; undefined where there is no such code. */
export function explainCode(code: string): ExplainedCode | undefined {
  const found = Object.hasOwn(summaries, code) ? summaries[code] : undefined;
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
  if (found === undefined || advice === undefined) return undefined;
  return {
    code,
    area: found.area,
    summary: found.summary,
    why: advice.why,
    fix: advice.fix ?? found.remedy ?? '',
    ...(advice.example !== undefined && { example: advice.example }),
  };
}
