// Whether a review approves what is about to run, as the forge itself says at that moment: nothing of it comes from a
// file. For workspaces that refuse what nobody reviewed.
import { approvedBy } from '../../../forge/approved.ts';
import type { Approval } from '../../../forge/approved.ts';
import { forgeError } from '../../../forge/client.ts';
import { firstOf } from '../../../model/format.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { Context } from '../../context.ts';
import type { ApprovedByOptions } from '../../options.ts';
import { GITHUB } from './github.ts';
import { GITLAB } from './gitlab.ts';

/** What the forge approves, and how it is said that something else is not; or why it cannot be asked. */
export type ForgeApproval = (Approval & { readonly refuse: (what: readonly string[]) => string }) | string;

export async function approvalOf(
  context: Context,
  { approvedBy: via, approvalKey: key }: ApprovedByOptions,
): Promise<ForgeApproval> {
  const commands = via === 'gitlab' ? GITLAB : GITHUB;
  const { variables, words } = commands;
  const [commit = '', branch = ''] = [context.env[variables.commit], context.env[variables.branch]];
  const unasked = (why: string) => `${words.forge} cannot be asked whether a review approves this. ${why}`;
  try {
    const forge = await commands.open(context, { ...commands.ofJob(context.env), key });
    if (typeof forge === 'string') return unasked(forge);
    if (commit === '' || branch === '') return unasked(commands.adviceOnCommit);
    const approval = await approvedBy(forge, { commit, branch, key });
    return {
      ...approval,
      refuse: (what) =>
        escapeText(
          [`${words.forge} says of no review that it approves ${firstOf(what, 5)}.`, ...approval.notices].join(' '),
        ),
    };
  } catch (error) {
    const answer = forgeError(error);
    if (answer === undefined) throw error;
    return unasked(`${escapeText(answer.said)}. ${commands.adviceFor(answer.status)}`);
  }
}
