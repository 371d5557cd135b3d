// The notes of a result as a Code Quality report, which GitLab shows at the lines of a merge request: the five fields
// that it documents. Only what has a line in a file of the repository can stand in one.
import { createHash } from 'node:crypto';
import type { Note, Place } from './notes.ts';

const SEVERITIES: Readonly<Record<Note['level'], string>> = { error: 'critical', warning: 'major', notice: 'info' };

/** A JSON array; `[]` when nothing has a line. */
export function renderCodeQuality(notes: readonly Note[], place: Place): string {
  const seen = new Map<string, number>();
  const entries = notes.flatMap(({ level, check, title, message, source }) => {
    const path = source === undefined ? undefined : place(source.file);
    if (source === undefined || path === undefined) return [];
    // Not of the line: what only moved is not new. What is there twice has to be told apart.
    const same = JSON.stringify([check, path, title, message]);
    const count = seen.get(same) ?? 0;
    seen.set(same, count + 1);
    return [
      {
        description: `${title}: ${message}`,
        check_name: check,
        fingerprint: createHash('sha256').update(`${same}${count}`).digest('hex'),
        severity: SEVERITIES[level],
        location: { path, lines: { begin: source.line } },
      },
    ];
  });
  return JSON.stringify(entries, undefined, 2);
}
