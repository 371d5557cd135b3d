// The examples, spoilt: cut, mixed, repeated, of other types, hostile. They end in diagnostics and the exit code of an
// invalid manifest, or they are still sound; no exception, no request that writes, and not one request when something
// is wrong.
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Outcome } from '../../src/model/plan/outcome.ts';
import { startHarness } from '../support/harness.ts';
import { runsOf, seedOf } from '../support/property-runs.ts';
import { WORKSPACE } from './worlds.ts';

const examples = join(import.meta.dirname, '../../examples');
const texts = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\/(sites|mail|profiles)\/.*\.yaml$/.test(name))
  .sort()
  .map((name) => readFileSync(join(examples, name), 'utf8'));

/** Applies these manifests, up to the question whether it may. */
async function tryOut(
  text: string,
  file = 'sites/a.yaml',
): Promise<{
  readonly outcome: Outcome;
  readonly isWritten: boolean;
  readonly requests: number;
  readonly writes: number;
}> {
  const one = await startHarness({
    files: { [file]: text },
    workspace: WORKSPACE,
    memoryLedger: false,
  });
  try {
    const { outcome } = await one.apply({ confirm: () => Promise.resolve(false) });
    const { requests } = one.sandbox;
    const isWritten = await access(join(one.root, '.hostwright', 'ledger.jsonl')).then(
      () => true,
      () => false,
    );
    return {
      outcome,
      isWritten,
      requests: requests.length,
      writes: requests.filter(({ method }) => method !== 'GET').length,
    };
  } finally {
    await one.close();
  }
}

async function endsWell(text: string, file?: string): Promise<Outcome> {
  const { outcome, requests, writes, isWritten } = await tryOut(text, file);
  expect(writes).toBe(0);
  expect([0, 1, 3, 5]).toContain(outcome.exitCode);
  const manifestErrors = outcome.diagnostics.filter(
    ({ code, severity }) => severity === 'error' && code.startsWith('HW1'),
  );
  if (manifestErrors.length > 0) expect([outcome.exitCode, requests, isWritten]).toEqual([1, 0, false]);
  return outcome;
}

const scraps = [
  '---\n',
  '- ',
  ': ',
  '[',
  ']',
  '{',
  '}',
  '"',
  '|\n',
  '&a ',
  '*a',
  '!!js/function ',
  '!!binary ',
  '\t',
  '\n',
  '<<: ',
  '__proto__: ',
  'constructor: ',
  'null',
  '~',
  '.inf',
  '0x7f',
  '1e999',
  '-',
  '\u0000',
  '\ufeff',
  '\u202e',
  'spec:\n',
  'kind: Site\n',
];
const mutation = fc.record(
  {
    at: fc.nat(),
    cut: fc.nat(20),
    put: fc.oneof(fc.constantFrom(...scraps), fc.string({ unit: 'binary', maxLength: 4 })),
    line: fc.option(fc.nat(), { nil: undefined }),
  },
  { noNullPrototype: true },
);
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

/** Something cut out and something put in; or a line of the text once more elsewhere. */
function spoil(text: string, { at, cut, put, line }: Mutation): string {
  const from = at % (text.length + 1);
  if (line === undefined) return text.slice(0, from) + put + text.slice(from + cut);
  const lines = text.split('\n');
  return [...lines.slice(0, at % lines.length), lines[line % lines.length], ...lines.slice(at % lines.length)].join(
    '\n',
  );
}

const values = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  9e15,
  '',
  'x',
  [],
  {},
  [null],
  [[]],
  ['x', 'x'],
  { a: 1 },
  { __proto__: 1 },
  'a'.repeat(10_000),
);

/** One value of a document changed for one of another type, or one key for another. */
function swap(document: unknown, place: number, value: unknown, key: string | undefined): unknown {
  let left = place;
  const visit = (node: unknown): unknown => {
    left -= 1;
    if (left === 0) return value;
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([name, item]) => [left === 1 && key !== undefined ? key : name, visit(item)]),
    );
  };
  return visit(document);
}

describe('spoilt manifests', () => {
  it('as text', async () => {
    let sound = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        async (text, mutations) => {
          const { exitCode } = await endsWell(mutations.reduce(spoil, text));
          if (exitCode !== 1) sound += 1;
        },
      ),
      { numRuns: runsOf(150), ...seedOf() },
    );
    process.stdout.write(`spoilt texts: ${sound} of ${runsOf(150)} were still sound\n`);
  });

  it('as documents of other types, in YAML and in JSON', async () => {
    const documents = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as unknown));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...documents),
        fc.integer({ min: 1, max: 80 }),
        values,
        fc.option(fc.constantFrom('__proto__', 'constructor', 'toString', 'name', 'unknownField', ''), {
          nil: undefined,
        }),
        fc.boolean(),
        async (document, place, value, key, isJson) => {
          await endsWell(JSON.stringify(swap(document, place, value, key)), isJson ? 'sites/a.json' : 'sites/a.yaml');
        },
      ),
      { numRuns: runsOf(150), ...seedOf() },
    );
  });

  const site = (spec: string): string =>
    `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec: ${spec}\n`;
  const laughs = ['&a0 [x, x]', ...Array.from({ length: 40 }, (_, index) => `&a${index + 1} [*a${index}, *a${index}]`)]
    .map((one, index) => `k${index}: ${one}`)
    .join('\n');
  it.each([
    ['an alias bomb', `${site('{}')}---\n${laughs}\n`],
    [
      'an alias bomb in a spec',
      site(
        `{ domains: [${['&a0 [x, x]', ...Array.from({ length: 30 }, (_, index) => `&a${index + 1} [*a${index}, *a${index}]`)].join(', ')}] }`,
      ),
    ],
    ['an alias of itself', site('&a { caching: *a }')],
    ['deep nesting of lists', site('['.repeat(20_000) + ']'.repeat(20_000))],
    ['deep nesting of mappings', site('{a: '.repeat(5_000) + '1' + '}'.repeat(5_000))],
    [
      'deep nesting in JSON',
      `{"apiVersion":"hostwright/v1","kind":"Site","metadata":{"name":"shop"},"spec":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    ],
    ['a huge text', site(`{ name: "${'x'.repeat(1_000_000)}" }`)],
    ['a huge key', site(`{ ? "${'x'.repeat(1_000_000)}" : 1 }`)],
    ['a huge number', site(`{ caching: { cacheExpiration: ${'9'.repeat(100_000)} } }`)],
    ['a key twice', site('{ name: a, name: b }')],
    ['__proto__ as a key', site('{ __proto__: { caching: { smartCache: true } } }')],
    ['a tag that runs code elsewhere', site('!!js/function "function () { return 1 }"')],
    ['very many documents', site('{ nonsense: 1 }') + '---\na: 1\n'.repeat(2_000)],
  ])('%s', async (_what, text) => {
    const { exitCode, diagnostics } = await endsWell(text);
    expect(exitCode).toBe(1);
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.every(({ detail, frame = '' }) => `${detail}${frame}`.length < 10_000)).toBe(true);
    expect(({} as { caching?: unknown }).caching).toBeUndefined();
  });
});
