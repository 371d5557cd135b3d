// What the first ten lines of a plan answer: whether apply will run it, and what in it is dangerous.
import { describe, expect, it } from 'vitest';
import type { GuardCheck } from '../../src/model/plan/guard-check.ts';
import type { Action, Plan } from '../../src/model/plan/plan.ts';
import { COMMENT, renderPlanMarkdown } from '../../src/report/markdown/index.ts';
import { renderPlan } from '../../src/report/text/plan.ts';
import { headLines } from '../../src/report/view/head-lines.ts';
import { actionOf, planOf } from './samples.ts';

const hostname = (name: string, parts: Partial<Action> = {}): Action =>
  actionOf({
    address: `Site/shop/SiteDomain/${name}`,
    verb: 'create',
    changes: [{ op: 'add', path: '/hostname', value: name }],
    ...parts,
  });
const setting = (site: string): Action =>
  actionOf({
    address: `Site/${site}/Caching`,
    kind: 'Caching',
    verb: 'update',
    changes: [{ op: 'replace', path: '/varyWebp', was: false, value: true }],
    source: { file: 'profiles/shop.yaml', line: 5, column: 3 },
  });

const RISKY: readonly Action[] = [
  hostname('winkel.example.com', {
    risk: ['primary'],
    effects: [{ address: 'Site/shop/SiteDomain/shop.example.com', path: '/primary', value: false }],
  }),
  actionOf({
    address: 'Site/blog',
    kind: 'Site',
    verb: 'update',
    changes: [{ op: 'replace', path: '/plan', was: 'mini', value: 'pro' }],
    risk: ['restart', 'charge'],
    source: { file: 'sites/blog.yaml', line: 4, column: 3 },
  }),
  actionOf({
    address: 'Site/shop/PhpVersion',
    kind: 'PhpVersion',
    verb: 'update',
    changes: [{ op: 'replace', path: '/version', was: '8.2', value: '8.3' }],
    risk: ['restart'],
  }),
  actionOf({
    address: 'Site/shop/ShieldWaf',
    kind: 'ShieldWaf',
    verb: 'update',
    changes: [{ op: 'replace', path: '/enabled', was: true, value: false }],
    risk: ['exposure'],
  }),
  actionOf({
    address: 'DomainRegistration/acme.com',
    kind: 'DomainRegistration',
    verb: 'create',
    changes: [{ op: 'add', path: '/name', value: 'acme.com' }],
    risk: ['charge', 'irreversible'],
    cost: { amountCents: 1200, currency: 'EUR' },
  }),
  actionOf({
    address: 'Site/shop/EdgeRule/made%20elsewhere',
    kind: 'EdgeRule',
    verb: 'delete',
    reason: 'will be deleted: no longer in the manifest',
    risk: ['delete', 'exposure'],
    source: { file: 'sites/shop.yaml', line: 12, column: 3 },
  }),
];
const HARMLESS = [
  hostname('a.example.com'),
  hostname('b.example.com'),
  hostname('c.example.com'),
  ...['one', 'two', 'three', 'four', 'five'].map(setting),
];
const mixed: Plan = planOf({ actions: [...HARMLESS, ...RISKY] });
const guardCheck: GuardCheck = {
  from: 'origin/main',
  options: [],
  refusals: [
    { code: 'HW2202', reason: '1 delete, 0 allowed', option: '--allow-deletes 1', addresses: [] },
    { code: 'HW2204', reason: '2 charges, 0 allowed', option: '--allow-charges 2', addresses: [] },
  ],
};

/** In words: no riddle, each with its values. */
const LINES = [
  'Buy registration acme.com: cannot be undone, costs 12.00 EUR',
  'Change plan of site blog from mini to pro: charges (price not quoted), restarts the site',
  'Delete edge rule "made elsewhere" of site shop: no longer in the manifest, lowers protection',
  'Change PHP version of site shop from 8.2 to 8.3: restarts the site',
  'Disable Shield WAF of site shop: lowers protection',
  'Create hostname winkel.example.com of site shop: takes the place of shop.example.com as the primary hostname',
];

describe('a plan of 14 mixed changes', () => {
  it('says in its first ten lines of the terminal whether it will run and what is dangerous', () => {
    const { text, hints } = renderPlan(mixed, { color: false, verbose: false, width: 120, guardCheck });
    const first = text.split('\n').slice(0, 10);
    expect(mixed.actions).toHaveLength(14);
    expect(first).toEqual([
      'Apply will refuse this: 1 delete, 0 allowed; 2 charges, 0 allowed (guards of origin/main).',
      'Allow with `--allow-deletes 1 --allow-charges 2`, or in hostwright.yaml at origin/main.',
      'Plan for account acme: 5 to create, 8 to change, 1 to delete; charges 12.00 EUR plus 1 price not quoted.',
      ...LINES.map((line) => expect.stringContaining(line) as string),
      '',
    ]);
    expect(first[4]).toMatch(/ {2}sites\/blog\.yaml:4:3$/);
    expect(hints.join('\n')).toContain('Next: hostwright apply --allow-deletes 1 --allow-charges 2 ');
  });

  it('says the same in the first ten lines of a comment that anybody sees', () => {
    const markdown =
      renderPlanMarkdown(mixed, {
        heading: 'Plan',
        verbose: false,
        outcome: 'differences',
        diagnostics: [],
        limit: COMMENT,
        guardCheck,
      }) ?? '';
    const seen = markdown
      .replace(/^<!--[^]*?-->/, '')
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, 10);
    expect(seen[1]).toContain('Apply will refuse this: 1 delete, 0 allowed; 2 charges, 0 allowed');
    expect(seen[2]).toContain('Plan: 5 to create, 8 to change, 1 to delete');
    expect(seen.slice(3, 9)).toEqual(LINES.map((line) => expect.stringContaining(line) as string));
  });
});

describe('head lines', () => {
  it('are one for each action, whatever the number of its risks', () => {
    expect(headLines(mixed.actions)).toHaveLength(RISKY.length);
  });

  it('tell several that say the same once, with their names', () => {
    const alike = ['a', 'b', 'c'].map((name) =>
      hostname(`${name}.example.com`, { verb: 'delete', reason: 'will be deleted: no longer in the manifest' }),
    );
    expect(headLines(alike)).toMatchObject([
      {
        text: 'Delete 3 hostnames of site shop: no longer in the manifest',
        names: ['a.example.com', 'b.example.com', 'c.example.com'],
      },
    ]);
  });

  it('say from where to where what moves, and what ends by a change', () => {
    const move = hostname('www.example.com', {
      risk: ['delete'],
      expect: { exists: false, tests: [], from: { address: 'Site/old/SiteDomain/www.example.com', tests: [] } },
    });
    expect(headLines([move])[0]?.text).toBe('Move hostname www.example.com from site old to site shop');
    const end = actionOf({
      address: 'DomainRegistration/acme.com',
      verb: 'update',
      changes: [{ op: 'replace', path: '/autoRenew', was: true, value: false }],
      risk: ['delete', 'irreversible'],
    });
    expect(headLines([end])[0]?.text).toBe(
      'Change autoRenew of registration acme.com from true to false: cannot be undone, ends it',
    );
  });

  it('never end the code of a sentence with a backtick of a name', () => {
    const [line] = headLines([hostname('`x`', { risk: ['exposure'] })]);
    expect(line?.text).not.toContain('`');
  });
});
