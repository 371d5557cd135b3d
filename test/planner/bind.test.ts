import { describe, expect, it } from 'vitest';
import { bindRoots } from '../../src/planner/bind.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import { ledgerOf, member, wantRoot, wantRoots } from '../support/desired.ts';
import { box } from '../support/toy-kinds.ts';
import { containing } from '../support/matchers.ts';

const one = member(box, 'one', { name: 'One' }, { keys: [['a.nl', 'b.nl'], ['Same']] });
const two = member(box, 'two', { name: 'Two' }, { keys: [['c.nl'], ['Same']] });
const three = member(box, 'three', { name: 'Three' }, { keys: [[], ['Other']] });

function bind(desired: Parameters<typeof wantRoot>[3], ledger = MISSING_LEDGER) {
  const { bound, diagnostics } = bindRoots(
    wantRoots(box, [wantRoot(box, 'shop', {}, desired)]),
    [one, two, three],
    ledger,
  );
  return {
    id: bound.get('Box/shop')?.id,
    question: bound.get('Box/shop')?.unverified?.remedy,
    codes: diagnostics.map(({ code }) => code),
    details: diagnostics.map(({ detail }) => detail),
  };
}

describe('bindRoots', () => {
  it('takes metadata.id before anything else', () => {
    expect(bind({ boundId: 'two', keys: [['a.nl']] })).toMatchObject({ id: 'two', codes: [] });
  });

  it('refuses an id that no live object has', () => {
    expect(bind({ boundId: 'gone' })).toMatchObject({ id: undefined, codes: ['HW2001'] });
  });

  it('promise 3: an id that no live object has is as declared where the object is to be absent; it is told unless the ledger knew it', () => {
    const absent = { boundId: 'gone', lifecycle: { state: 'absent', protect: false } } as const;
    expect(bind(absent)).toMatchObject({ id: undefined, codes: ['HW2060'], details: [containing('the id gone')] });
    expect(bind(absent, ledgerOf({ address: 'Box/shop', id: 'gone' }))).toMatchObject({ id: undefined, codes: [] });
    expect(bind(absent, ledgerOf({ address: 'Box/shop', id: 'one' }))).toMatchObject({
      id: undefined,
      codes: ['HW2002'],
    });
    expect(bind({ ...absent, boundId: 'one' })).toMatchObject({ id: 'one', codes: [] });
  });

  it('refuses when metadata.id and the ledger mean different live objects', () => {
    expect(bind({ boundId: 'two' }, ledgerOf({ address: 'Box/shop', id: 'one' }))).toMatchObject({
      id: undefined,
      codes: ['HW2002'],
      details: [containing('hostwright ledger forget Box/shop')],
    });
    expect(bind({ boundId: 'two' }, ledgerOf({ address: 'Box/shop', id: 'two' }))).toMatchObject({
      id: 'two',
      codes: [],
    });
    // What the ledger remembers is gone: the manifest's id is the only answer.
    expect(bind({ boundId: 'two' }, ledgerOf({ address: 'Box/shop', id: 'gone' }))).toMatchObject({
      id: 'two',
      codes: [],
    });
  });

  it('takes the ledger before keys, and verifies it by a hostname or the display name', () => {
    const ledger = ledgerOf({ address: 'Box/shop', id: 'one' });
    const verified = { id: 'one', codes: [], question: undefined };
    expect(bind({ keys: [['a.nl', 'new.nl']] }, ledger)).toMatchObject(verified);
    expect(bind({ keys: [['a.nl'], ['Other']] }, ledger)).toMatchObject(verified);
    expect(bind({ keys: [['c.nl']] }, ledger)).toMatchObject({ id: undefined, codes: ['HW2002'] });
    const three = ledgerOf({ address: 'Box/shop', id: 'three' });
    expect(bind({ keys: [['new.nl'], ['Other']] }, three)).toMatchObject({ ...verified, id: 'three' });
    expect(bind({ keys: [] }, ledgerOf({ address: 'Box/shop', id: 'gone' }))).toMatchObject({
      id: undefined,
      codes: [],
    });
  });

  it.each([
    ['no key is declared', []],
    ['no key is live', [['new.nl'], ['Nobody']]],
    ['the display name is that of another object', [['new.nl'], ['Other']]],
    ['two objects share the display name', [[], ['Same']]],
    ['two objects have a declared hostname', [['a.nl', 'c.nl']]],
  ])('binds by the ledger alone for reading only, and asks, where %s', (_where, keys) => {
    expect(bind({ keys }, ledgerOf({ address: 'Box/shop', id: 'one' }))).toMatchObject({
      id: 'one',
      codes: [],
      question:
        'If one is the right one, add `metadata: { id: one }` to the manifest. If not, run `hostwright ledger forget Box/shop`.',
    });
  });

  it('tries natural keys rank by rank', () => {
    expect(bind({ keys: [['b.nl', 'a.nl'], ['Other']] })).toMatchObject({ id: 'one', codes: [] });
    expect(bind({ keys: [['new.nl'], ['Other']] })).toMatchObject({ id: 'three', codes: [] });
    expect(bind({ keys: [['new.nl'], ['Nobody']] })).toMatchObject({ id: undefined, codes: [] });
    expect(bind({ keys: [['x'], ['y'], ['a rank no member has']] })).toMatchObject({ id: undefined, codes: [] });
  });

  it('never guesses between two live objects', () => {
    expect(bind({ keys: [['a.nl', 'c.nl']] })).toMatchObject({
      id: undefined,
      codes: ['HW2003'],
      details: [containing('one, two')],
    });
    expect(bind({ keys: [[], ['Same']] })).toMatchObject({ id: undefined, codes: ['HW2003'] });
  });

  it('refuses two manifests for one live object, at the place of the second', () => {
    const { diagnostics } = bindRoots(
      wantRoots(box, [
        wantRoot(box, 'a', {}, { boundId: 'one' }),
        wantRoot(box, 'b', {}, { keys: [['b.nl']] }),
        wantRoot(box, 'c', {}, { boundId: 'two', sourceOf: () => undefined }),
      ]),
      [one, two],
      MISSING_LEDGER,
    );
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code: 'HW2004',
        address: 'Box/b',
        source: { file: 'b.yaml', line: 3, column: 1, endLine: 3, endColumn: 1 },
      }),
    ]);
  });

  it('leaves the place out where it is not known', () => {
    expect(
      bindRoots(
        wantRoots(box, [wantRoot(box, 'a', {}, { boundId: 'gone', sourceOf: () => undefined })]),
        [],
        MISSING_LEDGER,
      ).diagnostics[0],
    ).not.toHaveProperty('source');
  });
});
