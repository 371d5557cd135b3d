// What apply would do with a resource, and what stands against that.
import type { Address } from '../../model/address.ts';
import { rootOf } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { Plan, PlanBlocker } from '../../model/plan/plan.ts';
import { isUnfinished } from '../../model/plan/plan.ts';
import type { DeclaredRoot, Obstacle } from '../../usecases/one-root/live-root.ts';
import { obstaclesIn } from '../../usecases/one-root/live-root.ts';
import { lineOf, namesIn, ownNames, planRoot } from '../../usecases/one-root/run.ts';
import { renamedTo } from '../../usecases/one-root/snapshot.ts';
import type { Claim } from '../claims.ts';
import type { Configured } from '../configured.ts';
import { addressIn, isPending, otherAccount } from '../identity.ts';
import type { Private } from '../state-view.ts';
import { fromPrivate, managedOf, toPrivate } from '../state-view.ts';
import type { Fields, ResourceTable } from '../value/attribute.ts';
import { eachOf, hasUnknown, isObject, isSame, overPrior, saysManaged, textOf } from '../value/convert.ts';
import type { Value, ValueObject } from '../value/cty.ts';
import { UNKNOWN } from '../value/cty.ts';
import { snake } from '../value/names.ts';
import { unsettled, withOpenMembers } from './computed.ts';
import { declare, deletionOf, hasNews, isBegun, withHandedOver, withHolders } from './declare.ts';

export interface PlannedChange {
  readonly state: Value;
  readonly private: Buffer;
  readonly requiresReplace: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Change {
  readonly prior: ValueObject | null;
  readonly config: ValueObject | null;
  readonly private: Uint8Array | undefined;
}

/** What apply would do: all of it known, or put off until what it rests on is. */
export async function planResource(
  table: ResourceTable,
  configured: Configured,
  change: Change,
): Promise<PlannedChange> {
  const { prior, config } = change;
  const { account } = configured.workspace;
  const wrong =
    prior === null ? undefined : otherAccount(fromPrivate(change.private).account, account, addressIn(table, prior));
  if (wrong !== undefined)
    return { state: prior, private: Buffer.from(change.private ?? []), requiresReplace: [], diagnostics: [wrong] };
  if (config === null) return planDestroy(table, configured, change);
  if (prior !== null) {
    const inSync = planInSync(table, configured, { prior, config, private: change.private });
    if (inSync !== undefined) return inSync;
  }
  // What is managed is what the configuration says; what the state has beside that stays as it is.
  const proposed = overPrior(table.fields, config, prior);
  // Of what is planned to be made in place of something else, Terraform hands over what is known of the other one.
  const kept = prior === null ? {} : fromPrivate(change.private);
  const end = (state: Value, rest: Partial<PlannedChange> = {}): PlannedChange => ({
    state,
    private: toPrivate({ account, ...(kept.snapshot !== undefined && { snapshot: kept.snapshot }), approved: [] }),
    requiresReplace: [],
    diagnostics: [],
    ...rest,
  });
  const called = table.part?.name ?? 'name';
  const isUnsure = hasUnknown(config[called] ?? null);
  if (prior !== null && table.isNamedByHostname === true && prior[called] !== proposed[called])
    return deletionOf(table, prior) === 'abandon'
      ? end(unsettled(table.fields, proposed, null), {
          requiresReplace: [called],
          private: toPrivate({ account, approved: [] }),
        })
      : end(prior, { diagnostics: [refusedDestroy(addressIn(table, prior))] });
  const given = withoutUnknownSections(table.fields, { ...config, id: prior?.id ?? null });
  const { values: planned, holders } = await withHolders(configured, withHandedOver(given, kept), kept);
  const putOff = Object.keys(planned).filter((name) => planned[name] === null && (config[name] ?? null) !== null);
  const id = prior === null || isPending(prior) ? undefined : prior.id;
  const declared = await declare(table, isUnsure ? { ...planned, [called]: UNKNOWN } : planned, {
    ...(typeof id === 'string' && { id }),
    secrets: configured.workspace,
    holders,
  });
  if (hasErrors(declared.diagnostics)) return end(prior ?? null, { diagnostics: declared.diagnostics });
  const late = prior === null || isPending(prior) ? [] : usedOnce(table, prior, config);
  if (late.length > 0) return end(prior, { diagnostics: late });
  const { root } = declared;
  if (root === undefined) return end(unsettled(table.fields, proposed, prior));
  const twice = claimed(table, configured, root, { prior, config, id });
  if (twice !== undefined) return end(prior, { diagnostics: [twice] });
  const snapshot = kept.snapshot === undefined ? undefined : renamedTo(kept.snapshot, root.address);
  const { plan, live, diagnostics } = await planRoot(configured.access(), root, snapshot);
  if (plan === undefined) return end(prior ?? null, { diagnostics });
  const found = live?.bound.get(root.address);
  const isContinued = isBegun(configured, table, proposed, kept);
  const isOurs = configured.access().ledger.objects.get(root.address)?.id === found?.id;
  if (prior === null && table.part !== undefined && found === undefined)
    return end(unsettled(table.fields, proposed, null));
  if (
    prior === null &&
    table.part === undefined &&
    found !== undefined &&
    !isOurs &&
    !isContinued &&
    proposed.adopt !== true
  )
    return end(null, { diagnostics: [heldRoot(plan, root.address) ?? alreadyThere(table, root.address, found.id)] });
  // A create that takes over an object must not take it from another resource of the same state.
  const bound =
    prior === null && table.part === undefined && found !== undefined
      ? configured.claims.bind(root.address, `${table.kind} ${found.id}`)
      : undefined;
  if (bound !== undefined) return end(null, { diagnostics: [bound] });
  const stuck = prior === null && found === undefined && !isContinued ? stuckRoot(plan, root.address) : undefined;
  const isOrdered = (config.order ?? null) !== null;
  if (prior === null && configured.claims.isLost(root.address) && (buys(plan) || (stuck !== undefined && isOrdered)))
    return end(null, { diagnostics: [wouldBeBoughtAgain(table, root.address)] });
  if (stuck !== undefined) return end(null, { diagnostics: [stuck] });
  const obstacles = live === undefined ? [] : obstaclesIn(root, { plan, live });
  // What was paid for has to stay in the state, whatever is left to do about it.
  const isAllowed = isContinued || (prior !== null && isPending(prior)) || proposed.on_blocked === 'warn';
  if (obstacles.length > 0 && !isAllowed) return end(prior, { diagnostics: obstacles.map(refusedObstacle) });
  const refused = configured.count(root.address, plan);
  if (refused.length > 0) return end(prior ?? null, { diagnostics: refused });
  const bare = bareHostnames(configured, root.address, plan, config);
  const isOpen = putOff.length > 0 || bare.length > 0;
  const isBlocked = obstacles.length > 0 && prior !== null && differs(table, prior, proposed);
  const changes = prior === null || plan.actions.length > 0 || isOpen || isContinued || isBlocked;
  const values = changes
    ? unsettled(table.fields, proposed, prior, plan.actions, !isOpen && !isContinued && staysReady(plan, prior))
    : withOpenMembers(table.fields, proposed, prior, []);
  return end(values, {
    private: toPrivate({
      account,
      ...(snapshot !== undefined && { snapshot }),
      ...reviewOf(plan, isContinued ? kept : {}),
      ...(isContinued && (prior === null || isPending(prior)) && { continued: true as const }),
      left: [...plan.blocked, ...plan.manual].map(sentenceOf),
    }),
    diagnostics: [
      ...declared.diagnostics,
      ...risks(plan),
      ...removedAttributes(table, root.address, prior, proposed),
      ...bare,
      ...(prior === null || putOff.length === 0 ? [] : [notKnownYet(root.address, putOff)]),
      ...leftOver(root.address, plan, prior === null),
    ],
  });
}

/** Whether all that is planned is done when it is sent: nothing is bought, and nobody is waited for. */
function staysReady(plan: Plan, prior: ValueObject | null): boolean {
  return (
    prior?.status === 'ready' &&
    !isUnfinished(plan) &&
    plan.actions.every(({ cost, steps }) => cost === undefined && steps.every((step) => step.do !== 'wait-for'))
  );
}

function buys({ actions }: Plan): boolean {
  return actions.some(({ risk }) => risk.includes('charge'));
}

function wouldBeBoughtAgain({ kind }: ResourceTable, address: string): Diagnostic {
  const example = `hostwright_${snake(kind)}.NAME`;
  return diagnose(
    'HW7024',
    `${address} is in the state, and on the account no more: it is being deleted, or is gone. Another one would be bought, so nothing was planned for it. Ask the platform first whether it can be restored. To forget it, run \`terraform state rm ${example}\` and take the resource out of the configuration. To buy another one in its place, run \`terraform state rm ${example}\` and \`hostwright ledger forget ${address}\`, and plan: the plan has the price.`,
  );
}

function refusedObstacle({ address, reason, remedy, pointer }: Obstacle): Diagnostic {
  return diagnose(
    'HW7009',
    `${address}: ${reason}. ${remedy} Nothing was planned for this resource. To have the rest of it done all the same, set \`on_blocked = "warn"\`.`,
    { severity: 'error', pointer },
  );
}

/** Whether the configuration says something else than the state. */
function differs({ fields }: ResourceTable, prior: ValueObject, proposed: ValueObject): boolean {
  return Object.keys(fields).some(
    (name) => fields[name]?.field !== undefined && !isSame(prior[name] ?? null, proposed[name] ?? null),
  );
}

/** Values that are used when something is bought or attached, and that no call changes afterwards. */
function usedOnce({ kind, fields }: ResourceTable, prior: ValueObject, proposed: ValueObject): readonly Diagnostic[] {
  const isOther = (before: Value | undefined, now: Value | undefined): boolean =>
    before !== undefined &&
    before !== null &&
    now !== undefined &&
    now !== null &&
    now !== UNKNOWN &&
    !isSame(before, now);
  const late = (pointer: string, name: string, before: Value | undefined, what: string): Diagnostic =>
    diagnose(
      'HW7023',
      `\`${name}\` is used once, ${what}; it changes nothing that is there. Write ${JSON.stringify(before)} again, or take it out.`,
      { pointer },
    );
  const { order: ordered, domains: attached } = prior;
  const { order, domains } = proposed;
  const inOrder =
    isObject(ordered) && isObject(order)
      ? Object.keys(order)
          .filter((name) => name !== 'max_price' && isOther(ordered[name], order[name]))
          .map((name) =>
            late(`/spec/order/${name}`, `order.${name}`, ordered[name], `when the ${words(kind)} is bought`),
          )
      : [];
  const isAttachable =
    fields.domains?.attribute.is === 'map' && Object.hasOwn(fields.domains.attribute.fields, 'attach');
  if (!isAttachable || !isObject(attached) || !isObject(domains)) return inOrder;
  const inDomains = Object.entries(domains).flatMap(([name, now], index) => {
    const before = attached[name];
    if (!isObject(before) || !isObject(now) || !isOther(before.attach, now.attach)) return [];
    return [
      late(
        `/spec/domains/${index}/attach`,
        `domains["${name}"].attach`,
        before.attach,
        'when the hostname is attached',
      ),
    ];
  });
  return [...inOrder, ...inDomains];
}

function words(kind: string): string {
  return snake(kind).replaceAll('_', ' ');
}

/** Whether another resource is about the same, or this one is to be replaced. */
function claimed(
  table: ResourceTable,
  { claims }: Configured,
  root: DeclaredRoot,
  {
    prior,
    config,
    id,
  }: { readonly prior: ValueObject | null; readonly config: ValueObject; readonly id: Value | undefined },
): Diagnostic | undefined {
  const { hand_over: handed, domains } = config;
  const left = (Array.isArray(handed) ? (handed as readonly Value[]) : []).filter(
    (name) => !isObject(domains) || !Object.hasOwn(domains, textOf(name)),
  );
  const names = ownNames(root).filter((name) => !left.includes(nameOf(name)));
  return claims.claim(claimOf(table, { address: root.address, isNew: prior === null, id, names }));
}

function claimOf(
  { kind, part }: ResourceTable,
  { address, isNew, id, names }: Omit<Claim, 'id'> & { readonly id: Value | undefined },
): Claim {
  if (part !== undefined) return { address: `the ${part.name} part of ${address}`, isNew: false, names: [] };
  return { address, isNew, names, ...(typeof id === 'string' && { id: `${kind} ${id}` }) };
}

/**
 * The plan of what was as declared when it was last read, and whose configuration says the same now: nothing is
 * asked, and nothing is worked out. undefined: it has to be planned.
 */
function planInSync(
  table: ResourceTable,
  configured: Configured,
  { prior, config, private: bytes }: { readonly [name in 'prior' | 'config']: ValueObject } & Pick<Change, 'private'>,
): PlannedChange | undefined {
  const kept = fromPrivate(bytes);
  const { snapshot } = kept;
  const address = addressIn(table, prior);
  if (kept.isInSync !== true || snapshot?.address !== address || (config.hand_over ?? null) !== null) return undefined;
  if (!saysManaged(table.fields, config, managedOf(table, prior, kept))) return undefined;
  if (hasNews(configured, snapshot) || isBegun(configured, table, prior, kept)) return undefined;
  const twice = configured.claims.claim(
    claimOf(table, { address, isNew: false, id: prior.id, names: namesIn(snapshot) }),
  );
  return {
    state: prior,
    private: Buffer.from(bytes ?? []),
    requiresReplace: [],
    diagnostics: twice === undefined ? [] : [twice],
  };
}

/**
 * Hostnames that another resource of this run detaches, and this one attaches then. Only apply can tell how that goes.
 */
function bareHostnames(
  { leaving }: Configured,
  address: string,
  { actions }: Plan,
  { domains }: ValueObject,
): readonly Diagnostic[] {
  for (const action of actions)
    if (action.verb === 'delete' && action.kind === 'SiteDomain') leaving.set(nameOf(action.address), address);
  return Object.keys(isObject(domains) ? domains : {}).flatMap((hostname) => {
    const from = leaving.get(hostname);
    return from === undefined || from === address
      ? []
      : [
          diagnose(
            'HW6914',
            `${hostname} is detached from ${from} first, and attached to ${address} then: between the two it serves nothing. To move it in one step, write \`hand_over = ["${hostname}"]\` in ${from} and \`move_from\` here.`,
          ),
        ];
  });
}

function nameOf(address: string): string {
  return decodeURIComponent(address.slice(address.lastIndexOf('/') + 1));
}

function refusedDestroy(address: string): Diagnostic {
  return diagnose(
    'HW7004',
    `${address} would be deleted with everything in it. Nothing was planned. To delete it, set \`deletion = "delete"\`, apply, and destroy then. To keep it and only forget it here, set \`deletion = "abandon"\`, or use a \`removed\` block.`,
  );
}

/** The values without what is not known yet: a section with such a value is planned when it is known. */
function withoutUnknownSections(fields: Fields, values: ValueObject): ValueObject {
  return eachOf(values, (value, name) => (fields[name]?.field !== undefined && hasUnknown(value) ? null : value));
}

/** What apply holds its own plan against, and waits for. */
function reviewOf({ actions }: Plan, before: Private = {}): Required<Pick<Private, 'approved' | 'locks'>> {
  return {
    // What was reviewed when it was begun goes on once that has ended.
    approved: [...new Set([...(before.approved ?? []), ...actions.map(({ digest }) => digest)])],
    locks: [...new Set([...(before.locks ?? []), ...actions.flatMap(({ locks }) => locks)])].sort(),
  };
}

function alreadyThere({ kind }: ResourceTable, address: string, id: string): Diagnostic {
  return diagnose(
    'HW7006',
    `The account has it, and nothing shows that this configuration made it: ${kind} ${id}. To manage it, import it:\n\n  import {\n    to = hostwright_${snake(kind)}.NAME\n    id = "${id}"\n  }\n\nwith the name of this resource in place of NAME. Or set \`adopt = true\` in ${address}, and its live values become what the configuration says.`,
  );
}

/** Why a root that is not there is not going to be made. */
function stuckRoot(plan: Plan, address: string): Diagnostic | undefined {
  if (plan.actions.some((action) => action.address === address)) return undefined;
  const blocker = [...plan.blocked, ...plan.manual, ...plan.unknown, ...plan.waiting].find(
    (one) => one.address === address,
  );
  if (blocker === undefined) return undefined;
  return diagnose('HW7008', `${address}: ${blocker.reason}. ${blocker.remedy}`);
}

/** What a root that is there is held by, such as its deletion: to import it would help nobody. */
export function heldRoot({ blocked }: Pick<Plan, 'blocked'>, address: string): Diagnostic | undefined {
  const held = blocked.find((one) => one.address === address);
  return held === undefined ? undefined : diagnose('HW7008', `${address}: ${held.reason}. ${held.remedy}`);
}

/** What of a plan costs, ends or lowers something. */
function risks({ actions }: Plan): readonly Diagnostic[] {
  return actions
    .filter(({ risk }) => risk.length > 0)
    .map((action) => ({
      ...diagnose('HW7001', `${lineOf(action, rootOf(action.address))}.`, { address: action.address }),
      summary: action.risk.join(', '),
    }));
}

/** What an update does with these is in no plan, and so are its risks. */
function notKnownYet(address: Address, names: readonly string[]): Diagnostic {
  const which = names.map((name) => `\`${name}\``).join(', ');
  return diagnose(
    'HW7015',
    `Not every value of ${which} is known yet. What has to be done there is planned in the apply, as far as \`guards\` allow; afterwards \`actions\` says what it was.`,
    { address },
  );
}

export function sentenceOf({ address, reason, remedy }: PlanBlocker): string {
  return `${address}: ${reason}. ${remedy}`;
}

/** What is not as declared, and stays so. */
function leftOver(
  root: Address,
  { blocked, manual, waiting, unknown, deferred }: Plan,
  isCreate: boolean,
): readonly Diagnostic[] {
  const said = (code: 'HW7009' | 'HW7010') => (one: PlanBlocker) =>
    diagnose(code, sentenceOf(one), { address: one.address });
  const told = [...[...blocked, ...manual, ...unknown].map(said('HW7009')), ...waiting.map(said('HW7010'))];
  // Of what is not there yet, nothing can be read: that is true of every create.
  if (isCreate || deferred.length === 0) return told;
  const later = deferred.map(({ address, until, reason }) => `${address}: ${reason} (${until}).`);
  return [
    ...told,
    diagnose(
      'HW7015',
      `${later.join(' ')} It is planned and done in the same apply; what deletes or charges there waits for the next plan.`,
      { address: root },
    ),
  ];
}

/** An attribute that is taken out is no longer managed: Terraform shows it as a removal. */
function removedAttributes(
  { fields }: ResourceTable,
  address: Address,
  prior: ValueObject | null,
  proposed: ValueObject,
): readonly Diagnostic[] {
  if (prior === null) return [];
  const removed = Object.keys(fields).filter(
    (name) => fields[name]?.field !== undefined && (prior[name] ?? null) !== null && (proposed[name] ?? null) === null,
  );
  if (removed.length === 0) return [];
  return [
    diagnose(
      'HW7003',
      `${removed.map((name) => `\`${name}\``).join(', ')}: the plan shows it as removed. What is live there is left as it is.`,
      { address },
    ),
  ];
}

/**
 * Warns that a destroy leaves the object on the account, and whether it still costs money. The summary names the object,
 * because Terraform shows only one of several warnings with equal summaries.
 */
function abandoned(table: ResourceTable, prior: ValueObject): Diagnostic {
  const address = decodeURIComponent(addressIn(table, prior));
  const reason = prior.deletion === 'abandon' ? '`deletion` is "abandon"' : 'the platform has no call that deletes it';
  const { happens, remedy } = afterDestroy(table, prior);
  return {
    ...diagnose('HW7016', `Terraform only forgets ${address}, because ${reason}. ${remedy}`),
    summary: `${address} ${happens}`,
  };
}

/** Returns what happens to an object that Terraform forgets, and how to end it (REG-12, REG-37). */
function afterDestroy(
  { fields, isPaid }: ResourceTable,
  prior: ValueObject,
): { readonly happens: string; readonly remedy: string } {
  if (isPending(prior))
    return {
      happens: 'is still being bought; its purchase continues',
      remedy: 'To stop the purchase, cancel it on the platform.',
    };
  if (Object.hasOwn(fields, 'auto_renew')) {
    if (prior.auto_renew === false)
      return {
        happens: 'stays until it expires (auto_renew is off)',
        remedy: 'To keep it, set `auto_renew = true` and apply before you destroy it.',
      };
    return {
      happens:
        prior.auto_renew === true
          ? 'stays and renews itself (auto_renew is on)'
          : 'stays and may renew itself (auto_renew is not in the state)',
      remedy: 'To let it expire, set `auto_renew = false` and apply before you destroy it.',
    };
  }
  return isPaid === true
    ? {
        happens: 'stays and is still paid for',
        remedy: 'To end it, cancel it on the platform.',
      }
    : { happens: 'stays on the account', remedy: 'To remove it, delete it on the platform.' };
}

async function planDestroy(
  table: ResourceTable,
  configured: Configured,
  { prior, private: bytes }: Change,
): Promise<PlannedChange> {
  const kept = fromPrivate(bytes);
  const address = addressIn(table, prior ?? {});
  const end = (review: Private, diagnostics: readonly Diagnostic[]): PlannedChange => ({
    state: null,
    private: toPrivate({ ...kept, account: configured.workspace.account, approved: [], ...review }),
    requiresReplace: [],
    diagnostics,
  });
  // The object of a part belongs to another resource, and a part costs nothing.
  if (table.part !== undefined) return end({}, []);
  const deletion = deletionOf(table, prior);
  if (deletion === 'abandon') return end({}, prior === null ? [] : [abandoned(table, prior)]);
  if (deletion !== 'delete') return end({}, [refusedDestroy(address)]);
  if (prior === null) return end({}, []);
  const { root, diagnostics } = await declare(table, prior, { id: textOf(prior.id), isAbsent: true });
  if (root === undefined) return end({}, diagnostics);
  const { plan, diagnostics: found } = await planRoot(configured.access(), root, kept.snapshot);
  if (plan === undefined) return end({}, found);
  // Refuse to delete an object that a create of the same plan takes over.
  const bound = configured.claims.bind(root.address, `${table.kind} ${textOf(prior.id)}`);
  if (bound !== undefined) return end({}, [bound]);
  const held = [...plan.blocked, ...plan.manual, ...plan.unknown].map(({ reason, remedy }) =>
    diagnose('HW7017', `${root.address}: ${reason}. ${remedy}`),
  );
  return end(reviewOf(plan), [...held, ...configured.count(root.address, plan)]);
}
