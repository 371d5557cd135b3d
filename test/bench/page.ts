// The part of docs/performance.md that the bench writes, and its chart. The numbers that both are made from are kept in
// results.json, so that a run of some sections replaces those and leaves the others.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { chartOf, scopeChartOf } from './chart.ts';
import type { Results } from './table.ts';
import { markdownTable } from './table.ts';

const root = join(import.meta.dirname, '../..');
const RESULTS = join(import.meta.dirname, 'results.json');
export const PAGE = join(root, 'docs/performance.md');
export const CHART = join(root, 'docs/images/performance.svg');
export const SCOPE_CHART = join(root, 'docs/images/performance-scope.svg');
const BEGIN = '<!-- The part from here is written by `npm run bench -- --write`. -->';
const END = '<!-- The written part ends here. -->';

export async function savedResults(): Promise<Results | undefined> {
  return existsSync(RESULTS) ? (JSON.parse(await readFile(RESULTS, 'utf8')) as Results) : undefined;
}

/** The page with its written part as the results say. */
export function pageWith(page: string, results: Results): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`docs/performance.md lacks the lines ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n\n${markdownTable(results)}\n${END}${after}`;
}

/** `order`: the names of all sections, as the table has them. */
export async function writePage(results: Results, order: readonly string[]): Promise<void> {
  const saved = (await savedResults())?.found ?? [];
  const found = order.flatMap((name) => {
    const one = [...results.found, ...saved].find(({ section }) => section === name);
    return one === undefined ? [] : [one];
  });
  const whole = { found };
  await writeFile(RESULTS, await format(JSON.stringify(rounded(whole)), { parser: 'json', printWidth: 120 }));
  await writeFile(PAGE, pageWith(await readFile(PAGE, 'utf8'), rounded(whole)));
  await writeFile(CHART, chartOf(rounded(whole)));
  await writeFile(SCOPE_CHART, scopeChartOf(rounded(whole)));
}

/** More digits than these are noise. */
function rounded(results: Results): Results {
  return JSON.parse(
    JSON.stringify(results, (_key, value: unknown) =>
      typeof value === 'number' ? Math.round(value * 100) / 100 : value,
    ),
  ) as Results;
}
