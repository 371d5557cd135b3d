// How reports say what is live and no manifest names any more: who made it, and what to write to delete or to keep it.
import type { Address } from '../../model/address.ts';
import type { Orphaned, OrphanedObject, OrphanedRemedy } from '../../model/plan/orphaned.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { showSource } from './document.ts';
import { escapeBlock, escapeText } from './escape.ts';
import { showAddress } from './names.ts';
import { quoteForShell } from './shell.ts';

/** One list of one object, or one root. */
export interface OrphanedBlock {
  /** Each object and what is known of it. */
  readonly objects: readonly { readonly address: string; readonly what: string }[];
  readonly advice: readonly OrphanedAdvice[];
}

export interface OrphanedAdvice {
  readonly words: string;
  /** What to write or to run. */
  readonly lines?: readonly string[];
  /** Of the lines. */
  readonly language?: 'yaml' | 'sh';
}

/** More objects than these are counted in one list. */
const MOST = 50;
const MOST_NAMED = 5;

export function orphanedTitle({ orphaned = [] }: Plan): string {
  return `Orphaned (${countOrphaned(orphaned)})`;
}

export const ORPHANED_MEANING = 'live, and no manifest names it any more; left alone';

export function countOrphaned(orphaned: readonly Orphaned[]): number {
  return orphaned.reduce((sum, { objects }) => sum + objects.length, 0);
}

export function orphanedBlocks({ orphaned = [] }: Plan): readonly OrphanedBlock[] {
  return orphaned.map((group) => {
    const { objects } = group;
    const rest = objects.length - MOST;
    return {
      objects: [
        ...objects.slice(0, MOST).map((object) => ({ address: showAddress(object.address), what: whatOf(object) })),
        ...(rest > 0 ? [{ address: showAddress(group.collection), what: `and ${rest} more` }] : []),
      ],
      advice: adviceOn(group),
    };
  });
}

function whatOf({ made, removedFrom, unread }: OrphanedObject): string {
  const day = made?.at === undefined ? '' : ` on ${escapeText(made.at.slice(0, 10), 20)}`;
  const said = [
    ...(removedFrom === undefined ? [] : [`removed from ${showSource(removedFrom)} in this branch`]),
    ...(made === undefined
      ? []
      : [made.by === 'created' ? `made by us${day}` : `declared by us before, last recorded${day}`]),
    ...(removedFrom === undefined ? ['no manifest mentions it'] : []),
    ...(unread === undefined ? [] : [`whether it is still there could not be read: ${escapeText(unread)}`]),
  ];
  return said.join(', ');
}

function adviceOn({ objects, file, remove, keep }: Orphaned): readonly OrphanedAdvice[] {
  const it = objects.length === 1 ? 'it' : `all ${objects.length}`;
  const forgettable = objects.filter(({ made }) => made !== undefined);
  return [
    ...(remove === undefined
      ? []
      : [advice(`To delete ${remove.only === undefined ? it : named(remove.only)}`, remove, file)]),
    ...(keep === undefined ? [] : [advice(`To keep ${it}`, keep, file)]),
    ...(forgettable.length === 0
      ? []
      : [
          {
            words: `To stop listing ${forgettable.length === 1 ? 'it' : 'them'}, run`,
            lines: forgettable
              .slice(0, MOST)
              .map(({ address }) => `hostwright ledger forget ${quoteForShell(address)}`),
            language: 'sh' as const,
          },
        ]),
  ];
}

function advice(to: string, { yaml, command, reason }: OrphanedRemedy, file: string | undefined): OrphanedAdvice {
  if (yaml !== undefined) {
    const place = file === undefined ? 'this manifest' : `under spec: of ${escapeText(file, 300)}`;
    return { words: `${to}, write ${place}`, lines: escapeBlock(yaml), language: 'yaml' };
  }
  if (command !== undefined) return { words: `${to}, run`, lines: [escapeText(command, 400)], language: 'sh' };
  return { words: `${to}: ${escapeText(reason ?? '')}` };
}

/** `Site/shop/SiteDomain/www.example.com`, or some of them and how many more. */
function named(addresses: readonly Address[]): string {
  const rest = addresses.length - MOST_NAMED;
  const shown = addresses.slice(0, MOST_NAMED).map((address) => showAddress(address));
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
