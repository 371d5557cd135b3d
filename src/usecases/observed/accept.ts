// `drift --accept` of what no manifest declares: the observed manifests say what is live now, of the objects that were
// named and of no other.
import path from 'node:path';
import type { Address } from '../../model/address.ts';
import { addressOf, kindOf, rootNameOf, rootOf } from '../../model/address.ts';
import type { DriftItem } from '../../model/plan/drift.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { sameJson, valueAt, withValueAt } from '../../model/json.ts';
import type { Kind } from '../../model/kind/kind.ts';
import { memberAddress } from '../../model/kind/kind.ts';
import { itemsOf } from '../../model/kind/section.ts';
import { normaliseSpec } from '../../model/kind/normalise.ts';
import { registry } from '../../areas/index.ts';
import type { ObservedFolder, ObservedManifest } from '../../manifest/observed.ts';
import type { MadeFile } from '../../manifest/write/made-files.ts';
import type { Exported } from '../../model/exported.ts';
import { isList, manifestFrom } from './compose.ts';
import { textOf } from './record.ts';

/** The files of the folder that change; `live`: what a new recording would write. */
export function acceptedFiles(
  folder: ObservedFolder,
  live: readonly Exported[],
  items: readonly DriftItem[],
): readonly MadeFile[] {
  const fresh = new Map(live.map((one) => [one.address, one]));
  const roots = [...new Set(items.map(({ address }) => rootOf(address)))];
  return roots.flatMap((root): readonly MadeFile[] => {
    const now = fresh.get(root);
    const known = folder.manifests.find((one) => isSame(one, root, now));
    if (known === undefined) return now === undefined ? [] : [{ file: now.file, after: now.text }];
    if (now === undefined) return [{ file: known.file, before: known.text }];
    const own = items.filter(({ address }) => rootOf(address) === root);
    const after = own.reduce(
      (document, { address }) => withObject(document, now.manifest as JsonObject, address),
      known.document,
    );
    return [{ file: known.file, before: known.text, after: textOf(after) }];
  });
}

function isSame({ manifest: { kind, name, id } }: ObservedManifest, root: Address, now: Exported | undefined): boolean {
  const live = now === undefined ? undefined : valueAt(now.manifest, '/metadata/id');
  return kind === kindOf(root) && (live === undefined ? addressOf(null, kind, name) === root : id === live);
}

/** The document with one object as the other has it. Lines that stand in several places of a section come together. */
function withObject(document: JsonObject, now: JsonObject, address: Address): JsonObject {
  const kind = registry.get(kindOf(address)) as Kind;
  const { fields } = kind.section;
  const [was, is] = [document, now].map((one) => valueAt(one, '/spec') as JsonObject) as [JsonObject, JsonObject];
  const pointer = `/${fields[0] ?? ''}`;
  const [before, after] = [itemsIn(kind, was, address), itemsIn(kind, is, address)];
  const copied = (all: JsonObject, field: string): JsonObject =>
    withValueAt(all, `/${field}`, valueAt(is, `/${field}`)) as JsonObject;
  const isOne = fields.length === 1 && before !== undefined && after !== undefined;
  const spec = isOne
    ? (withValueAt(
        was,
        pointer,
        withItem(before, after, address).map(({ value }) => value),
      ) as JsonObject)
    : fields.reduce(copied, was);
  // What has a meaning only with it comes and goes with it.
  const resting = [...registry.values()].flatMap(({ capabilities: { dependsOn }, parent, section }) =>
    parent === kind.parent && dependsOn?.kind === kind.kind ? section.fields : [],
  );
  const whole = resting
    .filter((field) => valueAt(spec, `/${field}`) === undefined || valueAt(is, `/${field}`) === undefined)
    .reduce(copied, spec);
  return { ...document, spec: whole, lifecycle: withIgnored(document, now, [...fields, ...resting]) };
}

interface Item {
  readonly address: Address;
  readonly value: Json;
}

/** The items of a list, in their order; undefined for what is no list. */
function itemsIn(kind: Kind, spec: JsonObject, address: Address): readonly Item[] | undefined {
  const list = valueAt(spec, `/${kind.section.fields[0] ?? ''}`);
  const root = rootOf(address);
  if (!isList(kind) || !Array.isArray(list)) return undefined;
  return itemsOf(kind, manifestFrom({ kind: kindOf(root), name: rootNameOf(root) }, spec)).map((item, index) => ({
    address: memberAddress({ kind: kind.kind, parent: root }, kind, kind.identity(normaliseSpec(kind, item.spec))),
    value: (list as readonly Json[])[index] as Json,
  }));
}

/** With one item as it is now, behind the one that it stands behind; for the list itself, its items in their new order. */
function withItem(before: readonly Item[], after: readonly Item[], address: Address): readonly Item[] {
  const place = (of: Item): number => after.findIndex((one) => one.address === of.address);
  const at = after.findIndex((one) => one.address === address);
  const item = after[at];
  if (item === undefined && !before.some((one) => one.address === address)) {
    const moved = before.filter((one) => place(one) >= 0).sort((left, right) => place(left) - place(right));
    return before.map((one) => (place(one) < 0 ? one : (moved.shift() as Item)));
  }
  if (item === undefined || before.some((one) => one.address === address))
    return before.flatMap((one) => (one.address === address ? (item ?? []) : one));
  const ahead = before.findLastIndex((one) => place(one) >= 0 && place(one) < at);
  return before.toSpliced(ahead + 1, 0, item);
}

/** What the manifests declared of a section when it was recorded is as old as the section. */
function withIgnored(document: JsonObject, now: JsonObject, fields: readonly string[]): Json {
  const isIn = (pointer: string): boolean =>
    fields.some((field) => pointer === `/${field}` || pointer.startsWith(`/${field}/`));
  const ignoredIn = (one: JsonObject): readonly string[] =>
    (valueAt(one, '/lifecycle/ignore') ?? []) as readonly string[];
  const ignore = [...ignoredIn(document).filter((one) => !isIn(one)), ...ignoredIn(now).filter(isIn)];
  const { ignore: _, ...rest } = document.lifecycle as JsonObject;
  return { ...rest, ...(ignore.length > 0 && { ignore }) };
}

/** As they are shown: seen from the workspace; what is removed is empty afterwards. */
export function shownFiles(observed: string, files: readonly MadeFile[]) {
  return files
    .filter(({ before, after }) => before === undefined || !sameJson(before, after))
    .map(({ file, before, after = '' }) => ({
      file: path.posix.join(observed, file),
      ...(before !== undefined && { before }),
      after,
    }));
}
