// How a whole account is read to be written down: the roots of the kinds that are asked for, then every section of
// those that no manifest names. Equal paths are asked once, for the proof that follows too. Must send nothing but
// reads.
import type { Address } from '../../model/address.ts';
import { addressOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { EmitEvent } from '../../model/plan/event.ts';
import type { Json } from '../../model/json.ts';
import type { Collection, Kind, Member, Registry } from '../../model/kind/kind.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { ownedByCollection } from '../../model/plan/ledger-view.ts';
import { bindRoots } from '../../planner/bind.ts';
import { withLedgerMembers } from '../../observe/from-ledger.ts';
import { readCollection } from '../../observe/read-live.ts';
import type { Reader } from '../../observe/reader.ts';
import { createReader } from '../../observe/reader.ts';
import type { Client } from '../../platform/http.ts';

export interface ExportReading {
  /** Answers that it gave once are given again. */
  readonly client: Pick<Client, 'read'>;
  readonly account: string;
  readonly registry: Registry;
  readonly ledger: LedgerView;
  readonly emit: EmitEvent;
  readonly concurrency: number;
}

/** The live roots of one kind. */
export interface LiveRoots {
  readonly kind: Kind;
  readonly collection: Collection;
  /** The members that manifests name already, by id. */
  readonly named: ReadonlyMap<string, Address>;
  /** Manifests that could be about more than one of them, or about none. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A live root under the address that it gets, to be looked into. */
export interface Addressed {
  readonly kind: Kind;
  readonly member: Member;
  readonly address: Address;
}

/** A client that asks for nothing twice, also not for what could not be answered: everybody sees the same. */
export function rememberReads(client: Pick<Client, 'read'>): Pick<Client, 'read'> {
  const answers = new Map<string, Promise<Json>>();
  return {
    read: (path, ...options) => {
      const known = answers.get(path);
      if (known !== undefined) return known;
      const answer = client.read(path, ...options);
      answers.set(path, answer);
      return answer;
    },
  };
}

/** All live roots of a kind, and which of them the manifests name. */
export async function readRoots(
  request: ExportReading,
  kind: Kind,
  declared: readonly DesiredCollection[],
  reader: Reader,
): Promise<LiveRoots> {
  const collection =
    declared.find((one) => one.kind === kind.kind && one.parent === null) ?? nothingDeclared(kind.kind, null);
  const owned = ownedByCollection(request.ledger).get(kind.kind) ?? new Set<string>();
  const live = withLedgerMembers(
    kind,
    await readCollection(
      { kind, declared: collection, parent: null, owned, account: request.account, whole: true },
      reader,
    ),
    () => request.ledger.objects.values(),
  );
  if (live.state !== 'read') return { kind, collection: live, named: new Map(), diagnostics: [] };
  const { bound, diagnostics } = bindRoots(collection, live.members, request.ledger);
  return { kind, collection: live, named: new Map([...bound].map(([address, { id }]) => [id, address])), diagnostics };
}

/** What stands in each of the roots, by address and kind. Rejects for a refused credential only. */
export async function readInside(
  request: ExportReading,
  roots: readonly Addressed[],
  reader: Reader,
): Promise<ReadonlyMap<Address, ReadonlyMap<string, Collection>>> {
  const inside = new Map<Address, Map<string, Collection>>();
  const looks = roots.flatMap(({ kind, member, address }) =>
    [...request.registry.values()]
      .filter(({ parent, capabilities: { hook } }) => parent === kind.kind && hook === undefined)
      .map((section) => ({ section, member, address })),
  );
  const queue = looks.values();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const { section, member, address } of queue) {
      const declared = nothingDeclared(section.kind, address);
      const collection = await readCollection(
        { kind: section, declared, parent: member, owned: new Set(), account: request.account, whole: true },
        reader,
      );
      const known = inside.get(address) ?? new Map<string, Collection>();
      inside.set(address, known.set(section.kind, collection));
      done += 1;
      request.emit({ type: 'reading', done, total: looks.length });
    }
  };
  await Promise.all(Array.from({ length: 2 * request.concurrency }, work));
  return inside;
}

/** One reader for roots and what is in them. */
export function readerFor({ client }: ExportReading): Reader {
  return createReader(client);
}

/** A collection that is read although no manifest mentions it. */
function nothingDeclared(kind: string, parent: Address | null): DesiredCollection {
  return {
    collection: addressOf(parent, kind, null),
    kind,
    parent,
    members: [],
    unlisted: 'keep',
    protect: false,
    partial: parent === null,
    rootSpec: {},
    sourceOf: () => undefined,
  };
}
