// What a bare `hostwright` prints: in a workspace its state and the everyday commands, elsewhere how to begin.
import { relative } from 'node:path';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { firstOf } from '../../model/format.ts';
import { plural } from '../../model/common/count.ts';
import { escapeText } from '../../report/view/escape.ts';
import type { Overview } from '../../usecases/history/overview.ts';
import type { Context } from '../context.ts';
import { createSession } from '../settings.ts';

/** Most addresses in flight that are named. */
const MOST_NAMED = 3;

const OUTSIDE = `Keeps a hosting account the way its Git repository says it should be.

  hostwright init       create a workspace in this folder
  hostwright sandbox    start a local platform to try it with

Read docs/getting-started.md of the package first. \`hostwright --help\` lists all commands.`;

/** Prints the overview. `everyday`: each everyday command and its description. */
export async function printOverview(
  context: Context,
  everyday: readonly (readonly [name: string, description: string])[],
): Promise<OutcomeWord> {
  const { readOverview } = await import('../../usecases/history/overview.ts');
  const overview = await readOverview(createSession(context));
  if (overview === undefined) {
    context.output.result(OUTSIDE);
    return 'done';
  }
  const state =
    overview === 'invalid'
      ? ['The workspace file has errors. `hostwright validate` shows them.']
      : stateLines(overview, context.cwd);
  const width = Math.max(...everyday.map(([name]) => name.length));
  context.output.result(
    [
      ...state,
      '',
      ...everyday.map(([name, description]) => `  ${name.padEnd(width)}   ${description}`),
      '',
      '`hostwright --help` lists all commands.',
    ].join('\n'),
  );
  return 'done';
}

function stateLines({ account, file, runs }: Overview, cwd: string): readonly string[] {
  const first = `Account:     ${escapeText(account)} (${escapeText(relative(cwd, file))})`;
  if ('unknown' in runs)
    return [first, `Last apply:  not known here: ${runs.unknown}. \`hostwright history\` reads it.`];
  const { last, inFlight } = runs;
  const failed = last?.actions.filter(({ result }) => result === 'failed').length ?? 0;
  const ended = last?.endedAtMs === undefined ? 'did not end' : failed === 0 ? 'done' : `${failed} failed`;
  return [
    first,
    `Last apply:  ${last === undefined ? 'none in this ledger' : `${new Date(last.startedAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC, ${plural(last.actions.length, 'action')}, ${ended}`}`,
    `In flight:   ${inFlight.length === 0 ? 'nothing' : `${escapeText(firstOf(inFlight, MOST_NAMED))}. \`hostwright apply --resume\` continues.`}`,
  ];
}
