// Panel accounts.
import type { JsonObject } from '../../model/json.ts';
import { valueAt } from '../../model/json.ts';
import { sameName } from '../../model/hostname.ts';
import { defineView, idAt, megabytesAt, plainAt, timeAt } from '../common/view.ts';

/** However it is paged, the list ends there (LIM-05). */
const PANEL_AT_MOST = 500;

const panelAccounts = defineView<JsonObject>({
  called: [
    ['panel-accounts', 'panel-account', 'pa'],
    'package, state, disk space, server',
    { takes: ['query'], manifest: 'PanelAccount' },
  ],
  items: async (reader, { name }) => {
    const listed = await reader.list('panelAccounts', reader.query);
    // Beyond the cap the list proves nothing: what a search for the name lists does (PNL-11).
    const isThere = listed.some((row) => [row.username, row.primary_domain].some((one) => sameName(one, name ?? '')));
    const rows =
      name === undefined || isThere || listed.length < PANEL_AT_MOST
        ? listed
        : await reader.list('panelAccounts', name);
    if (rows.length >= PANEL_AT_MOST && !isThere)
      reader.missed.push({
        what: `panel accounts beyond ${PANEL_AT_MOST}`,
        reason: `the platform lists ${PANEL_AT_MOST} at most; --query TEXT narrows the list`,
      });
    // The platform names no owner where it has no record of its own (PNL-02).
    return rows.filter((row) =>
      [undefined, reader.account].includes(valueAt(row, '/account/id') as string | undefined),
    );
  },
  id: (row) => idAt(row, '/username'),
  names: (row) => [row.primary_domain],
  object: (row) => row,
  columns: {
    username: '/username',
    domain: '/primary_domain',
    package: (row) => plainAt(row, '/package/key') ?? plainAt(row, '/package/code'),
    state: '/state',
    used: (row) => megabytesAt(row, '/disk/used_mb'),
    quota: (row) => megabytesAt(row, '/disk/quota_mb'),
    server: '/server',
    deletion: (row) => timeAt(row, '/delete_scheduled_at', 'day'),
  },
  wide: {
    mailboxes: '/mailbox_count',
    'add-on domains': '/addon_domain_count',
    term: '/subscription/term',
    subscription: '/subscription/status',
    'ordered package': '/local_package',
  },
});

export const panelViews = [panelAccounts];
