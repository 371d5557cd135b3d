// What is shown of a file: lines with a caret, clipped, without control characters and without secrets.
import { describe, expect, test } from 'vitest';
import { SourceText } from '../../src/manifest/read/source-text.ts';
import { masked, nearest, quote, visible } from '../../src/model/format.ts';
import { marked, readText, site } from './support.ts';

function frameOf(text: string, start: number, end: number): string {
  const source = new SourceText('a.yaml', text);
  return source.frame(source.range([start, end]));
}

describe('frames', () => {
  test('two lines around, the caret under the place', () => {
    expect(frameOf('a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\n', 13, 14)).toBe(
      ['  1 | a: 1', '  2 | b: 2', '> 3 | c: 3', '    |    ^', '  4 | d: 4', '  5 | e: 5'].join('\n'),
    );
  });

  test('line numbers of a large file', () => {
    expect(frameOf('x\n'.repeat(20_000), 30_000, 30_001)).toBe(
      ['  14999 | x', '  15000 | x', '> 15001 | x', '        | ^', '  15002 | x', '  15003 | x'].join('\n'),
    );
  });

  test('a range over many lines ends with its first', () => {
    expect(frameOf('a:\n  b: 1\n  c: 2\n', 5, 17)).toContain('|   ^^^^\n');
  });

  test.each([0, 50, 200, 5_000, 999_000])(
    'a line of a million characters does not flood, with the caret at %i',
    (at) => {
      const frame = frameOf(`${'x'.repeat(at)}HERE${'x'.repeat(1_000_000 - at)}\nnext`, at, at + 4);
      expect(frame.length).toBeLessThan(700);
      expect(marked(frame)).toBe('HERE');
    },
  );

  test('at the end of the text and in an empty one', () => {
    expect(frameOf('', 0, 0)).toBe('> 1 |\n    | ^');
    expect(frameOf('a\n', 2, 2)).toContain('> 2 |');
  });

  test('line ends of Windows are not shown', () => {
    expect(frameOf('a: 1\r\nb: 2\r\n', 6, 7)).toBe('  1 | a: 1\n> 2 | b: 2\n    | ^\n  3 |'.replace('\n  3 |', ''));
  });

  test('terminal sequences and marks of direction are made visible', () => {
    expect(frameOf('a: "\u001b[31m\u202ered\u0085\u2028"', 0, 1)).toBe(
      '> 1 | a: "␛[31m\ufffdred\ufffd\ufffd"\n    | ^',
    );
  });
});

describe('words', () => {
  test('half characters are replaced, whole ones kept', () => {
    expect(visible('a\ud83d\ude00b\ud83dc')).toBe('a\ud83d\ude00b\ufffdc');
  });

  test('long names are clipped', () => {
    expect(quote('x'.repeat(1000))).toHaveLength(83);
  });

  test.each([
    ['token: abc', 'token: ***'],
    ['  "apiKey": "abc", b: 1', '  "apiKey": *****, b: 1'],
    ['{ my_password: abc, x: 1 }', '{ my_password: ***, x: 1 }'],
    ['url: https://me:pw@x.example/', 'url: https://*****@x.example/'.replace('*****', '****')],
    ['secrets: { env: [A] }', 'secrets: { env: [A] }'],
    ['name: tokens', 'name: tokens'],
  ])('%j is shown as %j', (line, shown) => {
    expect(masked(line)).toHaveLength(line.length);
    expect(masked(line).replace(/\*+/g, '*')).toBe(shown.replace(/\*+/g, '*'));
  });

  test.each([
    ['nmae', 'name'],
    ['Cache-Expiration', 'cacheExpiration'],
    ['host', 'hostname'],
    ['zebra', undefined],
    ['x'.repeat(10_000), undefined],
  ])('%s is nearest to %s', (given, expected) => {
    expect(nearest(given, ['name', 'cacheExpiration', 'hostname', 'varyCookie'])).toBe(expected);
  });
});

test('a very long value in a manifest gives a short message', async () => {
  const { diagnostics } = await readText(site('a', `  primaryDomain: ${'x'.repeat(1_000_000)}`));
  expect(JSON.stringify(diagnostics).length).toBeLessThan(2_000);
});
