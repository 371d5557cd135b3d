// What the picture of a plan's order shows: a box an action, an arrow to what waits for it, with the reason; and how that
// is written for Mermaid and for Graphviz.
import type { Plan } from '../../model/plan/plan.ts';
import { RISK_WORDS, sortRisks, VERB_MARKS } from '../view/document.ts';
import { escapeText } from '../view/escape.ts';
import { showAddress } from '../view/names.ts';
import { label } from './mermaid.ts';
import { directNeeds } from './order.ts';

/** `number`: the place of an action in the order of the plan, from 1. `from`: what comes first. */
type Graph = ReturnType<typeof graphOf>;

const TEXT_LIMIT = 300;

/** The order of a plan. */
export function graphOf({ account, actions }: Plan) {
  const ids = new Map(actions.map(({ address }, index) => [address, `a${index + 1}`]));
  return {
    account,
    nodes: actions.map(({ address, verb, risk, stage, hook }, index) => ({
      id: `a${index + 1}`,
      number: index + 1,
      address,
      verb,
      risk,
      stage,
      /** Done because of the others, and no state of its own. */
      hook: hook !== undefined,
    })),
    edges: actions.flatMap((action, index) =>
      directNeeds(action, actions).map(({ address, rule, reason }) => ({
        from: ids.get(address) as string,
        to: `a${index + 1}`,
        rule,
        reason,
      })),
    ),
  };
}

/** What stands in the box of an action, in lines. */
function nodeLines({ number, verb, address, risk }: Graph['nodes'][number]): readonly string[] {
  const risks = sortRisks(risk).map((one) => RISK_WORDS[one]);
  return [`${number} ${VERB_MARKS[verb]} ${showAddress(address)}`, ...(risks.length === 0 ? [] : [risks.join(', ')])];
}

/** A Mermaid flowchart. */
export function renderMermaid({ account, nodes, edges }: Graph): string {
  const risky = nodes.filter(({ risk }) => risk.length > 0).map(({ id }) => id);
  return [
    'flowchart TD',
    `  %% ${label(`Plan for account ${account}`, TEXT_LIMIT)}`,
    ...(nodes.length === 0 ? ['  none["nothing to do"]'] : []),
    ...nodes.map((node) => {
      const words = `"${nodeLines(node)
        .map((line) => label(line, TEXT_LIMIT))
        .join('<br>')}"`;
      return `  ${node.id}${node.hook ? `([${words}])` : `[${words}]`}`;
    }),
    // Between quotes, because a plain word such as `end` would be read as the language's own.
    ...edges.map(({ from, to, reason }) => `  ${from} -->|"${label(reason, TEXT_LIMIT)}"| ${to}`),
    ...(risky.length === 0
      ? []
      : ['  classDef risk stroke:#b00020,stroke-width:3px', `  class ${risky.join(',')} risk`]),
  ].join('\n');
}

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
