// What reports show of changes that a manifest has words for.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import type { Action, Change } from '../../src/model/plan/plan.ts';
import { changesInWords } from '../../src/report/view/values.ts';

function shown(changes: readonly Change[], sent?: JsonObject, address = 'Site/shop/EdgeRule/x'): readonly Change[] {
  const steps = sent === undefined ? [] : [{ do: 'request', name: 'replace', body: { edge_rule: sent } }];
  return changesInWords({ address, changes, steps: steps as unknown as Action['steps'] });
}

const redirect = { ActionType: 1, ActionParameter1: 'https://a.nl/', ActionParameter2: '308', ActionParameter3: '' };

describe('EDG-02: the changes of an edge rule', () => {
  it('name what is done and what it is tried on', () => {
    expect(
      shown([
        { op: 'add', path: '/action', value: { type: 'BlockRequest' } },
        { op: 'add', path: '/extraActions', value: [{ type: 'SetResponseHeader', parameter1: 'X', parameter2: 'y' }] },
        { op: 'replace', path: '/triggers', was: [], value: [{ type: 'Url', match: 'none', patterns: ['*'] }] },
        { op: 'add', path: '/name', value: 'x' },
      ]),
    ).toEqual([
      { op: 'add', path: '/action', value: { block: {} } },
      { op: 'add', path: '/extraActions', value: [{ setResponseHeader: { name: 'X', value: 'y' } }] },
      { op: 'replace', path: '/triggers', was: [], value: [{ url: { none: ['*'] } }] },
      { op: 'add', path: '/name', value: 'x' },
    ]);
  });

  it('name the parameter that changes', () => {
    expect(shown([{ op: 'replace', path: '/action/parameter2', was: '301', value: '308' }], redirect)).toEqual([
      { op: 'replace', path: '/action/redirect/status', was: 301, value: 308 },
    ]);
    expect(shown([{ op: 'replace', path: '/action/parameter2', was: '', value: '308' }], redirect)).toEqual([
      { op: 'add', path: '/action/redirect/status', value: 308 },
    ]);
  });

  it('show both actions where it becomes another one', () => {
    expect(
      shown(
        [
          { op: 'replace', path: '/action/type', was: 'BlockRequest', value: 'Redirect' },
          { op: 'replace', path: '/action/parameter1', was: '', value: 'https://a.nl/' },
          { op: 'replace', path: '/action/parameter2', was: '', value: '308' },
        ],
        redirect,
      ),
    ).toEqual([
      { op: 'replace', path: '/action', was: { block: {} }, value: { redirect: { to: 'https://a.nl/', status: 308 } } },
    ]);
  });

  it('stay as they are where there are no words, or where nothing tells the type', () => {
    const change: Change = { op: 'replace', path: '/action/parameter1', was: '1', value: '2' };
    expect(shown([change], { ...redirect, ActionType: 21, ActionParameter1: '2', ActionParameter2: '' })).toEqual([
      change,
    ]);
    expect(shown([change])).toEqual([change]);
    expect(shown([change], { ...redirect, ActionParameter1: { $ref: 'Site/x', output: 'id' } })).toEqual([change]);
    const other: Change = { op: 'add', path: '/triggers', value: ['x'] };
    expect(shown([other])).toEqual([other]);
    expect(shown([other], undefined, 'Site/shop/Caching')).toEqual([other]);
  });
});
