// How a document is written, from what stands in it: so that what comes looks like what is there.
import type { Node } from 'yaml';
import { isMap } from 'yaml';
import { columnOf, entriesOf, isBlock } from './places.ts';
import type { TextStyle } from '../write/value.ts';

const USUAL_INDENT = 2;

/** The style of a document with this text. */
export function styleOf(text: string, root: Node | null): TextStyle {
  const levels = levelsIn(root, text);
  const json = isJson(text);
  const first = json ? /\n( +)\S/.exec(text)?.[1]?.length : levels.maps[0];
  const lists = levels.lists[0];
  return {
    indent: first ?? USUAL_INDENT,
    indentSeq: lists === undefined || lists > 0,
    // What stands in quotes is counted too; it makes no difference but to the eye.
    padding: (text.match(/[[{](?=[^\s\]}])/g) ?? []).length <= (text.match(/[[{] /g) ?? []).length,
    json,
  };
}

/** The line break of a text. */
export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface Levels {
  readonly maps: readonly number[];
  readonly lists: readonly number[];
}

/** By how much the mappings and the lists that are values in block mappings are indented, in the order of the text. */
function levelsIn(node: Node | null, text: string): Levels {
  if (!isBlock(node)) return { maps: [], lists: [] };
  const maps: number[] = [];
  const lists: number[] = [];
  for (const entry of entriesOf(node, text)) {
    const [below] = isBlock(entry.node) ? entriesOf(entry.node, text) : [];
    if (below !== undefined && isMap(node))
      (isMap(entry.node) ? maps : lists).push(columnOf(text, below.start) - columnOf(text, entry.start));
    const deeper = levelsIn(entry.node, text);
    maps.push(...deeper.maps);
    lists.push(...deeper.lists);
  }
  return { maps, lists };
}
