// What is live and no manifest names any more, as blocks: the objects stand open, with who made each; what to write to
// delete or to keep them is folded.
import type { Address } from '../../model/address.ts';
import type { Orphaned, OrphanedObject, OrphanedRemedy } from '../../model/plan/orphaned.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { firstOf, someOf } from '../../model/count.ts';
import { present } from '../../model/lists.ts';
import { showSource } from '../view/document.ts';
import { escapeBlock, escapeText } from '../view/escape.ts';
import { showAddress } from '../view/names.ts';
import { quoteForShell } from '../view/shell.ts';
import type { Block, Item } from './block.ts';
import { code, marked, paragraph } from './block.ts';

/** More objects than these are counted in one list. */
const MOST = 50;
const MOST_NAMED = 5;

export function orphanedSection({ orphaned = [] }: Pick<Plan, 'orphaned'>): readonly Block[] {
  if (orphaned.length === 0) return [];
  return [
    {
      is: 'section',
      title: 'Orphaned',
      count: orphaned.reduce((sum, { objects }) => sum + objects.length, 0),
      meaning: ['live, and no manifest names it any more; left alone'],
      anchor: 'orphaned',
      blocks: [
        { is: 'list', items: orphaned.flatMap(itemsOf) },
        {
          is: 'details',
          line: ['How to delete or to keep them'],
          weight: 'yaml',
          blocks: orphaned.flatMap(adviceOn),
        },
      ],
    },
  ];
}

function itemsOf({ objects, collection }: Orphaned): readonly Item[] {
  return firstOf(
    objects,
    MOST,
    (object): Item => ({ line: [nameIn(object.address)], about: [whatOf(object)] }),
    (left) => ({ line: [nameIn(collection)], about: [`and ${left} more`] }),
  );
}

function nameIn(address: string) {
  return marked('name', showAddress(address));
}

function whatOf({ made, removedFrom, unread }: OrphanedObject): string {
  const day = made?.at === undefined ? '' : ` on ${escapeText(made.at.slice(0, 10), 20)}`;
  return present(
    removedFrom && `removed from ${showSource(removedFrom)} in this branch`,
    made && (made.by === 'created' ? `made by us${day}` : `declared by us before, last recorded${day}`),
    !removedFrom && 'no manifest mentions it',
    unread !== undefined && `whether it is still there could not be read: ${escapeText(unread)}`,
  ).join(', ');
}

function adviceOn({ objects, file, remove, keep }: Orphaned): readonly Block[] {
  const it = objects.length === 1 ? 'it' : `all ${objects.length}`;
  const forgettable = objects.filter(({ made }) => made !== undefined).map(({ address }) => address);
  return [
    paragraph(nameIn(objects[0]?.address ?? '')),
    ...(remove === undefined
      ? []
      : advice(`To delete ${remove.only === undefined ? it : named(remove.only)}`, remove, file)),
    ...(keep === undefined ? [] : advice(`To keep ${it}`, keep, file)),
    ...(forgettable.length === 0
      ? []
      : [
          paragraph(`To stop listing ${forgettable.length === 1 ? 'it' : 'them'}, run:`),
          ...code(
            'sh',
            forgettable.slice(0, MOST).map((address) => `hostwright ledger forget ${quoteForShell(address)}`),
          ),
        ]),
  ];
}

function advice(to: string, { yaml, command, reason }: OrphanedRemedy, file: string | undefined): readonly Block[] {
  if (yaml !== undefined) {
    const place = file === undefined ? 'this manifest' : `under spec: of ${escapeText(file, 300)}`;
    return [paragraph(`${to}, write ${place}:`), ...code('yaml', escapeBlock(yaml))];
  }
  if (command !== undefined) return [paragraph(`${to}, run:`), ...code('sh', [escapeText(command, 400)])];
  return [paragraph(`${to}: ${escapeText(reason ?? '')}`)];
}

/** `Site/shop/SiteDomain/www.example.com`, or some of them and how many more. */
function named(addresses: readonly Address[]): string {
  return someOf(addresses.map(showAddress), MOST_NAMED);
}
