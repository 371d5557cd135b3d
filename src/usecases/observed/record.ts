// The use case `export --observed`: what is live and declared by no manifest is written down, as manifests in a folder of
// their own that no plan reads. The folder is written anew each time. Sends nothing but reads.
import path from 'node:path';
import type { Address } from '../../model/address.ts';
import { compareText, kindOf, rootNameOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { Exported, NotExported } from '../../model/exported.ts';
import { firstOf } from '../../model/format.ts';
import type { JsonObject } from '../../model/json.ts';
import { withValueAt } from '../../model/json.ts';
import { declaredKinds } from '../../model/kind/declared.ts';
import { itemsOf } from '../../model/kind/section.ts';
import { normaliseSpec } from '../../model/kind/normalise.ts';
import { memberAddress } from '../../model/kind/kind.ts';
import { registry } from '../../areas/index.ts';
import type { ObservedFolder } from '../../manifest/observed.ts';
import { OBSERVED_FILE, readObserved } from '../../manifest/observed.ts';
import { OBSERVED, withoutIgnored } from '../../manifest/read/validate.ts';
import { compareMadeFiles, madeBy, writeMadeFiles } from '../../manifest/write/made-files.ts';
import { nameRoots } from '../../manifest/write/name-manifests.ts';
import type { NewFile } from '../../manifest/write/new-files.ts';
import { writeManifest } from '../../manifest/write/write.ts';
import type { Account, WithRequests } from '../account.ts';
import { withAccount } from '../account.ts';
import { stopAtErrors } from '../client.ts';
import type { Session } from '../session.ts';
import { openWorkspace } from '../workspace.ts';
import type { Declared } from './compare.ts';
import { isDeclaredWhole, undeclaredFields, wantedIn } from './compare.ts';
import type { Gap, Seen } from './compose.ts';
import { isCompared, isList, isSaid, manifestFrom, onlyOne } from './compose.ts';
import { ignoredIn } from './drift.ts';
import { lookAround } from './look.ts';

/** The first line of every file of the folder, by which a later run knows what it may write over. */
const LINE = `${madeBy('hostwright export --observed')} Not declared: \`drift\` compares it, and no plan acts on it.`;

export interface Recorded {
  /** Absent when there are errors. */
  readonly manifests?: readonly Exported[];
  readonly leftOut: readonly NotExported[];
  /** How many files are other than they were. */
  readonly changed: number;
  readonly folder: string;
}

/** Reads the account, and writes the folder that the workspace names. */
export async function recordObserved(session: Session): Promise<Recorded & WithRequests> {
  const opened = await openWorkspace(session, [], { mayBeEmpty: true });
  const { workspace } = opened;
  const nothing = { leftOut: [], changed: 0, folder: workspace?.observed ?? '' };
  if (workspace !== undefined && workspace.observed === undefined)
    return { ...nothing, diagnostics: [...opened.diagnostics, noFolder()], requests: 0 };
  const result = await withAccount(session, opened, async (account) => {
    // A folder that cannot be used gives no names.
    const { folder } = await readObserved(account.workspace);
    const look = await lookAround(account, folder);
    const declared = declaredIn(account);
    const documents = documentsFor(look.roots, declared);
    const spec = {
      account: account.workspace.account,
      at: new Date(session.clock.now()).toISOString(),
      kinds: look.kinds,
    };
    const { changed, diagnostics } = await writeFolder(account.workspace, spec, documents);
    return {
      manifests: documents,
      changed,
      leftOut: look.gaps.map(({ address, reason }) => ({ address, reason })),
      diagnostics: stopAtErrors([
        ...diagnostics,
        // What is declared is compared with its manifest.
        ...notRecorded(look.gaps.filter(({ address }) => !wantedIn(declared).members.has(address))),
      ]),
    };
  });
  return { ...nothing, ...result };
}

/** What the manifests declare, as far as it is known without the account. */
export function declaredIn({ opened, ledger }: Pick<Account, 'opened' | 'ledger'>): Declared {
  return { collections: opened.declared, ignored: ignoredIn(opened), ledger };
}

/** One manifest a root, with what no manifest declares of it. */
export function documentsFor(roots: readonly Seen[], declared: Declared): readonly Exported[] {
  const files = nameRoots(
    roots.map(({ kind, member, address }) => ({
      kind: kind.kind,
      folder: kind.manifest?.file?.folder ?? '',
      id: member.id,
      called: [rootNameOf(address)],
    })),
  );
  return roots.map((root, index) => documentOf(root, files[index]?.file ?? '', undeclaredIn(root, declared)));
}

function documentOf(
  { kind: { kind }, member, address }: Pick<Seen, 'kind' | 'member' | 'address'>,
  file: string,
  { spec, ignore }: { readonly spec: JsonObject; readonly ignore: readonly string[] },
): Exported {
  const manifest = {
    apiVersion: 'hostwright/v1',
    kind,
    metadata: { name: rootNameOf(address), id: member.id },
    lifecycle: { state: OBSERVED, ...(ignore.length > 0 && { ignore }) },
    spec,
  };
  return { address, file, manifest, text: textOf(manifest), comments: [] };
}

export function textOf(manifest: JsonObject): string {
  return `${LINE}\n${writeManifest({ manifest })}\n`;
}

/** Brings the folder to these documents. */
async function writeFolder(
  { root, observed = '' }: Pick<Account['workspace'], 'root' | 'observed'>,
  spec: ObservedFolder['spec'],
  documents: readonly Pick<Exported, 'file' | 'text'>[],
): Promise<{ readonly changed: number; readonly diagnostics: readonly Diagnostic[] }> {
  const index: NewFile = {
    file: OBSERVED_FILE,
    text: textOf({ apiVersion: 'hostwright/v1', kind: 'Observed', spec: { ...spec } }),
  };
  const folder = path.resolve(root, observed);
  const { changes, diagnostics } = await compareMadeFiles(folder, [...documents, index], LINE);
  stopAtErrors(diagnostics);
  return { changed: changes.length, diagnostics: await writeMadeFiles(folder, changes) };
}

/** What is live of a root without what the manifests declare; `ignore`: single fields that they declare, as pointers. */
function undeclaredIn(
  { kind: root, member, address, spec: whole, inside }: Seen,
  declared: Declared,
): { readonly spec: JsonObject; readonly ignore: readonly string[] } {
  const wanted = wantedIn(declared);
  const spec = withoutIgnored(whole, declared.ignored.get(address) ?? []);
  const manifest = manifestFrom({ kind: root.kind, name: rootNameOf(address) }, spec);
  const ignore: string[] = [];
  let left = spec;
  const cut = (pointer: string): void => {
    left = withValueAt(left, pointer, undefined) as JsonObject;
  };
  for (const kind of [root, ...declaredKinds(manifest, registry)]) {
    const collection = wanted.collections.get(kind.parent === null ? kind.kind : `${address}/${kind.kind}`);
    if (collection === undefined) continue;
    if (!isList(kind)) {
      const own = wanted.members.get(kind.parent === null ? address : `${address}/${kind.kind}`);
      const live = kind.parent === null ? member : onlyMember(inside.get(kind.kind));
      if (own === undefined || live === undefined) continue;
      const { placeOf } = onlyOne(kind, left);
      if (kind.parent !== null && undeclaredFields(kind, live.spec, own).length === 0)
        kind.section.fields.forEach((field) => cut(`/${field}`));
      else
        for (const field of Object.keys(own.spec).filter((one) => isCompared(kind.fields[one], undefined))) {
          const place = placeOf(field);
          const folded = withValueAt(left, place, undefined) as JsonObject;
          if (isSaid(kind, folded)) left = folded;
          ignore.push(place);
        }
      continue;
    }
    const items = itemsOf(kind, manifest).map((item) => ({ item, spec: normaliseSpec(kind, item.spec) }));
    const declaredItems = items.filter(({ spec: live }) => {
      const own = wanted.members.get(memberAddress({ kind: kind.kind, parent: address }, kind, kind.identity(live)));
      return own === undefined ? isDeclaredWhole(kind, collection) : undeclaredFields(kind, live, own).length === 0;
    });
    // From behind: an item that is cut moves what comes after it.
    for (const { item } of [...declaredItems].reverse()) cut(item.pointer);
    if (isDeclaredWhole(kind, collection) && declaredItems.length === items.length)
      kind.section.fields.forEach((field) => cut(`/${field}`));
  }
  return { spec: left, ignore: ignore.sort(compareText) };
}

function onlyMember(collection: ReturnType<Seen['inside']['get']>) {
  return collection?.state === 'read' ? collection.members[0] : undefined;
}

function noFolder(): Diagnostic {
  return diagnose(
    'HW6745',
    'Write `observed: observed` under `spec` of the workspace file, then run the command again.',
  );
}

const SHOWN = 3;

/** What is not compared, once for each kind and reason. */
function notRecorded(gaps: readonly Gap[]): readonly Diagnostic[] {
  const groups = new Map<string, { readonly reason: string; readonly addresses: Address[] }>();
  for (const { address, reason } of gaps) {
    const key = `${kindOf(address)} ${reason}`;
    const group = groups.get(key) ?? { reason, addresses: [] };
    group.addresses.push(address);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ reason, addresses }) =>
    diagnose('HW6746', `${firstOf(addresses, SHOWN)}: ${reason}. \`drift\` does not see a change there.`),
  );
}
