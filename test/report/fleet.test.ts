// What a table of many accounts says first, what it says once, and what it only counts.
import { describe, expect, it } from 'vitest';
import type { Fleet, FleetAccount } from '../../src/model/plan/fleet.ts';
import { FLEET_FORMAT } from '../../src/model/plan/fleet.ts';
import { readApprovedFleet } from '../../src/report/blocks/mark.ts';
import { aPlan } from '../support/actions.ts';
import { fleetMarkdown } from '../support/reports.ts';
import { renderFleet } from '../../src/report/text/fleet.ts';
import { mixedPlan } from './html/html-samples.ts';
import { matching } from '../support/matchers.ts';

const none = { ...aPlan().summary, unchanged: 3 };

function account(id: string, given: Partial<FleetAccount> = {}): FleetAccount {
  const workspace = `accounts/${id}`;
  return { account: id, workspace, outcome: 'done', requests: 1, ms: 1, diagnostics: [], ...given };
}

const withoutToken = (id: string): FleetAccount =>
  account(id, {
    outcome: 'error',
    diagnostics: [{ code: 'HW3002', severity: 'error', summary: 'No token set', detail: `Set the variable of ${id}.` }],
  });
const changing = (id: string, counts: Partial<typeof none>, given: Partial<FleetAccount> = {}): FleetAccount =>
  account(id, {
    outcome: 'differences',
    summary: { ...none, ...counts },
    digest: 'd'.repeat(64),
    content: 'c',
    ...given,
  });

function fleet(accounts: readonly FleetAccount[]): Fleet {
  return { format: FLEET_FORMAT, command: 'plan', outcome: 'error', exitCode: 1, diagnostics: [], accounts };
}

const mixed = fleet([
  changing('a1', { update: 2 }),
  account('a2'),
  changing('a3', { delete: 1, charges: 1 }),
  ...['a4', 'a5', 'a6', 'a7'].map(withoutToken),
]);

const comment = (accounts: readonly FleetAccount[], most = 65_000): string =>
  fleetMarkdown(fleet(accounts), { count: 'characters', most });

describe('the same changes in many accounts', () => {
  const ids = Array.from({ length: 300 }, (_, index) => `acc-${String(index + 1).padStart(5, '0')}`);
  const alike = ids.map((id) => changing(id, { update: 1 }, { plan: { ...mixedPlan, account: id } }));
  const other = changing('other', { update: 1 }, { plan: mixedPlan, content: 'e' });

  it('are one row that opens to the accounts and the change; an account with other changes has its own', () => {
    const text = comment([...alike, other]);
    expect(text).toMatch(/\| `acc-00001 and 299 more` +\| differences: 1 to change each +\|/);
    expect(text).toMatch(/\| `other` +\| differences: 1 to change +\|/);
    expect(text).toContain(`<summary>The 300 accounts</summary>\n\n\`${ids.join(' ')}\``);
    expect(text).toContain('What follows is of `acc-00001`.');
    expect(text.match(/\*\*Plan: /g)).toHaveLength(2);
    expect(readApprovedFleet(text)).toHaveLength(301);
    // What to do with one plan, and how a run of it ends, is nothing for one of many.
    expect(text).not.toContain('How to run exactly this');
    expect(
      renderFleet(fleet([...alike, other]), { color: false })
        .split('\n')
        .slice(1, 3),
    ).toEqual([
      matching(/^acc-00001 and 299 more  differences  1 to change each /),
      matching(/^other                   differences  1 to change /),
    ]);
    expect(renderFleet(fleet(alike), { color: false, all: true })).toMatch(/^acc-00300 /m);
  });

  it('are told apart where something else is said of one of them', () => {
    const [first, second, third, fourth] = alike as [FleetAccount, FleetAccount, FleetAccount, FleetAccount];
    const blocked = { ...mixedPlan, blocked: [] };
    const rows = comment([
      first,
      second,
      third,
      { ...fourth, plan: blocked },
      { ...fourth, account: 'refused', note: 'no' },
    ]);
    expect(rows).toMatch(/`acc-00001 and 2 more`/);
    expect(rows).toMatch(/\| `acc-00004` /);
    expect(rows).toMatch(/\| `refused` /);
  });
});

describe('a table of many accounts', () => {
  it('has three columns in a comment, or a phone would cut off the fourth', () => {
    const text = comment([changing('a1', { update: 2 }, { workspace: 'clients/bakery', note: 'has a note' })]);
    expect(text).toContain('| `a1` (`clients/bakery`) | differences: 2 to change | has a note |');
  });

  it('has what failed first, then what deletes or charges; an equal problem once; what is quiet is counted', () => {
    const text = renderFleet(mixed, { color: false });
    const rows = text.split('\n').slice(1, 4);
    expect(rows.map((row) => row.split(/ {2,}/)[0])).toEqual(['a4 and 3 more', 'a3', 'a1']);
    expect(text).toContain(
      '7 accounts: 1 without changes, 2 with changes, 4 failed. In all 2 to change, 1 to delete, 1 charge.',
    );
    expect(text.match(/error HW3002/g)).toHaveLength(1);
    expect(text).toContain('a4, a5, a6, a7:');
    expect(renderFleet(mixed, { color: false, all: true })).toMatch(/^a2 /m);
  });

  it('is no longer than people read; the rest is counted', () => {
    const many = fleet(Array.from({ length: 90 }, (_, index) => changing(`b${index}`, { update: 1 })));
    const text = renderFleet(many, { color: false });
    expect(text).toContain('50 more accounts with something to tell; --all shows them.');
    expect(text.split('\n').length).toBeLessThan(50);
    const comment = fleetMarkdown(many, { count: 'characters', most: 3_000 });
    expect(comment).toMatch(/\d+ more accounts have no room here/);
  });

  it('whose digests have no room approves nothing, and says so', () => {
    const many = Array.from({ length: 90 }, (_, index) => ({
      ...changing(`b${index}`, { update: 1 }),
      plan: mixedPlan,
    }));
    const comment = fleetMarkdown(fleet(many), { count: 'characters', most: 5_000 });
    expect(readApprovedFleet(comment)).toBe('too long');
    expect(comment).toContain('There are too many accounts for one report to approve');
  });
});
