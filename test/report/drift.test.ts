// Drift in every form: which side changed, the three values, since when and by whom; nobody is named whom the history
// does not name.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import type { DriftItem, IgnoredDrift } from '../../src/model/plan/drift.ts';
import { driftGroups, ignoredLine, showSides, whenLines, wholeSentence } from '../../src/report/view/drift.ts';
import { renderPlanJson } from '../../src/report/json/index.ts';
import { COMMENT } from '../../src/report/markdown/fit.ts';
import { renderNotification } from '../../src/report/view/notification.ts';
import { withoutPersonal } from '../../src/report/view/personal.ts';
import { findSchemaProblem, planSchema } from '../support/written-schemas.ts';
import { planCommands, planMarkdown, planText } from '../support/reports.ts';
import { planOf, promote } from './samples.ts';

const notificationSchema = JSON.parse(
  readFileSync(new URL('../../schemas/notification.schema.json', import.meta.url), 'utf8'),
) as { readonly examples: readonly unknown[]; readonly $defs: Readonly<Record<string, unknown>> };
const isNotification = new Ajv2020({ strict: true, strictTypes: false }).compile(notificationSchema);
const NOW = Date.parse('2026-11-22T10:00:00.000Z');
const appliedAt = '2026-11-20T09:00:00.000Z';
const drift: readonly DriftItem[] = [
  {
    address: 'Mailspace/a/Mailbox/b',
    class: 'pending',
    is: 'changed',
    appliedAt,
    fields: [{ path: '/password', class: 'pending', rotationToken: true, applied: '1', manifest: '2' }],
  },
  { address: 'Site/new', class: 'in-flight', is: 'in-flight', fields: [] },
  {
    address: 'Site/shop',
    class: 'differs',
    is: 'changed',
    fields: [{ path: '/name', class: 'differs', manifest: 'Ada', live: 'Ben', personal: [''] }],
  },
  {
    address: 'Site/shop/Caching',
    class: 'both',
    is: 'changed',
    appliedAt,
    source: { file: 'sites/shop.yaml', line: 9, column: 3 },
    fields: [
      { path: '/smartCache', class: 'drifted', applied: true, manifest: true, live: false },
      { path: '/cookies', class: 'both', applied: ['a'], manifest: ['a', 'b|c'], live: ['\u001b[2J<x>'] },
    ],
  },
  {
    address: 'Site/shop/EdgeRule/x',
    class: 'drifted',
    is: 'extra',
    appliedAt,
    fields: [{ path: '/action', class: 'drifted', live: { type: 'Block' } }],
  },
  {
    address: 'Site/shop/PhpVersion',
    class: 'drifted',
    is: 'changed',
    appliedAt,
    fields: [{ path: '/version', class: 'drifted', applied: '8.3', manifest: '8.3', live: '8.2' }],
    activity: [
      { id: '17', name: 'site.variant.php', status: 'OK', at: '2026-11-22T09:58:00.000Z', by: 'Ada Vries' },
      { id: '16', name: 'site.variant.php', status: 'RUNNING', at: '2026-11-21T09:00:00.000Z' },
    ],
  },
  {
    address: 'Site/shop/SiteDomain/a.example',
    class: 'pending',
    is: 'missing',
    fields: [{ path: '/hostname', class: 'pending', manifest: 'a.example' }],
  },
];
const ignored: readonly IgnoredDrift[] = [
  { address: 'Site/a', as: 'blocked', by: 'Site/*' },
  { address: 'Site/b', path: '/x/y', as: 'drifted', by: 'Site/b#/x' },
];
const plan = planOf({ drift, ignored, actions: [promote] });

const human = (options: object = {}, of = plan) => planText(of, { heading: 'Drift', nowMs: NOW, ...options });
const markdown = (of = plan, options: object = {}) =>
  planMarkdown(withoutPersonal(of), { heading: 'Drift', ...options });

describe('drift', () => {
  it('reads as it did, in every form', async () => {
    await expect(`${human()}\n\n=== concise\n${human({ concise: true })}\n`).toMatchFileSnapshot('golden/drift.txt');
    await expect(`${markdown()}\n`).toMatchFileSnapshot('golden/drift.md');
    await expect(`${planCommands(withoutPersonal(plan)).join('\n')}\n`).toMatchFileSnapshot('golden/drift.github.txt');
  });

  it('is the same document in JSON, as the schema has it', () => {
    const document: unknown = JSON.parse(renderPlanJson(plan, { outcome: 'differences', diagnostics: [] }));
    expect(document).toMatchObject({ drift, ignored });
    expect(findSchemaProblem(document)).toBeUndefined();
    expect(Object.keys(document as object).slice(-5)).toEqual([
      'drift',
      'ignored',
      'outcome',
      'exitCode',
      'diagnostics',
    ]);
    for (const broken of [
      { ...plan, drift: {} },
      { ...plan, drift: [{ ...drift[0], class: 'odd' }] },
      { ...plan, ignored: [{}] },
    ])
      expect(findSchemaProblem(broken)).toBeDefined();
  });

  it('shows its actions only to who wants every detail', () => {
    expect(human()).not.toContain('promote');
    expect(human({ verbose: true })).toContain('promote');
    expect(markdown()).not.toContain('<summary>');
    expect(markdown(plan, { verbose: true })).toContain('<summary>');
  });

  it('that is none says so, and what was ignored', () => {
    const none = planOf({ drift: [], ignored: ignored.slice(0, 1) });
    expect(human({}, none)).toMatch(/^Drift for account acme: none, 14 objects match their manifests, 1 ignored\./);
    expect(human({}, none)).toContain('Site/a: blocked (--ignore Site/*)');
  });

  it('of very many objects fits into a comment: values go before names', () => {
    const many = planOf({
      drift: Array.from({ length: 2200 }, (_, index): DriftItem => ({
        ...(drift[5] as DriftItem),
        address: `Site/s${index}/PhpVersion`,
      })),
    });
    const text = markdown(many);
    expect(text.length).toBeLessThan(COMMENT.most);
    expect(text).toContain('2200 drifted');
    expect(text).toContain('and 2150 more');
  });

  it('of very many fields shows the first', () => {
    const fields = Array.from({ length: 60 }, (_, index) => ({
      path: `/f${index}`,
      class: 'drifted' as const,
      applied: 1,
      manifest: 1,
      live: 2,
    }));
    const wide = planOf({ drift: [{ ...(drift[5] as DriftItem), fields }] });
    expect(human({}, wide)).toContain('and 10 more fields');
    expect(markdown(wide)).toContain('and 10 more');
  });
});

describe('words', () => {
  const item = (is: DriftItem['is'], which: DriftItem['class']): string =>
    wholeSentence({ address: 'a', is, class: which, fields: [] });
  it('for what is missing, extra, or begun say no more than is known', () => {
    expect(['drifted', 'pending', 'differs'].map((which) => item('missing', which as 'drifted'))).toEqual([
      'it was there when last applied, and is gone',
      'declared, and not made yet',
      'declared, and missing on the platform',
    ]);
    expect(['drifted', 'pending', 'differs'].map((which) => item('extra', which as 'drifted'))).toEqual([
      'it came after the last apply, and is not declared',
      'it was applied, and is not declared any more',
      'live, and not declared',
    ]);
    expect([item('in-flight', 'in-flight'), item('changed', 'both')]).toEqual(['begun by an earlier run', '']);
  });

  it('for times are in UTC, from now where somebody looks now; what is no time is shown as text', () => {
    const lines = (at: string, nowMs?: number) =>
      whenLines({ address: 'a', is: 'changed', class: 'pending', fields: [], appliedAt: at }, nowMs)[0];
    expect(lines(appliedAt)).toBe('last applied 2026-11-20 09:00 UTC');
    expect(
      [30_000, 60_000, 7_200_000, 86_400_000].map((ms) =>
        lines(new Date(NOW - ms).toISOString(), NOW)?.replace(/.*\(/, '('),
      ),
    ).toEqual(['(just now)', '(1 minute ago)', '(2 hours ago)', '(1 day ago)']);
    expect(lines('\u001b[2Jsoon', NOW)).toBe('last applied \\u{1b}[2Jsoon');
    expect(whenLines({ address: 'a', is: 'changed', class: 'drifted', fields: [] })).toEqual([]);
  });

  it('for sides tell nothing from not known', () => {
    const item = { address: 'a', is: 'changed', class: 'differs', fields: [] } as const;
    expect(showSides(item, { path: '/a', class: 'differs', live: 1 }, 50)).toEqual({
      field: 'a',
      applied: 'not known',
      manifest: 'nothing',
      live: '1',
    });
    expect(showSides(item, { path: '/a', class: 'pending', rotationToken: true, manifest: '2' }, 50)).toMatchObject({
      field: 'a (rotate)',
      applied: 'nothing',
      live: 'cannot be read',
    });
    expect(driftGroups(drift).map((group) => group.class)).toEqual([
      'both',
      'drifted',
      'differs',
      'pending',
      'in-flight',
    ]);
    expect(ignored.map(ignoredLine)).toEqual([
      'Site/a: blocked (--ignore Site/*)',
      'Site/b x.y: drifted (--ignore Site/b#/x)',
    ]);
  });
});

describe('promise 9: what others read along', () => {
  it('has nobody in it: no value about a person, and not who the platform says it was', () => {
    const shown = JSON.stringify(withoutPersonal(plan));
    expect(shown).not.toMatch(/Ada|Ben/);
    expect(withoutPersonal(plan).drift?.[5]?.activity?.map(({ by }) => by)).toEqual(['(personal)', undefined]);
    expect(renderNotification({ plan, diagnostics: [], outcome: 'differences', atMs: NOW })).not.toMatch(/Ada|Ben/);
  });
});

describe('a notification', () => {
  const notification = (of = plan, diagnostics: Parameters<typeof renderNotification>[0]['diagnostics'] = []) =>
    JSON.parse(renderNotification({ plan: of, diagnostics, outcome: 'differences', atMs: NOW })) as {
      readonly data: {
        readonly drift: readonly DriftItem[];
        readonly leftOut: number;
        readonly problems: readonly unknown[];
      };
    };

  it('is as its schema says, which says the same of drift as that of plans', () => {
    for (const document of [notification(), ...notificationSchema.examples])
      expect(isNotification(document), JSON.stringify(isNotification.errors)).toBe(true);
    const { accountCondition: _own, ...shared } = notificationSchema.$defs;
    for (const [name, definition] of Object.entries(shared))
      expect(definition).toEqual((planSchema.$defs as Readonly<Record<string, unknown>>)[name]);
    expect(notification()).toMatchObject({
      type: 'hostwright.drift',
      timestamp: '2026-11-22T10:00:00.000Z',
      data: {
        account: 'acme',
        outcome: 'differences',
        exitCode: 2,
        summary: { both: 1, drifted: 2, differs: 1, pending: 2, inFlight: 1, ignored: 2 },
        leftOut: 0,
        problems: [],
      },
    });
  });

  it('is bounded: what has no room is counted, errors are told by code and constant words', () => {
    const long = {
      ...(drift[5] as DriftItem),
      fields: [{ path: '/x', class: 'drifted' as const, live: 'x'.repeat(300_000) }],
    };
    const many = notification(
      planOf({ drift: [long, ...Array.from({ length: 2000 }, () => drift[5] as DriftItem)] }),
      Array.from({ length: 30 }, () => ({
        code: 'HW3001',
        severity: 'error' as const,
        summary: 'S',
        detail: 'secret detail',
      })),
    );
    expect(JSON.stringify(many).length).toBeLessThan(220_000);
    expect(many.data.drift.length + many.data.leftOut).toBe(2001);
    expect(many.data.leftOut).toBeGreaterThan(1);
    expect(many.data.problems).toEqual(Array.from({ length: 20 }, () => ({ code: 'HW3001', summary: 'S' })));
    expect(JSON.parse(renderNotification({ diagnostics: [], outcome: 'error', atMs: NOW }))).toMatchObject({
      data: { exitCode: 1, drift: [], summary: { drifted: 0, unmanaged: 0 } },
    });
  });
});

test('every field of the notification is explained, has an example, and says what its absence means', () => {
  const walk = (value: unknown, required: readonly string[] = []): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties = {}, required: own = required } = value as {
      properties?: Record<string, { description?: string; examples?: unknown[] }>;
      required?: readonly string[];
    };
    for (const [name, field] of Object.entries(properties)) {
      expect(field.description, name).toMatch(own.includes(name) ? /^[A-Z].*Required\.$/ : /^[A-Z].*Absent: .*\.$/);
      expect(field.examples?.length, name).toBeGreaterThan(0);
      walk(field);
    }
    for (const [key, part] of Object.entries(value)) if (key !== 'examples' && key !== 'properties') walk(part);
  };
  walk(notificationSchema);
  expect.hasAssertions();
});
