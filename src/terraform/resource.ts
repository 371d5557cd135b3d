// The life of a resource: a configuration becomes a manifest, and validate, plan, apply and read are those of the engine
// for that one root. Nothing here knows a kind by name.
import { addressOf, rootOf } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { canonicalHostname } from '../model/hostname.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { LeftOut } from '../model/kind/to-manifest.ts';
import type { LedgerView } from '../model/plan/ledger-view.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Outcome } from '../model/plan/outcome.ts';
import type { ReadValues } from '../workflow/one-root/documents.ts';
import { readValues } from '../workflow/one-root/documents.ts';
import type { DeclaredRoot, Seen } from '../workflow/one-root/look.ts';
import { findRoot, lookAtRoot } from '../workflow/one-root/look.ts';
import type { Outputs } from '../workflow/one-root/run.ts';
import { applyRoot, lineOf, outputsIn, planRoot } from '../workflow/one-root/run.ts';
import type { Snapshot } from '../workflow/one-root/snapshot.ts';
import { renamedTo } from '../workflow/one-root/snapshot.ts';
import type { Configured } from './configured.ts';
import { diagnose } from './diagnostics.ts';
import type { Private } from './state-view.ts';
import { fromPrivate, toPrivate } from './state-view.ts';
import type { Attribute, Fields, ResourceTable } from './value/attribute.ts';
import type { Converted } from './value/convert.ts';
import { fromManifest, isObject, toManifest } from './value/convert.ts';
import type { Value, ValueObject } from './value/cty.ts';
import { UNKNOWN } from './value/cty.ts';

/** The manifests that a resource stands for, checked. */
export interface Declared {
  readonly converted: Converted;
  readonly read: ReadValues;
  /** Absent when there are errors, or its name is not known yet. */
  readonly root?: DeclaredRoot;
  /** Problems that are none once what is unknown is known are left out. */
  readonly diagnostics: readonly Diagnostic[];
}

const PLACEHOLDER = 'not-known.example';

/** The manifests of a resource. `id`: the live object that it is about. */
export async function declare(
  { kind, fields, part }: ResourceTable,
  values: ValueObject,
  how: { readonly id?: string; readonly isAbsent?: true; readonly secrets?: Configured['workspace'] } = {},
): Promise<Declared> {
  const given = values[part?.name ?? 'name'] ?? null;
  const name = typeof given === 'string' ? given : PLACEHOLDER;
  const converted = toManifest(fields, values);
  const address = addressOf(null, kind, name);
  const document: JsonObject = {
    apiVersion: 'hostwright/v1',
    kind,
    metadata: { name, ...(how.id !== undefined && { id: how.id }) },
    ...(how.isAbsent === true && { lifecycle: { state: 'absent' } }),
    spec: converted.spec,
  };
  const data = converted.data.map((one) => ({
    name: addressOf(null, one.kind, one.name),
    value: { apiVersion: 'hostwright/v1', kind: one.kind, metadata: { name: one.name }, spec: one.spec },
  }));
  const read = await readValues([{ name: address, value: document }, ...data], how.secrets);
  const manifest = read.manifests.find((one) => one.kind === kind);
  const diagnostics = read.diagnostics.filter((one) => !isAboutUnknown(one, converted.unknown));
  const isWhole = manifest !== undefined && !hasErrors(diagnostics) && typeof given === 'string';
  return {
    converted,
    read,
    diagnostics,
    ...(isWhole && { root: { address, spec: manifest.spec, declared: read.declared } }),
  };
}

/** A problem at, in or around a value that is not known yet. */
function isAboutUnknown({ pointer }: Diagnostic, unknown: readonly string[]): boolean {
  const place = pointer?.replace(/^\/spec/, '');
  if (place === undefined) return false;
  return unknown.some((at) => at.startsWith(`${place}/`) || place === at || place.startsWith(`${at}/`));
}

/** The values without what is not known yet: a section with such a value is planned when it is known. */
function withoutUnknownSections(fields: Fields, values: ValueObject): ValueObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      fields[name]?.field !== undefined && hasUnknown(value) ? null : value,
    ]),
  );
}

function hasUnknown(value: Value): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return (value as readonly Value[]).some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}

export interface Read {
  readonly state: Value;
  readonly private: Buffer;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is live of what the state has. What could not be read leaves it as it was. */
export async function readResource(
  table: ResourceTable,
  configured: Configured,
  state: ValueObject,
  privateBytes: Uint8Array | undefined,
): Promise<Read> {
  const kept = fromPrivate(privateBytes);
  const same = (diagnostics: readonly Diagnostic[]): Read => ({
    state,
    private: Buffer.from(privateBytes ?? []),
    diagnostics,
  });
  if (kept.imported === true) return readImported(table, configured, state, same);
  const { ledger } = configured.access();
  const id = isPending(state) ? ledger.objects.get(addressIn(table, state))?.id : state.id;
  if (typeof id !== 'string') return isBegun(configured, table, state, kept) ? same([]) : goneResource();
  const { root, diagnostics } = await declare(table, state, { id });
  if (root === undefined) return same(diagnostics);
  const seen = await lookAtRoot(configured.access(), root, kept.snapshot);
  return readFrom(table, state, seen, same);
}

function goneResource(): Read {
  return { state: null, private: Buffer.alloc(0), diagnostics: [] };
}

/** In place of the id of what was ordered and is not there yet. */
const PENDING = 'pending:';

function isPending({ id }: ValueObject): boolean {
  return typeof id === 'string' && id.startsWith(PENDING);
}

function addressIn({ kind, part }: ResourceTable, values: ValueObject): string {
  return addressOf(null, kind, textOf(values[part?.name ?? 'name']));
}

/** Something of it was begun and has not ended. */
function isBegun(configured: Configured, table: ResourceTable, values: ValueObject, { snapshot }: Private): boolean {
  const address = addressIn(table, values);
  const { ledger } = configured.access();
  return [...ledger.inFlight, ...(snapshot?.inFlight ?? [])].some(({ action }) => rootOf(action.address) === address);
}

function readFrom(
  table: ResourceTable,
  state: ValueObject,
  seen: Seen,
  same: (diagnostics: readonly Diagnostic[]) => Read,
): Read {
  if (seen.is === 'unread') return same(seen.diagnostics);
  if (seen.is === 'gone') return goneResource();
  const said = { ...state, ...fromManifest(table.fields, seen.spec, state), ...statusOf(seen.plan) };
  return {
    state: withOutputs(table, said, seen.snapshot),
    private: toPrivate({ snapshot: seen.snapshot }),
    diagnostics: [],
  };
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
  const done = readFrom(table, state, await lookAtRoot(configured.access(), root, undefined), same);
  return { ...done, diagnostics: [...found.leftOut.map((one) => leftOut(root.address, one)), ...done.diagnostics] };
}

function leftOut(address: string, { what, reason = '' }: LeftOut): Diagnostic {
  return diagnose(
    'HW7007',
    `${address}: \`${what.replaceAll('/', '.')}\` is not in the state, because no configuration can say what is live there: ${reason}. It is not managed. Before you write it, look at what is live: a list that is written replaces it.`,
  );
}

/** Terraform writes configuration without empty texts, and what it has written has to be what is in the state. */
function withoutEmptyTexts(values: ValueObject): ValueObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === '' ? null : isObject(value) ? withoutEmptyTexts(value) : value,
    ]),
  );
}

function notThere(kind: string, called: string, known: readonly string[]): Diagnostic {
  const there =
    known.length === 0
      ? 'The account has none.'
      : `The account has ${known.slice(0, 10).join(', ')}${known.length > 10 ? ` and ${known.length - 10} more` : ''}.`;
  return diagnose('HW7014', `The account has no ${kind} that is known by \`${called}\`. ${there} Import it by its id.`);
}

/** What somebody else has to do, or could not be done. */
function statusOf({ waiting, blocked, manual }: Pick<Plan, 'waiting' | 'blocked' | 'manual'>): ValueObject {
  const said = (list: Plan['waiting']): string => list.map(({ reason, remedy }) => `${reason}. ${remedy}`).join(' ');
  if (waiting.length > 0) return { status: 'waiting', waiting_for: said(waiting) };
  const left = [...blocked, ...manual];
  return left.length > 0 ? { status: 'incomplete', waiting_for: said(left) } : { status: 'ready', waiting_for: null };
}

/** The state with what the provider gives. */
function withOutputs({ fields }: ResourceTable, state: ValueObject, snapshot: Snapshot): ValueObject {
  return { ...(withComputed(fields, state, outputsIn(snapshot)) as ValueObject), id: snapshot.member.id };
}

/** Values that the provider gives inside of maps: those of the object that has the key. Absent: null. */
function withComputed(fields: Fields, value: ValueObject, outputs: Outputs): Value {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const attribute = fields[name]?.attribute;
      return [name, attribute?.is === 'map' && isObject(item) ? mapWithComputed(attribute, item, outputs) : item];
    }),
  );
}

function mapWithComputed(
  { fields }: Extract<Attribute, { readonly is: 'map' }>,
  items: ValueObject,
  outputs: Outputs,
): Value {
  const computed = Object.entries(fields).filter(([, field]) => field.computed === true);
  if (computed.length === 0) return items;
  return Object.fromEntries(
    Object.entries(items).map(([key, item]) => {
      const told = Object.values(outputs)
        .map((ofKind) => ofKind[canonicalHostname(key)] ?? ofKind[key])
        .find((found) => found !== undefined);
      const values = computed.map(([name]) => [name, told?.[camel(name)] ?? null]);
      return [key, { ...(item as ValueObject), ...Object.fromEntries(values) }];
    }),
  );
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export interface PlannedChange {
  readonly state: Value;
  readonly private: Buffer;
  readonly requiresReplace: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Change {
  readonly prior: ValueObject | null;
  readonly proposed: ValueObject | null;
  readonly config: ValueObject | null;
  readonly private: Uint8Array | undefined;
}

/** What apply would do: all of it known, or put off until what it rests on is. */
export async function planResource(
  table: ResourceTable,
  configured: Configured,
  change: Change,
): Promise<PlannedChange> {
  const { prior, proposed } = change;
  const kept = fromPrivate(change.private);
  if (proposed === null) return planDestroy(table, configured, change);
  const end = (state: Value, rest: Partial<PlannedChange> = {}): PlannedChange => ({
    state,
    private: toPrivate({ ...(kept.snapshot !== undefined && { snapshot: kept.snapshot }), approved: [] }),
    requiresReplace: [],
    diagnostics: [],
    ...rest,
  });
  const called = table.part?.name ?? 'name';
  const isUnsure = hasUnknown(proposed[called] ?? null);
  if (prior !== null && table.isNamedByHostname === true && prior[called] !== proposed[called])
    return end(unsettled(table.fields, proposed, null, null), { requiresReplace: [called] });
  const planned = withoutUnknownSections(table.fields, proposed);
  const isPutOff = Object.keys(planned).some((name) => planned[name] !== proposed[name]);
  const id = prior === null || isPending(prior) ? undefined : prior.id;
  const declared = await declare(table, isUnsure ? { ...planned, [called]: UNKNOWN } : planned, {
    ...(typeof id === 'string' && { id }),
    secrets: configured.workspace,
  });
  if (hasErrors(declared.diagnostics)) return end(prior ?? null, { diagnostics: declared.diagnostics });
  const { root } = declared;
  if (root === undefined) return end(unsettled(table.fields, proposed, prior, null));
  const snapshot = kept.snapshot === undefined ? undefined : renamedTo(kept.snapshot, root.address);
  const { plan, live, diagnostics } = await planRoot(configured.access(), root, snapshot);
  if (plan === undefined) return end(prior ?? null, { diagnostics });
  const found = live?.bound.get(root.address);
  const isOurs = configured.access().ledger.objects.get(root.address)?.id === found?.id;
  if (prior === null && table.part !== undefined && found === undefined)
    return end(unsettled(table.fields, proposed, null, null));
  if (prior === null && table.part === undefined && found !== undefined && !isOurs && proposed.adopt !== true)
    return end(null, { diagnostics: [isThere(table, root.address, found.id)] });
  const stuck = prior === null && found === undefined ? stuckRoot(plan, root.address) : undefined;
  if (stuck !== undefined) return end(null, { diagnostics: [stuck] });
  const refused = configured.count(root.address, plan);
  if (refused.length > 0) return end(prior ?? null, { diagnostics: refused });
  const lines = plan.actions.map((action) => lineOf(action, root.address));
  const isContinued = prior !== null && isBegun(configured, table, proposed, kept);
  const changes = prior === null || lines.length > 0 || isPutOff || isContinued;
  return end(changes ? unsettled(table.fields, proposed, prior, isPutOff ? null : lines) : proposed, {
    private: toPrivate({ ...(snapshot !== undefined && { snapshot }), ...reviewOf(plan, isContinued ? kept : {}) }),
    diagnostics: [...risks(plan), ...removedAttributes(table, prior, proposed), ...leftOver(plan)],
  });
}

/** What apply holds its own plan against, and waits for. */
function reviewOf({ actions }: Plan, before: Private = {}): Required<Pick<Private, 'approved' | 'locks'>> {
  return {
    // What was reviewed when it was begun goes on once that has ended.
    approved: [...new Set([...(before.approved ?? []), ...actions.map(({ digest }) => digest)])],
    locks: [...new Set([...(before.locks ?? []), ...actions.flatMap(({ locks }) => locks)])].sort(),
  };
}

/** The planned values, with those open that only apply can tell. `lines`: null: not known yet. */
function unsettled(
  fields: Fields,
  proposed: ValueObject,
  prior: ValueObject | null,
  lines: readonly string[] | null,
): ValueObject {
  return {
    ...(openComputed(fields, proposed, prior) as ValueObject),
    id: prior === null || isPending(prior) ? UNKNOWN : (prior.id ?? UNKNOWN),
    status: UNKNOWN,
    waiting_for: UNKNOWN,
    actions: lines ?? UNKNOWN,
  };
}

/** What the provider gives of members that are new is not known yet. */
function openComputed(fields: Fields, value: ValueObject, prior: Value): Value {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]): [string, Value] => {
      const attribute = fields[name]?.attribute;
      if (attribute?.is !== 'map' || !isObject(item)) return [name, item];
      const before = isObject(prior) ? prior[name] : null;
      const computed = Object.keys(attribute.fields).filter((field) => attribute.fields[field]?.computed === true);
      return [
        name,
        Object.fromEntries(
          Object.entries(item).map(([key, member]): [string, Value] => {
            const isNew = !isObject(before) || before[key] === undefined;
            const opened: ValueObject = isNew
              ? Object.fromEntries(computed.map((field): [string, Value] => [field, UNKNOWN]))
              : {};
            return [key, isObject(member) ? { ...member, ...opened } : member];
          }),
        ),
      ];
    }),
  );
}

function isThere({ kind }: ResourceTable, address: string, id: string): Diagnostic {
  return diagnose(
    'HW7006',
    `The account has it, and nothing shows that this configuration made it: ${kind} ${id}. To manage it, import it:\n\n  import {\n    to = hostwright_${snake(kind)}.NAME\n    id = "${id}"\n  }\n\nwith the name of this resource in place of NAME. Or set \`adopt = true\` in ${address}, and its live values become what the configuration says.`,
  );
}

function snake(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** Why a root that is not there is not going to be made. */
function stuckRoot(plan: Plan, address: string): Diagnostic | undefined {
  if (plan.actions.some((action) => action.address === address)) return undefined;
  const blocker = [...plan.blocked, ...plan.manual, ...plan.unknown, ...plan.waiting].find(
    (one) => one.address === address,
  );
  if (blocker === undefined) return undefined;
  return diagnose('HW7008', `${address}: ${blocker.reason}. ${blocker.remedy}`);
}

/** What of a plan costs, ends or lowers something. */
function risks({ actions }: Plan): readonly Diagnostic[] {
  const risky = actions.filter(({ risk }) => risk.length > 0);
  if (risky.length === 0) return [];
  const lines = risky.map(
    (action) => `  ${action.address} (${action.risk.join(', ')}): ${lineOf(action, action.address)}`,
  );
  return [diagnose('HW7001', `Beside what Terraform shows, look at this before it is applied:\n\n${lines.join('\n')}`)];
}

/** What is not as declared, and stays so. */
function leftOver({ blocked, manual, waiting, unknown, deferred }: Plan): readonly Diagnostic[] {
  const told = [...blocked, ...manual, ...waiting, ...unknown].map(({ address, reason, remedy }) =>
    diagnose('HW7009', `${address}: ${reason}. ${remedy}`),
  );
  const later = deferred.map(({ address, until, reason }) =>
    diagnose(
      'HW7015',
      `${address}: ${reason} (${until}). It is planned and done in the same apply; what deletes or charges there waits for the next plan.`,
    ),
  );
  return [...told, ...later];
}

/** An attribute that is taken out is no longer managed: Terraform shows it as a removal. */
function removedAttributes(
  { fields }: ResourceTable,
  prior: ValueObject | null,
  proposed: ValueObject,
): readonly Diagnostic[] {
  if (prior === null) return [];
  const removed = Object.keys(fields).filter(
    (name) => fields[name]?.field !== undefined && (prior[name] ?? null) !== null && (proposed[name] ?? null) === null,
  );
  if (removed.length === 0) return [];
  return [
    diagnose(
      'HW7003',
      `${removed.map((name) => `\`${name}\``).join(', ')}: the plan shows it as removed. What is live there is left as it is.`,
    ),
  ];
}

async function planDestroy(
  table: ResourceTable,
  configured: Configured,
  { prior, private: bytes }: Change,
): Promise<PlannedChange> {
  const kept = fromPrivate(bytes);
  const address = addressIn(table, prior ?? {});
  const end = (review: Private, diagnostics: readonly Diagnostic[]): PlannedChange => ({
    state: null,
    private: toPrivate({ ...kept, approved: [], ...review }),
    requiresReplace: [],
    diagnostics,
  });
  if (table.part !== undefined)
    return end({}, [
      diagnose('HW7016', `${address}: what it says of the live object stays as it is; it is only managed no more.`),
    ]);
  const deletion = prior?.deletion ?? 'refuse';
  if (deletion === 'abandon')
    return end({}, [diagnose('HW7016', `${address} stays on the account as it is: \`deletion\` is "abandon".`)]);
  if (deletion !== 'delete')
    return end({}, [
      diagnose(
        'HW7004',
        `${address} would be deleted with everything in it. Nothing was planned. To delete it, set \`deletion = "delete"\`, apply, and destroy then. To keep it and only forget it here, set \`deletion = "abandon"\`, or use a \`removed\` block.`,
      ),
    ]);
  if (prior === null) return end({}, []);
  const { root, diagnostics } = await declare(table, prior, { id: textOf(prior.id), isAbsent: true });
  if (root === undefined) return end({}, diagnostics);
  const { plan, diagnostics: found } = await planRoot(configured.access(), root, kept.snapshot);
  if (plan === undefined) return end({}, found);
  const held = [...plan.blocked, ...plan.manual, ...plan.unknown].map(({ reason, remedy }) =>
    diagnose('HW7017', `${root.address}: ${reason}. ${remedy}`),
  );
  return end(reviewOf(plan), [...held, ...configured.count(root.address, plan)]);
}

export interface Applied {
  readonly state: Value;
  readonly private: Buffer;
  readonly diagnostics: readonly Diagnostic[];
}

/** Carries the plan out. After money was spent there is no error any more: Terraform would throw the object away. */
export async function applyResource(
  table: ResourceTable,
  configured: Configured,
  {
    prior,
    planned,
    private: bytes,
  }: {
    readonly prior: ValueObject | null;
    readonly planned: ValueObject | null;
    readonly private: Uint8Array | undefined;
  },
): Promise<Applied> {
  const kept = fromPrivate(bytes);
  const isDestroy = planned === null;
  const values = planned ?? prior;
  const unchanged = (diagnostics: readonly Diagnostic[]): Applied => ({
    state: prior,
    private: toPrivate(kept),
    diagnostics,
  });
  if (values === null || (isDestroy && (prior?.deletion === 'abandon' || table.part !== undefined)))
    return { state: null, private: Buffer.alloc(0), diagnostics: [] };
  const id = prior === null || isPending(prior) ? undefined : prior.id;
  const { root, diagnostics } = await declare(table, values, {
    ...(typeof id === 'string' && { id }),
    ...(isDestroy && { isAbsent: true as const }),
    secrets: configured.workspace,
  });
  if (root === undefined) return unchanged(diagnostics);
  const { session, workspace, client } = configured;
  const snapshot = kept.snapshot === undefined ? undefined : renamedTo(kept.snapshot, root.address);
  const opened = await configured.openLedger(snapshot);
  if ('diagnostics' in opened) return unchanged(opened.diagnostics);
  const { ledger, close } = opened;
  const { outcome, view } = await configured.locked([root.address, ...(kept.locks ?? [])], () =>
    applyRoot({ session, workspace, client, ledger, root, snapshot, approved: kept.approved ?? [] }),
  );
  await close();
  configured.forget();
  const made = view.objects.get(root.address)?.id;
  if (outcome.outcome === 'conflict') return unchanged([changedSince(root.address, outcome)]);
  if (isDestroy)
    return isDone(outcome)
      ? { state: null, private: Buffer.alloc(0), diagnostics: [] }
      : unchanged([diagnose('HW7018', whatHappened(outcome)), ...errorsOf(outcome)]);
  if (id === undefined && made === undefined) {
    const flight = view.inFlight.find(({ action }) => action.address === root.address);
    if (flight !== undefined && flight.unanswered === undefined)
      return pending(table, configured, { planned: values, outcome, view, kept });
    return unchanged(
      flight === undefined
        ? [diagnose('HW7019', whatHappened(outcome)), ...errorsOf(outcome)]
        : [
            diagnose(
              'HW7012',
              `${whatHappened(outcome)}\nLook at the invoices of the account. Then run \`hostwright ledger confirm ${root.address} --id ID\` with the id of what was made, or \`--not-made\`.`,
            ),
          ],
    );
  }
  return settled(table, configured, {
    prior,
    planned: values,
    id: made ?? textOf(id),
    outcome,
    memory: { address: root.address, view },
  });
}

/** It was ordered, and is on its way: it is in the state, so that it is not ordered again. */
function pending(
  { fields }: ResourceTable,
  configured: Configured,
  {
    planned,
    outcome,
    view,
    kept,
  }: {
    readonly planned: ValueObject;
    readonly outcome: Outcome;
    readonly view: Pick<LedgerView, 'objects' | 'inFlight'>;
    readonly kept: Private;
  },
): Applied {
  const waitingFor = whatHappened(outcome);
  const state = {
    ...closeComputed(planned),
    id: `${PENDING}${configured.session.runtime.uuid()}`,
    status: 'waiting',
    waiting_for: waitingFor,
  };
  const own = outcome.actions[0]?.address ?? '';
  const flights = view.inFlight.filter(({ action }) => rootOf(action.address) === rootOf(own));
  const snapshot: Snapshot = { ...emptySnapshot(rootOf(own), ''), inFlight: flights };
  return {
    state: Object.fromEntries(Object.keys(fields).map((name) => [name, state[name as keyof typeof state] ?? null])),
    private: toPrivate({ ...kept, ...(configured.access().isWithoutLedger === true && { snapshot }) }),
    diagnostics: [diagnose('HW7010', waitingFor)],
  };
}

/** An attribute that is a text wherever it is known. */
function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isDone({ outcome }: Outcome): boolean {
  return outcome === 'done';
}

/** The state after a run that left something behind, or everything. */
async function settled(
  table: ResourceTable,
  configured: Configured,
  {
    prior,
    planned,
    id,
    outcome,
    memory,
  }: {
    readonly prior: ValueObject | null;
    readonly planned: ValueObject;
    readonly id: string;
    readonly outcome: Outcome;
    readonly memory: { readonly address: string; readonly view: Pick<LedgerView, 'objects' | 'inFlight'> };
  },
): Promise<Applied> {
  const { root } = await declare(table, planned, { id });
  const remembered = [...memory.view.objects.values()];
  const earlier: Snapshot = {
    ...emptySnapshot(memory.address, id),
    objects: remembered,
    ...(configured.access().isWithoutLedger === true &&
      memory.view.inFlight.length > 0 && { inFlight: memory.view.inFlight }),
  };
  const seen = root === undefined ? undefined : await lookAtRoot(configured.access(), root, earlier);
  const snapshot = seen?.is === 'there' ? seen.snapshot : earlier;
  const isBad = ['partly-applied', 'error', 'interrupted', 'refused'].includes(outcome.outcome);
  const status =
    outcome.outcome === 'done'
      ? { status: 'ready', waiting_for: null }
      : { status: isBad ? 'incomplete' : 'waiting', waiting_for: whatHappened(outcome) };
  const declaredState = withOutputs(table, closeComputed({ ...planned, ...status }), snapshot);
  const end = { private: toPrivate({ snapshot }) };
  if (outcome.outcome === 'done') return { ...end, state: declaredState, diagnostics: [] };
  if (outcome.outcome === 'waiting')
    return {
      ...end,
      state: declaredState,
      diagnostics: [diagnose('HW7010', whatHappened(outcome))],
    };
  if (prior === null)
    return {
      ...end,
      state: declaredState,
      diagnostics: [diagnose('HW7011', `${whatHappened(outcome)} The next plan has what is missing.`)],
    };
  // An update that failed in part is as it is live, so that the next plan has what is missing.
  const live =
    seen?.is === 'there'
      ? withOutputs(
          table,
          closeComputed({ ...planned, ...fromManifest(table.fields, seen.spec, planned), ...status }),
          snapshot,
        )
      : prior;
  return {
    ...end,
    state: live,
    diagnostics: [diagnose('HW7020', whatHappened(outcome)), ...errorsOf(outcome)],
  };
}

/** Of what nobody has looked at. */
function emptySnapshot(address: string, id: string): Snapshot {
  return { address, member: { id, identity: '', spec: {}, computed: {}, keys: [] }, observed: {}, objects: [] };
}

/** What only the provider gives and is not known is nothing. */
function closeComputed(values: ValueObject): ValueObject {
  const close = (value: Value): Value => {
    if (value === UNKNOWN) return null;
    if (Array.isArray(value)) return (value as readonly Value[]).map(close);
    return isObject(value) ? closeComputed(value) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, close(value)]));
}

function changedSince(address: string, outcome: Outcome): Diagnostic {
  const why = outcome.diagnostics.filter(({ severity }) => severity === 'error').map(({ detail }) => detail);
  return diagnose(
    'HW7005',
    `${address}: what would be done now is not what was planned, so nothing was sent. Plan again and review it. ${why.join(' ')}`,
  );
}

/** What became of the actions that were not done, and what is left, in sentences. */
function whatHappened({ actions, remaining, diagnostics }: Outcome): string {
  const open = actions
    .filter(({ result }) => !['done', 'already-done', 'skipped'].includes(result))
    .map(({ address, result, reason }) => `${address}: ${result}${reason === undefined ? '' : `: ${reason}`}.`);
  const left = remaining.map(({ address, reason, remedy }) => `${address}: ${reason}. ${remedy}`);
  const said = [...new Set([...open, ...left])];
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ detail }) => detail);
  return (said.length > 0 ? said : errors).join('\n');
}

function errorsOf({ diagnostics }: Outcome): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/** The stub that a read fills in. */
export function importResource(
  { fields }: ResourceTable,
  id: string,
): { readonly state: ValueObject; readonly private: Buffer } {
  const empty = Object.fromEntries(Object.keys(fields).map((field) => [field, null]));
  return { state: { ...empty, id }, private: toPrivate({ imported: true }) };
}
