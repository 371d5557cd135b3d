// What a person reads in a terminal: golden files of whole reports, and the corners that no whole report shows.
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import { ANY_LIST } from '../../../src/model/json.ts';
import type { LedgerView } from '../../../src/model/plan/ledger-view.ts';
import { MISSING_LEDGER } from '../../../src/model/plan/ledger-view.ts';
import type { ActionWord, OutcomeWord } from '../../../src/model/plan/outcome.ts';
import type { Action, Plan } from '../../../src/model/plan/plan.ts';
import type { Price } from '../../../src/model/price.ts';
import { path, ref } from '../../../src/model/plan/step.ts';
import { countDiagnostics, showRequirement } from '../../../src/report/view/document.ts';
import { hintsAfter, hintsAfterPlan } from '../../../src/report/view/next-steps.ts';
import { renderDiagnostics, renderValidation } from '../../../src/report/text/diagnostics.ts';
import { ledgerBlocks } from '../../../src/report/blocks/ledger.ts';
import { writeText } from '../../../src/report/text/write.ts';
import { outcomeText, planText } from '../../support/reports.ts';
import { expectGolden } from '../golden.ts';
import {
  actionOf,
  create,
  error,
  NEW,
  OLD,
  outcomeOf,
  planOf,
  promote,
  remove,
  SHOP,
  shopPlan,
  warning,
  WWW,
} from '../samples.ts';
import { begunOf } from '../../support/actions.ts';

/** With what stands below it. */
function report(plan: Plan, options: Parameters<typeof planText>[1] & { readonly file?: string } = {}): string {
  const { outcome = 'done', verbose = false, file } = options;
  const asked = { again: 'hostwright plan', outcome, verbose, ...(file !== undefined && { saved: file }) };
  return withHints(planText(plan, { width: 100, ...options }), hintsAfterPlan(plan, asked));
}

function withHints(text: string, hints: readonly string[]): string {
  return hints.length === 0 ? text : `${text}\n--- hints\n${hints.join('\n')}`;
}

const blockers = planOf({
  blocked: [
    {
      address: 'Site/shop/Caching',
      reason: 'the CDN of the site is not active',
      remedy: 'Activate it in the dashboard.',
      rule: 'GAP-20',
    },
    { address: 'Site/shop/Caching', reason: 'a second reason', remedy: '' },
    {
      address: 'Site/blog',
      reason: 'no site of the account answers to this manifest',
      remedy: 'Create it.',
      rule: 'ORD-23',
    },
  ],
  unknown: [{ address: 'Site/old', reason: 'the answer is not what the documents say', remedy: 'Run plan again.' }],
  waiting: [
    {
      address: NEW,
      reason: 'its create is in flight from an earlier run',
      remedy: 'Run `hostwright apply --resume` to continue it.',
    },
  ],
  manual: [{ address: 'Mailspace/example.com', reason: 'a resize has no call', remedy: 'Resize it in the dashboard.' }],
  deferred: [
    { address: 'Site/shop/Shield', until: SHOP, reason: 'cannot be observed before that step', declared: 'd' },
  ],
});

describe('a plan', () => {
  it('with nothing to do is one clear line', () => {
    expectGolden('empty.txt', report(planOf({})));
    expect(report(planOf({}), { heading: 'Drift' })).toBe(
      'Drift for account acme: none, 14 objects match their manifests.',
    );
  });

  it('creates, promotes, deletes: in execution order, with reasons, risks and adoptable YAML', () => {
    expectGolden('create-promote-delete.txt', report(shopPlan, { outcome: 'differences', file: 'plan.json' }));
  });

  it('with --verbose holds every request, known ids filled in', () => {
    expectGolden('create-promote-delete.verbose.txt', report(shopPlan, { verbose: true }));
  });

  it('in colour says the same', () => {
    const coloured = report(shopPlan, { color: true });
    expectGolden('create-promote-delete.color.txt', coloured);

    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(report(shopPlan));
  });

  it('that cannot do everything says what stands in the way, and who can move it', () => {
    expectGolden('blockers.txt', report(blockers, { outcome: 'waiting' }));
    expectGolden(
      'blockers-and-actions.txt',
      report({ ...blockers, actions: [promote], notices: [warning, { ...error, severity: 'info' }] }),
    );
  });

  it('orders risks by how much they hurt and marks what is protected', () => {
    const risky = actionOf({
      address: SHOP,
      kind: 'Site',
      verb: 'update',
      reason: 'plan differs',
      risk: ['restart', 'irreversible', 'charge'],
      protected: true,
      needs: [],
    });
    expectGolden(
      'risks.txt',
      report(planOf({ actions: [risky, { ...remove, needs: [] }, { ...promote, needs: [], risk: ['charge'] }] })),
    );
  });

  it('says what is paid, as far as anybody quoted it', () => {
    const charge = (address: string, cost?: Price) =>
      actionOf({ address, verb: 'create', risk: ['charge', 'restart'], ...(cost !== undefined && { cost }) });
    const head = (...actions: readonly Action[]) => planText(planOf({ actions }));
    const eur: Price = { amountCents: 1200, currency: 'EUR' };
    expect(head(charge('Thing/a', eur), charge('Thing/b', eur))).toContain(
      '2 to create, 0 to change, 0 to delete; charges 24.00 EUR.',
    );
    expect(head(charge('Thing/a', eur), charge('Thing/b', { amountCents: 5, currency: 'USD' }))).toContain(
      '; charges 12.00 EUR and 0.05 USD.',
    );
    expect(head(charge('Thing/a', eur), charge('Thing/b'))).toContain('; charges 12.00 EUR plus 1 price not quoted.');
    expect(head(charge('Thing/b'))).toContain('! #1 Buys thing b: charges (price not quoted), restarts the thing');
    expect(head(charge('Thing/a', eur))).toMatch(/Thing\/a {2}! CHARGES 12\.00 EUR {2}! RESTARTS/);
  });

  it('joins the numbers of what comes first', () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      actionOf({ address: `${SHOP}/SiteDomain/${index}.example.com`, verb: 'create' }),
    );
    const reason = 'a failed change must not leave less than there was before';
    const needs = [0, 1, 4, 6, 7, 8, 9, 11].map((index) => ({
      address: many[index]?.address as string,
      rule: 'O-70',
      reason,
    }));
    const last = actionOf({
      address: OLD,
      verb: 'delete',
      needs: [...needs, { address: 'Site/gone', rule: 'O-70', reason }],
    });
    const after = `after #1, #2, #5, #7-#10, #12, Site/gone because ${reason}`;
    expect(report(planOf({ actions: [...many, last] }))).toContain(`${after}\n`);
    expect(report(planOf({ actions: [...many, last] }), { verbose: true })).toContain(`${after} (O-70)`);
  });

  it('cuts what is unmanaged after ten of a collection, unless asked for all', () => {
    const unmanaged = Array.from({ length: 14 }, (_, index) => ({
      collection: `${SHOP}/SiteDomain`,
      kind: 'SiteDomain',
      identity: `${index}`,
      yaml: `domains:\n  - ${index}.example.com\n`,
    }));
    expectGolden('unmanaged-many.txt', report(planOf({ unmanaged })));
    expect(report(planOf({ unmanaged }), { verbose: true })).toContain('13.example.com');
  });
});

describe('changes', () => {
  const changed = (
    changes: Parameters<typeof actionOf>[0]['changes'],
    options: { verbose?: boolean; width?: number; verb?: 'create' | 'update' | 'delete' } = {},
  ): string =>
    report(
      planOf({
        actions: [
          actionOf({
            address: 'Site/shop/Caching',
            kind: 'Caching',
            verb: options.verb ?? 'update',
            reason: 'differs',
            changes: changes ?? [],
          }),
        ],
      }),
      options,
    );

  it('of lists are items that come and go, then their order', () => {
    expectGolden(
      'lists.txt',
      changed([
        { op: 'replace', path: '/cookieVaryParameters', was: ['a', 'b', 'b', 'c'], value: ['b', 'c', 'd'] },
        { op: 'replace', path: '/rules', was: ['x', 'y', 'z'], value: ['z', 'x', 'new'] },
        { op: 'replace', path: '/emptied', was: ['last'], value: [] },
        { op: 'add', path: '/names', value: ['one', 'two'] },
        { op: 'add', path: '/nothing', value: [] },
        { op: 'replace', path: '/shape', was: 'text', value: ['list'] },
        { op: 'replace', path: '/objects', was: [{ name: 'a', on: true }], value: [{ name: 'a', on: false }] },
      ]),
    );
    expectGolden(
      'lists-created.txt',
      changed(
        [
          { op: 'add', path: '/short', value: ['one', 'two'] },
          { op: 'add', path: '/long', value: Array.from({ length: 30 }, (_, index) => `item ${index}`) },
        ],
        { verb: 'create' },
      ),
    );
  });

  it('of secrets show their place and their marks', () => {
    const secret = { env: 'ALICE_PASSWORD' };
    expectGolden(
      'secrets.txt',
      changed([
        { op: 'replace', path: '/password', secret, was: '2026-1', value: '2026-2' },
        { op: 'replace', path: '/pin', secret: { file: 'secrets/pin' }, value: 'now' },
        { op: 'add', path: '/code', secret },
      ]),
    );
    expectGolden(
      'secrets-created.txt',
      changed(
        [
          { op: 'add', path: '/password', secret, value: '2026-1' },
          { op: 'add', path: '/pin', secret },
        ],
        { verb: 'create' },
      ),
    );
  });

  it('of long lists are cut, removals later than additions', () => {
    const items = (prefix: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    const change = [{ op: 'replace', path: '/addresses', was: items('old', 60), value: items('new', 60) } as const];
    expectGolden('lists-long.txt', changed(change));
    expect(changed(change, { verbose: true })).toContain('"new59"');
  });

  it('of long texts start shortly before they part', () => {
    const head = 'x'.repeat(500);
    expectGolden(
      'long-values.txt',
      changed([
        { op: 'replace', path: '/note', was: `${head}old`, value: `${head}new` },
        { op: 'replace', path: '/other', was: 'short', value: 'y'.repeat(1_000_000) },
        { op: 'replace', path: '/wide', was: 'a'.repeat(60), value: 'b'.repeat(60) },
        { op: 'add', path: '/much', value: { deep: { key: 'v'.repeat(90) } } },
        { op: 'remove', path: '/gone', was: 'w'.repeat(90) },
        { op: 'remove', path: '/less', was: 1 },
      ]),
    );
  });

  it('name fields, secrets and references so that they can be told apart', () => {
    expectGolden(
      'values.txt',
      changed([
        { op: 'replace', path: '/a~1b/c d', was: null, value: 'null' },
        { op: 'replace', path: '', was: 1, value: 1.5 },
        {
          op: 'replace',
          path: '/password',
          was: { $secret: { env: 'OLD' } },
          value: { $secret: { file: 'secrets/new' } },
        },
        {
          op: 'replace',
          path: '/odd',
          was: { $secret: { env: 1, file: 'x' } },
          value: { $literal: { $ref: 'Site/x', output: 'id' } },
        },
        { op: 'replace', path: '/site', was: 'site-1', value: { $ref: 'Site/shop', output: 'id' } },
      ]),
    );
    expect(changed([{ op: 'remove', path: '/unsaid' }], { verb: 'delete' })).toContain('unsaid: (not set)');
  });
});

describe('requests', () => {
  it('of every form are written out', () => {
    const lookUp = { read: path`/api/tasks/${ref('Site/x', 'task')}`, rows: '', where: [], capture: {} };
    const action = actionOf({
      address: SHOP,
      kind: 'Site',
      verb: 'update',
      requires: { userCredential: false, scopes: [], roles: [] },
      locks: [],
      steps: [
        { do: 'look-up', name: 'find', lookUp: { ...lookUp, capture: { id: '/id' } }, reason: 'the list has no id' },
        {
          do: 'request',
          name: 'resize',
          method: 'POST',
          path: path`/api/sites/${ref(SHOP)}`,
          body: {
            site: ref(SHOP),
            other: ref(SHOP, 'task'),
            password: { $secret: { env: 'PASSWORD' } },
            items: [1, null, true],
          },
          idempotent: false,
          answers: [
            {
              status: 202,
              code: 'queued',
              then: 'wait-for',
              waitFor: { how: 'task', task: ref(SHOP, 'task'), deadlineMs: 5_400_000, reason: 'the resize ends' },
            },
            { status: '4xx', then: 'waiting', reason: 'the payment needs a person' },
            { status: 422, code: 'not_in_plan', then: 'blocked', reason: 'the plan does not have it' },
            { status: '2xx', then: 'wait-for' },
          ],
          reason: 'resize',
        },
        {
          do: 'request',
          name: 'order',
          method: 'POST',
          path: path`/api/orders`,
          idempotent: false,
          answers: [],
          recovery: { lookUp, ifNotFound: 'unknown', graceMs: 0, rule: 'ORD-1' },
          unlocks: ['billing'],
          reason: 'order',
        },
        {
          do: 'request',
          name: 'buy',
          method: 'POST',
          path: path`/api/orders`,
          idempotent: false,
          answers: [
            {
              status: '2xx',
              then: 'wait-for',
              waitFor: {
                how: 'cart',
                cart: ref(SHOP, 'cart'),
                capture: { id: '/site/id' },
                deadlineMs: 1000,
                reason: 'it is bought',
              },
            },
            {
              status: 202,
              then: 'wait-for',
              waitFor: { how: 'cart', cart: ref(SHOP, 'cart'), capture: {}, deadlineMs: 1000, reason: 'it is paid' },
            },
          ],
          recovery: {
            lookUp: {
              ...lookUp,
              rows: '/orders',
              where: [
                { pointer: '/site/variant', value: 'vanilla', orAbsent: true },
                { pointer: '/status', value: 'gone', not: true },
                { pointer: '/domain', value: 'a.nl', as: 'hostname' },
              ],
              since: '/created_at',
              view: { path: path`/api/orders`, id: '/id' },
              except: { pointer: '/order/id', output: 'order', open: 'cart' },
              capped: { most: 500, beside: [], then: lookUp },
              gone: [{ status: 403, code: 'pending_delete' }, { status: 404 }],
            },
            ifNotFound: 'unknown',
            graceMs: 1000,
            rule: 'GAP-11',
          },
          reason: 'buy',
        },
        {
          do: 'wait-for',
          name: 'gone',
          waitFor: { how: 'until', found: false, lookUp, deadlineMs: 500, reason: 'the list no longer shows it' },
        },
        {
          do: 'wait-for',
          name: 'soon',
          waitFor: { how: 'until', found: true, lookUp, deadlineMs: 0, reason: 'at once' },
        },
        {
          do: 'wait-for',
          name: 'listed',
          waitFor: {
            how: 'until',
            found: true,
            lookUp: { ...lookUp, rows: ANY_LIST },
            deadlineMs: 0,
            reason: 'the list shows it',
          },
        },
        { do: 'verify', name: 'read back', reason: 'the platform may drop values' },
        {
          do: 'verify',
          name: 'read the name',
          only: ['name', 'plan'],
          reason: "the rest is somebody else's",
          rule: 'GAP-05',
        },
      ],
    });
    expectGolden(
      'requests.txt',
      report(planOf({ actions: [action], bindings: { [SHOP]: 'site-1' } }), { verbose: true }),
    );
  });
});

it('what a credential must be able to do is told in one line, or not at all', () => {
  expect(
    showRequirement({ userCredential: true, closedToOauth: true, scopes: ['a', 'b'], roles: ['can_modify'] }),
  ).toBe("a user's own credential; no OAuth token; scope a, b; role can_modify");
  expect(showRequirement({ userCredential: false, scopes: [], roles: [] })).toBe('');
});

describe('hostile text', () => {
  const evil = 'a\u001b[31mred\u001b[0m\n\r\t\u202egnp\u200b\u00a0\u0000\u009b2J\ud800"\\';

  it('cannot move the cursor, recolour, reorder or flood', () => {
    const text = report(
      planOf({
        account: evil,
        actions: [
          {
            ...promote,
            address: `Site/${evil}`,
            reason: evil,
            changes: [{ op: 'replace', path: `/${evil}`, was: evil, value: { [evil]: evil } }],
            needs: [{ address: evil, rule: evil, reason: evil }],
            source: { file: evil, line: 1, column: 1 },
          },
        ],
        unmanaged: [{ collection: evil, kind: 'X', identity: evil, yaml: `domains:\n  - ${evil}\n` }],
        blocked: [{ address: evil, reason: `${evil}${'z'.repeat(1_000_000)}`, remedy: evil, rule: evil }],
        notices: [{ ...warning, detail: evil, frame: `${evil}\n\t^` }],
      }),
      { verbose: true, color: false },
    );
    expectGolden('hostile.txt', text);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(text.length).toBeLessThan(20_000);
  });

  it('is cut after many lines, and never inside a character', () => {
    expect(renderDiagnostics([{ ...error, frame: 'line\n'.repeat(500) }], { color: false })).toContain(
      '… 300 more lines',
    );
    expect(
      renderDiagnostics([{ ...error, summary: `${'x'.repeat(999)}😀${'y'.repeat(10)}` }], { color: false }),
    ).toContain('xxx… (1011 characters)');
  });
});

describe('an outcome', () => {
  const results: readonly ActionWord[] = [
    'done',
    'already-done',
    'failed',
    'skipped',
    'waiting',
    'unknown-outcome',
    'not-started',
    'blocked',
  ];

  it('of every result', () => {
    const actions = results.map((result, index) => ({
      address: `${SHOP}/SiteDomain/${index}.example.com`,
      verb: (['create', 'update', 'delete'] as const)[index % 3] ?? 'create',
      result,
      ...(index > 1 && { reason: `reason ${index}` }),
      ...(index < 2 && { outputs: { id: 'dom-1', ns1: 'ns1.example.net', ns2: 'ns2.example.net' } }),
    }));
    const ended = outcomeOf({
      outcome: 'partly-applied',
      exitCode: 6,
      actions,
      remaining: blockers.blocked,
      diagnostics: [warning],
      requests: { reads: 1, writes: 5 },
    });
    expectGolden('outcome-all.txt', withHints(outcomeText(ended), hintsAfter(ended)));
    expectGolden(
      'outcome-all.color.txt',
      outcomeText({ ...ended, requests: { reads: 4, writes: 0 } }, { color: true }),
    );
  });

  it.each<[OutcomeWord, number]>([
    ['done', 0],
    ['differences', 2],
    ['waiting', 3],
    ['conflict', 4],
    ['refused', 5],
    ['error', 1],
    ['interrupted', 130],
  ])('%s', (outcome, exitCode) => {
    const ended = outcomeOf({ outcome, exitCode });
    expectGolden(`outcome-${outcome}.txt`, `${outcomeText(ended)}\n--- hints\n${hintsAfter(ended).join('\n')}`);
  });

  it('offers a command only for an address that a shell takes as it is', () => {
    const hint = (address: string): string =>
      hintsAfter(
        outcomeOf({ outcome: 'error', exitCode: 1, actions: [{ address, verb: 'create', result: 'unknown-outcome' }] }),
      )[0] as string;
    expect(hint(WWW)).toContain(`ledger confirm ${WWW} `);
    expect(hint('Site/a$(b)')).toContain("ledger confirm 'Site/a$(b)' ");
    expect(hint("Site/a'b")).toContain('ledger confirm ADDRESS ');
    expect(hint('; rm')).toContain('ledger confirm ADDRESS ');
  });
});

describe('diagnostics and validation', () => {
  it('come sorted, place first, with their frame', () => {
    expectGolden(
      'diagnostics.txt',
      renderDiagnostics(
        [
          warning,
          error,
          {
            ...error,
            source: { file: '-', line: 1, column: 1, endLine: 1, endColumn: 1 },
            severity: 'info',
            pointer: '',
          },
          { code: 'HW3002', severity: 'error', summary: 'No token set', detail: 'Set it.' },
        ],
        { color: false },
      ),
    );
    expect(renderDiagnostics([], { color: false })).toBe('');
    expect(countDiagnostics([error, error, warning])).toBe('2 errors, 1 warning');
  });

  it('are broken between words on a terminal; what is copied and the lines of a file are not', () => {
    const command = '`hostwright drift --accept Site/shop/EdgeRule/"made elsewhere"`';
    const link = 'https://example.com/a-link-that-is-longer-than-half-of-the-line';
    const told: Diagnostic = {
      ...warning,
      detail: `${'Some words come before it. '.repeat(3)}Run ${command}, write ${link}, or { env: A_NAME }. See Site/shop/EdgeRule/"made elsewhere" too.`,
      frame: `  > 7 |   long: ${'word '.repeat(30)}\n      |   ^^^^\n`,
    };
    const text = renderDiagnostics([told], { color: false, wrapAt: 80 });
    const lines = text.split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(lines.slice(1).filter((line) => !line.startsWith('  '))).toEqual([]);
    for (const whole of [command, link, '{ env: A_NAME }', 'Site/shop/EdgeRule/"made elsewhere"'])
      expect(text).toContain(whole);
    const words = (from: string) => from.replace(/^.*long:.*$/m, '').split(/\s+/);
    expect(words(text)).toEqual(words(renderDiagnostics([told], { color: false })));
  });

  it('say how it went', () => {
    const said = (diagnostics: readonly Diagnostic[], manifests = 2, objects = 1): string =>
      renderValidation({ diagnostics, manifests, objects }, { color: false });
    expect(said([], 1, 4)).toBe('Valid: 1 manifest, 4 objects');
    expect(said([warning])).toMatch(/\n\nValid: 2 manifests, 1 object, 1 warning$/);
    expect(said([error])).toMatch(/\n\nNot valid: 1 error \(2 manifests, 1 object\)$/);
  });
});

describe('the ledger', () => {
  it('shows what is bound, ours, and in flight', () => {
    const view: LedgerView = {
      standing: 'complete',
      account: 'acme',
      sequence: 12,
      objects: new Map([
        [SHOP, { address: SHOP, id: 'site-1', owned: false, applied: {}, outputs: {} }],
        [WWW, { address: WWW, id: 'dom-2', owned: true, applied: {}, outputs: { ns1: 'a' } }],
      ]),
      inFlight: [
        {
          runId: 'run-1',
          action: begunOf(create),
          answered: {},
          effects: [],
          known: {},
          unanswered: 'attach',
          reason: 'the connection broke',
        },
        { runId: 'run-1', action: begunOf(promote), answered: { promote: {} }, effects: [], known: {} },
      ],
      finishedPlans: new Set(),
    };
    expectGolden('ledger.txt', writeText(ledgerBlocks(view), { color: false, width: Infinity }));
    // More than a call takes arguments.
    const object = { address: 'Site/shop', id: 'site-shop', owned: true, applied: {}, outputs: {} };
    const objects = new Map(Array.from({ length: 150_000 }, (_, index) => [`Site/s${index}`, object] as const));
    const long = writeText(ledgerBlocks({ ...MISSING_LEDGER, objects }), { color: false, width: Infinity });
    expect(long.match(/^ours  Site\/shop  site-shop$/gm)).toHaveLength(150_000);
    expectGolden(
      'ledger-missing.txt',
      writeText(ledgerBlocks({ ...MISSING_LEDGER, standing: 'partial', sequence: 1 }), {
        color: false,
        width: Infinity,
      }),
    );
  });
});

describe('--concise', () => {
  it('is a line for each thing, without values', () => {
    expectGolden(
      'concise.txt',
      report({ ...blockers, actions: shopPlan.actions, notices: [warning] }, { concise: true }),
    );
    expect(report(planOf({}), { concise: true })).toBe(
      'Plan for account acme: no changes, 14 objects match their manifests.',
    );
  });
});

describe('long values', () => {
  const changes = [
    {
      op: 'replace',
      path: '/text',
      was: Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\n'),
      value: [...Array.from({ length: 12 }, (_, index) => (index === 6 ? 'another' : `line ${index}`)), 'the end'].join(
        '\n',
      ),
    },
    {
      op: 'replace',
      path: '/document',
      was: { b: { deep: [1, 2, { x: 'old' }], same: true }, a: 'x'.repeat(80), empty: {} },
      value: { a: 'x'.repeat(80), b: { deep: [1, 2, { x: 'new' }], same: true }, empty: {} },
    },
    {
      op: 'replace',
      path: '/rules',
      was: [
        { name: 'one', on: true, note: 'y'.repeat(60) },
        { name: 'two', on: true },
      ],
      value: [
        { name: 'one', on: false, note: 'y'.repeat(60) },
        { name: 'two', on: true },
      ],
    },
    {
      op: 'replace',
      path: '/references',
      was: {
        site: { $ref: 'Site/shop', output: 'id' },
        key: { $secret: { env: 'KEY' } },
        plain: { $literal: { $ref: 'x' } },
        pad: 'z'.repeat(60),
      },
      value: {
        site: { $ref: 'Site/blog', output: 'id' },
        key: { $secret: { env: 'KEY' } },
        plain: { $literal: { $ref: 'x' } },
        pad: 'z'.repeat(60),
      },
    },
    { op: 'replace', path: '/short', was: { a: 1 }, value: { a: 2 } },
    { op: 'replace', path: '/list', was: ['a', 'b', 'c', 'd', 'e'], value: ['a', 'b', 'x', 'd', 'e'] },
  ] as const;
  const show = (options: object): string =>
    report(planOf({ actions: [actionOf({ address: SHOP, verb: 'update', changes })] }), options);

  it('are unified diffs with three unchanged lines around each change', () => {
    expectGolden('unified.txt', show({}));
  });

  it('are cut after many lines, and shown as before where they have nothing in common', () => {
    const lines = (word: string, count: number): string =>
      Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n');
    expect(changed([{ op: 'replace', path: '/x', was: lines('a', 250), value: lines('b', 250) }])).toContain(
      '… and 100 more lines',
    );
    expect(changed([{ op: 'replace', path: '/x', was: lines('a', 3000), value: lines('b', 3000) }])).toMatch(
      /- "a 0\\na 1.*\n *\+ "b 0/,
    );
  });

  it('on one side only are told whole', () => {
    expect(changed([{ op: 'add', path: '/x', value: 'one\ntwo' }])).toContain('x: (not set) -> "one\\ntwo"');
    expect(changed([{ op: 'remove', path: '/x', was: { a: 1 } }])).toMatch(/x:\n +- a: 1\n +\+ \(removed\)/);
    expect(changed([{ op: 'add', path: '/x', value: 'one\ntwo' }], { verb: 'create' })).toContain('x: "one\\ntwo"');
  });

  function changed(
    given: Parameters<typeof actionOf>[0]['changes'],
    { verb = 'update' }: { readonly verb?: 'create' | 'update' } = {},
  ): string {
    return report(planOf({ actions: [actionOf({ address: SHOP, verb, changes: given ?? [] })] }));
  }
});
