// What `explain` says of diagnostics and rules: none is missing, none is left over, and what is to be done can be done
// as it is written.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codesOn, rulesNamedIn, rulesOn } from '../../.ci/explain-texts.ts';
import type { Entry } from '../../src/model/codes.ts';
import { answer } from '../../src/usecases/explain/answer.ts';
import { codes } from '../../src/usecases/explain/generated/codes.ts';
import { rules } from '../../src/usecases/explain/generated/rules.ts';
import { words } from '../../src/usecases/explain/generated/words.ts';
import { explainWord } from '../../src/usecases/explain/words.ts';
import type { Schemas } from '../../src/usecases/explain/explain.ts';
import type { Schema } from '../../src/usecases/explain/schema.ts';

const root = join(import.meta.dirname, '../..');
const RULE = /\b(?:[A-Z]{3}|O)-\d{2}\b/g;

/** Ids of rules that the pages for users name. */
function namedInPages(): readonly string[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md') && !name.startsWith('design'));
  return pages.flatMap((name) => readFileSync(join(root, 'docs', name), 'utf8').match(RULE) ?? []);
}

const schemas: Schemas = new Map(
  readdirSync(join(root, 'schemas'))
    .filter((name) => name.endsWith('.schema.json'))
    .map((name) => JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8')) as Schema)
    .flatMap((schema) => {
      const kind = schema.properties?.kind?.const;
      return typeof kind === 'string' ? [[kind, schema] as const] : [];
    }),
);

const sentences: readonly string[] = [
  ...Object.values(codes).flatMap(({ why, fix }) => [why, fix]),
  ...Object.values(rules).flatMap(({ says, means, fix = [] }) => [says, means].concat(fix)),
  ...Object.values(words).flatMap(({ says, fix = [] }) => [says].concat(fix)),
];
const texts: readonly string[] = [...sentences, ...Object.values(codes).map(({ example = '' }) => example)];

describe('the page of diagnostics', () => {
  const known: Readonly<Record<string, Entry>> = {
    HW1001: { severity: 'error', summary: 'File cannot be read', remedy: undefined },
  };
  const section = (...lines: readonly string[]): string => ['## Files', '### HW1001', ...lines].join('\n\n');

  it('gives the chapter, the reason, what to do and an example of each code; a quote is what the program says itself', () => {
    const page = section('> It.', 'Two\nlines.', '**What to do:** Run `a`.', '```sh\na\n\nb\n```');
    expect([...codesOn(page, known).values()]).toEqual([
      {
        code: 'HW1001',
        area: 'Files',
        summary: 'File cannot be read',
        why: 'Two lines.',
        fix: 'Run `a`.',
        example: 'a\n\nb',
      },
    ]);
    const printed = { HW1001: { ...known.HW1001!, remedy: 'Do it.' } };
    expect(codesOn(section('Why.'), printed).get('HW1001')?.fix).toBe('Do it.');
    expect(() => codesOn(section('Why.', '**What to do:** Do that.'), printed)).toThrow(
      'docs/diagnostics.md:3: src/model/codes.ts says what to do about HW1001 already: expected no "**What to do:**"',
    );
  });

  it.each([
    [
      'no section',
      '## Files',
      '1: expected a section "### HW1001", which src/model/codes.ts has, after this one: a paragraph',
    ],
    [
      'a section of no code',
      `${section('Why.', '**What to do:** A.')}\n\n### HW1002\n\nWhy.`,
      '9: src/model/codes.ts has no HW1002 any more',
    ],
    ['two of one code', `${section('Why.')}\n${section('Why.')}`, '8: HW1001 is described in line 3 already'],
    ['an earlier code later', '### HW1002\n\nWhy.\n\n### HW1001\n\nWhy.', '5: expected HW1001 before HW1002'],
    ['a title', '### HW1001: File', '1: expected a name like HW2204 and nothing else'],
    ['no remedy anywhere', section('Why.'), '3: the program prints no remedy with HW1001: expected "**What to do:**"'],
    ['nothing', section(), '3: expected below HW1001: a paragraph that says why'],
    ['two paragraphs', section('Why.', 'Why else.'), '3: expected below HW1001: a paragraph that says why'],
    ['an example first', section('```\na\n```', 'Why.'), '3: expected below HW1001: a paragraph that says why'],
    ['a link', section('See [this](that.md).'), '5: expected sentences without any markup but `code`'],
    ['a lone backtick', section('Why `not.'), '5: expected sentences without any markup but `code`'],
  ])('with %s stops the build at its line', (_, page, problem) => {
    expect(() => codesOn(page, known)).toThrow(`docs/diagnostics.md:${problem}`);
  });

  it('says nothing twice of codes that are unlike', () => {
    const why = Object.values(codes).map((code) => code.why);
    expect(why.filter((text, index) => why.indexOf(text) !== index)).toEqual([]);
  });
});

describe('the page of rules', () => {
  it('gives what each rule says and means, and what to do', () => {
    const page = '## Sites\n\n### O-18\n\n> First.\n\nThen.\n\n### O-19\n\n> A.\n\nB.\n\n**What to do:** C.';
    const named = new Map(['O-18', 'O-19', 'O-20'].map((rule) => [rule, 'src/a.ts']));
    expect(() => rulesOn(page, named)).toThrow(
      'docs/platform-rules.md:9: expected a section "### O-20", which src/a.ts has, after this one: the rule',
    );
    named.delete('O-20');
    expect([...rulesOn(page, named).values()]).toEqual([
      { rule: 'O-18', says: 'First.', means: 'Then.' },
      { rule: 'O-19', says: 'A.', means: 'B.', fix: 'C.' },
    ]);
    named.delete('O-19');
    expect(() => rulesOn(page, named)).toThrow(
      'docs/platform-rules.md:9: no source names O-19 outside of comments any more',
    );
  });

  it('has each rule that can be printed, and each that the pages for users name', async () => {
    const named = await rulesNamedIn(root);
    expect(named.size).toBeGreaterThan(250);
    expect([...named.keys(), ...namedInPages()].filter((id) => !(id in rules))).toEqual([]);
  });
});

it('the page of words has no word that nobody prints', () => {
  expect(Object.values(words).filter(({ word }) => explainWord(word)?.word !== word)).toEqual([]);
});

describe('what is to be done', () => {
  it('names fields, codes and rules that can be explained', () => {
    const asked = texts.flatMap((text) =>
      [...text.matchAll(/hostwright explain (?!--)([\w.-]+)/g)].map(([, word]) => word as string),
    );
    const wrong = asked
      .map((word) => answer(schemas, word))
      .flatMap((found) => ('problem' in found ? [found.problem.detail] : []));
    expect(asked.length).toBeGreaterThan(8);
    expect(wrong).toEqual([]);
  });

  it('is written in full sentences', () => {
    expect(sentences.filter((text) => !/^["`A-Z].*[.:]$/s.test(text))).toEqual([]);
    expect(sentences.filter((text) => /in the way|nobody can be asked/i.test(text))).toEqual([]);
  });
});

describe('what is asked', () => {
  it.each([
    ['HW2204', { code: { code: 'HW2204' } }],
    ['hw2204:', { code: { code: 'HW2204' } }],
    ['2204', { code: { code: 'HW2204' } }],
    ['O-18', { rule: { rule: 'O-18' } }],
    ['(o-18)', { rule: { rule: 'O-18' } }],
    ['gap20', { rule: { rule: 'GAP-20' } }],
    ['sit-7', { rule: { rule: 'SIT-07' } }],
    ['edgerule.name', { page: { path: 'Site.edgeRules[].name' } }],
  ])('O-18: %s is found as it is printed and as it is typed', (asked, found) => {
    expect(answer(schemas, asked)).toMatchObject(found);
  });

  it.each([
    ['HW2299', 'Did you mean HW2204, HW2205, HW2206, HW2207, HW2210 or HW2211?'],
    ['HW', 'Did you mean'],
    ['O-19', 'Did you mean'],
    ['SIZ-07', 'Did you mean SIT-07?'],
    ['QQQ-99', 'No plan cites a rule `QQQ-99`. `hostwright explain` lists'],
    ['cacheExpiration', 'Did you mean `Site.caching.cacheExpiration`?'],
    ['Site.smartCache', 'Did you mean `Site.caching.smartCache`?'],
    ['Sit', 'Did you mean `Site`?'],
  ])('%s is answered with the nearest that there is', (asked, words) => {
    const found = answer(schemas, asked);
    expect('problem' in found ? found.problem.detail : '').toContain(words);
  });
});
