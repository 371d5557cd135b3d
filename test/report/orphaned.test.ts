// How what no manifest names any more is told in each form: who made it and when, where it stood, what to write.
import { expect, it } from 'vitest';
import type { Orphaned } from '../../src/model/plan/orphaned.ts';
import { planHtml, planMarkdown, planText } from '../support/reports.ts';
import { planOf } from './samples.ts';

const at = '2026-01-15T09:00:00.000Z';
const orphaned: readonly Orphaned[] = [
  {
    collection: 'Site/shop/EdgeRule',
    kind: 'EdgeRule',
    objects: [
      { address: "Site/shop/EdgeRule/Bob's%20rule", made: { by: 'created', at }, id: 'a' },
      { address: 'Site/shop/EdgeRule/old', removedFrom: { file: 'sites/shop.yaml', line: 12, column: 5 }, id: 'b' },
    ],
    file: 'sites/shop.yaml',
    remove: { yaml: 'edgeRules: []\n' },
    keep: { yaml: 'edgeRules:\n  - name: old\n' },
  },
  {
    collection: 'Mailspace/example.com',
    kind: 'Mailspace',
    objects: [{ address: 'Mailspace/example.com', made: { by: 'recorded', at }, id: 'm' }],
    remove: { reason: 'no document says how a mailspace is deleted. Delete it in the dashboard' },
    keep: { command: 'hostwright export Mailspace/example.com --out .' },
  },
];
const plan = { ...planOf({}), orphaned };

it('a terminal shows each with the lines that delete and keep it', () => {
  expect(planText(plan)).toContain(`Orphaned (3): live, and no manifest names it any more; left alone
  Site/shop/EdgeRule/"Bob's rule"
      made by us on 2026-01-15, no manifest mentions it
  Site/shop/EdgeRule/old
      removed from sites/shop.yaml:12:5 in this branch
  Mailspace/example.com
      declared by us before, last recorded on 2026-01-15, no manifest mentions it

  How to delete or to keep them
      Site/shop/EdgeRule/"Bob's rule"
      To delete all 2, write under spec: of sites/shop.yaml:
        edgeRules: []
      To keep all 2, write under spec: of sites/shop.yaml:
        edgeRules:
          - name: old
      To stop listing it, run:
        hostwright ledger forget 'Site/shop/EdgeRule/Bob'\\''s%20rule'
      Mailspace/example.com
      To delete it: no document says how a mailspace is deleted. Delete it in the dashboard
      To keep it, run:
        hostwright export Mailspace/example.com --out .
      To stop listing it, run:
        hostwright ledger forget Mailspace/example.com`);
});

it('in short it is a line each', () => {
  expect(planText(plan, { concise: true })).toContain(
    'Site/shop/EdgeRule/old  removed from sites/shop.yaml:12:5 in this branch',
  );
  expect(planText(plan, { concise: true })).not.toContain('edgeRules');
});

it('a comment and a page show the same', () => {
  for (const shown of [planMarkdown(plan), planHtml(plan)]) {
    expect(shown).toContain('Orphaned (3)');
    expect(shown).toContain('edgeRules: []');
    expect(shown).toMatch(/emoved from `?.*sites\/shop.yaml:12:5/);
    expect(shown).toContain('hostwright ledger forget Mailspace/example.com');
  }
});
