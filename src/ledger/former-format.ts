// Reads the lines of a ledger of the format `hostwright.ledger/1`. There a `begin` entry has the whole action with its
// steps, and an answer names its row by index. What an action in flight would send is dropped: it is followed by reading.
import type { Json, JsonObject } from '../model/json.ts';
import { begunAction, rowName } from '../model/plan/begun.ts';
import type { Action } from '../model/plan/plan.ts';
import type { AnswerRow, RequestStep, Step } from '../model/plan/step.ts';
import type { AnyLine, LedgerLine } from './entries.ts';
import { checkLine, parseAnyLine } from './entries.ts';

/** Returns what parses the lines of one ledger, one after the other: an answer refers to the action that began before. */
export function formerParser(): (text: string) => LedgerLine | 'newer' | undefined {
  const steps = new Map<string, readonly Step[]>();
  return (text) => {
    const line = parseAnyLine(text);
    if (line === undefined || line === 'newer') return line;
    try {
      return checkLine({ ...line, entry: convert(line.entry, steps) });
    } catch {
      // A stored action that is not one.
      return undefined;
    }
  };
}

function convert(entry: AnyLine['entry'], begun: Map<string, readonly Step[]>): AnyLine['entry'] {
  if (entry.type === 'begin') {
    const action = entry.action as unknown as Action;
    begun.set(action.address, action.steps);
    return { ...entry, action: JSON.parse(JSON.stringify(begunOf(action))) as JsonObject };
  }
  if (entry.type !== 'answered' && entry.type !== 'followed') return entry;
  const steps = begun.get(entry.address as string) ?? [];
  const step = steps.find(({ name }) => name === entry.step);
  if (step?.do !== 'request') return entry.type === 'answered' ? { ...entry, row: null } : entry;
  if (entry.type === 'answered') return { ...entry, row: nameOfRow(step, entry.row) };
  return entry;
}

function nameOfRow({ answers }: RequestStep, index: Json | undefined): string | null {
  const row: AnswerRow | undefined = typeof index === 'number' ? answers[index] : undefined;
  return row === undefined ? null : rowName(row);
}

/** The record of a stored action. Its intent is not known, so its manifest never counts as unchanged. */
function begunOf(action: Action): ReturnType<typeof begunAction> {
  const { changes } = action;
  return begunAction(
    {
      ...action,
      changes: changes.map(({ op, path, was, value, secret, rotationToken, personal }) => ({
        op,
        path,
        ...(was !== undefined && { was }),
        ...(value !== undefined && { value }),
        ...(secret !== undefined && { secret }),
        ...(rotationToken !== undefined && { rotationToken }),
        ...(personal !== undefined && { personal }),
      })),
    },
    { intent: '', stepsDigest: '' },
  );
}
