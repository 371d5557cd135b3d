// Whether a review approves what is about to run, as the forge itself says at that moment: nothing of it comes from a
// file. For workspaces that refuse what nobody reviewed.
import { approvedBy } from '../../../forge/approved.ts';
import type { Approval } from '../../../forge/approved.ts';
import { forgeError } from '../../../forge/client.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { Context } from '../../context.ts';
import type { ApprovedByOptions } from '../../options.ts';
import type { ForgeCommands, ForgeOptions, Job } from './commands.ts';
import { GITHUB, githubJob } from './github.ts';
import { GITLAB, gitlabJob } from './gitlab.ts';

/** What the forge approves, and how it is said that something else is not; or why it cannot be asked. */
export type ForgeApproval = (Approval & { readonly refuse: (what: readonly string[]) => string }) | string;

export function approvalOf(
  context: Context,
  { approvedBy: name, approvalKey: key }: ApprovedByOptions,
): Promise<ForgeApproval> {
  return name === 'gitlab'
    ? ask(context, GITLAB, gitlabJob(context.env, key))
    : ask(context, GITHUB, githubJob(context.env, key));
}

async function ask<Options extends ForgeOptions>(
  context: Context,
  commands: ForgeCommands<Options>,
  { options, commit, branch }: Job<Options>,
): Promise<ForgeApproval> {
  const { forge: name } = commands.words;
  const unasked = (why: string) => `${name} cannot be asked whether a review approves this. ${why}`;
  try {
    const forge = await commands.open(context, options);
    if (typeof forge === 'string') return unasked(forge);
    if (commit === '' || branch === '') return unasked(commands.adviceOnCommit);
    const approval = await approvedBy(forge, { commit, branch, key: options.key });
    return {
      ...approval,
      refuse: (what) =>
        escapeText(
          [
            `${name} says of no review that it approves ${what.slice(0, 5).join(', ')}${what.length > 5 ? ` and ${what.length - 5} more` : ''}.`,
            ...approval.notices,
          ].join(' '),
        ),
    };
  } catch (error) {
    const answer = forgeError(error);
    if (answer === undefined) throw error;
    return unasked(`${escapeText(answer.said)}. ${commands.adviceFor(answer.status)}`);
  }
}
