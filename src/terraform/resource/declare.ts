// The manifests that a resource stands for, and where its object is.
import { addressOf, rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import type { ReadValues } from '../../workflow/one-root/documents.ts';
import { readValues } from '../../workflow/one-root/documents.ts';
import type { DeclaredRoot } from '../../workflow/one-root/look.ts';
import type { Configured } from '../configured.ts';
import { diagnose } from '../diagnostics.ts';
import type { Private } from '../state-view.ts';
import type { ResourceTable } from '../value/attribute.ts';
import type { Converted } from '../value/convert.ts';
import { toManifest } from '../value/convert.ts';
import type { Value, ValueObject } from '../value/cty.ts';

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
  const places = how.secrets === undefined ? undefined : withSecrets(how.secrets, converted);
  const read = await readValues([{ name: address, value: document }, ...data], places);
  const manifest = read.manifests.find((one) => one.kind === kind);
  const diagnostics = [
    ...deletionProblems(values),
    ...read.diagnostics.filter((one) => !isAboutUnknown(one, converted.unknown)),
  ];
  const isWhole = manifest !== undefined && !hasErrors(diagnostics) && typeof given === 'string';
  return {
    converted,
    read,
    diagnostics,
    ...(isWhole && { root: { address, spec: manifest.spec, declared: read.declared } }),
  };
}

const DELETIONS = ['refuse', 'abandon', 'delete'];

/** A slip would count as `refuse`, which nobody finds out before a destroy. */
function deletionProblems({ deletion }: ValueObject): readonly Diagnostic[] {
  if (typeof deletion !== 'string' || DELETIONS.includes(deletion)) return [];
  const words = DELETIONS.map((word) => `"${word}"`).join(', ');
  return [diagnose('HW7022', `\`deletion\` is "${deletion}". Write one of ${words}.`)];
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

/** In place of the id of what was ordered and is not there yet. */
export const PENDING = 'pending:';

export function isPending({ id }: ValueObject): boolean {
  return typeof id === 'string' && id.startsWith(PENDING);
}

export function addressIn({ kind, part }: ResourceTable, values: ValueObject): string {
  return addressOf(null, kind, textOf(values[part?.name ?? 'name']));
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

/** An attribute that is a text wherever it is known. */
export function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
