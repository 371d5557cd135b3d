// The part of `drift` that no manifest declares: the folder of observed manifests compared with the account. What the
// plan has read is not read again. Where nothing was recorded, it says what is not watched.
import type { Address } from '../../model/address.ts';
import { addressOf, rootOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { DriftItem } from '../../model/plan/drift.ts';
import { runsIn } from '../../model/plan/history.ts';
import { valueAt } from '../../model/json.ts';
import { registry } from '../../areas/index.ts';
import { readHistory } from '../../ledger/stored-ledger.ts';
import type { ObservedFolder } from '../../manifest/observed.ts';
import { readObserved } from '../../manifest/observed.ts';
import { createReader } from '../../observe/reader.ts';
import { isTargeted } from '../../planner/targets.ts';
import { quietly } from '../account.ts';
import { storeToRead } from '../ledger.ts';
import type { Planned } from '../plan/plan.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import type { LiveAccount } from '../plan/read-account.ts';
import type { ReadingAccount } from '../write/live.ts';
import { ROOT_KINDS } from '../write/live.ts';
import type { Compared } from './compare.ts';
import { compareObserved, isOurDoing, undeclaredFields } from './compare.ts';
import type { Gap } from './compose.ts';
import type { Look } from './look.ts';
import { lookAround } from './look.ts';

export interface ObservedDrift {
  readonly items: readonly DriftItem[];
  /** Kinds of which something is neither declared nor observed. Absent: the run was not about everything. */
  readonly notWatched?: readonly string[];
  /** The live objects that what differs is in, by address. */
  readonly bound: ReadonlyMap<Address, { readonly id: string }>;
  readonly diagnostics: readonly Diagnostic[];
}

const NOTHING: ObservedDrift = { items: [], bound: new Map(), diagnostics: [] };

/** What a comparison is made from: an account that is open, and what its manifests declare in the words of the account. */
export interface Beside extends ReadingAccount {
  readonly opened: Pick<OpenedWorkspace, 'declared' | 'documents'>;
  readonly live: Pick<LiveAccount, 'declared'>;
}

/** The folder beside the account, without what runs of ours have done since; undefined where nothing was recorded. */
export async function compareWithFolder(
  beside: Beside,
  within?: ReadonlySet<Address>,
): Promise<
  | (Compared & { readonly folder: ObservedFolder; readonly look: Look; readonly diagnostics: readonly Diagnostic[] })
  | { readonly folder?: undefined; readonly diagnostics: readonly Diagnostic[] }
> {
  const { opened, workspace, ledger, live } = beside;
  const { folder, diagnostics } = await readObserved(workspace);
  if (folder === undefined) return { diagnostics };
  const look = await lookAround(beside, folder, within);
  // What is declared in roots that were not looked at is declared all the same.
  const narrowed = new Set(live.declared.map(({ collection }) => collection));
  const collections = [...live.declared, ...opened.declared.filter(({ collection }) => !narrowed.has(collection))];
  const found = compareObserved(folder, look, { collections, ignored: ignoredIn(opened), ledger }, within);
  const ours = found.items.length === 0 ? [] : await doneSince(beside, Date.parse(folder.spec.at));
  return { ...found, items: found.items.filter((item) => !isOurDoing(item, ours)), folder, look, diagnostics };
}

/** `isPart`: some manifests were named, so that nobody knows what the others declare. */
export async function observedDrift(
  planned: Planned,
  { isPart }: { readonly isPart: boolean },
): Promise<ObservedDrift> {
  const { client, within, plan, opened } = planned;
  if (isPart) return NOTHING;
  const beside = { ...quietly(planned), reader: createReader(client) };
  const targets = plan.covers?.targets ?? [];
  const found = await compareWithFolder(
    beside,
    within ?? (targets.length === 0 ? undefined : new Set(targets.map(rootOf))),
  );
  if (found.folder === undefined)
    return { ...NOTHING, notWatched: notDeclared(opened.declared), diagnostics: found.diagnostics };
  return {
    items: found.items.filter(({ address }) => isTargeted(address, targets)),
    ...(targets.length === 0 && within === undefined && { notWatched: found.notWatched }),
    bound: new Map(found.look.roots.map(({ address, member }) => [address, member])),
    diagnostics: [...found.diagnostics, ...found.gaps.map(notCompared)],
  };
}

/** What our own runs have done since then, the oldest first. */
async function doneSince({ session, workspace }: Beside, sinceMs: number) {
  const { view, rows } = await readHistory({ store: storeToRead(session, workspace), account: workspace.account });
  return runsIn({ history: rows, inFlight: view.inFlight })
    .filter(({ startedAtMs }) => startedAtMs >= sinceMs)
    .reverse()
    .flatMap(({ actions }) => actions.filter(({ result }) => result === 'done'));
}

/** The pointers that manifests leave alone, by root. */
export function ignoredIn({ documents }: Pick<OpenedWorkspace, 'documents'>): ReadonlyMap<Address, readonly string[]> {
  return new Map(
    documents.flatMap(({ value }) => {
      const ignored = valueAt(value, '/lifecycle/ignore') as readonly string[] | undefined;
      const [kind, name] = [valueAt(value, '/kind'), valueAt(value, '/metadata/name')] as [string, string];
      return ignored === undefined ? [] : [[addressOf(null, kind, name), ignored] as const];
    }),
  );
}

/** Kinds of which the manifests leave something out: of roots all of them, of what is in a root a field or more. */
function notDeclared(declared: readonly DesiredCollection[]): readonly string[] {
  const byAddress = new Map(declared.map((one) => [one.collection, one]));
  const roots = declared.flatMap(({ parent, members }) => (parent === null ? members : []));
  const present = roots.filter(({ lifecycle }) => lifecycle.state === 'present');
  const isCovered = (kind: string, root: Address): boolean => {
    const one = byAddress.get(addressOf(root, kind, null));
    const definition = registry.get(kind);
    if (one === undefined || definition === undefined) return false;
    if (one.unresolved !== undefined || definition.list !== 'singleton') return true;
    // Every field stands for itself: its value does not matter here.
    const fields = Object.fromEntries(Object.keys(definition.fields).map((field) => [field, true]));
    return undeclaredFields(definition, fields, one.members[0]).length === 0;
  };
  return [...registry.values()]
    .filter(({ kind, parent, capabilities: { hook } }) =>
      parent === null
        ? ROOT_KINDS.some((one) => one.kind === kind) && !byAddress.has(kind)
        : hook === undefined && present.some((root) => root.kind === parent && !isCovered(kind, root.address)),
    )
    .map(({ kind }) => kind);
}

function notCompared({ address, reason }: Gap): Diagnostic {
  return diagnose('HW2603', `Whether it changed is unknown: ${reason}. Run \`hostwright drift\` again.`, { address });
}
