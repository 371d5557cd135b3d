// The manifests that a resource stands for, and where its object is.
import { addressOf, parentOf, rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import type { ReadValues } from '../../usecases/one-root/documents.ts';
import { readValues } from '../../usecases/one-root/documents.ts';
import type { DeclaredRoot } from '../../usecases/one-root/live-root.ts';
import type { Snapshot } from '../../usecases/one-root/snapshot.ts';
import type { Configured } from '../configured.ts';
import type { Private } from '../state-view.ts';
import { addressIn } from '../identity.ts';
import type { ResourceTable } from '../value/attribute.ts';
import type { Converted } from '../value/convert.ts';
import { isObject, textOf, toManifest } from '../value/convert.ts';
import type { Value, ValueObject } from '../value/cty.ts';
import { UNKNOWN } from '../value/cty.ts';

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
  how: {
    readonly id?: string;
    readonly isAbsent?: true;
    /** It is a configuration, which has all that was written. */
    readonly isWritten?: true;
    readonly secrets?: Configured['workspace'];
    /** Sites that hostnames are taken from. */
    readonly holders?: readonly Holder[];
  } = {},
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
  const holders = (how.holders ?? []).map((holder) => ({
    name: addressOf(null, kind, holder.name),
    value: { apiVersion: 'hostwright/v1', kind, metadata: { ...holder }, spec: {} },
  }));
  const places = how.secrets === undefined ? undefined : withSecrets(how.secrets, converted);
  const read = await readValues([{ name: address, value: document }, ...data, ...holders], places);
  const manifest = read.manifests.find((one) => one.kind === kind && one.name === name);
  const diagnostics = [
    ...wordProblems(values),
    ...timeoutProblems(values),
    ...(how.isWritten === true ? converted.strange.map(placeProblem) : []),
    ...read.diagnostics.map((one) => placed(one, converted)).filter((one) => !isAboutUnknown(one, converted.unknown)),
  ];
  const isWhole = manifest !== undefined && !hasErrors(diagnostics) && typeof given === 'string';
  return {
    converted,
    read,
    diagnostics,
    ...(isWhole && { root: { address, spec: manifest.spec, declared: read.declared } }),
  };
}

/** What is wrong in plain data is wrong where the configuration has it. */
function placed(diagnostic: Diagnostic, { data }: Converted): Diagnostic {
  const { source, pointer } = diagnostic;
  const own = data.find(({ kind, name }) => addressOf(null, kind, name) === source?.file);
  if (own === undefined || pointer === undefined) return diagnostic;
  return { ...diagnostic, pointer: `/spec${own.pointer}${pointer.replace(/^\/spec/, '')}` };
}

function placeProblem(pointer: string): Diagnostic {
  return {
    ...diagnose('HW7025', 'A secret is in one place: give exactly one of `value`, `env`, `file` and `entry`.'),
    pointer: `/spec${pointer}`,
  };
}

export interface Holder {
  readonly name: string;
  readonly id: string;
}

/**
 * The sites that hostnames are taken from by `move_from`, which names one by its id or as the ledger does. Nobody is
 * asked about hostnames that are here already.
 */
export async function withHolders(
  configured: Configured,
  values: ValueObject,
  kept: Private,
): Promise<{ readonly values: ValueObject; readonly holders: readonly Holder[] }> {
  const here = hostnamesIn(kept);
  const domains = Object.entries(isObject(values.domains) ? values.domains : {});
  const moved = domains.filter(([name, one]) => isObject(one) && typeof one.move_from === 'string' && !here.has(name));
  if (moved.length === 0) return { values, holders: [] };
  const access = configured.access();
  // Not loaded by a process that only checks configurations.
  const { listRoots } = await import('../../usecases/one-root/questions.ts');
  const listed = await listRoots(access, 'Site');
  const ids = new Set(listed.is === 'read' ? listed.roots.map(({ id }) => id) : []);
  const objects = [...access.ledger.objects.values()].filter(({ address }) => parentOf(address) === null);
  const holders = new Map<string, Holder>();
  const names = moved.map(([hostname, one]): [string, Value] => {
    const called = (one as { readonly move_from: string }).move_from;
    const id = access.ledger.objects.get(addressOf(null, 'Site', called))?.id ?? called;
    const known = objects.find((object) => object.id === id && object.address.startsWith('Site/'));
    const name = known === undefined ? called : decodeURIComponent(known.address.slice('Site/'.length));
    if (ids.has(id) && id !== values.id) holders.set(id, { name, id });
    return [hostname, { ...(one as ValueObject), move_from: name }];
  });
  return {
    values: { ...values, domains: { ...Object.fromEntries(domains), ...Object.fromEntries(names) } },
    holders: [...holders.values()],
  };
}

/** What is handed over and is still here stays declared, so that it is not detached before the other site takes it. */
export function withHandedOver(values: ValueObject, kept: Private): ValueObject {
  const { hand_over: handed, domains } = values;
  if (!Array.isArray(handed) || !isObject(domains)) return values;
  const here = hostnamesIn(kept);
  const left = (handed as readonly Value[]).filter(
    (name): name is string => typeof name === 'string' && here.has(name) && !Object.hasOwn(domains, name),
  );
  return { ...values, domains: { ...domains, ...Object.fromEntries(left.map((name) => [name, {}])) } };
}

/** The hostnames that the site had when it was last looked at. */
function hostnamesIn({ snapshot }: Private): ReadonlySet<string> {
  const live = snapshot?.observed[`${snapshot.address}/SiteDomain`];
  return new Set(live?.state === 'read' ? live.members.map(({ identity }) => identity) : []);
}

const UNITS = { h: 3_600_000, m: 60_000, s: 1000 } as const;

/** How long a part of the life of a resource may take; undefined: that is no duration. */
export function timeoutIn({ timeouts }: ValueObject, part: 'create' | 'update' | 'delete'): number | undefined {
  const said = isObject(timeouts) ? (timeouts[part] ?? null) : null;
  if (said === null || said === UNKNOWN) return TIMEOUT_MS;
  if (typeof said !== 'string' || !/^(?=.)(\d+h)?(\d+m)?(\d+s)?$/.test(said)) return undefined;
  const parts = [...said.matchAll(/(\d+)([hms])/g)];
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit as keyof typeof UNITS], 0);
}

const TIMEOUT_MS = 600_000;

function timeoutProblems(values: ValueObject): readonly Diagnostic[] {
  return (['create', 'update', 'delete'] as const)
    .filter((part) => timeoutIn(values, part) === undefined)
    .map((part) => ({
      ...diagnose('HW6913', `\`timeouts.${part}\` is no duration. Write hours, minutes and seconds, such as "1h30m".`),
      pointer: '/timeouts',
    }));
}

/** What destroying a resource does. */
export function deletionOf({ isKept }: ResourceTable, values: ValueObject | null): Value {
  return values?.deletion ?? (isKept === true ? 'abandon' : 'refuse');
}

const WORDS = { deletion: ['refuse', 'abandon', 'delete'], on_blocked: ['error', 'warn'] };

/** A slip would count as what is meant where nothing is written, which nobody finds out in time. */
function wordProblems(values: ValueObject): readonly Diagnostic[] {
  return Object.entries(WORDS).flatMap(([name, words]) => {
    const said = values[name];
    if (typeof said !== 'string' || words.includes(said)) return [];
    const allowed = words.map((word) => `"${word}"`).join(', ');
    const found = diagnose('HW7022', `\`${name}\` is "${said}". Write one of ${allowed}.`);
    return [{ ...found, pointer: `/${name}` }];
  });
}

/** The workspace, in which manifests may name the variables that stand for secrets of the configuration. */
export function withSecrets(workspace: Configured['workspace'], { secrets }: Converted): Configured['workspace'] {
  const { env, ...others } = workspace.secrets;
  return { ...workspace, secrets: { ...others, env: [...env, ...secrets.keys()] } };
}

/** A problem at, in or around a value that is not known yet. */
function isAboutUnknown({ pointer }: Diagnostic, unknown: readonly string[]): boolean {
  const place = pointer?.replace(/^\/spec/, '');
  if (place === undefined) return false;
  return unknown.some((at) => at.startsWith(`${place}/`) || place === at || place.startsWith(`${at}/`));
}

/** Something of it was begun and has not ended. */
export function isBegun(
  configured: Configured,
  table: ResourceTable,
  values: ValueObject,
  { snapshot }: Private,
): boolean {
  const address = addressIn(table, values);
  const { ledger } = configured.access();
  return [...ledger.inFlight, ...(snapshot?.inFlight ?? [])].some(({ action }) => rootOf(action.address) === address);
}

/** The ledger has something of it that its snapshot has not. */
export function hasNews(configured: Configured, { address, objects }: Snapshot): boolean {
  const known = new Map(objects.map((object) => [object.address, object.id]));
  const { ledger } = configured.access();
  return [...ledger.objects.values()].some(
    (object) => rootOf(object.address) === address && known.get(object.address) !== object.id,
  );
}

/** What tells the resources of one provider apart. */
export function resourceKey({ kind, part }: ResourceTable, values: ValueObject): string {
  return `${kind} ${part?.name ?? ''} ${textOf(values[part?.name ?? 'name'])}`;
}
