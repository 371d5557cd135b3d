// What is live and no manifest declares, as blocks. Orphaned, which none names any more: the objects stand open, with who
// made each; what to write to delete or to keep them is folded. Unmanaged, which none ever named: for each collection the
// lines that its manifest lacks, and the commands that write them there.
import type { Address } from '../../model/address.ts';
import { addressOf } from '../../model/address.ts';
import { cut } from '../../model/common/count.ts';
import { groupBy, present } from '../../model/common/lists.ts';
import type { Orphaned, OrphanedObject, OrphanedRemedy, Released } from '../../model/plan/orphaned.ts';
import type { Plan, Unmanaged } from '../../model/plan/plan.ts';
import { firstOf } from '../../model/format.ts';
import { showSource } from '../view/document.ts';
import { escapeBlock, escapeText } from '../view/escape.ts';
import { showAddress } from '../view/names.ts';
import { quoteAddress, quoteForShell } from '../view/shell.ts';
import { showPointer, showValue } from '../view/values.ts';
import type { Block, Item } from './block.ts';
import { code, folded, listOf, marked, paragraph } from './block.ts';

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
  return cut(
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
  return firstOf(addresses.map(showAddress), MOST_NAMED);
}

/** Fields that a run set and no manifest declares, with the commands that write the former values. */
export function releasedSection({ released = [] }: Pick<Plan, 'released'>): readonly Block[] {
  if (released.length === 0) return [];
  const runs = [...new Set(released.map(({ run }) => run))];
  return [
    {
      is: 'section',
      title: 'No longer declared',
      count: released.length,
      meaning: ['a run set these fields, and no manifest declares them any more; they keep their values'],
      anchor: 'released',
      blocks: [
        {
          is: 'list',
          items: cut(released, MOST, releasedItem, (left) => ({ line: [`and ${left} more`] })),
        },
        {
          is: 'details',
          line: ['How to restore the former values'],
          weight: 'yaml',
          blocks: [
            paragraph('To write the values before a run into the manifests, run:'),
            ...code(
              'sh',
              runs.map((run) => `hostwright history undo ${quoteForShell(shortRun(run))}`),
            ),
            paragraph('To keep a value, declare it in the manifest.'),
          ],
        },
      ],
    },
  ];
}

const VALUE_SHOWN = 200;

function releasedItem({ address, path, value, was, run, at }: Released): Item {
  const before = was === undefined ? 'not set' : showValue(was, VALUE_SHOWN);
  const when = `run ${escapeText(shortRun(run), 100)} on ${escapeText(at.slice(0, 10), 20)}`;
  return {
    line: [nameIn(address)],
    about: [
      `${showPointer(path)}: no longer declared, keeps its value: ${showValue(value, VALUE_SHOWN)} (${before} before ${when})`,
    ],
  };
}

/** A prefix of the id of a run, as `history` prints it. */
function shortRun(run: string): string {
  return run.slice(0, 8);
}

/** `most`: so many of each collection. */
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
