// What the endpoints of panel accounts do: list, view, deletion, domains, password, purge, session. The documents name most
// of them and show no body (GAP-48): where the reading has none either, the answer is 501.
import { reachableAccounts } from '../../core/http/access.ts';
import { done, isRecord, notShown, ok, refuse } from '../../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../../core/http/endpoint.ts';
import { isListed, page } from '../../core/lists.ts';
import { CALLBACK } from '../../billing/messages.ts';
import { any, keys } from '../../core/http/schema.ts';
import type { Properties } from '../../core/http/schema.ts';
import { isAddressable, onAccount, passPanelGuards, pendingDeletion, unavailable } from '../guards.ts';
import { panelRow, panelView, primaryDomainOf } from '../present.ts';
import type { PanelAccount } from '../state.ts';
import { inListOrder } from '../../core/world.ts';
import { buyPanelAccount, refuseBuyer, refuseOwnership } from './purchase.ts';
import { resizePanelAccount } from './resize.ts';
import { announcePanel } from '../events.ts';

const RETENTION_MS = 30 * 86_400_000;

/** GAP-49: neither its answer nor a second one is shown. */
function deleteAccount(call: Call, account: PanelAccount): Answer {
  if (account.deletion !== null && call.ambiguities['GAP-49.repeat'] === 'refuse')
    pendingDeletion(call, account.deletion);
  if (call.ambiguities['GAP-49'] === 'not-shown') notShown();
  if (account.mirror === null && call.ambiguities['GAP-49.provisioning'] === 'refuse')
    refuse(422, null, 'The account is being provisioned');
  const requestedAt = call.clock.now();
  const first = account.deletion === null;
  account.deletion = { requestedAt, purgeAt: requestedAt + RETENTION_MS };
  // PNL-18: DELETE schedules the deletion of an account, which stays until then.
  if (first) announcePanel(call, account, 'deleted');
  return done(call, { panel_account: panelRow(call, account) });
}

function listDomains({ ambiguities }: Call, { mirror, local }: PanelAccount): Answer {
  if (ambiguities['GAP-48.domains'] === 'not-shown') notShown();
  const rows = [
    { domain: mirror?.primaryDomain ?? local?.primaryDomain ?? '', kind: 'primary' },
    ...(mirror?.addons ?? []).map((domain) => ({ domain, kind: 'addon' })),
    ...(mirror?.aliases ?? []).map((domain) => ({ domain, kind: 'alias' })),
  ];
  return ok({ domains: ambiguities['GAP-48.domains'] === 'texts' ? rows.map(({ domain }) => domain) : rows });
}

/** One text of a body whose shape is not documented. */
function textBody(key: string): (call: Call) => Properties | undefined {
  return ({ ambiguities }) =>
    ({ flat: { [key]: any }, wrapped: { panel_account: any }, 'not-shown': undefined })[ambiguities['GAP-48']];
}

function readText({ body, ambiguities }: Call, key: string): string {
  const reading = ambiguities['GAP-48'];
  if (reading === 'not-shown') notShown();
  const fields = reading === 'flat' ? body : isRecord(body['panel_account']) ? body['panel_account'] : {};
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? value : refuse(422, null, `${key} is missing`);
}

function addDomain(call: Call, account: PanelAccount): Answer {
  const domain = readText(call, 'domain').toLowerCase();
  refuseOwnership(call, account.accountId, domain);
  if (account.mirror === null) return refuse(422, null, 'The account is being provisioned');
  account.mirror.addons.push(domain);
  return done(call, { domain });
}

function removeDomain(call: Call, { mirror }: PanelAccount): Answer {
  if (call.ambiguities['GAP-48'] === 'not-shown') notShown();
  const wanted = (call.params['domain'] ?? '').toLowerCase();
  if (mirror === null || !mirror.addons.includes(wanted))
    return refuse(404, null, 'The account has no such add-on domain');
  mirror.addons = mirror.addons.filter((domain) => domain !== wanted);
  return done(call, {});
}

function setPassword(call: Call, account: PanelAccount): Answer {
  readText(call, 'password');
  account.passwordsSet += 1;
  return done(call, {});
}

/** The code of its refusal is not documented. */
function purge(call: Call, account: PanelAccount): Answer {
  // PNL-19: only an account that is about to be deleted can be purged.
  if (account.deletion === null) refuse(422, null, 'The account is not about to be deleted');
  if (call.ambiguities['GAP-48'] === 'not-shown') notShown();
  account.purged = true;
  return done(call, {});
}

function openSession({ ambiguities }: Call, { mirror }: PanelAccount): Answer {
  if (ambiguities['GAP-48'] === 'not-shown') notShown();
  return ok({ url: `https://${mirror?.server ?? 'panel.sandbox.example'}/login?session=sandbox-panel-session` });
}

const locked = { user: true, paid: true, duty: 'billing', state: 'live' } as const;

const panelWriteEndpoints = onAccount({
  DELETE: { demands: { user: true, duty: 'lifecycle' }, handle: deleteAccount },
  // PNL-20/read: the domains of an account are read without user, role and trial restriction.
  'GET /domains': listDomains,
  'POST /domains': { demands: locked, body: textBody('domain'), handle: addDomain },
  'DELETE /domains/:domain': { demands: locked, handle: removeDomain },
  'PATCH /password': { demands: locked, body: textBody('password'), handle: setPassword },
  'POST /purge': { demands: { user: true, paid: true, duty: 'lifecycle' }, handle: purge },
  'POST /session': { demands: { user: true, paid: true, duty: 'edit' }, handle: openSession },
});

const REACHABLE = 500;

function listAccounts(call: Call): Answer {
  const { troubles, accounts } = call.state.panel;
  // PNL-12: the list is a 503 rather than empty where the mirror cannot be read.
  if (troubles.includes('mirror') || troubles.includes('details')) unavailable();
  const wanted = (call.query.get('q') ?? '').toLowerCase();
  const owners = call.ambiguities.panelOwners === 'header' ? [call.accountId] : reachableAccounts(call);
  // PNL-11: q finds part of username, server, primary, add-on and alias domains, in any case.
  const rows = [...accounts.values()]
    .filter((account) => owners.includes(account.accountId) && isAddressable(call, account))
    .filter((account) => texts(account).some((text) => text.toLowerCase().includes(wanted)))
    .filter((account) => isListed(call, account));
  // Pages have to fit together, so the order may not change between two reads.
  const stable = call.ambiguities.listOrder === 'reshuffled' ? rows : inListOrder(call, rows);
  // LIM-05: at most 500 panel accounts are reachable, however they are paged.
  const capped = stable.slice(0, REACHABLE);
  return ok({ panel_accounts: page(call, capped).map((account) => panelRow(call, account)) });
}

function texts(account: PanelAccount): readonly string[] {
  const { mirror, username } = account;
  return [
    username,
    mirror?.server ?? '',
    primaryDomainOf(account) ?? '',
    ...(mirror?.addons ?? []),
    ...(mirror?.aliases ?? []),
  ];
}

const PATH = '/api/panel_accounts';

/** PNL-08: panel accounts are read with panel:read and never written with OAuth. */
export const panelEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: PATH,
    scope: 'panel:read',
    account: true,
    admit: (call) => passPanelGuards(call, {}),
    handle: listAccounts,
  },
  {
    method: 'POST',
    path: PATH,
    scope: 'never',
    account: true,
    admit: refuseBuyer,
    body: { ...keys('package', 'term', 'domain'), ...CALLBACK },
    handle: buyPanelAccount,
  },
  ...onAccount({
    // PNL-22: whatever its state.
    GET: (call, account) => ok({ panel_account: panelView(call, account) }),
    PATCH: {
      demands: { user: true, paid: true, duty: 'billing', state: 'update' },
      // CBK-01: a resize takes no callback; ordering a site, a domain or a panel account does.
      body: keys('package'),
      handle: resizePanelAccount,
    },
  }),
  ...panelWriteEndpoints,
];
