// What a program reads: stable keys, the outcome's word and exit code, nothing lost, nothing a terminal would act on.
import { describe, expect, it } from 'vitest';
import { MISSING_LEDGER } from '../../../src/model/plan/ledger-view.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import {
  renderDiagnosticsJson,
  renderJson,
  renderLedgerJson,
  renderOutcomeJson,
  renderPlanJson,
  renderSavedPlan,
  renderValidationJson,
} from '../../../src/report/json/index.ts';
import { piecesOf } from '../../../src/report/json/pieces.ts';
import { expectGolden } from '../golden.ts';
import { create, error, outcomeOf, planOf, promote, SHOP, shopPlan, warning } from '../samples.ts';
import { begunOf } from '../../support/actions.ts';

const reversed = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).reverse()) as Value;

describe('a plan', () => {
  it('as JSON', () => {
    expectGolden(
      'plan.json',
      renderPlanJson(planOf({ actions: [promote], notices: [warning] }), {
        outcome: 'differences',
        diagnostics: [error],
      }),
    );
  });

  it('keeps its order of keys whatever order they come in', () => {
    const shuffled = reversed({ ...shopPlan, actions: shopPlan.actions.map(reversed) });
    expect(renderSavedPlan(shuffled)).toBe(renderSavedPlan(shopPlan));
  });

  it('survives a round trip whole, keys of a newer minor version included', () => {
    const newer = { ...shopPlan, later: { added: true } } as Plan;
    expect(JSON.parse(renderSavedPlan(newer))).toEqual(newer);
  });

  it('in pieces is the text of the whole', () => {
    const documents: readonly object[] = [
      {},
      { list: [], none: undefined, nested: { a: [1, { b: [] }], text: 'one\ntwo' } },
      { list: [{ b: 1, a: undefined }, [], 'x', null, { deep: [[{}]] }], last: null },
      { long: Array.from({ length: 5000 }, (_one, index) => ({ index, text: 'a long line of text' })) },
    ];
    for (const document of documents) {
      const pieces = [...piecesOf(document)];
      expect(pieces.join('')).toBe(JSON.stringify(document, null, 2));
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
    }
    const turned = [...piecesOf({ list: [{ b: 1, a: 2 }], other: [{ b: 1 }] }, { list: reversed })].join('');
    expect(turned).toBe(JSON.stringify({ list: [{ a: 2, b: 1 }], other: [{ b: 1 }] }, null, 2));
  });

  it('spells hostile characters as JSON escapes', () => {
    const account = 'a\u001b[31m\u202e\u009b\u00a0\u{e0001}\ud800 "\\\n';
    const text = renderSavedPlan(planOf({ account }));
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect((JSON.parse(text) as Plan).account).toBe(account);
  });
});

describe('other documents', () => {
  it('an outcome', () => {
    expectGolden(
      'outcome.json',
      renderOutcomeJson(
        outcomeOf({
          outcome: 'waiting',
          exitCode: 3,
          diagnostics: [error],
          actions: [{ address: SHOP, verb: 'update', result: 'waiting', reason: 'a person must pay' }],
        }),
      ),
    );
  });

  it('diagnostics and validation', () => {
    expectGolden('diagnostics.json', renderDiagnosticsJson([warning, error], 'error'));
    expect(JSON.parse(renderValidationJson({ diagnostics: [], manifests: 1, objects: 2 }, 'done'))).toEqual({
      format: 'hostwright.validation/1',
      outcome: 'done',
      exitCode: 0,
      manifests: 1,
      objects: 2,
      diagnostics: [],
    });
  });

  it('the ledger', () => {
    const view = {
      ...MISSING_LEDGER,
      account: 'acme',
      objects: new Map([[SHOP, { address: SHOP, id: 'site-1', owned: true, applied: {}, outputs: {} }]]),
      inFlight: [
        { runId: 'r', action: begunOf(create), answered: { attach: {} }, effects: [], known: {}, unanswered: 'attach' },
      ],
    };
    expectGolden('ledger.json', renderLedgerJson(view, 'Unlocked.', { outcome: 'done', diagnostics: [] }));
    expect(
      JSON.parse(renderLedgerJson(MISSING_LEDGER, undefined, { outcome: 'error', diagnostics: [error] })),
    ).toMatchObject({
      account: null,
      exitCode: 1,
    });
    expect(JSON.parse(renderLedgerJson(undefined, undefined, { outcome: 'done', diagnostics: [] }))).toEqual({
      format: 'hostwright.ledger/1',
      outcome: 'done',
      exitCode: 0,
      diagnostics: [],
    });
  });

  it('anything else', () => {
    expect(renderJson(['Site'])).toBe('[\n  "Site"\n]');
  });
});
