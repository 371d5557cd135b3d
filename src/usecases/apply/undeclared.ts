// What a run reports about interrupted actions whose object no manifest declares any more: what exists now and how to
// keep or delete it, and what may be missing because it was removed and not created again.
import { stringify } from 'yaml';
import type { Address } from '../../model/address.ts';
import { kindOf, rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { withValueAt } from '../../model/json.ts';
import { placedAt } from '../../model/kind/to-manifest.ts';
import type { BegunAction } from '../../model/ledger/begun.ts';
import type { InFlight, LedgerView } from '../../model/plan/ledger-view.ts';
import type { ActionOutcome } from '../../model/plan/outcome.ts';
import { itemToManifest } from '../../planner/to-manifest.ts';
import { registry } from '../../areas/index.ts';
import type { DesiredValues } from './regenerate.ts';

/**
 * Returns one diagnostic for each followed action whose object no manifest declares: HW5030 for an object that the
 * interrupted run created, HW5031 for one that it removed and did not create again.
 */
export function undeclaredLeft(
  flights: readonly InFlight[],
  ended: readonly ActionOutcome[],
  { desired, objects }: { readonly desired: DesiredValues; readonly objects: LedgerView['objects'] },
): readonly Diagnostic[] {
  const results = new Map(ended.map(({ address, result }) => [address, result]));
  return flights.flatMap((flight): readonly Diagnostic[] => {
    const { address, verb, hook } = flight.action;
    const result = results.get(address);
    if (hook !== undefined || desired.has(address) || (result !== 'done' && result !== 'not-started')) return [];
    if (result === 'not-started' && isHalfMoved(flight))
      return [missing(flight.action, 'is not declared by any manifest now')];
    return verb === 'create' && objects.has(address) ? [notDeclared(address)] : [];
  });
}

/**
 * Returns HW5031 for each object that an interrupted run removed, that a manifest declares, and that this run did not
 * create again either: nothing but the ledger knows its former values.
 *
 * @param ended - The final results of this run.
 * @param isOpen - True for an address whose action is still in flight.
 * @param isAbsent - True for an address that the plan of this run creates: a read has shown that it does not exist.
 */
export function missingAfter(
  flights: readonly InFlight[],
  ended: readonly ActionOutcome[],
  {
    desired,
    isOpen,
    isAbsent,
  }: { readonly desired: DesiredValues } & Readonly<Record<'isOpen' | 'isAbsent', (address: Address) => boolean>>,
): readonly Diagnostic[] {
  const exists = new Set(
    ended.flatMap(({ address, result }) => (result === 'done' || result === 'already-done' ? [address] : [])),
  );
  return flights.flatMap((flight) => {
    const { address, hook } = flight.action;
    const isMissing = hook === undefined && desired.has(address) && !exists.has(address) && !isOpen(address);
    const isRemoved = isHalfMoved(flight) || (isAbsent(address) && recreates(flight));
    return isMissing && isRemoved ? [missing(flight.action, 'could not be created as declared')] : [];
  });
}

/** True when its action deletes the object and creates it again. */
function recreates({ action: { requests } }: InFlight): boolean {
  return requests.some((request) => request.recreates !== undefined);
}

/** True when its object was removed, and the request that creates it again was not answered. */
function isHalfMoved({ action: { requests, expect }, answered }: InFlight): boolean {
  const isAnswered = ({ name }: { readonly name: string }): boolean => Object.hasOwn(answered, name);
  if (!requests.some(isAnswered)) return false;
  if (requests.some((request) => request.recreates !== undefined)) {
    return requests.some((request) => request.recreates !== undefined && !isAnswered(request));
  }
  return expect.from !== undefined && !requests.every(isAnswered);
}

function missing(action: BegunAction, why: string): Diagnostic {
  const { address, expect } = action;
  const { from } = expect;
  const where = from === undefined ? '' : ` It was ${from.address} before.`;
  const yaml = formerYaml(action);
  return diagnose(
    'HW5031',
    `An interrupted run removed ${address} and did not create it again, and it ${why}.${where} To create it as it was, write in the manifest of ${rootOf(from?.address ?? address)}:\n${yaml}`,
    { address },
  );
}

/** The lines that declare the object as it was before the action. */
function formerYaml({ address, changes, desired }: BegunAction): string {
  const kind = registry.get(kindOf(address));
  if (kind === undefined) return '';
  let spec: JsonObject = desired;
  for (const { path, was, secret } of changes)
    if (secret === undefined && was !== undefined) spec = withValueAt(spec, path, was) as JsonObject;
  const member = { id: '', identity: kind.identity(spec), spec, computed: {} };
  return stringify(placedAt(kind.section.fields[0] ?? '', [itemToManifest(kind, member).value]));
}

function notDeclared(address: Address): Diagnostic {
  return diagnose(
    'HW5030',
    `An interrupted run created ${address}, and no manifest declares it any more. It is left as it is. To keep it, declare it again; \`hostwright export\` writes what is live. To delete it, declare ${rootOf(address)} with \`lifecycle: { state: absent }\`, or remove it from the list of its manifest, and apply.`,
    { address },
  );
}
