// The command `drift`: a plan whose differences are what it is for, so that they decide the exit code; told by which
// side changed, and to whom `--notify` names. Whom that did not reach is said, and changes nothing.
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { driftWorkspace } from '../../workflow/drift.ts';
import { checkNotify } from '../../workflow/notify.ts';
import type { Context } from '../context.ts';
import { reportProblems } from '../report.ts';
import { createSession } from '../settings.ts';
import type { Ended, PlanOptions } from './plan.ts';
import { plan } from './plan.ts';

export interface DriftCommandOptions extends PlanOptions {
  readonly ignore: readonly string[];
  readonly notify: readonly string[];
}

export async function drift(
  context: Context,
  paths: readonly string[],
  options: DriftCommandOptions,
): Promise<OutcomeWord> {
  // A variable that is set to nothing is not set: so it is in CI where a secret is not there.
  const isUnset = context.env.HOSTWRIGHT_NOTIFY === '' && options.notify.every((address) => address === '');
  const notify = { addresses: isUnset ? [] : options.notify, secret: context.env.HOSTWRIGHT_NOTIFY_SECRET?.trim() };
  const wrong = checkNotify(notify);
  if (wrong.length > 0) return reportProblems(context, wrong, 'error', 'drift');
  const tell = async (ended: Ended) => {
    // Nothing to say, or a run that saw only a part.
    if (ended.outcome === 'done' || ended.outcome === 'interrupted') return [];
    const { renderNotification } = await import('../../report/view/notification.ts');
    const { sendNotifications } = await import('../../workflow/notify.ts');
    return sendNotifications(
      createSession(context),
      notify,
      renderNotification({ ...ended, atMs: context.clock.now() }),
    );
  };
  const run = {
    run: (session: ReturnType<typeof createSession>) =>
      driftWorkspace(session, { paths, targets: options.target, ignore: options.ignore }),
    ...(notify.addresses.length > 0 && { tell }),
  };
  return plan(context, paths, options, { heading: 'Drift', detailed: true, ...run });
}
