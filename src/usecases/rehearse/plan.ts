// The use case `plan --rehearse`: a plan that has been carried out once, on a copy of the account, before anybody sees it.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, diagnosticSource } from '../../model/diagnostic.ts';
import type { Rehearsal, Rehearsed } from '../../model/plan/rehearsal.ts';
import { planChanges } from '../plan/nothing-changed.ts';
import type { PlanOptions, PlanResult } from '../plan/plan.ts';
import type { Session } from '../session.ts';
import { recording } from './recorded.ts';
import type { OpenCopy } from './rehearse.ts';

export interface RehearsedPlan extends PlanResult {
  /** Absent: it was not asked for, there was nothing to carry out, or it was interrupted. */
  readonly rehearsal?: Rehearsal;
}

/** A plan, carried out on a copy where that is asked: by `always`, or in CI by the workspace. */
export async function planRehearsed(
  session: Session,
  options: PlanOptions,
  { openCopy, always }: { readonly openCopy: OpenCopy; readonly always: boolean },
): Promise<RehearsedPlan> {
  let reads: ReturnType<typeof recording> | undefined;
  let rehearsal: Rehearsal | undefined;
  const result = await planChanges(
    session,
    {
      ...options,
      through: (client) => {
        reads = recording(client);
        return reads.client;
      },
    },
    async (planned) => {
      const { plan, workspace } = planned;
      const isWanted = always || (workspace.rehearse === true && session.ci === true);
      if (!isWanted || plan.actions.length === 0) return { plan, diagnostics: [] };
      const { rehearse } = await import('./rehearse.ts');
      const carryOut = (): ReturnType<typeof rehearse> => rehearse(planned, reads?.answers ?? [], openCopy);
      const tried = await (session.computing?.(carryOut) ?? carryOut());
      // One that was interrupted says nothing.
      if (session.stop.aborted) return { plan, diagnostics: [] };
      rehearsal = tried;
      return { plan, diagnostics: diagnosticsOf(rehearsal) };
    },
  );
  return { ...result, ...(rehearsal !== undefined && { rehearsal }) };
}

function diagnosticsOf({ refused, notRehearsed, left, open = [] }: Rehearsal): readonly Diagnostic[] {
  const at = ({ address, source }: Rehearsed) => ({ address, ...diagnosticSource(source) });
  return [
    ...refused.map((one) =>
      diagnose(
        'HW2801',
        `On a copy of the account, made from what was just read, ${one.request === undefined ? 'this was not carried out' : `\`${one.request}\` was refused`}: ${one.reason}${one.rule === undefined ? '' : ` (${one.rule})`}. Nothing was sent to the platform.`,
        at(one),
      ),
    ),
    ...left.map((one) =>
      diagnose(
        'HW2802',
        `On a copy of the account all of the plan was carried out, and the next plan would change this again: ${one.reason}.`,
        at(one),
      ),
    ),
    ...open.map((one) =>
      diagnose(
        'HW2804',
        `The documents can be read in more than one way${one.rule === undefined ? '' : ` (${one.rule})`}. Under one reading it works. Under another: ${one.reason}.`,
        at(one),
      ),
    ),
    ...notRehearsed.map((one) =>
      diagnose(
        'HW2803',
        `The copy of the account knows only what was read for the plan (${one.reason}). Only apply shows what the platform answers.`,
        at(one),
      ),
    ),
  ];
}
