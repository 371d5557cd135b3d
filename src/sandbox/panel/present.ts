// How panel accounts look on the wire: the mirror joined with the service's own record. Written from the API documents
// alone.
import type { Row } from '../core/http/endpoint.ts';
import { accountRef, blank, dateTime } from '../core/present.ts';
import type { World } from '../core/world.ts';
import { findPackage } from './state.ts';
import type { PanelAccount } from './state.ts';

export function panelRow(world: World, account: PanelAccount): Row {
  const { mirror, local, deletion, subscription } = account;
  const row = {
    username: account.username,
    primary_domain: shownDomain(world, account),
    package: packageBlock(world, mirror === null ? (local?.packageCode ?? null) : mirror.packageCode),
    ...localPackage(world, account),
    disk: { used_mb: mirror?.usedMb ?? null, quota_mb: mirror?.quotaMb ?? null },
    server: mirror?.server ?? null,
    mailbox_count: mirror?.mailboxes ?? 0,
    addon_domain_count: mirror?.addons.length ?? 0,
    state: stateOf(world, account),
    delete_scheduled_at: deletion === null ? blank() : scheduledAt(world, deletion),
    subscription:
      subscription === null ? blank() : { id: subscription.id, status: subscription.status, term: subscription.term },
  };
  // PNL-02/account: the owning workspace is left out where the service has no record.
  return local === null ? row : { ...row, account: accountRef(world.state, account.accountId) };
}

/** The view of one: what cannot be read is empty rather than an error. */
export function panelView(world: World, account: PanelAccount): Row {
  const row = panelRow(world, account);
  if (!world.state.panel.troubles.includes('details')) return row;
  // PNL-12/show: the view of one account degrades where counts and domains cannot be read.
  return { ...row, mailbox_count: 0, addon_domain_count: 0, primary_domain: account.local?.primaryDomain ?? null };
}

export function primaryDomainOf({ mirror, local }: PanelAccount): string | null {
  return mirror?.primaryDomain ?? local?.primaryDomain ?? null;
}

/** GAP-46: whether a just-ordered account shows the ordered domain at once. */
function shownDomain(world: World, account: PanelAccount): string | null {
  return account.mirror === null && world.ambiguities['GAP-46.domain'] === 'mirrored' ? null : primaryDomainOf(account);
}

function packageBlock(world: World, code: string | null): Row {
  if (code === null) return { code: null, key: null, label: null };
  const known = findPackage(world, code);
  if (known !== undefined) return { code: known.code, key: known.key, label: known.label };
  const upper = code.toUpperCase();
  // PNL-03: a package outside the catalogue has its code, no key, and its code as label.
  return { code: upper, key: null, label: upper };
}

/** GAP-47: what a code in the style of the server manager looks like is not shown. */
function localPackage(world: World, { mirror, local }: PanelAccount): Row {
  if (mirror === null || local === null) return {};
  // PNL-02: local_package is there only while the mirror has another package than was provisioned last.
  if (mirror.packageCode === local.packageCode) return {};
  const { packageCode: code } = local;
  const texts = { prefixed: `sandbox_${code}`, code, key: findPackage(world, code)?.key ?? code };
  return { local_package: texts[world.ambiguities['GAP-47.local']] };
}

function stateOf(world: World, account: PanelAccount): string {
  const { ambiguities } = world;
  const suspended =
    ambiguities['GAP-49.suspended'] === 'admin'
      ? ['admin_suspended', 'dunning_suspended']
      : ['dunning_suspended', 'admin_suspended'];
  const flags: Readonly<Record<string, boolean>> = {
    admin_suspended: account.adminSuspended,
    dunning_suspended: account.dunningSuspended,
    pending_deletion: account.deletion !== null,
  };
  // PNL-04: pending_deletion wins over both suspensions.
  const found = ['pending_deletion', ...suspended].find((state) => flags[state] === true);
  if (found !== undefined) return found;
  // PNL-06: a just-ordered account is listed as provisioning, from the record alone.
  return account.mirror === null ? 'provisioning' : 'active';
}

/** GAP-49: the time of the deletion to come, or of the request for it. */
export function scheduledAt(world: World, { purgeAt, requestedAt }: NonNullable<PanelAccount['deletion']>): unknown {
  return dateTime(world.ambiguities['GAP-49.date'] === 'purge' ? purgeAt : requestedAt);
}
