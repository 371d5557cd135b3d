// What is live of a resource: of what its state has, or all of it after an import.
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import { quote } from '../../model/format.ts';
import type { LeftOut } from '../../model/kind/to-manifest.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { isEmptyPlan } from '../../model/plan/plan.ts';
import { readValues } from '../../usecases/one-root/documents.ts';
import type { RootAccess, DeclaredRoot, RootState } from '../../usecases/one-root/live-root.ts';
import { findRoot, liveSpecOf, readRootState } from '../../usecases/one-root/live-root.ts';
import { reportedOf } from '../../usecases/one-root/reported.ts';
import type { Snapshot } from '../../usecases/one-root/snapshot.ts';
import { named } from '../../usecases/plan/limits.ts';
import type { Configured } from '../configured.ts';
import { inTerraformWords } from '../diagnostics.ts';
import type { WatchedReads } from '../../usecases/one-root/fingerprint.ts';
import { answersTheSame, watchReads } from '../../usecases/one-root/fingerprint.ts';
import { addressIn, isPending, otherAccount } from '../identity.ts';
import type { Private } from '../state-view.ts';
import { managedOf, privateOf, readPrivate, toPrivate } from '../state-view.ts';
import type { ResourceTable } from '../value/attribute.ts';
import { eachOf, fromManifest, isObject, textOf, unmanagedPlaces, withLive } from '../value/convert.ts';
import type { Value, ValueObject } from '../value/cty.ts';
import { snake } from '../value/names.ts';
import { withReported } from './computed.ts';
import { heldRoot } from './plan.ts';
import { declare, hasNews, isBegun, resourceKey, withHandedOver } from './declare.ts';

export interface Read {
  readonly state: Value;
  readonly private: Buffer;
  readonly diagnostics: readonly Diagnostic[];
  /** After an import: what is live and is not in the state; the diagnostics say it too. */
  readonly leftOut?: readonly LeftOut[];
}

/** What is live of what the state has. What could not be read leaves it as it was. */
export async function readResource(
  table: ResourceTable,
  configured: Configured,
  state: ValueObject,
  privateBytes: Uint8Array | undefined,
): Promise<Read> {
  const { kept, invalid } = readPrivate(privateBytes);
  const read = await readKept(table, configured, state, { kept, privateBytes });
  return invalid.length === 0
    ? read
    : { ...read, diagnostics: [invalidPrivate(addressIn(table, state), invalid), ...read.diagnostics] };
}

function invalidPrivate(address: Address, invalid: readonly string[]): Diagnostic {
  return diagnose(
    'HW7028',
    `The private data of ${address} in the state is not valid, and was not written by this provider: ${invalid.map((name) => quote(name)).join(', ')}. The invalid members are ignored, and the object is read again.`,
    { address },
  );
}

async function readKept(
  table: ResourceTable,
  configured: Configured,
  state: ValueObject,
  { kept, privateBytes }: { readonly kept: Private; readonly privateBytes: Uint8Array | undefined },
): Promise<Read> {
  const same = (diagnostics: readonly Diagnostic[]): Read => ({
    state,
    private: Buffer.from(privateBytes ?? []),
    diagnostics,
  });
  const wrong = otherAccount(kept.account, configured.workspace.account, addressIn(table, state));
  if (wrong !== undefined) return same([wrong]);
  if (kept.imported === true) return readImported(table, configured, state, same);
  const { ledger } = configured.access();
  const id = isPending(state) ? ledger.objects.get(addressIn(table, state))?.id : state.id;
  if (typeof id !== 'string') return isBegun(configured, table, state, kept) ? same([]) : goneResource();
  const managed = managedOf(table, state, kept);
  if (await isUntouched(table, configured, state, kept)) {
    if (table.part === undefined) configured.claims.stored(addressIn(table, state));
    configured.inSync.set(resourceKey(table, managed), managed);
    return same([]);
  }
  const { root, diagnostics } = await declare(table, withHandedOver(managed, kept), { id });
  if (root === undefined) return same(diagnostics);
  const watch = watchReads(configured.access(), configured.engine);
  const seen = await readRootState(watch.access, root, kept.snapshot);
  if (table.part === undefined)
    if (seen.is === 'gone') configured.claims.lost(root.address);
    else configured.claims.stored(root.address);
  return readFrom(table, configured, { root, state, managed, seen, same, watch });
}

/** Everything that its state was read from answers as it did then, and nobody has anything new to say of it. */
async function isUntouched(
  table: ResourceTable,
  configured: Configured,
  state: ValueObject,
  kept: Private,
): Promise<boolean> {
  const { fingerprint, snapshot } = kept;
  // Read private data of an earlier version again, so that the account is added to it.
  if (kept.account === undefined || fingerprint === undefined || snapshot?.address !== addressIn(table, state))
    return false;
  // The state names another object than the one that was read.
  if (table.part === undefined && snapshot.member.id !== state.id) return false;
  if (hasNews(configured, snapshot) || isBegun(configured, table, state, kept)) return false;
  return answersTheSame(configured.access(), configured.engine, fingerprint);
}

function goneResource(): Read {
  return { state: null, private: Buffer.alloc(0), diagnostics: [] };
}

/** What a look at an object comes to. */
export async function readFrom(
  table: ResourceTable,
  configured: Configured,
  {
    root,
    state,
    managed,
    seen,
    same,
    watch,
    isImported = false,
  }: {
    readonly root: DeclaredRoot;
    readonly state: ValueObject;
    /** What of it is managed. */
    readonly managed: ValueObject;
    readonly seen: RootState;
    readonly same: (diagnostics: readonly Diagnostic[]) => Read;
    /** What the look was taken through. */
    readonly watch: WatchedReads;
    /** The state becomes a configuration, so it has nothing that none can say. */
    readonly isImported?: boolean;
  },
): Promise<Read> {
  if (seen.is === 'unread') return same(seen.diagnostics);
  if (seen.is === 'gone') return goneResource();
  const own = { ...managed, ...fromManifest(table.fields, seen.spec, managed) };
  const reported = await reportedOf(watch.access, root, seen.snapshot);
  const whole = isImported ? own : await withOthers(table, watch.access, seen.snapshot, { own, state });
  const said = withoutHandedOver(whole, managed);
  if (isEmptyPlan(seen.plan)) configured.inSync.set(resourceKey(table, own), own);
  return {
    state: {
      ...withReported(table, { ...said, ...statusOf(seen.plan) }, reported),
      // It says what the last apply did, however long ago that was.
      actions: state.actions ?? null,
      id: seen.snapshot.member.id,
    },
    private: privateOf(table, seen, {
      account: configured.workspace.account,
      managed: own,
      state: said,
      fingerprint: await watch.fingerprint(),
    }),
    diagnostics: reported.diagnostics,
  };
}

/** The values of what is managed, and beside them what else is live, as far as the state has it. */
export async function withOthers(
  { fields, part }: ResourceTable,
  access: RootAccess,
  snapshot: Snapshot,
  { own, state }: { readonly own: ValueObject; readonly state: ValueObject },
): Promise<ValueObject> {
  if (part !== undefined) return own;
  const places = unmanagedPlaces(fields, own, state);
  const isWanted = (section: string): boolean => {
    const at = `/${section.split('/').map(snake).join('/')}`;
    return places.some((place) => place === at || place.startsWith(`${at}/`) || at.startsWith(`${place}/`));
  };
  const { spec, unread } = await liveSpecOf(access, snapshot, isWanted);
  const live = withoutEmptyTexts(fromManifest(fields, spec, state));
  return withLive(fields, own, { state, live, isUnread: (name) => unread.has(fields[name]?.field ?? '') });
}

/** What is handed over is not this site's any more, though it is still there. */
function withoutHandedOver(values: ValueObject, { hand_over: handed, domains }: ValueObject): ValueObject {
  if (!Array.isArray(handed) || !isObject(values.domains) || !isObject(domains)) return values;
  const own = Object.entries(values.domains).filter(
    ([name]) => Object.hasOwn(domains, name) || !(handed as readonly Value[]).includes(name),
  );
  return { ...values, domains: Object.fromEntries(own) };
}

/** Everything that a manifest can say of it, as if a configuration had always said so. */
async function readImported(
  table: ResourceTable,
  configured: Configured,
  { id, name }: ValueObject,
  same: (diagnostics: readonly Diagnostic[]) => Read,
): Promise<Read> {
  const found = await findRoot(configured.access(), table.kind, textOf(id));
  if (found.is !== 'found')
    return same(found.is === 'unread' ? found.diagnostics : [notThere(table.kind, textOf(id), found.known)]);
  const read = await readValues(found.documents.map((value) => ({ name: found.name, value })));
  const manifest = read.manifests.find(({ kind }) => kind === table.kind);
  if (manifest === undefined) return same(read.diagnostics);
  const empty = Object.fromEntries(Object.keys(table.fields).map((field) => [field, null]));
  const state: ValueObject = {
    ...empty,
    ...withoutEmptyTexts(fromManifest(table.fields, manifest.spec, null)),
    [table.part?.name ?? 'name']: name ?? found.name,
    id: found.id,
  };
  const { root, diagnostics } = await declare(table, state, { id: found.id });
  if (root === undefined) return same(diagnostics);
  const watch = watchReads(configured.access(), configured.engine);
  const seen = await readRootState(watch.access, root, undefined);
  const held = seen.is === 'there' ? heldRoot(seen.plan, root.address) : undefined;
  if (held !== undefined) return same([held]);
  const done = await readFrom(table, configured, {
    root,
    state,
    managed: state,
    seen,
    same,
    watch,
    isImported: true,
  });
  const { leftOut } = found;
  return {
    ...done,
    leftOut,
    diagnostics: [...leftOut.map((one) => notImported(root.address, one)), ...done.diagnostics],
  };
}

function notImported(address: string, { what, reason = '' }: LeftOut): Diagnostic {
  return diagnose(
    'HW7007',
    `${address}: of \`${what.replaceAll('/', '.')}\` not all is in the state: ${reason}. What is left out is not managed. Look at what is live before you write it: a list that is managed as a whole replaces what is there.`,
    { address },
  );
}

/** Terraform writes configuration without empty texts, and what it has written has to be what is in the state. */
function withoutEmptyTexts(values: ValueObject): ValueObject {
  return eachOf(values, (value) => (value === '' ? null : isObject(value) ? withoutEmptyTexts(value) : value));
}

/** Nothing is known by that name. */
export function notThere(kind: string, called: string, known: readonly string[]): Diagnostic {
  const there = known.length === 0 ? 'The account has none.' : `The account has ${named(known)}.`;
  return diagnose('HW7014', `The account has no ${kind} that is known by \`${called}\`. ${there} Import it by its id.`);
}

/** What somebody else has to do, or could not be done. */
function statusOf({ waiting, blocked, manual }: Pick<Plan, 'waiting' | 'blocked' | 'manual'>): ValueObject {
  const said = (list: Plan['waiting']): string =>
    inTerraformWords(list.map(({ reason, remedy }) => `${reason}. ${remedy}`).join(' '));
  if (waiting.length > 0) return { status: 'waiting', waiting_for: said(waiting) };
  const left = [...blocked, ...manual];
  return left.length > 0 ? { status: 'incomplete', waiting_for: said(left) } : { status: 'ready', waiting_for: '' };
}

/** The stub that a read fills in. */
export function importResource(
  { fields }: ResourceTable,
  { id, account }: { readonly id: string; readonly account: string },
): { readonly state: ValueObject; readonly private: Buffer } {
  const empty = Object.fromEntries(Object.keys(fields).map((field) => [field, null]));
  return { state: { ...empty, id }, private: toPrivate({ account, imported: true }) };
}
