// How documentation reads, in a terminal and as Markdown: every part of a page, nothing in it alive, no line wider than
// the terminal.
import { describe, expect, it } from 'vitest';
import type {
  Explained,
  ExplainedChange,
  ExplainedField,
  ExplainedForm,
  ExplainedKind,
  ExplainedObject,
} from '../../../src/model/explained.ts';
import { explainBlocks, referenceBlocks } from '../../../src/report/blocks/explain.ts';
import { changeWords, firstSentence, objectWords, valueWords } from '../../../src/report/blocks/explain-words.ts';
import { renderExplainedJson } from '../../../src/report/json/index.ts';
import { writeMarkdownPage } from '../../../src/report/page.ts';
import { writeText } from '../../../src/report/text/write.ts';

const renderExplained = (page: Explained, { width }: { width: number }): string =>
  writeText(explainBlocks({ page }, { isTerminal: true }), { color: false, width, wrap: true });
const renderExplainedMarkdown = (page: Explained): string =>
  writeMarkdownPage(explainBlocks({ page }, { isTerminal: false }));

const change: ExplainedChange = {
  kind: 'Shop',
  field: 'till',
  rule: 'updatable',
  shape: 'value',
  risks: [],
  mayRisk: false,
  manual: false,
};
const object: ExplainedObject = {
  kind: 'Till',
  address: 'Shop/NAME/Till/NAME',
  list: 'additive',
  hook: false,
  exposes: false,
  path: 'Shop.tills',
};
const field: Explained = {
  path: 'Shop.tills[].size',
  kind: 'Shop',
  description: 'How large it is: in drawers, of `which` @there are *some*. Absent: left as it is.',
  type: 'whole number',
  required: true,
  limits: ['1 to 5'],
  allowed: [1, 2],
  default: 1,
  examples: [2],
  manifest: {},
  yaml: 'kind: Shop\nspec: {}',
  change,
  profile: 'ShopProfile',
  fields: [],
  forms: [],
  inside: [],
};
const { profile: _profile, default: _default, ...plain } = field;
const kind: Explained = {
  ...plain,
  path: 'Shop',
  type: 'document',
  required: false,
  limits: [],
  allowed: [],
  examples: [{ a: 1 }],
  object,
  fields: [
    {
      name: 'tills',
      path: 'Shop.tills',
      type: 'list of mapping',
      required: false,
      description: 'The tills. Absent: none.',
      limits: [],
      allowed: [],
    },
    {
      name: 'aVeryLongNameThatFitsBesideNothingInASmallTerminal',
      path: 'Shop.x',
      type: 'text',
      required: true,
      description: 'Long',
      limits: [],
      allowed: ['a', 'b'],
    },
  ],
  inside: [object],
};
const kinds: readonly ExplainedKind[] = [
  { kind: 'Shop', description: 'A shop. More of it.', inside: [object] },
  { kind: 'Person', description: 'Somebody', inside: [] },
];

describe('in a terminal', () => {
  it.each([60, 100])('a page fits %d columns and has all its parts', (width) => {
    for (const page of [
      field,
      kind,
      {
        ...field,
        allowed: [],
        limits: [],
        examples: [],
        fields: [],
        change: undefined,
        profile: undefined,
        default: undefined,
      } as unknown as Explained,
    ]) {
      const text = renderExplained(page, { width });
      expect(
        text.split('\n').every((line) => line.length <= width || /^ {2}a/.test(line)),
        text,
      ).toBe(true);
      expect(text.endsWith('In a manifest\n    kind: Shop\n    spec: {}')).toBe(true);
    }
    expect(renderExplained(field, { width })).toMatch(
      /^Shop\.tills\[\]\.size {2}whole number, required\n\n {2}How large[^]*Allowed +`1`, `2`\n[^]*Limits +1 to 5\n[^]*Default +`1`\n[^]*Example +`2`\n[^]*Change +Can be changed\.[^]*Shared +A ShopProfile can hold it\./,
    );
    expect(renderExplained(kind, { width })).toMatch(
      /Object +Plans call it[^]*Fields\n {2}tills +list of mapping\. The tills\.\n[^]*Objects in it\n {2}Till +Shop\.tills/,
    );
  });

  it('each form of a value has its own lines, and a field that a form has is not told again', () => {
    const drawer = {
      ...kind.fields[0],
      name: 'wide',
      type: 'text',
      description: 'How wide. Required.',
    } as ExplainedField;
    const forms: readonly ExplainedForm[] = [
      {
        name: 'drawer',
        type: 'mapping',
        description: 'A drawer.',
        limits: [],
        allowed: [],
        fields: [drawer],
        yaml: 'till:\n  drawer: {}',
      },
      { name: 'text', type: 'text', description: '', limits: ['1 to 9 characters'], allowed: ['a'], fields: [] },
    ];
    const page = { ...kind, fields: [...kind.fields, drawer], forms };
    expect(renderExplained(page, { width: 80 })).toMatch(
      /One of\n {2}drawer {2}mapping\. A drawer\.\n {10}wide {2}text\. How wide\.\n {12}till:\n {14}drawer: \{\}\n {2}text {4}text: `a`; 1 to 9 characters\.\n\nOther fields\n {2}tills/,
    );
    expect(renderExplainedMarkdown(page)).toMatch(
      /## One of\n\n- `drawer`: mapping\. A drawer\.\n+ {2}- `wide`: text\. How wide\.\n+ {2}```yaml\n[^]*## Other fields/,
    );
  });

  it('the list of kinds has what is declared in each below it', () => {
    expect(writeText(explainBlocks({ kinds }, { isTerminal: true }), { color: false, width: 80 })).toBe(
      'Shop    A shop.\n  Till  Shop.tills\nPerson  Somebody',
    );
  });

  it('nothing in a text moves the cursor', () => {
    expect(
      renderExplained({ ...field, description: 'a\u001b[2Jb', yaml: 'a: \u001b[2J' }, { width: 80 }),
    ).not.toContain('\u001b');
  });
});

describe('as Markdown', () => {
  it('a page has the same parts, and markup in a text is text', () => {
    const markdown = renderExplainedMarkdown(field);
    expect(markdown).toMatch(/^# `Shop\.tills\[\]\.size`\n\nwhole number, required\n\n/);
    for (const part of [
      'of `which @there` are `*some*`.',
      '- **Allowed**: `1`, `2`',
      '- **Change**: Can be changed.',
      '- **Shared**: A ShopProfile can hold it.',
      '```yaml\nkind: Shop\nspec: {}\n```',
    ])
      expect(markdown).toContain(part);
    expect(
      renderExplainedMarkdown({
        ...plain,
        limits: [],
        allowed: [],
        examples: [],
        change: undefined,
      } as unknown as Explained),
    ).not.toContain('- ');
    for (const part of [
      '## Fields',
      '- `tills`: list of mapping. The tills.',
      '- `aVeryLongNameThatFitsBesideNothingInASmallTerminal`: text, required: `a`, `b`. Long',
      '## Objects in it',
      '- **Till**: `Shop.tills`. Plans call it `Shop/NAME/Till/NAME`.',
    ])
      expect(renderExplainedMarkdown(kind)).toContain(part);
  });

  it('the list of kinds and the reference lead to each kind', () => {
    expect(writeMarkdownPage(explainBlocks({ kinds }, { isTerminal: false }))).toBe(
      '- `Shop`: A shop.\n  - **Till**: `Shop.tills`\n- `Person`: Somebody',
    );
    const reference = writeMarkdownPage(
      referenceBlocks([
        {
          kind: kinds[0] as ExplainedKind,
          page: kind,
          fields: [field, { ...plain, change: undefined } as unknown as Explained],
        },
      ]),
    );
    expect(reference).toMatch(
      /^## Kinds\n\n- \[Shop\]\(#shop\): A shop\.\n[^]*## Shop\n[^]*### Fields of Shop\n\n- `Shop\.tills\[\]\.size` \(whole number, required\): How large[^]*Default: `1`\. Example: `2`\. Can be changed\./,
    );
    expect(reference).not.toContain('Fields\n');
  });

  it('JSON has the page as it is', () => {
    expect(JSON.parse(renderExplainedJson({ page: field }))).toMatchObject({
      format: 'hostwright.explained/1',
      outcome: 'done',
      page: { path: field.path },
    });
    expect(JSON.parse(renderExplainedJson({ kinds }))).toMatchObject({ kinds: [{ kind: 'Shop' }, {}] });
  });
});

describe('words', () => {
  it.each<[Partial<ExplainedChange>, string]>([
    [{}, 'Can be changed. Plans show it as `till` of Shop.'],
    [
      { rule: 'immutable', why: 'It is its key (A-1).', manual: true },
      'Cannot be changed. It is its key (A-1). A person does it; the plan says how.',
    ],
    [{ rule: 'createOnly' }, 'Never compared with what is live.'],
    [{ rule: 'writeOnly' }, 'A secret:'],
    [{ rule: 'rotation-token' }, 'A mark:'],
    [{ shape: 'set', partOf: 'tills' }, 'order and repeats make no difference. It goes with `tills`, never by itself.'],
    [{ shape: 'list', risks: ['charge'] }, 'its order is meaning. A change costs money.'],
    [
      { risks: ['charge', 'restart', 'irreversible'], mayRisk: true },
      'A change to some values costs money, restarts the site and cannot be undone.',
    ],
  ])('of a change %j', (parts, words) => {
    expect(changeWords({ ...change, ...parts })).toContain(words);
  });

  it.each<[Partial<ExplainedObject>, string]>([
    [{}, 'Plans call it `Shop/NAME/Till/NAME`. One that no manifest ever named is reported and left alone.'],
    [
      { list: 'root', create: ['charge'], remove: ['delete', 'exposure'] },
      'A manifest declares one. Making one costs money. Removing one lowers protection.',
    ],
    [{ remove: ['delete'], exposes: true }, 'left alone. Making, changing or removing one may lower protection.'],
    [{ list: 'authoritative', create: [], remove: [] }, 'one that it does not name is removed.'],
    [{ list: 'singleton', cannotRemove: 'nobody can' }, 'There is one. None is removed: nobody can.'],
    [{ list: 'platform-defined', cannotCreate: 'nobody can' }, 'up to the platform. None is made: nobody can.'],
    [{ hook: true }, 'It is done together with changes'],
  ])('of an object %j', (parts, words) => {
    expect(objectWords({ ...object, ...parts })).toContain(words);
  });

  it('of values: texts that need no quotes have none, several examples are told as such', () => {
    expect(valueWords({ allowed: ['a b', 'a'], limits: [], examples: ['x', 'y'], fields: [] })).toEqual([
      ['Allowed', '`"a b"`, `a`'],
      ['Examples', '`x` or `y`'],
    ]);
    expect([firstSentence('One: two.'), firstSentence('One 1.5 is. Two.'), firstSentence('None')]).toEqual([
      'One.',
      'One 1.5 is.',
      'None',
    ]);
  });
});
