// docs/performance.md and its chart show what the last run of the bench found, and no other numbers.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { chartOf, scopeChartOf } from '../bench/chart.ts';
import { CHART, PAGE, SCOPE_CHART, pageWith, savedResults } from '../bench/page.ts';
import { SECTIONS } from '../bench/sections/index.ts';

it('the page and its charts are those of the last results', async () => {
  const results = await savedResults();
  if (results === undefined) throw new Error('no results: npm run bench -- --write');
  const page = await readFile(PAGE, 'utf8');
  expect(pageWith(page, results)).toBe(page);
  expect(chartOf(results)).toBe(await readFile(CHART, 'utf8'));
  expect(scopeChartOf(results)).toBe(await readFile(SCOPE_CHART, 'utf8'));
});

it('the results are of sections that there are, in their order', async () => {
  const names = (await savedResults())?.found.map(({ section }) => section);
  expect(names).toEqual(SECTIONS.map(({ name }) => name).filter((name) => names?.includes(name)));
});
