// What is live and named by no manifest, as blocks: for each collection the lines that its manifest lacks, and the
// commands that write them there.
import type { Address } from '../../model/address.ts';
import { addressOf } from '../../model/address.ts';
import { groupBy } from '../../model/lists.ts';
import type { Plan, Unmanaged } from '../../model/plan/plan.ts';
import { escapeBlock, escapeText } from '../view/escape.ts';
import { quoteAddress } from '../view/shell.ts';
import type { Block, Item } from './block.ts';
import { code, folded, listOf, marked, paragraph } from './block.ts';

/** `most`: of each collection. */
export function unmanagedSection({ unmanaged }: Plan, most: number): readonly Block[] {
  const items = [...groupBy(unmanaged, ({ collection }) => collection)].map(([collection, all]): Item => {
    const shown = all.slice(0, most);
    const rest = all.length - shown.length;
    return {
      line: [marked('name', escapeText(collection, 300))],
      blocks: [
        // What is in the list of the manifest already stays.
        ...code(
          'sh',
          shown.map((one) => `hostwright drift --accept ${quoteAddress(addressOfUnmanaged(one))}`),
        ),
        ...code('yaml', mergeYaml(shown)),
        ...(rest > 0 ? [paragraph(marked('faint', `and ${rest} more: --verbose shows them all`))] : []),
      ],
    };
  });
  const head = marked('strong', `Unmanaged (${unmanaged.length})`);
  const meaning = ': live, named by no manifest, left alone; the command adds the lines to the manifest';
  return folded('unmanaged', [head, meaning], listOf(items, 'yaml'));
}

/** Where an object that no manifest names would be declared. */
export function addressOfUnmanaged({ collection, kind, identity }: Unmanaged): Address {
  return addressOf(collection === kind ? null : collection.slice(0, -kind.length - 1), kind, identity);
}

/** Lists under one key become one list. */
function mergeYaml(all: readonly Unmanaged[]): readonly string[] {
  let key: string | undefined;
  return all.flatMap(({ yaml }) => {
    const lines = escapeBlock(yaml);
    const repeated = key === lines[0];
    key = lines[0];
    return repeated ? lines.slice(1) : lines;
  });
}
