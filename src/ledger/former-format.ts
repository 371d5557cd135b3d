// Reads the lines of a ledger of the format `hostwright.ledger/1`. There a `begin` entry has the whole action with its
// steps, and an answer names its row by index. What an action in flight would send is dropped: it is followed by reading.
import type { Json, JsonObject } from '../model/json.ts';
import { isJsonObject } from '../model/json.ts';
import { begunAction, rowName } from '../model/ledger/begun.ts';
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { Action } from '../model/plan/plan.ts';
import type { AnswerRow, RequestStep, Step } from '../model/plan/step.ts';
import type { AnyLine, LedgerLine } from './entries.ts';
import { checkLine, parseAnyLine, parseLine } from './entries.ts';

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

/**
 * Returns actions in flight that were kept outside a ledger, such as in Terraform state, each checked as an entry of a
 * ledger is. Steps of a former format are dropped. One that is not valid is left out.
 */
export function checkedFlights(kept: Json | undefined): readonly InFlight[] {
  if (!Array.isArray(kept)) return [];
  return (kept as readonly Json[]).flatMap((value) => {
    try {
      return flightOf(value);
    } catch {
      return [];
    }
  });
}

function flightOf(value: Json): readonly InFlight[] {
  if (!isJsonObject(value) || !isJsonObject(value.action) || !isJsonObject(value.answered)) return [];
  const parse = formerParser();
  const isFormer = Array.isArray(value.action.steps);
  const check = (entry: JsonObject): boolean => {
    const text = JSON.stringify({ n: 1, at: '1970-01-01T00:00:00.000Z', ...entry });
    const line = isFormer ? parse(text) : parseLine(text);
    return line !== undefined && line !== 'newer';
  };
  const { action, runId, known, effects, answered, unanswered, pending } = value;
  const { address } = action as { readonly address: Json };
  const begin = {
    type: 'begin',
    runId: runId ?? null,
    action,
    known: known ?? null,
    effects: effects ?? null,
  } as JsonObject;
  const answers = Object.entries(answered).map(([step, outputs]): JsonObject => ({
    ...{ type: 'answered', address, step, status: null, row: null, outputs },
  }));
  if (![begin, ...answers].every(check)) return [];
  if (unanswered !== undefined && typeof unanswered !== 'string') return [];
  const { reason, sentAtMs, sendings } = value;
  const stored = action as unknown as Action;
  const row = isJsonObject(pending) ? pending.row : undefined;
  const step = isFormer && isJsonObject(pending) ? stored.steps.find(({ name }) => name === pending.step) : undefined;
  return [
    {
      ...(value as unknown as InFlight),
      action: isFormer ? begunOf(stored) : (action as unknown as InFlight['action']),
      ...(isJsonObject(pending) && {
        pending: {
          step: typeof pending.step === 'string' ? pending.step : '',
          status: Number(pending.status),
          follow: pending.follow === 'look-up' ? ('look-up' as const) : ('wait-for' as const),
          row: step?.do === 'request' ? nameOfRow(step, row) : typeof row === 'string' ? row : null,
        },
      }),
      ...(typeof reason === 'string' && { reason }),
      ...(typeof sentAtMs === 'number' && { sentAtMs }),
      ...(typeof sendings === 'number' && { sendings }),
    },
  ];
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
