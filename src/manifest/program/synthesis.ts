// What an app in this very process declares, as documents: for tests of programs, which import the program themselves.
// Values, checks and errors are those of a program that is run; places are lines and columns alone, because no file is
// read.
import { groupBy } from '../../model/common/lists.ts';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SourceText } from '../read/source-text.ts';
import type { Answer, ClaimedPlace } from './answer.ts';
import { answerIn } from './answer.ts';
import type { ReadProgram, Source } from './documents.ts';
import { accountsOf } from './documents.ts';

/** The documents of what `App.synth` gave; names of files are shown relative to `cwd`. undefined: it is none of ours. */
export function readSynthesis(synthesis: unknown, cwd: string): ReadProgram | undefined {
  const answer = answerIn(JSON.stringify(synthesis) ?? '');
  return answer === undefined
    ? undefined
    : accountsOf(answer, { program: sourceOf('program', []), others: sourcesOf(answer, cwd) });
}

function sourcesOf({ accounts, groups }: Answer, cwd: string): ReadonlyMap<string, Source> {
  const claimed = [
    ...accounts.flatMap(({ calls, manifests }) => [...calls, ...manifests.flatMap((one) => one.calls)]),
    ...groups.flatMap(({ calls }) => calls),
  ];
  const places = groupBy(claimed, ({ file }) => file);
  return new Map([...places].map(([file, at]) => [file, sourceOf(shown(file, cwd), at)]));
}

/** Test runners add a query to the name of a file. */
function shown(file: string, cwd: string): string {
  const bare = file.replace(/\?.*$/, '');
  const full = bare.startsWith('file:') ? fileURLToPath(bare) : bare;
  return path.isAbsolute(full) ? path.relative(cwd, full) : full;
}

/** A text of spaces that has these places. */
function sourceOf(name: string, places: readonly ClaimedPlace[]): Source {
  const width = places.reduce((most, { column }) => Math.max(most, column), 1);
  const lines = places.reduce((most, { line }) => Math.max(most, line), 1);
  const text = `${' '.repeat(width)}\n`.repeat(lines);
  return {
    text: new SourceText(name, text),
    places: { find: () => undefined, name: () => undefined, made: () => 'new' },
  };
}
