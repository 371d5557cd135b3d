// Which actions may overlap: told only when nothing in the plan holds one back for the other.
import { describe, expect, it } from 'vitest';
import { overlapSentence } from '../../../src/report/graph/order.ts';
import { actionOf } from '../samples.ts';

const on = (site: string, name: string, more: object = {}) =>
  actionOf({ address: `Site/${site}/SiteDomain/${name}`, verb: 'create', locks: [`Site/${site}`], ...more });

describe('parts of a plan', () => {
  it('are what shares a lock or waits for another', () => {
    const actions = [
      on('a', '1'),
      on('a', '2'),
      on('b', '1'),
      on('c', '1', { needs: [{ address: 'Site/b/SiteDomain/1', rule: 'O-1', reason: 'x' }] }),
    ];
    expect(overlapSentence(actions)).toBe('changes in 2 independent groups, run in parallel');
  });

  it('are not told when there is one only', () => {
    expect(overlapSentence([on('a', '1'), on('a', '2')])).toBe('');
    expect(overlapSentence([])).toBe('');
    // One billing lock makes one part of all who spend.
    expect(
      overlapSentence([on('a', '1', { locks: ['Site/a', 'billing'] }), on('b', '1', { locks: ['Site/b', 'billing'] })]),
    ).toBe('');
  });

  it('of removals come after all changes, whatever they wait for', () => {
    const gone = (site: string) =>
      on(site, 'old', {
        verb: 'delete',
        stage: 'removal',
        needs: [{ address: `Site/${site}/SiteDomain/1`, rule: 'O-70', reason: 'x' }],
      });
    expect(overlapSentence([on('a', '1'), on('b', '1'), gone('a'), gone('b')])).toBe(
      'changes in 2 independent groups, then removals in 2 independent groups, run in parallel',
    );
    expect(overlapSentence([on('a', '1'), gone('a'), gone('b')])).toBe(
      'removals in 2 independent groups, run in parallel',
    );
  });

  it('are counted for ten thousand actions that wait for each other', () => {
    const chain = Array.from({ length: 10_000 }, (_, index) =>
      on('a', String(index), {
        locks: [`Site/${index % 2}`],
        needs: index > 1 ? [{ address: `Site/a/SiteDomain/${index - 2}`, rule: 'O-1', reason: 'x' }] : [],
      }),
    );
    expect(overlapSentence(chain)).toContain('2 independent groups');
  });
});
