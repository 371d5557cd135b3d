// What of a result is worth a note at a line of the YAML: problems, actions, what cannot be done, drift. One list, which
// each CI gets in its own form.
import { posix } from 'node:path';
import type { Diagnostic, SourcePosition } from '../../model/diagnostic.ts';
import { sortDiagnostics } from '../../model/diagnostic.ts';
import type { DriftItem } from '../../model/plan/drift.ts';
import type { Outcome } from '../../model/plan/outcome.ts';
import type { FleetAccount } from '../../model/plan/fleet.ts';
import type { Action, Plan } from '../../model/plan/plan.ts';
import type { GroupEntry } from '../blocks/groups.ts';
import { firstOf } from '../../model/format.ts';
import { foldAlike, groupsOf, showBlockers } from '../blocks/groups.ts';
import { resultsAlike } from '../blocks/outcome.ts';
import { isDone, RESULT_WORDS, showRisks, VERB_MARKS } from '../view/document.ts';
import { driftGroups, showSides, SIDES, whenLines, wholeSentence } from '../view/drift.ts';
import { clipSafe, escapeText } from '../view/escape.ts';
import { actionLine } from '../view/head-lines.ts';
import { showAddress, showProse } from '../view/names.ts';
import { withoutPersonal } from '../view/personal.ts';

export interface Note {
  readonly level: 'error' | 'warning' | 'notice';
  /** What kind of thing it tells of: the code of a diagnostic, `plan-delete`, `drift-manual`. */
  readonly check: string;
  readonly title: string;
  readonly message: string;
  /** True for what is found wrong by itself, such as drift, rather than planned or in the way. */
  readonly isFinding: boolean;
  /** True for what cannot be done now. */
  readonly isStuck?: true;
  readonly source?: (SourcePosition & { readonly endLine?: number; readonly endColumn?: number }) | undefined;
}

/** The path from the repository's root, as a forge wants it; undefined for what is no file of it. */
export type Place = (file: string) => string | undefined;

/** Most pressing first. `beside`: problems that the plan does not carry. */
export function planNotes(plan: Plan, beside: readonly Diagnostic[]): readonly Note[] {
  const problems = diagnosticNotes([...beside, ...plan.notices]);
  if (plan.drift !== undefined) return [...problems, ...driftNotes(plan.drift), ...stuckNotes(plan)];
  const risky = plan.actions.filter(({ risk }) => risk.length > 0);
  const plain = plan.actions.filter(({ risk }) => risk.length === 0);
  return [
    ...problems,
    ...risky.map((action) => actionNote(action, 'warning', `${showRisks(action).join(', ')}: `)),
    ...stuckNotes(plan),
    ...plain.map((action) => actionNote(action, 'notice', '')),
  ];
}

function actionNote(action: Action, level: Note['level'], before: string): Note {
  return {
    level,
    check: `plan-${action.verb}`,
    title: `${before}${VERB_MARKS[action.verb]} ${showAddress(action.address)}`,
    message: messageOf(action),
    isFinding: false,
    source: action.source,
  };
}

/** What it does, with its values; of what changes nothing by itself, such as a backup, why it runs. */
function messageOf(action: Action): string {
  return action.changes.length === 0 && action.verb !== 'delete'
    ? showProse(action.reason)
    : clipSafe(actionLine(action), 4000);
}

function stuckNotes(plan: Plan): readonly Note[] {
  return groupsOf({ ...plan, deferred: [] }).flatMap(({ title, entries }) =>
    foldAlike(entries).map((entry) => stuckNote('plan-stuck', title, entry)),
  );
}

function stuckNote(check: string, group: string, { address, reason, names = [] }: GroupEntry): Note {
  const title = `${group}: ${address}`;
  const message = names.length === 0 ? reason : `${reason} (${firstOf(names, NAMED)})`;
  return { level: 'warning', check, title, message, isFinding: false, isStuck: true };
}

/** What somebody changed on the account is more pressing than what nobody applied. */
function driftNotes(drift: readonly DriftItem[]): readonly Note[] {
  return driftGroups(drift).flatMap(({ class: which, title, items }) =>
    items.map((item): Note => {
      const sides = item.fields
        .map((field) => showSides(item, field, 1000))
        .map(({ field, applied, manifest, live }) =>
          which === 'undeclared'
            ? `${field}: observed ${applied}, ${SIDES[2]} ${live}`
            : `${field}: ${SIDES[0]} ${applied}, ${SIDES[1]} ${manifest}, ${SIDES[2]} ${live}`,
        );
      const said = [wholeSentence(item), ...sides, ...whenLines(item).map((line) => line.trim())]
        .filter((line) => line !== '')
        .join('; ');
      return {
        level: which === 'pending' || which === 'in-flight' ? 'notice' : 'warning',
        check: `drift-${which}`,
        title: `${title}: ${showAddress(item.address)}`,
        message: clipSafe(said, 4000),
        isFinding: true,
        source: item.source,
      };
    }),
  );
}

/** The objects that a note about several names. */
const NAMED = 20;

/** `planned`: the actions of the plan that ran, which say where they come from. */
export function outcomeNotes(
  { actions, remaining, diagnostics }: Outcome,
  planned: readonly Pick<Action, 'address' | 'source'>[],
): readonly Note[] {
  const sources = new Map(planned.map(({ address, source }) => [address, source]));
  const open = actions.filter((action) => !isDone(action));
  const results = resultsAlike(open).map((alike): Note => {
    const [{ address, verb, result, reason = RESULT_WORDS[result] }] = alike;
    const names = alike.map((one) => showAddress(one.address));
    const isFinding = result === 'failed' || result === 'unknown-outcome';
    return {
      level: isFinding ? 'error' : 'warning',
      check: `apply-${result}`,
      title: `${RESULT_WORDS[result]}: ${alike.length === 1 ? `${VERB_MARKS[verb]} ${showAddress(address)}` : `${alike.length} actions`}`,
      message: alike.length === 1 ? escapeText(reason) : `${escapeText(reason)} (${firstOf(names, NAMED)})`,
      isFinding,
      source: sources.get(address),
    };
  });
  const left = foldAlike(showBlockers(remaining)).map((entry) => stuckNote('apply-remaining', 'Remaining', entry));
  return [...diagnosticNotes(diagnostics), ...results, ...left];
}

export function diagnosticNotes(diagnostics: readonly Diagnostic[]): readonly Note[] {
  return sortDiagnostics(diagnostics).map(({ code, severity, summary, detail, source }) => ({
    level: severity === 'info' ? 'notice' : severity,
    check: escapeText(code, 10),
    title: `${escapeText(code, 10)} ${escapeText(summary, 300)}`,
    message: showProse(detail, 4000),
    isFinding: severity === 'error',
    source,
  }));
}

/** Of many accounts, each note with its account. Problems have their place as the fleet sees it, plans as their own folder does. */
export function fleetNotes(accounts: readonly FleetAccount[]): readonly Note[] {
  return accounts.flatMap(({ account, workspace, diagnostics, plan, result }) => {
    const own = plan === undefined ? [] : planNotes({ ...withoutPersonal(plan), notices: [] }, []);
    const results = result === undefined ? [] : outcomeNotes({ ...result, diagnostics: [] }, []);
    const placed = own.map((note): Note =>
      note.source === undefined
        ? note
        : { ...note, source: { ...note.source, file: posix.join(workspace, note.source.file) } },
    );
    return [...diagnosticNotes(diagnostics), ...placed, ...results].map((note) => ({
      ...note,
      title: `${escapeText(account, 100)}: ${note.title}`,
    }));
  });
}
