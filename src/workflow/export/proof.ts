// Whether what was written says what is live: the texts are parsed and planned as any others are, against the answers
// that they were made of.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import type { DesiredCollection } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { PlanBlocker, Plan } from '../../model/plan/plan.ts';
import type { Workspace } from '../../model/workspace.ts';
import { dataKinds, registry } from '../../kinds/index.ts';
import { expandManifests } from '../../manifest/read/expand.ts';
import type { ParsedDocument } from '../../manifest/read/parse.ts';
import { parseYaml } from '../../manifest/read/parse.ts';
import { SourceText } from '../../manifest/read/source-text.ts';
import { validateDocuments } from '../../manifest/read/validate.ts';
import type { Client } from '../../platform/http.ts';
import type { ExportDocument } from './documents.ts';
import { planLive } from '../plan/plan.ts';
import type { Session } from '../session.ts';

export interface ProofRequest {
  readonly session: Session;
  readonly workspace: Workspace;
  readonly client: Pick<Client, 'read' | 'ask'>;
  readonly ledger: LedgerView;
  readonly existing: readonly ParsedDocument[];
  readonly documents: readonly ExportDocument[];
  readonly texts: readonly { readonly file: string; readonly text: string }[];
}

const SHOWN = 20;

/** Nothing, when a plan of the texts has nothing to do and nothing to say that they do not say themselves. */
export async function provePlansToNothing(request: ProofRequest): Promise<readonly Diagnostic[]> {
  const { session, workspace, client, ledger, existing, documents, texts } = request;
  const parsed = texts.map(({ file, text }) => parseYaml(new SourceText(file, text)));
  const checked = validateDocuments([...existing, ...parsed.flatMap((one) => one.documents)], registry, dataKinds);
  const unsound = [...parsed.flatMap(({ diagnostics }) => diagnostics), ...checked.diagnostics];
  if (hasErrors(unsound))
    return [
      failed(unsound.filter(({ severity }) => severity === 'error').map(({ code, detail }) => `${code}: ${detail}`)),
    ];
  const own = new Set(documents.map(({ address }) => address));
  const declared = expandManifests(checked.manifests, registry).flatMap((collection) => ownPart(collection, own));
  const { plan, diagnostics } = await planLive({
    session: { ...session, emit: () => undefined },
    workspace,
    declared,
    ledger,
    targets: [],
    notices: [],
    client,
  });
  if (plan === undefined)
    return hasErrors(diagnostics)
      ? [
          failed(
            diagnostics
              .filter(({ severity }) => severity === 'error')
              .map(({ code, address, detail }) => `${code} ${address ?? ''}: ${detail}`),
          ),
        ]
      : diagnostics;
  const differences = differencesIn(plan, own, documents);
  return differences.length === 0 ? [] : [failed(differences)];
}

/** Only what was written is proven: what other manifests say is theirs. */
function ownPart(collection: DesiredCollection, own: ReadonlySet<Address>): readonly DesiredCollection[] {
  if (collection.parent !== null) return own.has(collection.parent) ? [collection] : [];
  const members = collection.members.filter(({ address }) => own.has(address));
  return members.length === 0 ? [] : [{ ...collection, members }];
}

function differencesIn(plan: Plan, own: ReadonlySet<Address>, documents: readonly ExportDocument[]): readonly string[] {
  const reported = new Set(
    documents.flatMap(({ address, leftOut }) =>
      leftOut.flatMap(({ members = [] }) => members.map((identity) => JSON.stringify([address, identity]))),
    ),
  );
  const mine = ({ address }: PlanBlocker): boolean => own.has(rootOf(address));
  const stuck = (['blocked', 'unknown', 'waiting', 'manual'] as const).flatMap((list) =>
    plan[list].filter(mine).map(({ address, reason }) => `${address} is ${list}: ${reason}`),
  );
  return [
    ...plan.actions.map(
      ({ address, verb, reason, changes }) =>
        `${verb} ${address}: ${reason} (${changes.map(({ path }) => path).join(', ')})`,
    ),
    ...stuck,
    ...plan.deferred.map(({ address, reason }) => `${address} is deferred: ${reason}`),
    ...plan.unmanaged
      .filter(({ collection, identity }) => !reported.has(JSON.stringify([rootOf(collection), identity])))
      .map(({ collection, identity }) => `${collection}: ${identity} is not named`),
  ];
}

function failed(differences: readonly string[]): Diagnostic {
  const more = differences.length > SHOWN ? `; and ${differences.length - SHOWN} more` : '';
  return {
    code: 'HW6702',
    severity: 'error',
    summary: 'What would be written does not plan to nothing',
    detail: `Nothing was written. A plan of it would have these: ${differences.slice(0, SHOWN).join('; ')}${more}. If the account was changed meanwhile, run it again; if this stays, please report it, and leave out what is named here (export takes addresses and kinds).`,
  };
}
