// How text becomes Markdown that cannot be anything but text: no name makes markup, a mention, a link, an issue
// reference, HTML, or the end of a fence. Escaping and fences are a library's.
import type { BlockContent, Html, List, ListItem, Paragraph, PhrasingContent, Root, RootContent } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { stringifyEntities } from 'stringify-entities';

/**
 * Words of letters, digits and plain punctuation. Anything else stands as code, where no forge looks for mentions,
 * links, emoji or formulas.
 */
const PLAIN_WORD = /^(?:[\p{L}\p{M}\p{N}.,;:!?()'"…/-]+|→)$/u;
/** Plain words that a forge makes links or emoji of all the same: addresses, `GH-1`, the id of a commit, `:tada:`. */
const LINKED = /:\/|www\.|\bGH-\d|\b[0-9a-f]{7,64}\b|:[^\s:]+:/iu;

/**
 * Prose that is already shown by `escape.ts`: plain words as they are, the rest and what stands between backticks as
 * code.
 */
export function prose(text: string): readonly PhrasingContent[] {
  // What stands between two backticks is at every second place.
  return joined(text.split('`').flatMap((part, index) => (index % 2 === 1 ? codeOf(part) : words(part))));
}

export function text(value: string): PhrasingContent {
  return { type: 'text', value };
}

export function strong(value: string): PhrasingContent {
  return { type: 'strong', children: [{ type: 'text', value }] };
}

export function code(value: string): PhrasingContent {
  return { type: 'inlineCode', value };
}

export function paragraph(...children: readonly PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children: [...children] };
}

export function list(items: readonly (readonly BlockContent[])[]): List {
  return {
    type: 'list',
    ordered: false,
    spread: false,
    children: items.map((children): ListItem => ({ type: 'listItem', spread: false, children: [...children] })),
  };
}

export function fence(lang: string, lines: readonly string[]): BlockContent {
  return { type: 'code', lang, value: lines.join('\n') };
}

/** What is folded away. The title is HTML: words, and names as code. */
export function folded(
  title: readonly PhrasingContent[],
  content: readonly RootContent[],
  isOpen = false,
): readonly RootContent[] {
  const words = title.map(titleHtml).join('');
  return [html(`<details${isOpen ? ' open' : ''}>\n<summary>${words}</summary>`), ...content, html('</details>')];
}

function titleHtml(part: PhrasingContent): string {
  if (part.type === 'strong') return `<b>${part.children.map(titleHtml).join('')}</b>`;
  if (part.type === 'inlineCode') return `<code>${entities(part.value)}</code>`;
  return part.type === 'text' ? entities(part.value) : '';
}

/** Only for text that is ours, or that has been made harmless in HTML. */
export function html(value: string): Html {
  return { type: 'html', value };
}

export function markdownOf(children: readonly RootContent[]): string {
  const root: Root = { type: 'root', children: [...children] };
  return toMarkdown(root, {
    extensions: [gfmToMarkdown()],
    bullet: '-',
    emphasis: '_',
    fence: '`',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
  }).trimEnd();
}

function entities(value: string): string {
  return stringifyEntities(value, { subset: ['&', '<', '>', '"', "'"], useNamedReferences: true });
}

function words(part: string): readonly PhrasingContent[] {
  return part
    .split(/( +)/)
    .filter((word) => word !== '')
    .flatMap((word) =>
      /^ +$/.test(word) || (PLAIN_WORD.test(word) && !LINKED.test(word)) ? [text(word)] : codeOf(word),
    );
}

/** Punctuation that ends a clause stays outside. */
function codeOf(value: string): readonly PhrasingContent[] {
  let end = value.length;
  while (end > 0 && '.,;:)'.includes(value.charAt(end - 1))) end -= 1;
  return [...(end === 0 ? [] : [code(value.slice(0, end))]), ...(end === value.length ? [] : [text(value.slice(end))])];
}

/** Neighbours of one kind become one node: text that was cut into words, and code beside code. */
export function joined(nodes: readonly PhrasingContent[]): readonly PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    const between = result.at(-2);
    if (last?.type === 'text' && node.type === 'text') result.splice(-1, 1, text(last.value + node.value));
    else if (node.type === 'inlineCode' && last?.type === 'inlineCode')
      result.splice(-1, 1, code(last.value + node.value));
    else if (
      node.type === 'inlineCode' &&
      last?.type === 'text' &&
      /^ +$/.test(last.value) &&
      between?.type === 'inlineCode'
    )
      result.splice(-2, 2, code(between.value + last.value + node.value));
    else result.push(node);
  }
  return result;
}
