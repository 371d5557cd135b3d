import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/json.ts';
import { renderAct, renderLogEntry } from '../../../src/report/text/act.ts';
import { renderMetrics } from '../../../src/report/text/metrics.ts';
import { renderActJson } from '../../../src/report/json/index.ts';
import { renderTable } from '../../../src/report/text/table.ts';

const plain = { color: false };
const wide = { color: false, width: 100, charts: [] };

describe('a table', () => {
  it('has columns as wide as their cells, numbers to the right, and no line of its own', () => {
    expect(
      renderTable(
        ['name', 'count'],
        [
          ['a', 1],
          ['longer', 100],
        ],
        plain,
      ),
    ).toBe('name    count\na           1\nlonger    100');
    expect(renderTable(['name'], [[null], [undefined], [''], [false]], plain)).toBe('name\n-\n-\n-\nfalse');
    expect(renderTable(['name'], [], plain)).toBe('name');
  });

  it('lets no text act on the terminal, and keeps wide letters in their columns', () => {
    const text = renderTable(
      ['a', 'b'],
      [
        ['\u001b[31m\nred', 'x'],
        ['日本', 'y'],
      ],
      plain,
    );
    expect(text.split('\n')).toHaveLength(3);
    expect(text).not.toContain('\u001b');
    expect(renderTable(['a'], [['x']], { color: true })).toContain('\u001b[1m');
  });
});

describe('what a command tells', () => {
  const ended = { outcome: 'done', diagnostics: [] } as const;

  it('is its sentence, and what it shows under it', () => {
    expect(renderAct(ended)).toBeUndefined();
    expect(renderAct({ ...ended, message: 'Done\u001b[2J.', aside: 'See it.' })).toBe('Done\\u{1b}[2J.\nSee it.');
  });
});

describe('a log entry', () => {
  it('is one line with every key, quoted where it could be taken for more', () => {
    expect(renderLogEntry({ status: 404, url: 'https://a.example/x', agent: 'a b', country: null, tags: ['x'] })).toBe(
      'status=404 url=https://a.example/x agent="a b" tags=["x"]',
    );
    expect(renderLogEntry('2026 line\u001b[2J')).toBe('2026 line\\u{1b}[2J');
    expect([renderLogEntry(5), renderLogEntry(null)]).toEqual(['5', '-']);
  });
});

describe('metrics', () => {
  const chart = { '2026-01-15T01:00:00Z': 3, '2026-01-15T00:00:00Z': 1, '2026-01-15T02:00:00Z': 2 };

  it('are numbers in a table and what goes over time as plots, in order of time', () => {
    const { text, hidden, unknown } = renderMetrics(
      { Total: 6, Chart: chart, Geo: { 'Europe West': 1 }, name: 'x', none: null },
      wide,
    );
    expect(text).toContain('Total                6');
    expect(text).toContain('Geo.Europe West');
    expect(text).toContain('Chart 2026-01-15T00:00:00Z to 2026-01-15T02:00:00Z');
    expect(text).toContain('┤');
    expect([hidden, unknown]).toEqual([[], []]);
  });

  it('plots the first few that are not all zero, or those that are named', () => {
    const zero = { '2026-01-15': 0, '2026-01-16': 0 };
    const answer = { a: zero, b: chart, c: chart, d: chart, e: chart };
    expect(renderMetrics(answer, wide).hidden).toEqual(['a', 'e']);
    const named = renderMetrics(answer, { ...wide, charts: ['a', 'nothing'] });
    expect([named.hidden, named.unknown]).toEqual([['b', 'c', 'd', 'e'], ['nothing']]);
    expect(named.text).toContain('a 2026-01-15 to 2026-01-16');
  });

  it('are found in lists of numbers, of pairs and of named series', () => {
    const found = (answer: JsonObject) => renderMetrics(answer, { ...wide, charts: ['?'] }).hidden;
    expect(found({ cms: { resources: { cpu: [1, 2, 3], storage: 0.5 } } })).toEqual(['cms.resources.cpu']);
    expect(
      found({
        cpu: [
          [1700000000, 1],
          [1700000060, 2],
        ],
      }),
    ).toEqual(['cpu']);
    expect(
      found({
        waf: [
          {
            name: 'triggered',
            data: [
              { x: '2026-01-14', y: 1 },
              { x: '2026-01-15', y: 2 },
            ],
          },
          {
            data: [
              { x: '2026-01-14', y: 1 },
              { x: '2026-01-15', y: 2 },
            ],
          },
        ],
      }),
    ).toEqual(['waf.triggered', 'waf.1']);
    expect(renderMetrics({ cpu: [1, 2, 3] }, wide).text).toContain('cpu 3 points');
    // One point is a number; what is no number, or has no moment, is no series.
    expect(found({ one: { '2026-01-15': 5 }, mixed: [1, 'a'], objects: [{ z: 1 }, { z: 2 }] })).toEqual([]);
    expect(found({ map: { a: 1, b: 2 } })).toEqual([]);
  });

  it('say that there are none', () => {
    expect(renderMetrics({}, wide).text).toBe('There are no numbers.');
    expect(renderMetrics([], wide).text).toBe('There are no numbers.');
  });

  it('let no name act on the terminal', () => {
    expect(renderMetrics({ '\u001b[2J': chart, '\u001b[3J': 5 }, wide).text).not.toContain('\u001b');
  });
});

describe('the JSON of a command on a site', () => {
  it('has its ending, and the value under its name', () => {
    expect(
      JSON.parse(
        renderActJson({ outcome: 'done', site: { id: 's' }, message: 'm', aside: 'a', summary: [1], diagnostics: [] }),
      ),
    ).toEqual({
      format: 'hostwright.run/1',
      outcome: 'done',
      exitCode: 0,
      site: { id: 's' },
      message: 'm',
      summary: [1],
      diagnostics: [],
    });
    expect(JSON.parse(renderActJson({ outcome: 'error', diagnostics: [] }))).toEqual({
      format: 'hostwright.run/1',
      outcome: 'error',
      exitCode: 1,
      diagnostics: [],
    });
  });
});
