// The table of evidence in docs/design/binding-and-diff.md is that of the kinds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import type { Kind } from '../../src/model/kind/kind.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/design/binding-and-diff.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, kind, key, name, order]) => ({ kind, key, name, order }),
);

/** What the column has for a kind whose natural keys these are. */
function expectedKey(keys: Kind['keys']): unknown {
  if (keys === undefined) return 'a hostname in `domains`';
  return keys('example.com', {}).flat().length > 0 ? '`metadata.name`' : expect.not.stringContaining('metadata');
}

it('names the evidence for a binding of each kind of roots', () => {
  const roots = [...registry.values()].filter(({ parent }) => parent === null);
  expect(rows).toEqual(
    roots.map(({ kind, keys, capabilities }) => ({
      kind,
      key: expectedKey(keys),
      name: keys === undefined ? '`spec.name`' : 'no',
      order: capabilities.paid?.ordered({ site: { id: 'site-1' } })?.id === undefined ? 'no' : 'yes',
    })),
  );
});
