// Layout: fields in the order of the schema, the form that `export` writes, every comment beside what it is about, and
// never another meaning.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { layOut } from '../../src/manifest/edit/layout.ts';
import { emptyManifest, exampleManifest, workspaceText } from '../../src/manifest/write/workspace.ts';
import { writeManifests } from '../../src/manifest/write/write.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { runsOf } from '../support/property-runs.ts';

/** The text once it is laid out; fails where it cannot be, and where a second time changes anything. */
function laidOut(text: string): string {
  const result = layOut(text);
  if (!('text' in result)) throw new Error(result.refused);
  expect(layOut(result.text)).toEqual(result);
  return result.text;
}

const valuesIn = (text: string): readonly Json[] =>
  parseAllDocuments(text, { version: '1.2', uniqueKeys: false }).map((document) => document.toJS() as Json);

const HEAD = 'apiVersion: hostwright/v1\nkind: Site\nmetadata:\n  name: shop\n';

describe('layout', () => {
  it.each([
    [
      'fields come in the order of the schema, with what stands above them',
      `${HEAD}spec:\n  # the cache\n  caching: { cacheExpiration: 60, smartCache: true }\n\n  # two hosts\n  domains: [a.example.com]\n`,
      `${HEAD}spec:\n  # two hosts\n  domains: [a.example.com]\n  # the cache\n  caching:\n    smartCache: true\n    cacheExpiration: 60\n`,
    ],
    [
      'what stands at the top stays there',
      `# yaml-language-server: $schema=x\nkind: Site\napiVersion: hostwright/v1\n`,
      `# yaml-language-server: $schema=x\napiVersion: hostwright/v1\nkind: Site\n`,
    ],
    [
      'comments behind brackets and keys stay on their line',
      `${HEAD}spec: # one\n  caching: { smartCache: true } # two\n  domains: # three\n    - a.example.com # four\n`,
      `${HEAD}spec: # one\n  domains: # three\n    - a.example.com # four\n  caching: # two\n    smartCache: true\n`,
    ],
    [
      'a comment above an item stays above its dash',
      `${HEAD}spec:\n  edgeRules:\n    # first\n    - action: { type: ForceSSL }\n      name: tls # short\n`,
      `${HEAD}spec:\n  edgeRules:\n    # first\n    - name: tls # short\n      action:\n        type: ForceSSL\n`,
    ],
    [
      'lists of single values stand on one line while they fit',
      `${HEAD}spec:\n  domains:\n    - a.example.com\n    - b.example.com\n`,
      `${HEAD}spec:\n  domains: [a.example.com, b.example.com]\n`,
    ],
    [
      'quotes stay, and references stand on one line',
      `${HEAD}spec:\n  name: 'Shop'\n  client:\n    ref: User/ann\n`,
      `${HEAD}spec:\n  name: 'Shop'\n  client: { ref: User/ann }\n`,
    ],
    [
      'an anchor stays before its alias, whatever the order of the schema',
      `${HEAD}spec:\n  caching: &c {smartCache: true}\n  cacheLayers: *c\n  domains: [a.example.com]\n`,
      `${HEAD}spec:\n  domains: [a.example.com]\n  caching: &c\n    smartCache: true\n  cacheLayers: *c\n`,
    ],
    [
      'fields keep their order where an alias would come first',
      `${HEAD}spec:\n  caching: &c {smartCache: true}\n  domains: *c\n`,
      `${HEAD}spec:\n  caching: &c\n    smartCache: true\n  domains: *c\n`,
    ],
    [
      'merge keys are kept, though no manifest may have one',
      `${HEAD}base: &base { a: 1 }\nspec:\n  <<: *base\n  domains: [a.example.com]\n`,
      undefined,
    ],
    [
      'documents of other programs stay as they are, and so does what is only comments',
      `kind:   Deployment\n---\n${HEAD}spec: {domains: [a.example.com]}\n---\n# nothing yet\n#   at: all\n`,
      `kind:   Deployment\n---\n${HEAD}spec:\n  domains: [a.example.com]\n---\n# nothing yet\n#   at: all\n`,
    ],
    [
      'the end of a document stays',
      `${HEAD}spec: {}\n...\n# between\n---\n${HEAD}\n\n`,
      `${HEAD}spec: {}\n...\n# between\n---\n${HEAD}`,
    ],
    [
      'a comment at the very left below the last field stays there',
      `${HEAD}spec:\n  domains: [a.example.com]\n\n# later:\n#   caching: {}\n`,
      `${HEAD}spec:\n  domains: [a.example.com]\n\n# later:\n#   caching: {}\n`,
    ],
    [
      'comments below a value stay at their own depth',
      `${HEAD}spec:\n  caching:\n    smartCache: true\n    # deep\n\n  # the hosts\n  domains: [a.example.com]\n  # last\n`,
      `${HEAD}spec:\n  # the hosts\n  domains: [a.example.com]\n  caching:\n    smartCache: true\n    # deep\n  # last\n`,
    ],
    [
      'JSON stays JSON',
      '{"kind":"Site","apiVersion":"hostwright/v1","spec":{"caching":{},"domains":[]}}',
      '{\n  "apiVersion": "hostwright/v1",\n  "kind": "Site",\n  "spec": {\n    "domains": [],\n    "caching": {}\n  }\n}\n',
    ],
    [
      'line breaks of Windows stay',
      `${HEAD}spec: {}`.replaceAll('\n', '\r\n'),
      `${HEAD}spec: {}\n`.replaceAll('\n', '\r\n'),
    ],
    [
      'what cannot be seen stays an escape, and a comment stays as it is',
      `${HEAD}spec:\n  name: "a\\u200bb" # a\u00a0b\n`,
      `${HEAD}spec:\n  name: "a\\u200bb" # a\u00a0b\n`,
    ],
    [
      'the workspace file too',
      'kind: Workspace\napiVersion: hostwright/v1\nspec: { manifests: [sites], account: "12" }\n',
      'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: "12"\n  manifests: [sites]\n',
    ],
  ])('%s', (_, before, after) => {
    const text = laidOut(before);
    expect(text).toBe(after ?? text);
    if (!before.includes('&')) expect(valuesIn(text)).toEqual(valuesIn(before));
  });

  it('changes nothing that export wrote', () => {
    const files = globSync('examples/**/*.yaml', { absolute: true });
    const manifests = files.flatMap((file) =>
      valuesIn(readFileSync(file, 'utf8')).filter((value): value is JsonObject => {
        const document = value as JsonObject | null;
        return document?.apiVersion === 'hostwright/v1';
      }),
    );
    expect(manifests.length).toBeGreaterThan(20);
    for (const manifest of manifests) {
      const text = `${writeManifests([{ manifest }])}\n`;
      expect(laidOut(text)).toBe(text);
    }
  });
});

describe('examples', () => {
  it.each(globSync('examples/**/*.yaml'))('%s says the same in the standard layout', (file) => {
    const before = readFileSync(file, 'utf8');
    expect(valuesIn(laidOut(before))).toEqual(valuesIn(before));
  });
});

// Texts as people write them: fields in any order, in brackets or not, with comments above and behind.

interface Said {
  readonly above: readonly string[];
  readonly behind: boolean;
  readonly brackets: boolean;
}

const said: fc.Arbitrary<Said> = fc.record({
  above: fc.array(fc.constantFrom('', '#'), { maxLength: 3 }),
  behind: fc.boolean(),
  brackets: fc.boolean(),
});

const scalar = fc.constantFrom<Json>(true, 12, null, 'plain', 'a: b', '# no comment', 'two\nlines', '8.2', '', ' x ');
const names = [
  'domains',
  'caching',
  'name',
  'edgeRules',
  'zzz',
  'smartCache',
  'action',
  'triggers',
  'type',
  'unlisted',
];
const tree = fc.letrec<{ value: Json; map: Json; list: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('map'), tie('list')),
  map: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
  list: fc.array(tie('value'), { maxLength: 4 }),
}));
const HEADER = { apiVersion: 'hostwright/v1', kind: 'Site', metadata: { name: 'shop' } };

/** Lines of a mapping; every comment says which field it is about. */
function write(value: JsonObject, indent: string, notes: () => Said, path: string): readonly string[] {
  return Object.entries(value).flatMap(([key, below]) => {
    const { above, behind, brackets } = notes();
    const here = `${path}.${key}`;
    // With an empty line below it a comment may be about more than the field.
    const lead = above.map((mark, at) =>
      mark === '' ? '' : `${indent}# ${above.slice(at).includes('') ? 'apart' : 'above'}${at} ${here}.`,
    );
    const tail = behind ? ` # behind ${here}.` : '';
    const isMap = typeof below === 'object' && below !== null && !Array.isArray(below) && Object.keys(below).length > 0;
    if (isMap && !brackets)
      return [...lead, `${indent}${key}:${tail}`, ...write(below as JsonObject, `${indent}  `, notes, here)];
    if (Array.isArray(below) && below.length > 0 && !brackets) {
      const items = (below as readonly Json[]).flatMap((item, at) => {
        const note = notes();
        const comment = note.behind ? ` # behind ${here}.${at}.` : '';
        return [
          ...(note.above.includes('#') ? [`${indent}# above ${here}.${at}.`] : []),
          `${indent}- ${JSON.stringify(item)}${comment}`,
        ];
      });
      return [...lead, `${indent}${key}:${tail}`, ...items];
    }
    return [...lead, `${indent}${key}: ${JSON.stringify(below)}${tail}`];
  });
}

const commentsIn = (text: string): readonly string[] => (text.match(/# (above|apart|behind)[^\n]*/g) ?? []).sort();

describe('any manifest', () => {
  it('keeps its documents and its comments, and a second time changes nothing', () => {
    fc.assert(
      fc.property(
        tree.map as fc.Arbitrary<JsonObject>,
        fc.array(said, { minLength: 40, maxLength: 40 }),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        (spec, notes, order) => {
          let at = 0;
          const next = (): Said => notes[at++ % notes.length] as Said;
          const entries = Object.entries({ ...HEADER, spec });
          const manifest = Object.fromEntries(order.map((index) => entries[index] as [string, Json]));
          const text = `${write(manifest, '', next, '').join('\n')}\n`;
          const after = laidOut(text);
          expect(valuesIn(after)).toEqual(valuesIn(text));
          expect(commentsIn(after)).toEqual(commentsIn(text));
          const lines = after.split('\n');
          for (const [number, line] of lines.entries()) {
            const [, field] = /^ *# above\d .*\.(\w+)\.$/.exec(line) ?? [];
            // What stands above the first field of all is about the document.
            if (field === undefined || lines.slice(0, number).every((other) => /^(#|$)/.test(other))) continue;
            const below = lines.slice(number + 1).find((other) => other.trim() !== '' && !other.trim().startsWith('#'));
            expect(below, `${text}\n=>\n${after}`).toContain(`${field}:`);
          }
        },
      ),
      { numRuns: runsOf(300) },
    );
  });
});

describe('what init writes', () => {
  const schema = './schemas/hostwright.schema.json';
  const workspace = { account: '12', baseUrl: 'https://platform.example', schema } as const;
  it.each([
    workspaceText({
      ...workspace,
      ledger: 'git',
      guards: { allowDeletes: 1, allowCharges: 2, maxSpend: '15.00 EUR' },
    }),
    workspaceText({ ...workspace, ledger: 'file', guards: { allowDeletes: 0, allowCharges: 0 } }),
    exampleManifest(schema),
    emptyManifest(schema),
  ])('is in the standard layout already', (text) => {
    expect(laidOut(text)).toBe(text);
  });
});
