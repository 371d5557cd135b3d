import { describe, expect, it } from 'vitest';
import type { Member } from '../../src/model/kind/kind.ts';
import { findRenames, renamed, renameView, withMovedEntries, withRenamed } from '../../src/planner/rename.ts';
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

  it('are found by the live root: an entry belongs to the root that the entry of its root names', () => {
    const moved = (bound: Readonly<Record<string, string>>): readonly string[] =>
      [...withMovedEntries(ledger, new Map(Object.entries(bound).map(([address, id]) => [address, { id }]))).objects]
        .map(([address, { id }]) => `${address} ${id}`)
        .sort();
    const same = ['Box/old one', 'Box/old/Rule/a r', 'Box/older two'];
    expect(moved({})).toEqual(same);
    expect(moved({ 'Box/old': 'one', 'Box/other': 'three' })).toEqual(same);
    expect(moved({ 'Box/new': 'one' })).toEqual(['Box/new one', 'Box/new/Rule/a r', 'Box/older two']);
    // Two that changed names with each other.
    expect(moved({ 'Box/old': 'two', 'Box/older': 'one' })).toEqual([
      'Box/old two',
      'Box/older one',
      'Box/older/Rule/a r',
    ]);
    // The name means another live object now: what was recorded under it does not describe that one.
    expect(moved({ 'Box/old': 'three' })).toEqual(['Box/older two']);
  });

  it('take the newer of two entries for one object', () => {
    const both = ledgerOf(
      { address: 'Box/old', id: 'one' },
      { address: 'Box/old/Rule/a', id: 'former' },
      { address: 'Box/old/Rule/b', id: 'b' },
      { address: 'Box/new', id: 'one' },
      { address: 'Box/new/Rule/a', id: 'now' },
    );
    const { objects } = withMovedEntries(both, new Map([['Box/new', { id: 'one' }]]));
    expect([...objects].map(([address, { id }]) => `${address} ${id}`).sort()).toEqual([
      'Box/new one',
      'Box/new/Rule/a now',
      'Box/new/Rule/b b',
    ]);
  });

  it('leave other addresses as they are', () => {
    expect(renamed('Box/oldest', new Map([['Box/old', 'Box/new']]))).toBe('Box/oldest');
  });

  it('are not sought among all pairs where all have one content', () => {
    let reads = 0;
    const members = Array.from({ length: 100 }, (_, at): Member => {
      const identity = `old${at}`;
      const spec = () => {
        reads += 1;
        return { name: identity };
      };
      return Object.defineProperty({ identity, id: identity, computed: {}, keys: [] } as never, 'spec', { get: spec });
    });
    const live = { state: 'read', members, blockers: {} } as const;
    const [declared] = declare(...members.map((_, at) => [`new${at}`] as const));
    expect(withRenamed(box, declared as never, live)).toBe(live);
    expect(reads).toBeLessThan(1000);
  });
});
