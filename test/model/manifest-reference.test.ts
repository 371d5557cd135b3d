// What a reference in a manifest is, and what only looks like one.
import { expect, test } from 'vitest';
import { isWithin, manifestReference } from '../../src/model/manifest-reference.ts';

test('a reference holds an address and perhaps an output, and nothing else', () => {
  expect(manifestReference({ ref: 'Contact/acme' })).toEqual({ ref: 'Contact/acme' });
  expect(manifestReference({ ref: 'Site/shop', output: 'name' })).toEqual({ ref: 'Site/shop', output: 'name' });
  for (const other of [
    undefined,
    null,
    'Contact/acme',
    ['ref'],
    {},
    { ref: 1 },
    { ref: 'Site/shop', output: 1 },
    { ref: 'Site/shop', more: true },
  ])
    expect(manifestReference(other)).toBeUndefined();
});

test('a place is in another one by whole keys', () => {
  expect(['/a', '/a/b', '/ab', '/b'].map((pointer) => isWithin(pointer, '/a'))).toEqual([true, true, false, false]);
  expect(isWithin('/a', '')).toBe(true);
});
