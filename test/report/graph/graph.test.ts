// Pictures of a plan's order: another program's parser reads the DOT back, every line of the Mermaid is of its grammar,
// and no name is anything but text in either.
import { parse } from '@ts-graphviz/ast';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { graphOf, renderDot, renderMermaid } from '../../../src/report/graph/graph.ts';
import { actionOf, planOf } from '../samples.ts';

const need = (address: string, reason = 'it comes first') => ({ address, rule: 'O-1', reason });
const plan = planOf({
  actions: [
    actionOf({ address: 'Site/a', verb: 'create', risk: ['charge'] }),
    actionOf({ address: 'Site/a/Caching', verb: 'update', needs: [need('Site/a')] }),
    actionOf({
      address: 'Site/a/SiteDomain/x',
      verb: 'delete',
      risk: ['delete', 'irreversible'],
      needs: [need('Site/a'), need('Site/a/Caching', 'changes come first')],
    }),
    actionOf({ address: 'Site/a/CachePurge', verb: 'update', hook: 'after', needs: [need('Site/a/Caching')] }),
  ],
});

interface Statement {
  readonly from?: string;
  readonly to?: string;
  readonly id?: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The nodes and edges that a DOT parser finds. */
function readDot(text: string): readonly Statement[] {
  const dot = parse(text) as unknown as {
    readonly children: readonly { readonly type: string; readonly children: readonly Node[] }[];
  };
  interface Node {
    readonly type: string;
    readonly id?: { readonly value: string };
    readonly targets?: readonly { readonly id: { readonly value: string } }[];
    readonly children: readonly {
      readonly key: { readonly value: string };
      readonly value: { readonly value: string };
    }[];
  }
  expect(dot.children).toHaveLength(1);
  return (dot.children[0]?.children ?? [])
    .filter(({ type }) => type === 'Node' || type === 'Edge')
    .map(({ id, targets, children }) => ({
      ...(id !== undefined && { id: id.value }),
      ...(targets !== undefined && { from: String(targets[0]?.id.value), to: String(targets[1]?.id.value) }),
      attributes: Object.fromEntries(children.map(({ key, value }) => [key.value, value.value])),
    }));
}

// What ends a label, begins a statement, a directive, a click, a comment or an escape in either language.
const EVIL = [
  '"]; a1 --> a2',
  'end',
  '|',
  ']',
  '%%{init: {}}%%',
  'click a1 "https://evil.example"',
  '<script>',
  '&lt;',
  '\\',
  '\\N',
  '"',
  '\\"',
  '\n',
  'subgraph x',
  '#35;',
  '`',
  '{}',
  '/* x */',
  '// x',
  '\u202e',
  'a -> b [x=y]',
  ';',
  '---',
];

describe('as DOT', () => {
  it('has a box an action and an arrow a need, read back by another parser', () => {
    const found = readDot(renderDot(graphOf(plan)));
    expect(
      found.flatMap(({ id, attributes }) =>
        id === undefined ? [] : [[id, attributes.label, attributes.color !== undefined, attributes.style]],
      ),
    ).toEqual([
      ['a1', '1 + Site/a\\nCHARGES', true, undefined],
      ['a2', '2 ~ Site/a/Caching', false, undefined],
      ['a3', '3 - Site/a/SiteDomain/x\\nCANNOT BE UNDONE, DELETES', true, undefined],
      ['a4', '4 ~ Site/a/CachePurge', false, 'rounded'],
    ]);
    // What waits by way of something else has no arrow of its own.
    expect(
      found.flatMap(({ from, to, attributes }) => (from === undefined ? [] : [[from, to, attributes.label]])),
    ).toEqual([
      ['a1', 'a2', 'it comes first'],
      ['a2', 'a3', 'changes come first'],
      ['a2', 'a4', 'it comes first'],
    ]);
  });

  it.each(EVIL)('keeps %j in its label', (evil) => {
    const found = readDot(renderDot(graphOf(hostile(evil))));
    expect(found.map(({ id, from, to }) => id ?? `${from} ${to}`)).toEqual(['a1', 'a2', 'a1 a2']);
    for (const { attributes } of found)
      expect(Object.keys(attributes).filter((name) => !['label', 'color', 'penwidth'].includes(name))).toEqual([]);
    // A backslash that is not doubled would stand for something else in a label.
    expect(found[0]?.attributes.label?.replaceAll('\\\\', '').replace(/\\["n]/g, '')).not.toContain('\\');
  });
});

describe('as Mermaid', () => {
  const WORDS = '[A-Za-z0-9 ./~+-]|#\\d+;';
  const LINE = new RegExp(
    `^(flowchart TD| {2}(%% (${WORDS})*|a\\d+(\\[|\\(\\[)"((${WORDS})|<br>)*"(\\]|\\]\\))|a\\d+ -->\\|"(${WORDS})*"\\| a\\d+|classDef risk stroke:#b00020,stroke-width:3px|class a\\d+(,a\\d+)* risk|none\\["nothing to do"\\]))$`,
  );

  it('has a box an action, an arrow a need, and marks what is risky', () => {
    expect(renderMermaid(graphOf(plan)).split('\n')).toEqual([
      'flowchart TD',
      '  %% Plan for account acme',
      '  a1["1 + Site/a<br>CHARGES"]',
      '  a2["2 ~ Site/a/Caching"]',
      '  a3["3 - Site/a/SiteDomain/x<br>CANNOT BE UNDONE#44; DELETES"]',
      '  a4(["4 ~ Site/a/CachePurge"])',
      '  a1 -->|"it comes first"| a2',
      '  a2 -->|"changes come first"| a3',
      '  a2 -->|"it comes first"| a4',
      '  classDef risk stroke:#b00020,stroke-width:3px',
      '  class a1,a3 risk',
    ]);
  });

  it.each(EVIL)('keeps %j in its label', (evil) => {
    const lines = renderMermaid(graphOf(hostile(evil))).split('\n');
    expect(lines).toHaveLength(7);
    for (const line of lines) expect(line).toMatch(LINE);
  });
});

it('shows that a plan has nothing to do', () => {
  const empty = graphOf(planOf({}));
  expect(renderMermaid(empty)).toContain('none["nothing to do"]');
  expect(readDot(renderDot(empty)).map(({ attributes }) => attributes.label)).toEqual(['nothing to do']);
});

function hostile(evil: string): Plan {
  return planOf({
    account: evil,
    actions: [
      actionOf({ address: `Site/${evil}`, verb: 'create', risk: ['charge'] }),
      actionOf({
        address: `Site/${evil}/Caching`,
        verb: 'update',
        needs: [{ address: `Site/${evil}`, rule: evil, reason: evil }],
      }),
    ],
  });
}
