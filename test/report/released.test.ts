// How each form shows fields that a run set and that no manifest declares any more.
import { expect, it } from 'vitest';
import type { Released } from '../../src/model/plan/orphaned.ts';
import { renderPlanJson } from '../../src/report/json/index.ts';
import { planHtml, planMarkdown, planText } from '../support/reports.ts';
import { planOf } from './samples.ts';

const released: readonly Released[] = [
  {
    address: 'Site/shop/Caching',
    path: '/browserCacheExpiration',
    value: 4711,
    was: 3600,
    run: '6f1c2d34-0000-4000-8000-000000000000',
    at: '2026-01-15T09:00:00.000Z',
  },
  {
    address: 'Site/shop/EdgeRule/old',
    path: '/action/parameter1',
    value: '<b>x</b>',
    run: '6f1c2d34-0000-4000-8000-000000000000',
    at: '2026-01-15T09:00:00.000Z',
  },
];
const plan = { ...planOf({}), released };

it('shows both values, the run and the command that restores the former value', () => {
  const text = planText(plan);
  expect(text)
    .toContain(`No longer declared (2): a run set these fields, and no manifest declares them any more; they keep their values
  Site/shop/Caching
      browserCacheExpiration: no longer declared, keeps its value: 4711 (3600 before run 6f1c2d34 on 2026-01-15)
  Site/shop/EdgeRule/old
      action.parameter1: no longer declared, keeps its value: "<b>x</b>" (not set before run 6f1c2d34 on 2026-01-15)`);
  expect(text.match(/hostwright history undo 6f1c2d34/g)).toHaveLength(1);
});

it('shows the same in Markdown, HTML and JSON, with values escaped', () => {
  const line =
    'browserCacheExpiration: no longer declared, keeps its value: 4711 (3600 before run 6f1c2d34 on 2026-01-15)';
  expect(planMarkdown(plan).replaceAll('`', '')).toContain(line);
  expect(planHtml(plan)).toContain(line);
  expect(planHtml(plan)).not.toContain('<b>x</b>');
  expect(planMarkdown(plan)).toContain('`"<b>x</b>"`');
  expect(JSON.parse(renderPlanJson(plan, { outcome: 'done', diagnostics: [] }))).toMatchObject({ released });
});
