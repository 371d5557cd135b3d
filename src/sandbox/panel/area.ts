// Panel accounts: shared hosting on servers that a manager of their own looks after.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { panelControls, panelEvents } from './control.ts';
import { loadPanelAccounts } from './load.ts';
import { panelEndpoints } from './routes/accounts.ts';
import { hostile, panel as scenario, panelAccounts } from './scenario.ts';
import { emptyPanel } from './state.ts';
import type { PanelAccount, PanelDuty, PanelPlatform } from './state.ts';
import type { Row } from '../core/http/endpoint.ts';
import { section } from '../core/snapshot.ts';
import type { State } from '../core/state.ts';

export const PANEL_AMBIGUITIES = {
  /** Whether the order of a panel account names it. */
  'GAP-46': ['unnamed', 'in-order'],
  /** From when on a bought account is listed: once the charge has settled, or once its order is completed. */
  'GAP-46.listed': ['settled', 'completed'],
  /** Whether an account that is being provisioned shows its domain, or none until it is mirrored. */
  'GAP-46.domain': ['at-once', 'mirrored'],
  /** Usernames: made from the domain, or from nothing that anybody knows. */
  'GAP-46.name': ['from-domain', 'opaque'],
  /** Which code belongs to which key: in the order of both lists, or another. */
  'GAP-47': ['in-order', 'shifted'],
  /** What local_package holds. */
  'GAP-47.local': ['prefixed', 'code', 'key'],
  /** The bodies of domain and password writes, and whether purging and sessions answer. */
  'GAP-48': ['not-shown', 'flat', 'wrapped'],
  /** What the list of an account's domains holds. */
  'GAP-48.domains': ['not-shown', 'texts', 'objects'],
  /** The code of a resize that the cart refuses: that of a create, one of its own, or none. */
  'GAP-48.resize': ['like-create', 'own', 'bare'],
  /** Which package counts as the same: that of the mirror or the one provisioned last, or only one that is both. */
  'GAP-48.same': ['either', 'both'],
  /** How long a resize is in flight: until its order has ended, or until the mirror shows it. */
  'GAP-48.inFlight': ['order', 'mirror'],
  /** Whether an account is deleted without a body. */
  'GAP-49': ['bodyless', 'not-shown'],
  /** Deleting one that is about to be deleted. */
  'GAP-49.repeat': ['refuse', 'again'],
  /** What delete_scheduled_at holds: when it will be purged, or when that was asked for. */
  'GAP-49.date': ['purge', 'request'],
  /** Changing or deleting an account that is still being provisioned. */
  'GAP-49.provisioning': ['refuse', 'accept'],
  /** Which suspension shows where there are two. */
  'GAP-49.suspended': ['admin', 'dunning'],
  /** Whether the list of panel accounts shows those of the workspace in the header, or all in reach. */
  panelOwners: ['header', 'reach'],
} as const;

declare module '../core/state.ts' {
  interface State {
    readonly panel: PanelPlatform;
  }
  interface User {
    /** What it may do with the panel accounts of a workspace, where that is not as its role says. */
    readonly duties?: Map<string, PanelDuty[]>;
  }
}
declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof PANEL_AMBIGUITIES> {}
}
declare module '../billing/state.ts' {
  interface Purchase {
    /** Once it made a panel account; no documented view shows it. */
    panelUsername?: string;
  }
}

export const panel: Area = {
  endpoints: panelEndpoints,
  ambiguities: PANEL_AMBIGUITIES,
  state: () => ({ panel: emptyPanel() }),
  scenarios: { panel: { from: 'small' }, 'panel:N': {} },
  parts: { panel: scenario, 'panel:N': panelAccounts, hostile },
  controls: panelControls,
  outside: panelEvents,
  load: loadPanelAccounts,
  snapshot: panelSnapshot,
  // GAP-46: whether an order names the panel account that it made is not documented.
  orderBlock: ({ ambiguities }, { purchase }) =>
    purchase?.panelUsername !== undefined && ambiguities['GAP-46'] === 'in-order'
      ? { panel_account: { username: purchase.panelUsername } }
      : {},
};

function panelSnapshot({ panel, users, accounts }: State): Readonly<Row> {
  const panelAccounts = [...panel.accounts.values()]
    .filter(({ purged, mailOnly }) => !purged && !mailOnly)
    .map((one) => [nameOf(one), accountSnapshot(one)] as const);
  const owned = [...users.values()].flatMap(({ email, accountIds }) =>
    accountIds
      .filter((id) => accounts.get(id)?.parentId !== undefined)
      .map((id) => [`${email} in ${accounts.get(id)?.name ?? ''}`, accounts.get(id)?.parentId] as const),
  );
  return { ...section('panelAccounts', panelAccounts), ...section('subAccounts', owned) };
}

function nameOf({ local, mirror, username }: PanelAccount): string {
  return mirror?.primaryDomain ?? local?.primaryDomain ?? username;
}

function accountSnapshot({ accountId, local, mirror, deletion, subscription, passwordsSet }: PanelAccount): unknown {
  return {
    account: accountId,
    package: local?.packageCode ?? null,
    mirroredPackage: mirror?.packageCode ?? null,
    addons: [...(mirror?.addons ?? [])].sort(),
    term: subscription?.term ?? null,
    pendingDeletion: deletion !== null,
    passwordsSet,
  };
}
