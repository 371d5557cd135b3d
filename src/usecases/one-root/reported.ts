// What the platform reports of a live root and of what is in it, beside their fields: name servers, targets, proofs.
import type { Json, JsonObject } from '../../model/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, saidOnce } from '../../model/diagnostic.ts';
import type { Kind, Member } from '../../model/kind/kind.ts';
import type { RecordContext } from '../../model/kind/capabilities/records.ts';
import { kindOf } from '../../model/address.ts';
import { registry } from '../../areas/index.ts';
import { readOptional } from '../dns/optional-reads.ts';
import type { RootAccess, DeclaredRoot } from './live-root.ts';
import type { Snapshot } from './snapshot.ts';

/** By name. null: there is none. Absent: it is not reported now, and the value from before holds. */
export type Values = Readonly<Record<string, Json>>;

export interface Reported {
  readonly root: Values;
  /** Of what is in it: by kind, by identity. */
  readonly members: Readonly<Record<string, Readonly<Record<string, Values>>>>;
  /** Warnings: a read that only this needs has failed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads what no other look has read; equal paths once. */
export async function reportedOf(access: RootAccess, root: DeclaredRoot, snapshot: Snapshot): Promise<Reported> {
  const { address, member, observed, objects } = snapshot;
  const recorded = new Map(objects.map((object) => [object.address, object]));
  const diagnostics: Diagnostic[] = [];
  const wanted = new Map(
    root.declared.flatMap(({ members }) => members.map((one) => [one.address, one.spec] as const)),
  );
  const valuesOf = async (kind: Kind, at: string, live: Member): Promise<Values> => {
    const known = recorded.get(at);
    const context: RecordContext<JsonObject> = {
      desired: wanted.get(at) ?? {},
      live,
      parent: kind.parent === null ? null : member,
      // What was reported of another object that once had this address is not of this one.
      outputs: known?.id === live.id ? known.outputs : {},
    };
    const { outputs = {}, reported } = kind.capabilities;
    const { answers, failed } = await readOptional(access.client, reported?.reads?.(context) ?? {});
    diagnostics.push(...failed.map(({ path, message }) => notReported(address, path, message)));
    const source = { spec: live.spec, computed: live.computed, reported: context.outputs };
    return {
      ...Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value(source) ?? null])),
      ...Object.fromEntries(
        Object.entries(reported?.values ?? {}).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
          const found = value(context, answers);
          return found === undefined ? [] : [[name, found]];
        }),
      ),
    };
  };
  const members: Record<string, Readonly<Record<string, Values>>> = {};
  for (const kind of registry.values()) {
    const live = observed[`${address}/${kind.kind}`];
    const { outputs, reported } = kind.capabilities;
    if (live?.state !== 'read' || (outputs === undefined && reported === undefined)) continue;
    const ofKind: Record<string, Values> = {};
    for (const one of live.members) {
      const at = `${address}/${kind.kind}/${encodeURIComponent(one.identity)}`;
      if (wanted.has(at)) ofKind[one.identity] = await valuesOf(kind, at, one);
    }
    members[kind.kind] = ofKind;
  }
  const kind = registry.get(kindOf(address));
  return {
    root: kind === undefined ? {} : await valuesOf(kind, address, member),
    members,
    diagnostics: saidOnce(diagnostics),
  };
}

function notReported(address: string, path: string, message: string): Diagnostic {
  return diagnose(
    'HW7002',
    `${address}: GET ${path} failed: ${message}. The values from before are kept. Run it again.`,
    { severity: 'warning', address },
  );
}
