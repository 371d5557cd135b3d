// Edits of a text change what is to change and nothing else: comments, empty lines, quotes, brackets, indentation and
// line breaks stay.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, parseAllDocuments, visit } from 'yaml';
import { editDocuments } from '../../src/manifest/edit/edit.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { runsOf } from '../support/property-runs.ts';
import { withValueAt } from '../../src/model/json.ts';

type Change = readonly [pointer: string, value: Json | undefined];

const valuesIn = (text: string): readonly Json[] =>
  parseAllDocuments(text, { version: '1.2' }).map((document) => document.toJS() as Json);

/** The text once the places hold these values, or why not. */
function edited(text: string, changes: readonly Change[], document = 0): string {
  const value = changes.reduce<Json>(
    (now, [pointer, wanted]) => withValueAt(now, pointer, wanted),
    valuesIn(text)[document] as Json,
  );
  const result = editDocuments(text, new Map([[document, value]]));
  return 'text' in result ? result.text : `refused at ${result.pointer}: ${result.refused}`;
}

const SITE = `# yaml-language-server: $schema=./schemas/hostwright.schema.json
apiVersion: hostwright/v1
kind: Site
metadata:
  name: shop # never sent

spec:
  # What people see.
  name: 'Shop'   # the display name
  phpVersion: "8.2"
  caching: { smartCache: true, cacheExpiration: 3600 } # seconds
  domains: [shop.example.com, "www.example.com"]
  edgeRules:
    # Order is meaning.
    - name: Force TLS
      action: { type: ForceSSL }

    # Moved in 2024.
    - name: Old shop moved
      triggers:
        - { type: Url, match: any, patterns: ["*/old/*"] }
      action:
        type: Redirect # for good
        parameter2: "301"
      # enabled: false

    - name: Last
      action: { type: ForceSSL }
  # What sends mail.
  mail:
    fromName: The Shop
`;

/** The lines that differ, as a diff shows them. */
function changed(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const gone = old.filter((line) => !now.includes(line));
  return [
    ...gone.map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ].join('\n');
}

describe('a single value', () => {
  it.each([
    [
      'in single quotes',
      '/spec/name',
      'My "own" shop',
      `-  name: 'Shop'   # the display name\n+  name: 'My "own" shop'   # the display name`,
    ],
    ['in double quotes', '/spec/phpVersion', '8.3', `-  phpVersion: "8.2"\n+  phpVersion: "8.3"`],
    [
      'in a mapping in brackets',
      '/spec/caching/cacheExpiration',
      60,
      '-  caching: { smartCache: true, cacheExpiration: 3600 } # seconds\n+  caching: { smartCache: true, cacheExpiration: 60 } # seconds',
    ],
    [
      'with a comment behind it',
      '/spec/edgeRules/1/action/type',
      'OverrideCacheTime',
      '-        type: Redirect # for good\n+        type: OverrideCacheTime # for good',
    ],
    [
      'deep in brackets',
      '/spec/edgeRules/1/triggers/0/patterns',
      ['*/old/*', '*/older/*'],
      `-        - { type: Url, match: any, patterns: ["*/old/*"] }\n+        - { type: Url, match: any, patterns: ["*/old/*", "*/older/*"] }`,
    ],
    [
      'that becomes a mapping',
      '/spec/name',
      { a: [1, { b: 'c' }] },
      `-  name: 'Shop'   # the display name\n+  name:   # the display name\n+    a:\n+      - 1\n+      - b: 'c'`,
    ],
    [
      'of several lines',
      '/spec/mail/fromName',
      'one\n\n  two',
      '-    fromName: The Shop\n+    fromName: |-\n+      one\n+\n+        two',
    ],
    [
      'that a terminal could act on',
      '/spec/mail/fromName',
      'a\u202eb',
      '-    fromName: The Shop\n+    fromName: "a\\u202eb"',
    ],
  ] as const)('%s is changed where it stands', (_what, pointer, value, diff) => {
    const after = edited(SITE, [[pointer, value]]);
    const lines = changed(SITE, after)
      .split('\n')
      .filter((line) => line !== '+');
    expect(lines).toEqual(diff.split('\n').filter((line) => line !== '+'));
    expect(valuesIn(after)[0]).toEqual(withValueAt(valuesIn(SITE)[0] as Json, pointer, value));
  });

  it('that is a list or a mapping becomes a single one', () => {
    expect(edited('a:\n  # of b\n  b: 1\nc: 2\n', [['/a', 3]])).toBe('a: 3\n  # of b\nc: 2\n');
    expect(edited('a: # here\n  - b: 1\n    c: 2\nd: 3', [['/a', 'x']])).toBe('a: x # here\nd: 3');
    expect(edited('a:\n  - - 1\n    - 2\n', [['/a/0', 'x']])).toBe('a:\n  - x\n');
    expect(edited('a:\n  - x: 1\n    y: 2\n  - z\n', [['/a/0', 'x']])).toBe('a:\n  - x\n  - z\n');
  });

  it('that is missing is written behind its colon or dash', () => {
    expect(
      edited('a:\nb: # empty\nc:\n  -\n', [
        ['/a', 1],
        ['/b', 'x'],
        ['/c/0', 'y'],
      ]),
    ).toBe('a: 1\nb: x # empty\nc:\n  - y\n');
    expect(
      edited('{ a: , b: }\n', [
        ['/a', 1],
        ['/b', 2],
      ]),
    ).toBe('{ a: 1 , b: 2 }\n');
  });

  it('that is a text of several lines is replaced whole', () => {
    expect(
      edited('a: |+\n  one\n  two\n\nb: >-\n  three\n  four\nc: 1\n', [
        ['/a', 'x'],
        ['/b', 'five\nsix'],
      ]),
    ).toBe('a: x\nb: |-\n  five\n  six\nc: 1\n');
    expect(edited('a: "one\n  two"\nb: 1\n', [['/a', 'x']])).toBe('a: "x"\nb: 1\n');
  });
});

describe('a key', () => {
  it('comes behind those that stand before it in the schema', () => {
    expect(changed(SITE, edited(SITE, [['/metadata/id', 'site-shop']]))).toBe('+  id: site-shop');
    expect(edited(SITE, [['/metadata/id', 'site-shop']])).toContain(
      '  name: shop # never sent\n  id: site-shop\n\nspec:',
    );
    expect(edited(SITE, [['/spec/caching/varyAvif', true]])).toContain(
      'cacheExpiration: 3600, varyAvif: true } # seconds',
    );
    expect(edited(SITE, [['/spec/edgeRules/1/match', 'all']])).toContain(
      '        parameter2: "301"\n      match: all\n      # enabled: false',
    );
  });

  it('comes first where nothing stands before it, but not between a comment and what that is about', () => {
    const text =
      'apiVersion: hostwright/v1\nkind: Site\nspec:\n  caching:\n    cacheExpiration: 1\n  mail: { fromName: A }\n';
    expect(
      edited(text, [
        ['/spec/caching/smartCache', true],
        ['/spec/mail/fromLocalPart', 'x'],
      ]),
    ).toBe(
      'apiVersion: hostwright/v1\nkind: Site\nspec:\n  caching:\n    smartCache: true\n    cacheExpiration: 1\n  mail: { fromLocalPart: x, fromName: A }\n',
    );
    expect(
      edited('kind: Site\nspec:\n  caching:\n    # seconds\n    cacheExpiration: 1\n', [
        ['/spec/caching/smartCache', true],
      ]),
    ).toBe('kind: Site\nspec:\n  caching:\n    # seconds\n    cacheExpiration: 1\n    smartCache: true\n');
  });

  it('goes with its lines and its own comments', () => {
    expect(changed(SITE, edited(SITE, [['/spec/name', undefined]]))).toBe(`-  name: 'Shop'   # the display name`);
    expect(changed(SITE, edited(SITE, [['/spec/mail', undefined]]))).toBe(
      '-  # What sends mail.\n-  mail:\n-    fromName: The Shop',
    );
    expect(edited(SITE, [['/spec/caching/smartCache', undefined]])).toContain(
      'caching: { cacheExpiration: 3600 } # seconds',
    );
    expect(edited(SITE, [['/spec/caching/cacheExpiration', undefined]])).toContain(
      'caching: { smartCache: true } # seconds',
    );
    expect(
      edited(SITE, [
        ['/spec/caching/cacheExpiration', undefined],
        ['/spec/caching/smartCache', undefined],
      ]),
    ).toContain('caching: {} # seconds');
  });

  it('goes from the line of a dash', () => {
    expect(edited('- a: 1\n  b: 2\n', [['/0/a', undefined]])).toBe('- b: 2\n');
    expect(edited('- a: 1 # one\n  b: 2\n', [['/0/a', undefined]])).toBe('- # one\n  b: 2\n');
    expect(
      edited('kind: Site\nspec:\n  edgeRules:\n  - action: { type: ForceSSL }\n', [['/spec/edgeRules/0/name', 'x']]),
    ).toBe('kind: Site\nspec:\n  edgeRules:\n  - name: x\n    action: { type: ForceSSL }\n');
  });
});

describe('an item', () => {
  const rule = { name: 'New', action: { type: 'ForceSSL' } };
  const rules = (valuesIn(SITE)[0] as { readonly spec: { readonly edgeRules: readonly Json[] } }).spec.edgeRules;

  it('comes where it belongs, with the gap that others have', () => {
    const first = edited(SITE, [['/spec/edgeRules', [rule, ...rules]]]);
    expect(first).toContain(
      '    # Order is meaning.\n    - name: New\n      action:\n        type: ForceSSL\n\n    - name: Force TLS\n',
    );
    const second = edited(SITE, [['/spec/edgeRules', [...rules.slice(0, 2), rule, ...rules.slice(2)]]]);
    expect(second).toContain(
      '      # enabled: false\n\n    - name: New\n      action:\n        type: ForceSSL\n\n    - name: Last\n',
    );
    const last = edited(SITE, [['/spec/edgeRules', [...rules, rule]]]);
    expect(last).toContain(
      '    - name: Last\n      action: { type: ForceSSL }\n\n    - name: New\n      action:\n        type: ForceSSL\n  # What sends mail.\n',
    );
  });

  it('goes with its comments and one gap; those of others stay', () => {
    expect(changed(SITE, edited(SITE, [['/spec/edgeRules', [rules[0] as Json, rules[2] as Json]]]))).toBe(
      '-    # Moved in 2024.\n-    - name: Old shop moved\n-      triggers:\n-        - { type: Url, match: any, patterns: ["*/old/*"] }\n-      action:\n-        type: Redirect # for good\n-        parameter2: "301"\n-      # enabled: false',
    );
    expect(edited(SITE, [['/spec/edgeRules', [rules[0] as Json, rules[2] as Json]]])).toContain(
      '      action: { type: ForceSSL }\n\n    - name: Last\n',
    );
    expect(edited(SITE, [['/spec/edgeRules', rules.slice(1)]])).toContain(
      '    # Order is meaning.\n    # Moved in 2024.\n    - name: Old shop moved\n',
    );
    expect(edited(SITE, [['/spec/edgeRules', rules.slice(0, 2)]])).toContain(
      '      # enabled: false\n  # What sends mail.\n',
    );
    expect(edited(SITE, [['/spec/edgeRules', []]])).toContain(
      '  edgeRules: []\n    # Order is meaning.\n  # What sends mail.\n',
    );
  });

  it('changes its place with all that belongs to it', () => {
    const after = edited(SITE, [['/spec/edgeRules', [rules[2] as Json, rules[0] as Json, rules[1] as Json]]]);
    expect(after).toContain(
      '    # Order is meaning.\n    - name: Last\n      action: { type: ForceSSL }\n\n    - name: Force TLS\n      action: { type: ForceSSL }\n\n    # Moved in 2024.\n    - name: Old shop moved\n',
    );
    expect(changed(SITE, after)).toBe('');
    expect(after.length).toBe(SITE.length);
  });

  it('in brackets comes and goes with its comma', () => {
    expect(edited('a: [x, "y"]\n', [['/a', ['x', 'y', 'z']]])).toBe('a: [x, "y", z]\n');
    expect(edited("a: ['x', 'y']\n", [['/a', ['z', 'x', 'y']]])).toBe("a: ['z', 'x', 'y']\n");
    expect(edited('a: [ x, y, z ]\n', [['/a', ['x', 'z']]])).toBe('a: [ x, z ]\n');
    expect(edited('a: [ x, y, ]\n', [['/a', ['x']]])).toBe('a: [ x, ]\n');
    expect(edited('a: [ x, y ]\n', [['/a', ['x']]])).toBe('a: [ x ]\n');
    expect(edited('a: [] # none\n', [['/a', ['x']]])).toBe('a: [x] # none\n');
    expect(edited('a: [] # none\nb: [1]\n', [['/a', [{ name: 'x', y: [1] }]]])).toBe(
      'a: # none\n  - name: x\n    y: [1]\nb: [1]\n',
    );
  });

  it('in brackets over several lines has a line for itself', () => {
    const text = 'a: [\n  x, # one\n  y # two\n]\nb: 1\n';
    expect(edited(text, [['/a', ['x', 'y', 'z']]])).toBe('a: [\n  x, # one\n  y, # two\n  z\n]\nb: 1\n');
    expect(edited(text, [['/a', ['x', 'z', 'y']]])).toBe('a: [\n  x, # one\n  z,\n  y # two\n]\nb: 1\n');
    expect(edited(text, [['/a', ['z', 'x', 'y']]])).toBe('a: [\n  z,\n  x, # one\n  y # two\n]\nb: 1\n');
    expect(edited(text, [['/a', ['y']]])).toBe('a: [\n  y # two\n]\nb: 1\n');
    expect(edited(text, [['/a', ['x']]])).toBe('a: [\n  x # one\n]\nb: 1\n');
    expect(edited('a: [x,\n  # of y\n  y, z]\n', [['/a', ['x', 'z']]])).toBe('a: [x,\n  # of y\n  z]\n');
    expect(edited('a: [x,\n  # of y\n  y]\n', [['/a', ['x']]])).toBe('a: [x\n  # of y\n  ]\n');
  });
});

describe('the text around', () => {
  it('keeps its line breaks and its missing last one', () => {
    const text = 'kind: Site\r\nspec:\r\n  name: A # a\r\n  domains:\r\n  - x';
    expect(
      edited(text, [
        ['/spec/domains', ['x', 'y']],
        ['/spec/phpVersion', '8.3'],
        ['/spec/name', 'l1\nl2'],
      ]),
    ).toBe(
      'kind: Site\r\nspec:\r\n  name: |- # a\r\n    l1\r\n    l2\r\n  domains:\r\n  - x\r\n  - y\r\n  phpVersion: "8.3"',
    );
    expect(edited(text, [['/spec/domains', undefined]])).toBe('kind: Site\r\nspec:\r\n  name: A # a');
    expect(edited('a: 1\nb:\n  - x', [['/b', []]])).toBe('a: 1\nb: []');
  });

  it('keeps its indentation, where lists are indented and where they are not', () => {
    expect(
      edited('a:\n    b:\n        - c:\n            d: 1\n', [['/a/b', [{ c: { d: 1, e: { f: [{ g: 1 }] } } }]]]),
    ).toBe(
      'a:\n    b:\n        - c:\n            d: 1\n            e:\n                f:\n                    - g: 1\n',
    );
    expect(edited('a:\n  b:\n  - c: 1\n', [['/a/d', [{ e: 1 }]]])).toBe('a:\n  b:\n  - c: 1\n  d:\n  - e: 1\n');
  });

  it('stays JSON where it is JSON', () => {
    const text = `${JSON.stringify({ kind: 'Site', metadata: { name: 'a' }, spec: { domains: ['x'], edgeRules: [{ name: 'r' }] } }, null, 4)}\n`;
    const value = {
      kind: 'Site',
      metadata: { name: 'a', id: 'i\u200b' },
      spec: {
        domains: ['x', 'y'],
        caching: { smartCache: true },
        edgeRules: [{ name: 'r' }, { name: 's', action: {} }],
      },
    };
    const result = editDocuments(text, new Map([[0, value]]));
    expect(result).toEqual({ text: `${JSON.stringify(value, null, 4).replace('\u200b', '\\u200b')}\n` });
    expect(
      edited('{"a":1,"b":[1,2]}', [
        ['/b', [2, { c: 3 }]],
        ['/a', undefined],
      ]),
    ).toBe('{"b":[2, {"c":3}]}');
    expect(edited('{\n  "a": [\n    1,\n    2\n  ]\n}\n', [['/a', [1]]])).toBe('{\n  "a": [\n    1\n  ]\n}\n');
  });

  it('is that of the other documents: byte for byte', () => {
    const text = `%YAML 1.2\n---\na: 1 # one\n...\n# between\n---\n${SITE}---\n# nothing\n---\nb: 2\n`;
    const value = withValueAt(valuesIn(SITE)[0], '/spec/name', 'New');
    expect(
      editDocuments(
        text,
        new Map([
          [1, value],
          [2, { b: 3 }],
        ]),
      ),
    ).toEqual({ text: text.replace("'Shop'", "'New'").replace('b: 2', 'b: 3') });
  });
});

describe('what cannot be changed in one place', () => {
  const shared = 'a: &x { k: 1 }\nb: *x\nc: &y [1]\n';
  it.each([
    ['an alias', '/b', 2, 'refused at /b: what stands there is taken from `&x` elsewhere in the document'],
    [
      'what is in an alias',
      '/b/k',
      2,
      'refused at /b/k: what stands there is taken from `&x` elsewhere in the document',
    ],
    [
      'what an alias stands for',
      '/a/k',
      2,
      'refused at /a/k: what stands there has the anchor `&x` and is used elsewhere in the document',
    ],
    [
      'all that an alias stands for',
      '/a',
      2,
      'refused at /a: what stands there has the anchor `&x` and is used elsewhere in the document',
    ],
    [
      'the place of an anchor',
      '/a',
      undefined,
      'refused at /a: it is written there in a way that cannot be changed without changing something else',
    ],
  ] as const)('is %s', (_what, pointer, value, reported) => {
    expect(edited(shared, [[pointer, value]])).toBe(reported);
  });

  it('is not an anchor that nobody uses, nor an alias that goes', () => {
    expect(
      edited(shared, [
        ['/c', [1, 2]],
        ['/b', undefined],
      ]),
    ).toBe('a: &x { k: 1 }\nc: &y [1, 2]\n');
    expect(edited('a: &x\n  - 1\n', [['/a', 'y']])).toBe('a: &x y\n');
  });

  it('is a document that is none, or that is another altogether, or that has a key in an unusual form', () => {
    expect(editDocuments('a: [', new Map([[0, {}]]))).toMatchObject({
      refused: 'the document cannot be read',
    });
    expect(editDocuments('a: 1\n', new Map([[1, {}]]))).toMatchObject({
      refused: 'there is no such document in the file',
      document: 1,
    });
    expect(edited('a: 1\n', [['', [1]]])).toBe('refused at : the whole document would be another one');
    expect(editDocuments('? [a]\n: 1\nb: 2\n', new Map([[0, { b: 3 }]]))).toMatchObject({
      refused: 'the document cannot be read',
    });
    expect(edited('a\n', [['', { a: 1 }]])).toBe('refused at : the whole document would be another one');
  });

  it('is a value of several lines behind a comment', () => {
    expect(edited('a: # why\n  text\n', [['/a', 'x']])).toBe('a: # why\n  x\n');
    expect(edited('a: # why\n  text\n', [['/a', { b: [1, { c: 2 }] }]])).toBe(
      'refused at /a: a comment stands between the key and its value',
    );
    expect(edited('{ a: # why\n  text }\n', [['/a', 'x']])).toBe(
      'refused at /a: a comment stands between the key and its value',
    );
  });
});

describe('any text', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'name', 'key with space', '-1', 'ü', 'null');
  const single = fc.oneof(
    fc.string({ maxLength: 12, unit: 'grapheme' }),
    fc.constantFrom(
      '',
      ' x',
      '# no',
      'a: b',
      '- c',
      'true',
      '1',
      'two\nlines\n',
      '\n',
      'tab\t',
      '\u2028',
      '"',
      "'",
      '[',
      '*x',
      '&x',
    ),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  );
  const { mapping } = fc.letrec<{ value: Json; mapping: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      single,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.constantFrom('x', 'y', 'z', 'v'), { maxLength: 4 }),
      tie('mapping'),
    ),
    mapping: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }));

  const whole = mapping.map((value): Json => ({ top: true, ...(value as JsonObject) }));

  /**
   * The value as somebody could have written it: with comments on lines and behind values, in brackets, in quotes, with
   * gaps.
   */
  function written(value: Json, choose: () => number, isWhole = true): string {
    const document = new Document(value, { version: '1.2', aliasDuplicateObjects: false });
    let comments = 0;
    const text = (): string => ` note-${(comments += 1)}`;
    visit(document, {
      Scalar: (at, node) => {
        if (at === 'key' || typeof node.value !== 'string') return;
        const style = choose() % 4;
        if (style === 1) node.type = 'QUOTE_DOUBLE';
        if (style === 2) node.type = 'QUOTE_SINGLE';
        if (choose() % 4 === 0) node.comment = text();
      },
      Collection: (at, node) => {
        if (choose() % 3 === 0 && (isWhole || at !== null)) node.flow = true;
        else if (at === null) return;
        else if (node.items.length > 0 && choose() % 4 === 0) node.commentBefore = text();
      },
      Pair: (_at, { key: name }) => {
        if (choose() % 4 === 0) (name as { commentBefore?: string }).commentBefore = text();
        if (choose() % 6 === 0) (name as { spaceBefore?: boolean }).spaceBefore = true;
      },
    });
    return document.toString({
      indent: 2 + (choose() % 3),
      indentSeq: choose() % 2 === 0,
      flowCollectionPadding: choose() % 2 === 0,
      lineWidth: choose() % 2 === 0 ? 0 : 40,
    });
  }

  it('is edited to what is wanted, or it is refused; what is wanted already changes no byte', () => {
    const refused = new Set<string>();
    fc.assert(
      fc.property(
        whole,
        whole,
        fc.array(fc.nat(999), { minLength: 40, maxLength: 40 }),
        fc.boolean(),
        (before, wanted, choices, isCrLf) => {
          let at = 0;
          const text = written(before, () => choices[(at += 1) % choices.length] as number).replaceAll(
            '\n',
            isCrLf ? '\r\n' : '\n',
          );
          const values = valuesIn(text);
          fc.pre(values.length === 1 && JSON.stringify(values[0]) === JSON.stringify(before));
          expect(editDocuments(text, new Map([[0, before]]))).toEqual({ text });
          const result = editDocuments(text, new Map([[0, wanted]]));
          if ('refused' in result) refused.add(result.refused);
          else expect(valuesIn(result.text)[0]).toEqual(wanted);
        },
      ),
      { numRuns: runsOf(300) },
    );
    expect([...refused].filter((reason) => reason !== 'a comment stands between the key and its value')).toEqual([]);
  });

  it('keeps every line and every comment outside the entry that changes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(key, mapping, { minKeys: 2, maxKeys: 4, noNullPrototype: true }),
        fc.nat(3),
        mapping,
        fc.array(fc.nat(999), { minLength: 40, maxLength: 40 }),
        (before, which, wanted, choices) => {
          const names = Object.keys(before);
          const name = names[which % names.length] as string;
          let at = 0;
          const parts = names.map(
            (one) =>
              `# about ${one}\n${written({ [one]: before[one] as Json }, () => choices[(at += 1) % choices.length] as number, false)}`,
          );
          const text = parts.join('');
          const values = valuesIn(text);
          fc.pre(values.length === 1 && JSON.stringify(values[0]) === JSON.stringify(before));
          const result = editDocuments(text, new Map([[0, { ...before, [name]: wanted }]]));
          fc.pre('text' in result);
          const index = names.indexOf(name);
          const after = result.text;
          expect(after.startsWith(parts.slice(0, index).join(''))).toBe(true);
          expect(after.endsWith(parts.slice(index + 1).join(''))).toBe(true);
          expect(after).toContain(`# about ${name}`);
        },
      ),
      { numRuns: runsOf(300) },
    );
  });
});
