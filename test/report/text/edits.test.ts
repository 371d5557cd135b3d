// Edited files as a person sees them, and as a program does.
import { describe, expect, it } from 'vitest';
import { renderEdits } from '../../../src/report/text/edits.ts';
import { renderEditsJson } from '../../../src/report/json/index.ts';

const before = 'a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6';

describe('edited files', () => {
  it('are shown with what goes and comes, and the lines around it', () => {
    const files = [
      { file: 'sites/a\u202e.yaml', before, after: `${before.replace('f: 6', 'f: 7')}\n` },
      { file: 'new.yaml', after: 'x: 1\n' },
    ];
    expect(renderEdits(files, { color: false, written: true })).toBe(
      'sites/a\\u{202e}.yaml\n  … 2 unchanged\n  c: 3\n  d: 4\n  e: 5\n- f: 6\n+ f: 7\n\nnew.yaml (new)\n+ x: 1\n\n2 files written.',
    );
    expect(renderEdits(files.slice(1), { color: true, written: false })).toContain(
      '\u001b[32m+ x: 1\u001b[39m\n\nNothing was written: --dry-run.',
    );
  });

  it('may be none, or too many to show', () => {
    expect(renderEdits([], { color: false, written: true })).toBe('No file changes.');
    const lines = (word: string): string => Array.from({ length: 1500 }, (_, index) => `${word}${index}\n`).join('');
    expect(
      renderEdits([{ file: 'a', before: lines('x'), after: lines('y') }], { color: false, written: true }),
    ).toContain('Too much of it differs');
  });

  it('are whole in JSON', () => {
    const json = JSON.parse(
      renderEditsJson(
        {
          files: [
            { file: 'a', after: 'x' },
            { file: 'b', before: 'y', after: 'z' },
          ],
          written: false,
        },
        { outcome: 'done', diagnostics: [] },
      ),
    ) as unknown;
    expect(json).toEqual({
      format: 'hostwright.edits/1',
      outcome: 'done',
      exitCode: 0,
      written: false,
      files: [
        { file: 'a', before: null, after: 'x' },
        { file: 'b', before: 'y', after: 'z' },
      ],
      diagnostics: [],
    });
  });
});
