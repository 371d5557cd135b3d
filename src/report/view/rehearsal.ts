// What a plan says of its rehearsal: one line. What was refused or left is a diagnostic beside it.
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { plural } from '../../model/common/count.ts';

export interface ShownRehearsal {
  readonly passed: boolean;
  readonly line: string;
}

export function showRehearsal({
  result,
  actions,
  rounds,
  refused,
  notRehearsed,
  left,
  open = [],
}: Rehearsal): ShownRehearsal {
  const done = `${plural(actions, 'action')}, ${plural(rounds, 'round')}`;
  switch (result) {
    case 'passed':
      return {
        passed: true,
        line:
          open.length === 0
            ? `Rehearsed: ${done}, the second plan is empty.`
            : `Rehearsed: ${done}; ${plural(open.length, 'action')} may be refused, or not hold: no document says which.`,
      };
    case 'in-part':
      return { passed: true, line: `Rehearsed: ${done}; ${plural(notRehearsed.length, 'action')} not rehearsed.` };
    case 'refused':
      return { passed: false, line: `Rehearsed: ${plural(refused.length, 'action')} would be refused (${done}).` };
    case 'not-settled':
      return { passed: false, line: `Rehearsed: ${done}, the second plan has ${plural(left.length, 'action')}.` };
  }
}
