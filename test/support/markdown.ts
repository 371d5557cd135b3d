// Reads Markdown as a forge does, so that tests can say what a text became.
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Node, Nodes } from 'mdast';

/** What was read last: several things are asked of one text, and reading it takes longest. */
let last: { readonly markdown: string; readonly nodes: readonly Nodes[] } | undefined;

export function nodesOf(markdown: string): readonly Nodes[] {
  if (last?.markdown !== markdown) {
    const collect = (node: Nodes): readonly Nodes[] => [
      node,
      ...('children' in node ? node.children.flatMap(collect) : []),
    ];
    const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    last = { markdown, nodes: collect(tree) };
  }
  return last.nodes;
}

/**
 * HTML that is ours: the comment at the beginning, and what folds. Names in it stand between `code` tags, with nothing
 * of HTML in them.
 */
const OURS =
  /^(?:<!-- hostwright: (?:plan|drift|apply|validate) [\w.%~!*'()-]+(?: [\w.%~!*'()-]+)?(?: without-digests)?(?:\n[0-9a-f]{64})*(?:\non [\w.%~!*'()-]+)*(?:\n| )-->|<details(?: open)?>\n<summary>(?:[^<>]|<\/?b>|<code>[^<>]*<\/code>)*<\/summary>|<\/details>)$/;

/** What a forge would act on: markup of others, links, mentions, references, emoji, formulas. */
export function liveParts(markdown: string): readonly string[] {
  const nodes = nodesOf(markdown);
  const made = nodes
    .filter((node) =>
      [
        'link',
        'image',
        'linkReference',
        'imageReference',
        'definition',
        'footnoteReference',
        'footnoteDefinition',
        'table',
        'delete',
        'emphasis',
        'blockquote',
        'thematicBreak',
        'break',
      ].includes(node.type),
    )
    .map(({ type }) => type as string);
  const html = nodes.flatMap((node) => (node.type === 'html' && !OURS.test(node.value) ? [`html ${node.value}`] : []));
  const texts = nodes.flatMap((node) =>
    node.type === 'text' && /@[\w-]|#\d|\bGH-\d|:\/\/|www\.|:[a-z0-9_+-]+:|\$/.test(node.value)
      ? [`text ${node.value}`]
      : [],
  );
  return [...made, ...html, ...texts];
}

/** Fences open and close, folds too, and nothing is left open at the end. */
export function isBalanced(markdown: string): boolean {
  const nodes: readonly Node[] = nodesOf(markdown);
  const html = nodesOf(markdown).flatMap((node) => (node.type === 'html' ? [node.value] : []));
  const opened = html.filter((value) => /^<details(?: open)?>/.test(value)).length;
  const closed = html.filter((value) => value === '</details>').length;
  const last = nodes.filter(({ type }) => type === 'code').at(-1);
  const end = last?.position?.end.offset;
  // A fence that nobody closed reaches to the end of the document without a fence on its last line.
  return opened === closed && (end === undefined || /`{3,}$/.test(markdown.slice(0, end)));
}
