// Puts panel accounts into the store of a copy, as they were read.
import { numberOr, ownerOf, rowIn, textOr, textOrNull, timeOrNull, unread } from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/answers.ts';
import type { Row } from '../core/http/endpoint.ts';
import { isRecord } from '../core/http/endpoint.ts';
import { addPanelAccount } from './state.ts';

const PATH = '/api/panel_accounts';

export function loadPanelAccounts(copying: Copying): void {
  const { answers, state, accountId } = copying;
  const refused = answers.refusal(PATH);
  if (refused?.code === 'panel_not_enabled') return;
  if (refused?.code === 'panel_unavailable') {
    state.panel.configured = false;
    return;
  }
  const rows = answers.rows(PATH, 'panel_accounts');
  if (rows === undefined) return unread(state, 'the list of panel accounts', 'panel');
  state.panel.enabledFor.push(accountId);
  state.panel.packagesUnread = true;
  for (const row of rows) loadAccount(copying, row);
}

function loadAccount(copying: Copying, row: Row): void {
  const { state, settle, nowMs } = copying;
  const [product, disk, subscription] = [rowIn(row, 'package'), rowIn(row, 'disk'), row['subscription']];
  const code = textOrNull(product['code']);
  if ((code === 'S' && product['key'] === 'basic') || (code === 'XL' && product['key'] === 'mini'))
    settle('GAP-47', 'shifted');
  const local = textOrNull(row['local_package']);
  if (local !== null) settle('GAP-47.local', 'code');
  const primaryDomain = textOrNull(row['primary_domain']);
  // PNL-06: a just-ordered account is listed from the record alone.
  const isMirrored = row['server'] !== null;
  const purgeAt = timeOrNull(row['delete_scheduled_at']);
  addPanelAccount(state.panel, {
    username: String(row['username']),
    accountId: ownerOf(copying, row),
    local: isRecord(row['account']) ? { packageCode: local ?? code ?? '', primaryDomain: primaryDomain ?? '' } : null,
    mirror: isMirrored
      ? {
          packageCode: code,
          server: textOr(row['server'], ''),
          usedMb: numberOr(disk['used_mb'], 0),
          quotaMb: numberOr(disk['quota_mb'], 0),
          mailboxes: numberOr(row['mailbox_count'], 0),
          addons: Array.from(
            { length: numberOr(row['addon_domain_count'], 0) },
            (_, index) => `addon-${index}.invalid`,
          ),
          aliases: [],
          primaryDomain,
        }
      : null,
    dunningSuspended: row['state'] === 'dunning_suspended',
    adminSuspended: row['state'] === 'admin_suspended',
    deletion: row['state'] === 'pending_deletion' ? { requestedAt: nowMs, purgeAt: purgeAt ?? nowMs } : null,
    subscription: isRecord(subscription)
      ? {
          id: String(subscription['id']),
          status: textOr(subscription['status'], ''),
          term: subscription['term'] === 'annual' ? 'annual' : 'monthly',
        }
      : null,
  });
}
