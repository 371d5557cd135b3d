// How the picture of a plan's order is written for Graphviz.
import { escapeText } from '../view/escape.ts';
import type { Graph } from './graph.ts';
import { nodeLines } from './graph.ts';

const TEXT_LIMIT = 300;

/** A digraph in the DOT language. */
export function renderDot({ account, nodes, edges }: Graph): string {
  return [
    'digraph plan {',
    `  label=${quoted([`Plan for account ${account}`])};`,
    '  labelloc=t;',
    '  rankdir=TB;',
    '  node [shape=box];',
    ...(nodes.length === 0 ? ['  none [label="nothing to do", shape=plaintext];'] : []),
    ...nodes.map(
      (node) =>
        `  ${node.id} [label=${quoted(nodeLines(node))}${node.hook ? ', style=rounded' : ''}${node.risk.length > 0 ? ', color="#b00020", penwidth=3' : ''}];`,
    ),
    ...edges.map(({ from, to, reason }) => `  ${from} -> ${to} [label=${quoted([reason])}];`),
    '}',
  ].join('\n');
}

/**
 * Lines of a label. In a label `\N`, `\G` and the like stand for something else, so a backslash is written twice;
 * entities of HTML are read as well.
 */
function quoted(lines: readonly string[]): string {
  return `"${lines.map((line) => escapeText(line, TEXT_LIMIT).replaceAll('&', '&amp;').replace(/["\\]/g, '\\$&')).join('\\n')}"`;
}
