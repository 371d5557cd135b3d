// What stands beside actions as blocks: what is blocked, waiting, by hand, unknown or deferred, and what remains.
import type { Group } from '../view/document.ts';
import type { Block, Item } from './block.ts';
import { code, marked, placeOf } from './block.ts';

/** What is only deferred asks for nothing: it is folded. */
const FOLDED = 'Deferred';

export function groupSection({ title, meaning, entries }: Group): Block {
  const items = entries.map(({ address, reason, remedy, source, declares = [] }): Item => ({
    line: [marked('name', address), ...placeOf(source)],
    about: [reason],
    blocks: [
      ...code(
        'diff',
        declares.flatMap((object) => [`+ ${object.address}`, ...object.lines.map((line) => `+   ${line}`)]),
        'creates',
      ),
      ...(remedy === undefined ? [] : [{ is: 'advice', line: [remedy] } as const]),
    ],
  }));
  const list: Block = { is: 'list', items };
  const anchor = title.toLowerCase().replaceAll(' ', '-');
  if (title !== FOLDED)
    return { is: 'section', title, count: entries.length, meaning: [meaning], anchor, blocks: [list] };
  return {
    is: 'section',
    title: '',
    anchor,
    blocks: [
      { is: 'details', line: [marked('careful', `${title} (${entries.length})`), `: ${meaning}`], blocks: [list] },
    ],
  };
}
