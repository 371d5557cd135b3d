// The schema of plans that other programs read: every field is explained, its examples hold, and it takes what Hostwright
// writes. `apply` checks a saved plan by the same schema.
import { describe, expect, expectTypeOf, it, test } from 'vitest';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { Outcome as OutcomeDocument } from '../../src/model/generated/output/outcome.ts';
import type { Diagnostic as DiagnosticDocument, Step as StepDocument } from '../../src/model/generated/output/plan.ts';
import type { Outcome } from '../../src/model/plan/outcome.ts';
import type { Step } from '../../src/model/plan/step.ts';
import { renderPlanJson, renderSavedPlan } from '../../src/report/json/index.ts';
import { create, error, planOf, promote, shopPlan, warning } from '../report/samples.ts';
import { fieldsOf, findSchemaProblem, planSchema } from '../support/written-schemas.ts';

const fields = fieldsOf(planSchema);

test('every field is explained, has an example, and says what its absence means', () => {
  expect(fields.length).toBeGreaterThan(120);
  for (const { at, field, required } of fields) {
    expect(field.description, at).toMatch(/^[A-Z].*\.$/);
    expect(field.description, at).toMatch(required ? /Required\.$/ : /Absent: .*\.$/);
    expect(field.examples?.length, at).toBeGreaterThan(0);
  }
});

test('its example is a plan', () => {
  for (const example of planSchema.examples as readonly unknown[]) expect(findSchemaProblem(example)).toBeUndefined();
});

test('whatever the types hold that are not made from the schemas, they take: `check:types` compares them', () => {
  expectTypeOf<Step>().toExtend<StepDocument>();
  expectTypeOf<Diagnostic>().toExtend<DiagnosticDocument>();
  expectTypeOf<Outcome>().toExtend<OutcomeDocument>();
});

describe('what Hostwright writes', () => {
  it.each<[string, string]>([
    ['a saved plan', renderSavedPlan(shopPlan)],
    [
      'a plan with how the command ended',
      renderPlanJson(planOf({ actions: [promote], notices: [warning] }), {
        outcome: 'differences',
        diagnostics: [error],
      }),
    ],
    ['an empty plan', renderSavedPlan(planOf({}))],
  ])('%s is one', (_name, text) => expect(findSchemaProblem(JSON.parse(text))).toBeUndefined());

  it('may grow', () =>
    expect(findSchemaProblem({ ...shopPlan, later: 1, actions: [{ ...create, later: 1 }] })).toBeUndefined());
});

describe('what apply refuses', () => {
  const broken: readonly [string, unknown][] = [
    ['no document', null],
    ['an action without steps', { ...shopPlan, actions: [{ ...create, steps: undefined }] }],
    ['an unknown step', { ...shopPlan, actions: [{ ...create, steps: [{ do: 'format' }] }] }],
    ['an unknown verb', { ...shopPlan, actions: [{ ...create, verb: 'format' }] }],
    ['an unknown risk', { ...shopPlan, actions: [{ ...create, risk: ['none'] }] }],
    [
      'a wait without an end',
      {
        ...shopPlan,
        actions: [
          { ...create, steps: [{ do: 'wait-for', name: 'x', waitFor: { how: 'task', task: 1, reason: 'x' } }] },
        ],
      },
    ],
    ['a list that is none', { ...shopPlan, blocked: {} }],
    ['a binding that is no id', { ...shopPlan, bindings: { 'Site/shop': 1 } }],
    ['a summary with a hole', { ...shopPlan, summary: { create: 1 } }],
    ...Object.keys(shopPlan).map((key): [string, unknown] => [
      `a plan without ${key}`,
      { ...shopPlan, [key]: undefined },
    ]),
  ];
  it.each(broken)('%s is no plan', (_name, value) => {
    const document: unknown = JSON.parse(JSON.stringify(value));
    expect(findSchemaProblem(document)).toBeDefined();
  });
});
