// A suggestion is never the opposite of what was written.
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/model/format.ts';
import { shapes } from '../../src/manifest/generated/shapes.ts';
import type { Shape } from '../../src/manifest/shape.ts';

const MATCH = ['any', 'all', 'none'];
const ACTIONS = ['block', 'log', 'challenge', 'allow', 'bypass'];

describe('a suggestion', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['and', MATCH, 'all'],
    ['AND', MATCH, 'all'],
    ['every', MATCH, 'all'],
    ['or', MATCH, 'any'],
    ['either', MATCH, 'any'],
    ['not', MATCH, 'none'],
    ['nor', MATCH, 'none'],
    ['deny', ACTIONS, 'block'],
    ['drop', ACTIONS, 'block'],
    ['permit', ACTIONS, 'allow'],
    ['monitor', ACTIONS, 'log'],
    ['yearly', ['monthly', 'annual'], 'annual'],
    ['delete', ['keep', 'remove'], 'remove'],
    ['deleted', ['present', 'absent'], 'absent'],
    ['blok', ACTIONS, 'block'],
    ['aly', MATCH, undefined],
  ])('for %s among %j is %s', (written, known, meant) => {
    expect(nearest(written, known)).toBe(meant);
  });

  it('names each value of each field when it is written with one slip', () => {
    for (const allowed of enumsOf(Object.values(shapes)))
      for (const value of allowed.filter(({ length }) => length > 3))
        expect([value, undefined], `${value} of ${allowed.join(', ')}`).toContain(nearest(`${value}x`, allowed));
  });
});

function enumsOf(all: readonly Shape[]): readonly (readonly string[])[] {
  return all.flatMap((shape) => {
    switch (shape.is) {
      case 'object':
        return enumsOf(Object.values(shape.fields));
      case 'list':
        return enumsOf([shape.items]);
      case 'choice':
        return enumsOf(shape.of);
      case 'value':
        return shape.allowed === undefined ? [] : [shape.allowed];
    }
  });
}
