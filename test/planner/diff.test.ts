import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFields } from '../../src/model/plan/plan.ts';
import { diffSpec, immutableDifferences } from '../../src/planner/diff.ts';
import { normaliseSpec } from '../../src/model/kind/normalise.ts';
import { rule } from '../support/toy-kinds.ts';

const whole = { name: 'a', size: 1, colour: 'red', tags: ['x', 'y'], limits: { low: 1, high: 9 }, origin: 'here' };

describe('diffSpec', () => {
  it('finds nothing between equal documents, and nothing for fields that are not declared', () => {
    expect(diffSpec(rule, whole, whole)).toEqual([]);
    expect(diffSpec(rule, {}, whole)).toEqual([]);
    expect(diffSpec(rule, { name: 'a' }, { name: 'a' })).toEqual([]);
  });

  it('gives RFC 6902 replaces with what was there', () => {
    expect(diffSpec(rule, { size: 2, colour: 'red' }, whole)).toEqual([
      { op: 'replace', path: '/size', was: 1, value: 2 },
    ]);
  });

  it('adds what the live document does not have', () => {
    expect(diffSpec(rule, { size: 2 }, { name: 'a' })).toEqual([{ op: 'add', path: '/size', value: 2 }]);
    expect(diffSpec(rule, { limits: { low: 1, high: 2 } }, { limits: { low: 1 } })).toEqual([
      { op: 'add', path: '/limits/high', value: 2 },
    ]);
  });

  it('compares nested objects key by declared key', () => {
    expect(diffSpec(rule, { limits: { high: 10 } }, whole)).toEqual([
      { op: 'replace', path: '/limits/high', was: 9, value: 10 },
    ]);
    const nested = { limits: { low: { at: 1 }, high: 9 } };
    expect(diffSpec(rule, { limits: { low: { at: 2 } } }, nested)).toEqual([
      { op: 'replace', path: '/limits/low/at', was: 1, value: 2 },
    ]);
  });

  it('replaces an object by a value, and a value by an object, as a whole', () => {
    expect(diffSpec(rule, { limits: { low: 1 } }, { limits: 4 })).toEqual([
      { op: 'replace', path: '/limits', was: 4, value: { low: 1 } },
    ]);
    expect(diffSpec(rule, { limits: 4 }, { limits: { low: 1 } })).toEqual([
      { op: 'replace', path: '/limits', was: { low: 1 }, value: 4 },
    ]);
  });

  it('changes sets as a whole', () => {
    expect(diffSpec(rule, { tags: ['x'] }, whole)).toEqual([
      { op: 'replace', path: '/tags', was: ['x', 'y'], value: ['x'] },
    ]);
  });

  it('never compares what is sent only at creation, and keeps fixed fields apart', () => {
    expect(diffSpec(rule, { origin: 'there', name: 'b' }, whole)).toEqual([]);
    expect(immutableDifferences(rule, { name: 'b', origin: 'there' }, whole)).toEqual(['name']);
    expect(immutableDifferences(rule, { name: 'a' }, whole)).toEqual([]);
  });

  it('keeps the order of the kind, whatever the order of the manifest', () => {
    expect(diffSpec(rule, { colour: 'blue', size: 2 }, whole).map(({ path }) => path)).toEqual(['/size', '/colour']);
  });

  it('names each changed field once, unescaped', () => {
    expect(
      changedFields([
        { op: 'replace', path: '/limits/low' },
        { op: 'replace', path: '/limits/high' },
        { op: 'add', path: '/a~1b~0c' },
      ]),
    ).toEqual(['limits', 'a/b~c']);
  });
});

describe('normaliseSpec', () => {
  const spec = fc.record(
    { colour: fc.string(), tags: fc.array(fc.string()), size: fc.integer() },
    { requiredKeys: [] },
  );

  it('is idempotent, and a document never differs from itself', () => {
    fc.assert(
      fc.property(spec, (raw) => {
        const once = normaliseSpec(rule, raw);
        expect(normaliseSpec(rule, once)).toEqual(once);
        expect(diffSpec(rule, once, once)).toEqual([]);
      }),
    );
  });

  it('makes sets equal whatever their order and repeats', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (tags) => {
        const shuffled = [...tags, ...tags].reverse();
        expect(diffSpec(rule, normaliseSpec(rule, { tags }), normaliseSpec(rule, { tags: shuffled }))).toEqual([]);
      }),
    );
  });
});
