// The notes of a result as a JUnit report: what is wrong is a test that failed, what cannot be done now is one that was
// skipped, and what would be done is one that passed.
import type { Note, Place } from './notes.ts';

interface Case {
  readonly name: string;
  readonly check: string;
  readonly file: string | undefined;
  readonly inside: string;
  readonly result: 'failed' | 'skipped' | 'passed';
}

/** One suite. `suite`: its name; without any note it is the one test, and passed. */
export function renderJunit(suite: string, notes: readonly Note[], place: Place): string {
  const cases = notes.length === 0 ? [nothing(suite)] : named(notes.map((note) => caseOf(note, place)));
  const count = (result: Case['result']): number => cases.filter((one) => one.result === result).length;
  const numbers = `tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${numbers}>`,
    `  <testsuite name="${escape(suite)}" ${numbers}>`,
    ...cases.map(
      ({ name, check, file, inside }) =>
        `    <testcase classname="${escape(check)}" name="${escape(name)}"${file === undefined ? '' : ` file="${escape(file)}"`}>${inside}</testcase>`,
    ),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function nothing(suite: string): Case {
  return { name: suite, check: 'hostwright', file: undefined, inside: '', result: 'passed' };
}

function caseOf({ level, check, title, message, isFinding, isStuck, source }: Note, place: Place): Case {
  const file = source === undefined ? undefined : place(source.file);
  const said = `${file === undefined || source === undefined ? '' : `${file}:${source.line}: `}${message}`;
  const shared = { name: title, check, file };
  if (isFinding && level !== 'notice')
    return {
      ...shared,
      result: 'failed',
      inside: `<failure message="${escape(title)}" type="${escape(check)}">${escape(said)}</failure>`,
    };
  if (isStuck === true) return { ...shared, result: 'skipped', inside: `<skipped message="${escape(said)}"/>` };
  return { ...shared, result: 'passed', inside: `<system-out>${escape(said)}</system-out>` };
}

/** Of tests with one name and class only the first is shown. */
function named(cases: readonly Case[]): readonly Case[] {
  const seen = new Map<string, number>();
  return cases.map((one) => {
    const same = JSON.stringify([one.check, one.name]);
    const count = (seen.get(same) ?? 0) + 1;
    seen.set(same, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}

/** XML takes no control characters, not even escaped. */
function escape(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
