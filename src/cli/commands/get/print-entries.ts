// How entries that come one after another are printed as they come: one line each for people, one JSON document for
// programs, whatever their number.
import type { Json } from '../../../model/json.ts';
import type { ActResult } from '../../../model/plan/act.ts';
import type { OutcomeWord } from '../../../model/plan/outcome.ts';
import { escapeJson } from '../../../report/view/escape.ts';
import { renderActJson } from '../../../report/json/index.ts';
import type { Context } from '../../context.ts';
import { reportDiagnostics } from '../../report.ts';

type TakeEntries = (entries: readonly Json[]) => void;

/** Prints what `read` hands on, then what became of the command. */
export async function printEntries(
  context: Context,
  limit: number,
  read: (take: TakeEntries) => Promise<ActResult>,
): Promise<OutcomeWord> {
  const { renderLogEntry } = await import('../../../report/text/act.ts');
  const print = context.json ? jsonPrinter(context) : linePrinter(context, renderLogEntry);
  let taken = 0;
  const result = await read((entries) => {
    taken += entries.length;
    print.take(entries);
  });
  print.end(renderActJson(result, 'hostwright.logs/1'));
  if (!context.json) await reportDiagnostics(context, result.diagnostics);
  if (taken === 0 && result.outcome === 'done' && !context.json)
    context.hint('No entries in this period match. Choose a longer one with --since, such as 7d.');
  if (result.read?.more === true) context.hint(`Stopped after ${limit} entries. For more, use --limit N.`);
  return result.outcome;
}

/** Prints what comes until the command is stopped: in JSON, one entry a line. */
export async function printFollowed(
  context: Context,
  follow: (take: TakeEntries) => Promise<ActResult>,
): Promise<OutcomeWord> {
  const { renderLogEntry } = await import('../../../report/text/act.ts');
  const { take } = context.json
    ? linePrinter(context, (entry) => escapeJson(JSON.stringify(entry)))
    : linePrinter(context, renderLogEntry);
  const { outcome, diagnostics } = await follow(take);
  await reportDiagnostics(context, diagnostics);
  return outcome;
}

interface Printer {
  readonly take: (entries: readonly Json[]) => void;
  readonly end: (rest: string) => void;
}

function linePrinter({ output }: Context, render: (entry: Json) => string): Printer {
  return { take: (entries) => output.result(entries.map(render).join('\n')), end: () => undefined };
}

/** The entries first, as they come; what became of the command stands behind them in the same object. */
function jsonPrinter({ output }: Context): Printer {
  let before = '{\n  "entries": [\n    ';
  return {
    take: (entries) => {
      for (const entry of entries) {
        output.raw('stdout', `${before}${escapeJson(JSON.stringify(entry))}`);
        before = ',\n    ';
      }
    },
    end: (rest) =>
      output.raw(
        'stdout',
        `${before.startsWith('{') ? '{\n  "entries": [' : '\n  '}],\n${rest.replace(/^\{\n/, '')}\n`,
      ),
  };
}
