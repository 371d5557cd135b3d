// How panel accounts and sub-accounts look in a hand-written fixture: by domain and by address, no generated names, no
// times, no secrets.
import type { PanelAccount } from './state.ts';
import type { State } from '../core/state.ts';

/** Nothing where there are none. */
export function panelSnapshot({ panel, users, accounts }: State): Readonly<Record<string, unknown>> {
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

function section(name: string, rows: readonly (readonly [string, unknown])[]): Readonly<Record<string, unknown>> {
  return rows.length === 0
    ? {}
    : { [name]: Object.fromEntries([...rows].sort(([left], [right]) => (left < right ? -1 : 1))) };
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
