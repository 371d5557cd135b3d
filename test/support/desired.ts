// Builds wanted collections and live members for tests of pure code, without YAML.
import { addressOf } from '../../src/model/address.ts';
import type { Desired, DesiredCollection } from '../../src/model/desired.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { Collection, Kind, Member } from '../../src/model/kind/kind.ts';
import { memberAddress } from '../../src/model/kind/kind.ts';
import type { LedgerObject, LedgerView } from '../../src/model/plan/ledger-view.ts';
import { MISSING_LEDGER } from '../../src/model/plan/ledger-view.ts';
import { normaliseSpec } from '../../src/model/kind/normalise.ts';

export function wantRoot(kind: Kind, name: string, spec: JsonObject = {}, extra: Partial<Desired> = {}): Desired {
  return {
    address: addressOf(null, kind.kind, name),
    kind: kind.kind,
    parent: null,
    identity: name,
    spec,
    lifecycle: { state: 'present', protect: false },
    keys: [],
    sourceOf: () => ({ file: `${name}.yaml`, line: 3, column: 1 }),
    ...extra,
  };
}

export function wantRoots(kind: Kind, members: readonly Desired[]): DesiredCollection {
  return {
    collection: kind.kind,
    kind: kind.kind,
    parent: null,
    members,
    unlisted: 'keep',
    protect: false,
    partial: false,
    sourceOf: () => undefined,
  };
}

export function wantMembers(
  kind: Kind,
  parent: string,
  specs: readonly JsonObject[],
  extra: Partial<DesiredCollection> = {},
): DesiredCollection {
  const collection = { kind: kind.kind, parent };
  const members = specs.map((raw, index): Desired => {
    const spec = normaliseSpec(kind, raw);
    const identity = kind.identity(spec);
    return {
      address: memberAddress(collection, kind, identity),
      kind: kind.kind,
      parent,
      identity,
      spec,
      lifecycle: { state: 'present', protect: extra.protect ?? false },
      keys: [],
      sourceOf: (field) => (field === '' ? { file: 'main.yaml', line: 10 + index, column: 5 } : undefined),
    };
  });
  return {
    collection: addressOf(parent, kind.kind, null),
    ...collection,
    members,
    unlisted: 'keep',
    protect: false,
    partial: false,
    sourceOf: () => ({ file: 'main.yaml', line: 9, column: 3 }),
    ...extra,
  };
}

export function live(kind: Kind, ...specs: readonly JsonObject[]): Collection {
  return { state: 'read', members: specs.map((spec, index) => member(kind, `id-${index + 1}`, spec)), blockers: {} };
}

export function member(kind: Kind, id: string, raw: JsonObject, extra: Partial<Member> = {}): Member {
  const spec = normaliseSpec(kind, raw);
  return { id, identity: kind.identity(spec), spec, computed: {}, keys: [], ...extra };
}

export function ledgerOf(...objects: readonly (Partial<LedgerObject> & { readonly address: string })[]): LedgerView {
  return {
    ...MISSING_LEDGER,
    standing: 'complete',
    account: 'acc-1',
    objects: new Map(
      objects.map((object) => [object.address, { id: 'id-1', owned: true, applied: {}, outputs: {}, ...object }]),
    ),
  };
}
