// What `explain` says of diagnostics, of rules of the platform and of words of a plan: taken from the pages of `docs/` on which people write and
// read it, and made a part of the program.
//
// A page has chapters (`##`), and a chapter has sections (`###`): a name, and below it a few paragraphs, as `PAGES` says.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Entry } from '../src/model/codes.ts';
import { CODES } from '../src/model/codes.ts';
import type { ExplainedCode, ExplainedRule, ExplainedWord } from '../src/model/explained.ts';
import type { Files } from './generated-code.ts';

interface Page {
  readonly file: string;
  /** What the program calls what is on it. */
  readonly table: string;
  readonly type: string;
  /** What sections are called. */
  readonly name: RegExp;
  readonly such: string;
  /** The parts of a section, and the same in words. */
  readonly parts: RegExp;
  readonly expected: string;
}

const PAGES = {
  codes: {
    file: 'docs/diagnostics.md',
    table: 'codes',
    type: 'ExplainedCode',
    name: /^HW\d{4}$/,
    such: 'HW2204',
    parts: /^(quote )?text( fix)?( example)?$/,
    expected:
      'a paragraph that says why it is reported; one that begins with "**What to do:**", unless the program prints a remedy; perhaps a block of code',
  },
  rules: {
    file: 'docs/platform-rules.md',
    table: 'rules',
    type: 'ExplainedRule',
    name: /^(?:[A-Z]{3}|O)-\d{2}$/,
    such: 'O-18',
    parts: /^quote text( fix)?$/,
    expected:
      'the rule, behind ">"; a paragraph that says what it means for the reader; one that begins with "**What to do:**", if there is anything to do',
  },
  words: {
    file: 'docs/plan-words.md',
    table: 'words',
    type: 'ExplainedWord',
    name: /^[A-Za-z][A-Za-z ,]+$/,
    such: 'EXPOSES',
    parts: /^text( fix)?$/,
    expected:
      'a paragraph that says what the word means; one that begins with "**What to do:**", if there is anything to do',
  },
} as const satisfies Readonly<Record<string, Page>>;

interface Section {
  /** That of its heading. */
  readonly line: number;
  readonly chapter: string;
  readonly quote?: string;
  readonly text?: string;
  readonly fix?: string;
  readonly example?: string;
}

/** The modules that `explain` loads. */
export async function explainFiles(root: string): Promise<Files> {
  const textOf = ({ file }: Page): Promise<string> => readFile(path.join(root, file), 'utf8');
  const codes = codesOn(await textOf(PAGES.codes), CODES);
  const rules = rulesOn(await textOf(PAGES.rules), await rulesNamedIn(root));
  const words = wordsOn(await textOf(PAGES.words));
  return new Map([moduleOf(PAGES.codes, codes), moduleOf(PAGES.rules, rules), moduleOf(PAGES.words, words)]);
}

/** What the page of diagnostics says of each code of the table. */
export function codesOn(text: string, codes: Readonly<Record<string, Entry>>): ReadonlyMap<string, ExplainedCode> {
  const page = PAGES.codes;
  const sections = sectionsOf(page, text, new Map(Object.keys(codes).map((code) => [code, 'src/model/codes.ts'])));
  return mapValues(sections, ({ line, chapter, text: why = '', fix: own, example }, code) => {
    const { summary, remedy } = codes[code] ?? fail(page, line, `src/model/codes.ts has no ${code} any more`);
    if (own !== undefined && remedy !== undefined)
      fail(page, line, `src/model/codes.ts says what to do about ${code} already: expected no "**What to do:**"`);
    const fix =
      own ?? remedy ?? fail(page, line, `the program prints no remedy with ${code}: expected "**What to do:**"`);
    return { code, area: chapter, summary, why, fix, ...(example !== undefined && { example }) };
  });
}

/** What the page of rules says. `named`: what the program can print, each with a source that names it. */
export function rulesOn(text: string, named: ReadonlyMap<string, string>): ReadonlyMap<string, ExplainedRule> {
  const page = PAGES.rules;
  const sections = sectionsOf(page, text, named);
  return mapValues(sections, ({ line, quote: says = '', text: means = '', fix }, rule) => {
    if (!named.has(rule)) fail(page, line, `no source names ${rule} outside of comments any more`);
    return { rule, says, means, ...(fix !== undefined && { fix }) };
  });
}

/** What the page of words says. The compiler knows which there have to be: see `src/usecases/explain/words.ts`. */
function wordsOn(text: string): ReadonlyMap<string, ExplainedWord> {
  return mapValues(sectionsOf(PAGES.words, text, new Map()), ({ text: says = '', fix }, word) => ({
    word,
    says,
    ...(fix !== undefined && { fix }),
  }));
}

/** The rules that sources which are written by hand name outside of comments. */
export async function rulesNamedIn(root: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(path.join(root, 'src'), { recursive: true }))
    .filter((name) => name.endsWith('.ts') && !name.includes('generated') && !name.startsWith('sandbox/'))
    .sort();
  const sources = await Promise.all(
    names.map(async (name) => ({ file: `src/${name}`, text: await readFile(path.join(root, 'src', name), 'utf8') })),
  );
  return new Map(
    sources.flatMap(({ file, text }) => {
      const code = text.replace(/\/\*[^]*?\*\/|(^|\s)\/\/.*$/gm, '');
      return [...code.matchAll(/\b(?!UTF-)(?:[A-Z]{3}|O)-\d{2}\b/g)].map(([rule]) => [rule, file] as const);
    }),
  );
}

/** The sections by their names. `needed`: those that there have to be, each with the source that needs it. */
function sectionsOf(page: Page, text: string, needed: ReadonlyMap<string, string>): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section>();
  let chapter = '';
  let last = '';
  const blocks = blocksOf(text);
  for (const [index, { line, text: heading }] of blocks.entries()) {
    const [, marks, name = ''] = /^(##+) (.*)$/.exec(heading) ?? [];
    if (marks === '##') [chapter, last] = [name, ''];
    if (marks !== '###') continue;
    const twin = sections.get(name);
    if (twin !== undefined) fail(page, line, `${name} is described in line ${twin.line} already`);
    if (!page.name.test(name)) fail(page, line, `expected a name like ${page.such} and nothing else`);
    if (name < last) fail(page, line, `expected ${name} before ${last}: a chapter has its sections in their order`);
    last = name;
    const below = blocks.slice(index + 1);
    const end = below.findIndex((block) => /^#{1,3} /.test(block.text));
    const parts = below.slice(0, end === -1 ? undefined : end).map((block) => partOf(page, block));
    if (!page.parts.test(parts.map(([part]) => part).join(' ')))
      fail(page, line, `expected below ${name}: ${page.expected}`);
    sections.set(name, { line, chapter, ...Object.fromEntries(parts) });
  }
  for (const [name, file] of needed) {
    if (sections.has(name)) continue;
    const [, before] = [...sections].findLast(([other]) => other < name) ?? [];
    fail(
      page,
      before?.line ?? 1,
      `expected a section "### ${name}", which ${file} has, after this one: ${page.expected}`,
    );
  }
  return sections;
}

interface Block {
  readonly line: number;
  readonly text: string;
}

/** Headings, paragraphs, and code with all that is in it. */
function blocksOf(text: string): readonly Block[] {
  const found = text.matchAll(/^```[^]*?^```$|^#.*$|(?:^(?!#|```).+$\n?)+/gm);
  return [...found].map(({ 0: block, index }) => ({
    line: text.slice(0, index).split('\n').length,
    text: block.trimEnd(),
  }));
}

/** What a paragraph is, and its words, which `explain` prints as they are written. */
function partOf(page: Page, { line, text }: Block): readonly [part: string, words: string] {
  const code = /^```.*\n([^]*)\n```$/.exec(text)?.[1];
  if (code !== undefined) return ['example', code];
  const [, mark, words = ''] = /^(> |\*\*What to do:\*\* )?([^]*)$/.exec(text) ?? [];
  if (/[*<[\]\\&~|`#]|(?<!\w)_/.test(words.replaceAll(/`[^`]+`/g, '')))
    fail(page, line, 'expected sentences without any markup but `code`');
  return [mark === undefined ? 'text' : mark === '> ' ? 'quote' : 'fix', words.replaceAll('\n', ' ')];
}

function fail(page: Page, line: number, what: string): never {
  throw new Error(`${page.file}:${line}: ${what}`);
}

function mapValues<A, B>(map: ReadonlyMap<string, A>, made: (value: A, key: string) => B): ReadonlyMap<string, B> {
  return new Map([...map].map(([key, value]) => [key, made(value, key)]));
}

function moduleOf(
  { file, table, type }: Page,
  entries: ReadonlyMap<string, object>,
): readonly [file: string, text: string] {
  // The program asks for codes and rules that somebody typed, and for words that it knows.
  const keys = table === 'words' ? [...entries.keys()].map((key) => JSON.stringify(key)).join(' | ') : 'string';
  const text = [
    `// Generated by .ci/explain-texts.ts from ${file}. Do not edit: run \`npm run generate\`.`,
    `import type { ${type} } from '../../../model/explained.ts';`,
    '',
    `export const ${table}: Readonly<Record<${keys}, ${type}>> = {`,
    ...[...entries].map((entry) => `  ${entry.map((part) => JSON.stringify(part)).join(': ')},`),
    '};',
    '',
  ];
  return [`src/usecases/explain/generated/${table}.ts`, text.join('\n')];
}
