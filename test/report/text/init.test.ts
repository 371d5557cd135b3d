// How the beginning of a workspace reads in a terminal.
import { expect, test } from 'vitest';
import { renderInit } from '../../../src/report/text/init.ts';

test('what was written, what was there, the ledger, and what to run next', () => {
  expect(
    renderInit(
      {
        written: ['hostwright.yaml', 'a\u001b[2J'],
        left: ['.gitignore'],
        ledger: 'The ledger is complete.',
        next: ['hostwright plan'],
      },
      { color: false },
    ),
  ).toBe(
    'Written:\n  hostwright.yaml\n  a\\u{1b}[2J\n\nThere already, and left as they are:\n  .gitignore\n\nThe ledger is complete.\n\nNext:\n  hostwright plan',
  );
});

test('nothing to write, and nothing to run', () => {
  expect(renderInit({ written: [], left: [], next: [] }, { color: false })).toBe(
    'Nothing was written: everything is there already.',
  );
});

test('what was updated, and what was left with its difference', () => {
  expect(
    renderInit(
      {
        written: [],
        updated: ['a.yml'],
        left: ['b.yml'],
        differences: [{ file: 'b.yml', before: 'name: mine\n', after: 'name: \u001b\n' }],
        next: [],
      },
      { color: false },
    ),
  ).toBe(
    'Updated:\n  a.yml\n\nModified, and so left. What this version generates differs:\n\nb.yml\n- name: mine\n+ name: \\u{1b}\n\nThere already, and left as they are:\n  b.yml',
  );
});
