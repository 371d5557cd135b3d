// How rows read as a table, as JSON and as YAML, whatever the platform put into them.
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Shown, ShownValue } from '../../../src/model/shown.ts';
import { renderRowLine, renderRowsJson, renderRowsYaml, renderRowYaml } from '../../../src/report/json/rows.ts';
import { renderRows, widthsOf } from '../../../src/report/text/rows.ts';

const options = { color: false, wide: false, nowMs: Date.parse('2026-01-15T00:00:00Z') };
const shownOf = (...values: readonly ShownValue[]): Shown => ({
  kind: 'site-mail',
  columns: [
    { heading: 'name', name: 'name', wide: false },
    { heading: 'two words', name: 'twoWords', wide: false },
    { heading: 'more', name: 'more', wide: true },
  ],
  rows: values.map((value, index) => ({
    id: String(index),
    values: { name: `n${index}`, twoWords: value, more: value },
    object: { text: '\u001b[2J\u202e', list: ['a\nb'] },
  })),
  notRead: [],
});
const cell = (value: ShownValue, wide = false): string =>
  renderRows(shownOf(value), { ...options, wide })
    .split('\n')[1]
    ?.split(/ {2,}/)[1] as string;

it.each([
  [null, '-'],
  [true, 'yes'],
  [false, 'no'],
  [5, '5'],
  ['\u001b[2Jx', '\\u{1b}[2Jx'],
  [{ is: 'unknown', reason: 'r' }, '?'],
  [{ is: 'time', at: '2026-01-15T10:03:20.123Z' }, '2026-01-15 10:03:20'],
  [{ is: 'time', at: 'soon' }, 'soon'],
  [{ is: 'day', at: '2026-01-27T10:00:00Z' }, '2026-01-27, in 12 days'],
  [{ is: 'day', at: '2026-01-14T00:00:00Z' }, '2026-01-14, 1 day ago'],
  [{ is: 'day', at: 'one day' }, 'one day'],
  [{ is: 'money', cents: 2500, per: 'monthly' }, '25.00 monthly'],
  [{ is: 'money', cents: 5, currency: 'EUR' }, '0.05 EUR'],
  [{ is: 'megabytes', megabytes: 1000 }, '1000 MB'],
  [{ is: 'megabytes', megabytes: 1536 }, '1.5 GB'],
  [{ is: 'list', items: [] }, '-'],
  [{ is: 'list', items: ['a', 'b', 'c', 'd'] }, 'a, b, c, d'],
  [{ is: 'list', items: ['a', 'b', 'c', 'd', 'e'] }, 'a, b, c and 2 more'],
] as const satisfies readonly (readonly [ShownValue, string])[])('%j is shown as %s', (value, text) => {
  expect(cell(value)).toBe(text);
});

it('shows all columns and all items where it is wide, and never cuts a value', () => {
  const link = `https://pay.example/${'x'.repeat(300)}`;
  const text = renderRows(shownOf({ is: 'list', items: ['a', 'b', 'c', 'd', 'e', link] }), { ...options, wide: true });
  expect(text).toMatch(/^NAME {2}TWO WORDS +MORE\n/);
  expect(text).toContain(`a, b, c, d, e, ${link}`);
});

it('says that there are none, and which list could not be read', () => {
  expect(renderRows(shownOf(), options)).toBe('No site mail found.');
  const unread = { ...shownOf(), notRead: [{ of: 'shop', what: 'mail', reason: 'no answer' }] };
  expect(renderRows(unread, options).split('\n')).toEqual(['NAME  TWO WORDS', 'shop  ?']);
});

it('goes on below rows that were shown, in their columns', () => {
  const first = shownOf('a long value');
  const below = widthsOf(first, options);
  expect(renderRows(shownOf('b'), { ...options, below })).toBe('n0    b');
  expect(renderRows(shownOf(), { ...options, below })).toBe('');
});

it('is the same document as JSON and as YAML, in which no text acts on a terminal', () => {
  const ended = { outcome: 'error', diagnostics: [] } as const;
  const shown = shownOf(
    { is: 'unknown', reason: 'no answer' },
    { is: 'money', cents: 100 },
    { is: 'list', items: ['\u202e'] },
  );
  const [json, yaml] = [renderRowsJson(shown, ended), renderRowsYaml(shown, ended)];
  expect(parse(yaml)).toEqual(JSON.parse(json));
  expect(JSON.parse(json)).toMatchObject({
    format: 'hostwright.get/1',
    exitCode: 1,
    items: [
      { values: { twoWords: null }, unknown: [{ name: 'twoWords', reason: 'no answer' }, { name: 'more' }] },
      { values: { twoWords: { amountCents: 100, currency: null, term: null } } },
      { values: { twoWords: ['\u202e'] } },
    ],
  });
  for (const text of [json, yaml, ...shown.rows.flatMap((row) => [renderRowLine(row), renderRowYaml(row)])])
    expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(parse(renderRowsYaml(undefined, ended))).toEqual({
    format: 'hostwright.get/1',
    outcome: 'error',
    exitCode: 1,
    diagnostics: [],
  });
});
