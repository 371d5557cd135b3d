// What the first ten lines of a plan answer: whether apply will run it, and what in it is dangerous.
import { describe, expect, it } from 'vitest';
import type { GuardCheck } from '../../src/model/plan/guard-check.ts';
import type { Action, Plan } from '../../src/model/plan/plan.ts';
import { saidReason, shortReason } from '../../src/report/view/document.ts';
import { actionLine, headLines } from '../../src/report/view/head-lines.ts';
import { stepLine, stepsAfterPlan } from '../../src/report/view/next-steps.ts';
import { withoutPersonal } from '../../src/report/view/personal.ts';
import { planMarkdown, planText } from '../support/reports.ts';
import { actionOf, planOf } from './samples.ts';
import { containing } from '../support/matchers.ts';

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
  'Buys registration acme.com: cannot be undone, costs 12.00 EUR',
  'Changes plan of site blog from mini to pro: charges (price not quoted), restarts the site',
  'Deletes edge rule "made elsewhere" of site shop: no longer in the manifest, lowers protection',
  'Creates hostname winkel.example.com of site shop as its primary hostname: replaces shop.example.com',
  'Disables Shield WAF of site shop: lowers protection',
  'Changes PHP version of site shop from 8.2 to 8.3: restarts the site',
];

describe('a plan of 14 mixed changes', () => {
  it('says in its first ten lines of the terminal whether it will run and what is dangerous', () => {
    const first = planText(mixed, { guardCheck }).split('\n').slice(0, 10);
    expect(mixed.actions).toHaveLength(14);
    expect(first).toEqual([
      'Apply will refuse this: 1 delete, 0 allowed; 2 charges, 0 allowed (guards of origin/main).',
      'Allow with `--allow-deletes 1 --allow-charges 2`, or in hostwright.yaml at origin/main.',
      'Plan for account acme: 5 to create, 8 to change, 1 to delete; charges 12.00 EUR plus 1 price not quoted.',
      'Look at these first (6):',
      ...LINES.map((line) => containing(line)),
    ]);
    expect(first[5]).toMatch(/ {2}sites\/blog\.yaml:4:3$/);
    expect(stepsAfterPlan(mixed, { again: '', guardCheck }).map(stepLine)).toEqual([
      containing('Next: hostwright apply --allow-deletes 1 --allow-charges 2 '),
    ]);
  });

  it('says the same in the first ten lines of a comment that anybody sees', () => {
    const seen = planMarkdown(mixed, { guardCheck })
      .replace(/^<!--[^]*?-->/, '')
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, 10);
    expect(seen[1]).toContain('Apply will refuse this: 1 delete, 0 allowed; 2 charges, 0 allowed');
    expect(seen[2]).toContain('Plan: 5 to create, 8 to change, 1 to delete');
    expect(seen[3]).toBe('#### Look at these first (6)');
    // What happens stands in bold, what follows from it does not.
    expect(seen.slice(4, 10).map((line) => line.replaceAll('**', ''))).toEqual(LINES.map((line) => containing(line)));
    expect(seen[6]).toMatch(/\*\*Deletes edge rule "made elsewhere" of site shop\*\*: no longer/);
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
      'Turn off autoRenew of registration acme.com: cannot be undone, ends the registration',
    );
  });

  const ownerAction = (parts: Partial<Action>): Action =>
    actionOf({
      address: 'DomainRegistration/acme.nl/RegistrationOwner',
      kind: 'RegistrationOwner',
      verb: 'update',
      reason: 'firstName, lastName differ',
      ...parts,
    });
  const personal = (path: string, was: string, value: string) =>
    ({ op: 'replace', path, was, value, personal: [''] }) as const;
  const JANE = [
    personal('/firstName', 'Ada', 'Jane'),
    personal('/lastName', 'Vries', 'Doe'),
    personal('/organization', '', 'Acme BV'),
    personal('/email', 'ada@acme.example', 'jane@acme.example'),
  ];

  it('REG-25: another holder is named, with what it costs; personal data is hidden where a format hides it', () => {
    const free = ownerAction({ changes: JANE, risk: ['irreversible'] });
    const paid = ownerAction({
      changes: JANE,
      risk: ['charge', 'irreversible'],
      cost: { amountCents: 1200, currency: 'EUR' },
    });
    expect(headLines([free])[0]?.text).toBe(
      'New holder of registration acme.nl: Jane Doe of Acme BV, free, cannot be undone',
    );
    expect(headLines([paid])[0]?.text).toBe(
      'New holder of registration acme.nl: Jane Doe of Acme BV, paid (12.00 EUR), cannot be undone',
    );
    expect(saidReason(paid)).toBe('new holder: Jane Doe of Acme BV, paid (12.00 EUR), cannot be undone');
    const hidden = headLines(withoutPersonal(planOf({ actions: [paid] })).actions);
    expect(hidden[0]?.text).toBe('New holder of registration acme.nl: (personal), paid (12.00 EUR), cannot be undone');
    const many = ['a.nl', 'b.nl', 'c.nl'].map((name) => ({
      ...paid,
      address: `DomainRegistration/${name}/RegistrationOwner`,
    }));
    expect(headLines(many)[0]?.text).toBe(
      'New holder of 3 registrations: Jane Doe of Acme BV, paid (12.00 EUR each), cannot be undone',
    );
  });

  it('REG-20: other details of the same holder are told as that', () => {
    const moved = ownerAction({ changes: [personal('/city', 'Amsterdam', 'Utrecht')] });
    expect(saidReason(moved)).toBe('address of the holder changes');
    expect(shortReason(moved)).toBe('address of the holder changes: city: Amsterdam -> Utrecht');
    expect(actionLine(moved)).toBe('Address of the holder of registration acme.nl changes: city Amsterdam -> Utrecht');
    expect(withoutPersonal(planOf({ actions: [moved] })).actions.map(actionLine)).toEqual([
      'Address of the holder of registration acme.nl changes: city (personal)',
    ]);
    expect(saidReason(ownerAction({ changes: JANE.slice(3) }))).toBe('email of the holder changes');
  });

  it.each([
    ['RegistrationContacts', (at: number) => `/admin/field${at}`, 'contacts'],
    ['RegistrationNameservers', (at: number) => `/nameservers/${at}`, 'name servers'],
  ])('DCT-08: never cut %s of a registration', (kind, path, noun) => {
    const changes = [...Array(40).keys()].map((at) => ({
      op: 'replace' as const,
      path: path(at),
      was: `ns${at}.old.example`,
      value: `ns${at}.new.example`,
    }));
    const action = actionOf({
      address: `DomainRegistration/acme.nl/${kind}`,
      kind,
      verb: 'update',
      reason: 'field differs',
      changes,
    });
    expect(actionLine(action)).toContain(`Change ${noun} of registration acme.nl (`);
    const text = planText(planOf({ actions: [action] }), { concise: true, width: 80 });
    for (const { value } of changes) {
      expect(actionLine(action)).toContain(value);
      expect(text).toContain(value);
    }
  });

  it('name what is made once on each of many sites by its name', () => {
    const rules = ['a', 'b', 'c', 'd', 'e'].map((site) =>
      actionOf({
        address: `Site/${site}/EdgeRule/Force%20TLS`,
        kind: 'EdgeRule',
        verb: 'create',
        changes: [{ op: 'add', path: '/name', value: 'Force TLS' }],
      }),
    );
    const text = planText(planOf({ actions: rules }));
    expect(text).toContain('+ edge rule "Force TLS" on 5 sites');
    expect(text).not.toContain('edge rule of');
  });

  it('O-63: say in words what is switched', () => {
    const lock = (value: boolean): Action =>
      actionOf({
        address: 'DomainRegistration/acme.nl/RegistrationLock',
        kind: 'RegistrationLock',
        verb: 'update',
        changes: [{ op: 'replace', path: '/locked', was: !value, value }],
        risk: value ? [] : ['exposure'],
      });
    expect([lock(false), lock(true)].map(actionLine)).toEqual([
      'Unlock registration acme.nl for transfer: may be transferred away',
      'Lock registration acme.nl against transfer',
    ]);
    const shield = actionOf({
      address: 'Site/shop/Shield',
      kind: 'Shield',
      verb: 'update',
      changes: [
        { op: 'replace', path: '/enabled', was: false, value: true },
        { op: 'add', path: '/plan', value: 'advanced' },
      ],
      risk: ['charge'],
    });
    expect(actionLine(shield)).toBe('Enable Shield of site shop (plan advanced): charges (price not quoted)');
    const promote = hostname('www.example.com', {
      verb: 'update',
      changes: [{ op: 'replace', path: '/primary', was: false, value: true }],
      risk: ['primary'],
      effects: [{ address: 'Site/shop/SiteDomain/shop.example.com', path: '/primary', value: false }],
    });
    expect(actionLine(promote)).toBe(
      'Make www.example.com the primary hostname of site shop: replaces shop.example.com',
    );
  });

  it('never end the code of a sentence with a backtick of a name', () => {
    const [line] = headLines([hostname('`x`', { risk: ['exposure'] })]);
    expect(line?.text).not.toContain('`');
  });
});
