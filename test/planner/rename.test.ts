import { describe, expect, it } from 'vitest';
import { findRenames, renamed, renameView } from '../../src/planner/rename.ts';
import { ledgerOf, wantRoot, wantRoots } from '../support/desired.ts';
import { box } from '../support/toy-kinds.ts';

const ledger = ledgerOf(
  { address: 'Box/old', id: 'one' },
  { address: 'Box/old/Rule/a', id: 'r' },
  { address: 'Box/older', id: 'two' },
);
const declare = (...roots: readonly (readonly [string, string?])[]) => [
  wantRoots(
    box,
    roots.map(([name, from]) => wantRoot(box, name, {}, from === undefined ? {} : { renamedFrom: `Box/${from}` })),
  ),
];

describe('renames', () => {
  it('carry what belongs to the renamed root, and nothing else', () => {
    const view = renameView(ledger, findRenames(declare(['new', 'old'], ['plain']), ledger));
    expect([...view.objects].map(([address, { id }]) => `${address} ${id}`)).toEqual([
      'Box/new one',
      'Box/new/Rule/a r',
      'Box/older two',
    ]);
  });

  it('are found once: not when the ledger knows the new name, or never knew the old one', () => {
    expect(findRenames(declare(['older', 'old'], ['new', 'never']), ledger).size).toBe(0);
    expect(renameView(ledger, new Map())).toBe(ledger);
  });

  it('leave other addresses as they are', () => {
    expect(renamed('Box/oldest', new Map([['Box/old', 'Box/new']]))).toBe('Box/oldest');
  });
});
