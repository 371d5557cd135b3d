// What is planned later, as a reader approves it: until when, why, and each object with what is declared of it.
import type { Plan } from '../../model/plan/plan.ts';
import { showAddress, showProse } from './names.ts';
import { changesOf } from './values.ts';

/** An object that is declared, with its fields in lines. */
interface DeclaredObject {
  readonly address: string;
  readonly lines: readonly string[];
}

/** An entry of the group of what is planned later. */
interface DeferredEntry {
  readonly address: string;
  readonly reason: string;
  readonly declares: readonly DeclaredObject[];
}

/** What a reviewer came for is not cut; what a machine wrote may be. */
const ROOM = { value: 2000, line: Infinity, items: 1000 } as const;

export function deferredEntries({ deferred, actions }: Plan): readonly DeferredEntry[] {
  const made = new Set(actions.flatMap(({ address, verb }) => (verb === 'create' ? [address] : [])));
  return deferred.map(({ address, until, reason, objects = [] }) => ({
    address: showAddress(address),
    reason: `planned later, after ${showAddress(until)} ${made.has(until) ? 'exists' : 'is changed'}: ${showProse(reason)}`,
    declares: objects.map((object) => ({
      address: showAddress(object.address),
      lines: changesOf({ ...object, verb: 'create', steps: [] }, undefined, ROOM).flatMap(
        ({ field, inline, items = [] }) =>
          inline === undefined ? [`${field}:`, ...items.map(({ text }) => `  ${text}`)] : [`${field}: ${inline}`],
      ),
    })),
  }));
}
