// Carrying out the plan of a resource, and what the state says then. After money was spent there is no error any more:
// Terraform would throw the object away, and make another one.
import { rootOf } from '../../model/address.ts';
import { deadlineOf } from '../../model/deadline.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose } from '../../model/diagnostic.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import type { Outcome } from '../../model/plan/outcome.ts';
import { isEmptyPlan } from '../../model/plan/plan.ts';
import { readRootState } from '../../usecases/one-root/live-root.ts';
import { reportedOf } from '../../usecases/one-root/reported.ts';
import { applyRoot } from '../../usecases/one-root/run.ts';
import type { Snapshot } from '../../usecases/one-root/snapshot.ts';
import { renamedTo } from '../../usecases/one-root/snapshot.ts';
import type { Configured } from '../configured.ts';
import { inTerraformWords } from '../diagnostics.ts';
import { watchReads } from '../../usecases/one-root/fingerprint.ts';
import { addressIn, isPending, otherAccount, PENDING } from '../identity.ts';
import type { Private } from '../state-view.ts';
import { fromPrivate, managedOf, privateOf, toPrivate } from '../state-view.ts';
import type { ResourceTable } from '../value/attribute.ts';
import { fromManifest, isSame, textOf, withLive } from '../value/convert.ts';
import type { Value, ValueObject } from '../value/cty.ts';
import { UNKNOWN } from '../value/cty.ts';
import { closeComputed, isAnyReported, withOpenFilled, withOpenWords } from './computed.ts';
import { declare, deletionOf, timeoutIn, withHandedOver, withHolders, withSecrets } from './declare.ts';
import { sentenceOf } from './plan.ts';
import { readFrom, withOthers } from './read.ts';

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
    config,
    private: bytes,
  }: {
    readonly prior: ValueObject | null;
    readonly planned: ValueObject | null;
    readonly config: ValueObject | null;
    readonly private: Uint8Array | undefined;
  },
): Promise<Applied> {
  const kept = fromPrivate(bytes);
  const { account } = configured.workspace;
  const isDestroy = planned === null;
  const values = planned ?? prior;
  // Of the state of what is destroyed, only what was managed has to be a manifest.
  const managed = config ?? (prior === null ? null : managedOf(table, prior, kept));
  const unchanged = (diagnostics: readonly Diagnostic[]): Applied => ({
    state: prior,
    private: toPrivate({ ...kept, account }),
    diagnostics,
  });
  // A saved plan can be applied with another HOSTWRIGHT_ACCOUNT.
  const wrong = otherAccount(kept.account, account, addressIn(table, values ?? {}));
  if (wrong !== undefined) return { state: prior, private: Buffer.from(bytes ?? []), diagnostics: [wrong] };
  if (
    values === null ||
    managed === null ||
    (isDestroy && (deletionOf(table, prior) === 'abandon' || table.part !== undefined))
  )
    return { state: null, private: Buffer.alloc(0), diagnostics: [] };
  // Of what is to be replaced, Terraform has no plan made: the plan says so first, where it can see that.
  if (isDestroy && kept.approved === undefined)
    return unchanged([
      diagnose(
        'HW6912',
        `${addressIn(table, values)} would be deleted to be made anew, and no plan of that was made. Nothing was sent. Run \`terraform untaint\`, or leave \`-replace\` out.`,
      ),
    ]);
  const id = prior === null || isPending(prior) ? undefined : prior.id;
  const given = withHandedOver({ ...managed, id: prior?.id ?? null }, kept);
  const { values: said, holders } = isDestroy
    ? { values: given, holders: [] }
    : await withHolders(configured, given, kept);
  const { root, converted, diagnostics } = await declare(table, said, {
    holders,
    ...(typeof id === 'string' && { id }),
    ...(isDestroy && { isAbsent: true as const }),
    secrets: configured.workspace,
  });
  if (root === undefined) return unchanged(diagnostics);
  const { client } = configured;
  const workspace = withSecrets(configured.workspace, converted);
  const session = {
    ...configured.session,
    env: (name: string) => (converted.secrets.has(name) ? converted.secrets.get(name) : configured.session.env(name)),
  };
  const snapshot = kept.snapshot === undefined ? undefined : renamedTo(kept.snapshot, root.address);
  const opened = await configured.openLedger(snapshot);
  if ('diagnostics' in opened) return unchanged(opened.diagnostics);
  const { ledger, close } = opened;
  const isCreate = prior === null || isPending(prior);
  const { outcome, view, lines } = await configured.locked(root.address, kept.locks ?? [], (release) =>
    applyRoot({
      session: withTimeout(session, values, isDestroy ? 'delete' : prior === null ? 'create' : 'update'),
      workspace,
      client,
      ledger,
      root,
      snapshot,
      release,
      ...(isCreate && values.wait_for_proof !== true && { waitsForNobody: true as const }),
      ...(kept.continued !== true && { approved: kept.approved ?? [] }),
    }),
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
    managed,
    id: made ?? textOf(id),
    outcome,
    memory: { address: root.address, view, lines },
    left: kept.left ?? [],
  });
}

/** A session that is over when the time is; what has waited for others until now does not count. */
function withTimeout(
  session: Configured['session'],
  values: ValueObject,
  part: Parameters<typeof timeoutIn>[1],
): Configured['session'] {
  const durationMs = timeoutIn(values, part);
  if (durationMs === undefined) return session;
  return { ...session, deadline: deadlineOf(session.clock.now(), durationMs, session.timeoutMs) };
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
    private: toPrivate({
      account: configured.workspace.account,
      ...(kept.approved !== undefined && { approved: kept.approved }),
      ...(configured.access().isWithoutLedger === true && { snapshot }),
    }),
    diagnostics: [diagnose('HW7010', waitingFor, { address: rootOf(own) })],
  };
}

/** Nothing is waited for: what is left cannot be done, or is up to whoever wrote it. */
function isOnlyBlocked({ outcome, remaining, actions }: Outcome): boolean {
  return (
    outcome === 'waiting' &&
    remaining.length > 0 &&
    remaining.every(({ is }) => is === 'blocked' || is === 'by-hand') &&
    actions.every(({ result }) => result !== 'waiting')
  );
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
    managed,
    id,
    outcome,
    memory,
    left,
  }: {
    readonly prior: ValueObject | null;
    readonly planned: ValueObject;
    readonly managed: ValueObject;
    readonly id: string;
    readonly outcome: Outcome;
    readonly memory: {
      readonly address: string;
      readonly view: Pick<LedgerView, 'objects' | 'inFlight'>;
      readonly lines: readonly string[];
    };
    /** What the plan has said that it cannot do. */
    readonly left: readonly string[];
  },
): Promise<Applied> {
  const { root } = await declare(table, managed, { id });
  const remembered = [...memory.view.objects.values()];
  const earlier: Snapshot = {
    ...emptySnapshot(memory.address, id),
    objects: remembered,
    ...(configured.access().isWithoutLedger === true &&
      memory.view.inFlight.length > 0 && { inFlight: memory.view.inFlight }),
  };
  const watch = watchReads(configured.access(), configured.engine);
  const seen = root === undefined ? undefined : await readRootState(watch.access, root, earlier);
  const snapshot = seen?.is === 'there' ? seen.snapshot : earlier;
  const isIncomplete =
    ['partly-applied', 'error', 'interrupted', 'refused'].includes(outcome.outcome) || isOnlyBlocked(outcome);
  // Where the plan did nothing but take over words, what it said of the status holds until the next read.
  const isOpen = planned.status === UNKNOWN;
  const given = {
    ...(planned.actions === UNKNOWN && { actions: memory.lines.map(inTerraformWords) }),
    ...(isOpen && outcome.outcome === 'done' && { status: 'ready', waiting_for: '' }),
    ...((isOpen || outcome.actions.length > 0) &&
      outcome.outcome !== 'done' && {
        status: isIncomplete ? 'incomplete' : 'waiting',
        waiting_for: whatHappened(outcome),
      }),
  };
  const reported =
    seen?.is === 'there' && root !== undefined && isAnyReported(table, planned)
      ? await reportedOf(configured.access(), root, snapshot)
      : undefined;
  const others =
    seen?.is === 'there'
      ? await withOthers(table, configured.access(), snapshot, { own: managed, state: prior ?? managed })
      : {};
  const closed = (values: ValueObject): ValueObject => ({
    ...closeComputed(
      withOpenWords(table, reported === undefined ? values : withOpenFilled(table, values, reported), others),
    ),
    id: snapshot.member.id,
  });
  const declaredState = closed({ ...planned, ...given });
  const look = seen?.is === 'there' ? seen : { snapshot: earlier };
  const end = {
    private: privateOf(table, look, { account: configured.workspace.account, managed, state: declaredState }),
  };
  if (outcome.outcome === 'done') {
    const done = { ...end, state: declaredState, diagnostics: reported?.diagnostics ?? [] };
    if (root === undefined || seen?.is !== 'there' || !isEmptyPlan(seen.plan)) return done;
    // Where a read would say the same, it is spared.
    const same = (diagnostics: readonly Diagnostic[]): Applied => ({ ...done, diagnostics });
    const read = await readFrom(table, configured, { root, state: declaredState, managed, seen, same, watch });
    return isSame(read.state, declaredState) ? { ...done, private: read.private } : done;
  }
  // Against what the plan was sure of.
  const isLate = planned.status === 'ready' && outcome.actions.length > 0;
  const isToldBefore = isOnlyBlocked(outcome) && outcome.remaining.every((one) => left.includes(sentenceOf(one)));
  if (outcome.outcome === 'waiting' && !isLate)
    return {
      ...end,
      state: declaredState,
      diagnostics: isToldBefore
        ? []
        : [diagnose(isIncomplete ? 'HW7009' : 'HW7010', whatHappened(outcome), { address: memory.address })],
    };
  if (prior === null)
    return {
      ...end,
      state: declaredState,
      diagnostics: [
        diagnose('HW7011', `${whatHappened(outcome)} The next plan has what is missing.`, { address: memory.address }),
      ],
    };
  // An update that failed in part is as it is live, so that the next plan has what is missing.
  const live =
    seen?.is === 'there'
      ? closed({ ...planned, ...liveOf(table, fromManifest(table.fields, seen.spec, managed), others), ...given })
      : prior;
  return {
    ...end,
    state: live,
    diagnostics: [diagnose('HW7020', whatHappened(outcome)), ...errorsOf(outcome)],
  };
}

/** What is live of what is managed, and of what is not. */
function liveOf({ fields }: ResourceTable, own: ValueObject, others: ValueObject): ValueObject {
  return withLive(fields, own, { state: others, live: others });
}

/** Of what nobody has looked at. */
function emptySnapshot(address: string, id: string): Snapshot {
  return { address, member: { id, identity: '', spec: {}, computed: {}, keys: [] }, observed: {}, objects: [] };
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
  const said = [...new Set([...open, ...remaining.map(sentenceOf)])];
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ detail }) => detail);
  return inTerraformWords((said.length > 0 ? said : errors).join('\n'));
}

function errorsOf({ diagnostics }: Outcome): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
