// What `explain` says of diagnostics and rules: none is missing, none is left over, and what is to be done can be done
// as it is written.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import type { CliCommand } from '../../src/cli/command.ts';
import { answer } from '../../src/usecases/explain/answer.ts';
import { ADVICE, CODES, explainCode } from '../../src/usecases/explain/codes/index.ts';
import { explainRule, RULES } from '../../src/usecases/explain/rules/index.ts';
import { explainWord, PLAN_WORDS } from '../../src/usecases/explain/words.ts';
import type { Schemas } from '../../src/usecases/explain/explain.ts';
import type { Schema } from '../../src/usecases/explain/schema.ts';

const root = join(import.meta.dirname, '../..');
const RULE = /\b(?:[A-Z]{3}|O)-\d{2}\b/g;

/** Ids of rules in what the program can print: not in comments. */
const cited: ReadonlySet<string> = new Set(
  readdirSync(join(root, 'src'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && !/^sandbox|generated|explain.rules/.test(name))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8').replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, ''))
    .flatMap((code) => code.match(RULE) ?? [])
    .filter((id) => id !== 'UTF-16'),
);

/** Ids of rules that the pages for users name. */
function namedInPages(): readonly string[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md') && !name.startsWith('design'));
  return pages.flatMap((name) => readFileSync(join(root, 'docs', name), 'utf8').match(RULE) ?? []);
}

const program = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());

/** What is wrong with a command line: a word that is no command, an option that it does not take. */
function wrongIn(line: string): readonly string[] {
  const [, ...words] = line.split(/\s+#/)[0]?.trim().split(/\s+/) ?? [];
  let command = program;
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word) as CliCommand | undefined;
    if (below === undefined) break;
    command = below;
  }
  const options = [...program.options, ...command.options].flatMap(({ long, short }) => [long, short]);
  const known = [...options, '--help'];
  return [
    ...(command === program && words[0]?.startsWith('-') === false ? [`${line}: no such command`] : []),
    ...words
      .filter((word) => word.startsWith('-') && word !== '-' && !known.includes(word))
      .map((word) => `${line}: ${word}`),
  ];
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

const codes = CODES.map((code) => explainCode(code));
const sentences: readonly string[] = [
  ...codes.flatMap((code) => (code === undefined ? [] : [code.why, code.fix])),
  ...Object.values(RULES).flatMap(([says, means, fix]) => (fix === undefined ? [says, means] : [says, means, fix])),
  ...PLAN_WORDS.flatMap((word) => {
    const { says = '', fix = '' } = explainWord(word) ?? {};
    return fix === '' ? [says] : [says, fix];
  }),
];
const texts: readonly string[] = [...sentences, ...codes.map((code) => code?.example ?? '')];

describe('diagnostics', () => {
  it('each code has advice of its own, and no advice is left of a code that is gone', () => {
    expect(CODES.filter((code) => !Object.hasOwn(ADVICE, code))).toEqual([]);
    expect(Object.keys(ADVICE).filter((code) => !CODES.includes(code))).toEqual([]);
    expect(CODES.filter((code) => (explainCode(code)?.fix ?? '') === '')).toEqual([]);
  });

  it('no two codes that are unlike say the same thing', () => {
    const why = codes.flatMap((code) => (code === undefined ? [] : [code.why]));
    expect(why.filter((text, index) => why.indexOf(text) !== index)).toEqual([]);
  });
});

describe('rules', () => {
  it('each rule that can be printed has an entry, and so has each that the pages for users name', () => {
    expect(cited.size).toBeGreaterThan(250);
    expect([...cited, ...namedInPages()].filter((id) => explainRule(id) === undefined)).toEqual([]);
  });
});

describe('what is to be done', () => {
  it('is made of commands and options that the program takes', () => {
    const lines = texts.flatMap((text) => [
      ...[...text.matchAll(/`(hostwright [^`]+)`/g)].map(([, line]) => line as string),
      ...text.split('\n').flatMap((line) => (line.startsWith('hostwright ') ? [line] : [])),
    ]);
    expect(lines.length).toBeGreaterThan(150);
    expect(lines.flatMap(wrongIn)).toEqual([]);
  });

  it('names fields, codes and rules that can be explained', () => {
    const asked = texts.flatMap((text) =>
      [...text.matchAll(/hostwright explain ([\w.-]+)/g)].map(([, word]) => word as string),
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
    ['HW2299', 'Did you mean HW2203, HW2204, HW2205, HW2206, HW2207 or HW2210?'],
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
