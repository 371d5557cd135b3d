// The use case `test --url`: what manifests, or the account as it is, say of one request. Without `live` nothing is asked of
// the platform; with it, reads alone.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import { canonicalHostname } from '../../model/hostname.ts';
import type { Collection, Kind } from '../../model/kind/kind.ts';
import { deepMerge } from '../../model/json.ts';
import type { LeftOut } from '../../model/kind/to-manifest.ts';
import type { Trace, TracedRequest } from '../../model/plan/trace.ts';
import { registry } from '../../areas/index.ts';
import { quote } from '../../model/format.ts';
import { rootToManifest } from '../../planner/to-manifest.ts';
import type { Account } from '../account.ts';
import { withAccount } from '../account.ts';
import type { Session } from '../session.ts';
import type { NamedRoot } from '../write/documents.ts';
import { nameLiveRoots, takenBy } from '../write/documents.ts';
import { readInside, readRoots } from '../write/live.ts';
import { openOffline, openWorkspace } from '../workspace.ts';
import { placeOf, servedBy, tracedKinds, traceRequest } from './trace.ts';

export interface TraceResult {
  readonly trace?: Trace;
  readonly diagnostics: readonly Diagnostic[];
}

/** `paths`: files, folders, globs or `-`; empty: what the workspace names. */
export async function traceWorkspace(
  session: Session,
  request: TracedRequest,
  { paths = [], live = false }: { readonly paths?: readonly string[]; readonly live?: boolean } = {},
): Promise<TraceResult> {
  if (live) {
    const opened = await openWorkspace(session, [], { mayBeEmpty: true });
    return withAccount(session, opened, (account) => traceLive(account, request));
  }
  const { manifests, diagnostics } = await openOffline(session, paths);
  if (hasErrors(diagnostics)) return { diagnostics };
  const manifest = servedBy(manifests, request.url);
  if (manifest === undefined)
    return {
      diagnostics: [notServed(request, 'No manifest has', 'Name it in `domains`, or add --live to ask the account.')],
    };
  return { trace: traceRequest(manifest, request), diagnostics: [] };
}

async function traceLive(account: Account, request: TracedRequest): Promise<TraceResult> {
  const asked = canonicalHostname(request.url.hostname);
  const kinds = [...registry.values()].filter(({ kind, parent }) => parent === null && tracedKinds(kind).length > 0);
  const live = await Promise.all(kinds.map((kind) => readRoots(account, kind)));
  const unread = live.flatMap(({ collection }) => (collection.state === 'read' ? [] : [collection]));
  const found = live.flatMap(({ kind, members, named }) =>
    members
      .filter(({ keys }) => keys[0]?.includes(asked) === true)
      .map((member) => ({ kind, member, address: named.get(member.id) })),
  );
  const [root] = found;
  if (root === undefined) {
    const [first] = unread;
    return {
      diagnostics: [
        first === undefined
          ? notServed(request, 'No site of the account has', '`hostwright get domains` lists those that there are.')
          : notServed(request, 'Nobody can say which site has', `${first.reason}. ${first.remedy}`),
      ],
    };
  }
  const { opened, ledger, session } = account;
  const [named] = nameLiveRoots([root], ledger, takenBy(opened, session.cwd));
  const address = root.address ?? (named as NamedRoot).address;
  const inside = await readInside(account, [{ ...root, address }], ({ kind }) => tracedKinds(kind));
  const sections: ReadonlyMap<string, Collection> = inside.get(address) ?? new Map();
  const { spec: whole, leftOut } = rootToManifest(registry, root.kind, root.member, sections);
  // Rules whose order is not known are rules all the same.
  const spec = leftOut.reduce((all, { spec: said = {} }) => deepMerge(all, said), whole);
  const name = address.slice(address.indexOf('/') + 1);
  return {
    trace: traceRequest(
      { kind: root.kind.kind, name: decodeURIComponent(name), spec },
      request,
      whyUnread(root.kind, sections, leftOut),
    ),
    diagnostics: [],
  };
}

/** By kind. What the site has none of, because it is off or not in its plan, is known. */
function whyUnread(
  { kind: root }: Kind,
  sections: ReadonlyMap<string, Collection>,
  leftOut: readonly LeftOut[],
): ReadonlyMap<string, string> {
  return new Map(
    tracedKinds(root).flatMap((kind) => {
      const collection = sections.get(kind.kind);
      if (collection?.state === 'blocked' || collection?.state === 'deferred') return [];
      const left = leftOut.find(
        ({ what, reason, spec }) => reason !== undefined && spec === undefined && what.startsWith(placeOf(kind)),
      );
      const reason = left?.reason ?? (collection?.state === 'read' ? collection.incomplete?.reason : undefined);
      return reason === undefined ? [] : [[kind.kind, reason] as const];
    }),
  );
}

function notServed({ url }: TracedRequest, what: string, remedy: string): Diagnostic {
  return diagnose('HW6740', `${what} the hostname ${quote(url.hostname)}. ${remedy}`);
}
