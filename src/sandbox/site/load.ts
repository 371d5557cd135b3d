// Puts what belongs to each site beside its hostnames into the store of a copy: whether it can be used at all, PHP
// versions, cache layers, backups, its mail.
import {
  knownSites,
  numberOr,
  rowIn,
  rowsIn,
  textOr,
  textOrNull,
  timeOr,
  timeOrNull,
  unread,
} from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/answers.ts';
import { isRecord } from '../core/http/endpoint.ts';
import type { Row } from '../core/http/endpoint.ts';
import { LAYERS } from '../core/state.ts';
import type { Layer, Site } from '../core/state.ts';
import { mailAccount } from './mail/state.ts';
import type { MailAccount } from './mail/state.ts';
import type { Volume } from './state.ts';

export function loadSites(copying: Copying): void {
  for (const site of knownSites(copying)) {
    loadGuards(copying, site);
    loadPhp(copying, site);
    loadBackups(copying, site);
    loadMail(copying, site);
  }
  loadLayers(copying);
}

/** SIT-08: a suspended or leaving site refuses everything below its path. */
function loadGuards({ answers }: Copying, site: Site): void {
  const codes = ['cdn/caching', 'variants', 'edge_rules', 'shield', 'cache', 'mail', 'domains', 'backups'].map(
    (part) => answers.refusal(`/api/sites/${site.id}/${part}`)?.code,
  );
  site.suspended = codes.includes('service_suspended');
  site.pendingDelete = codes.includes('pending_delete');
}

function loadPhp({ answers }: Copying, site: Site): void {
  const rows = answers.rows(`/api/sites/${site.id}/variants`, 'php');
  if (rows === undefined) return unread(site, `the PHP versions of site ${site.id}`, 'phpVariants', 'phpVersion');
  site.phpVariants = rows.map(({ id, label, is_default: isDefault }) => ({
    id: Number(id),
    label: String(label),
    isDefault: isDefault === true,
  }));
  // PHP-02: `active` marks the version in use.
  site.phpVersion = textOr(rows.find(({ active }) => active === true)?.['label'], '');
}

/** A plan has the layers that one of its sites shows as on or off; of a plan without such a site they are not known. */
function loadLayers(copying: Copying): void {
  const { answers, state, settle } = copying;
  const byPackage = new Map<string, Set<Layer>>();
  for (const site of knownSites(copying)) {
    const shown = answers.object(`/api/sites/${site.id}/cache`);
    if (shown === undefined) {
      unread(site, `the cache layers of site ${site.id}`, 'layers');
      continue;
    }
    const layers = byPackage.get(site.package) ?? new Set<Layer>();
    byPackage.set(site.package, layers);
    for (const layer of LAYERS) {
      // GAP-22: what a layer outside the plan reads as is not documented.
      if (shown[layer] === null) settle('GAP-22', 'null');
      else if (shown[layer] === undefined) settle('GAP-22', 'absent');
      else layers.add(layer);
      site.layers[layer].on = shown[layer] === true;
    }
  }
  for (const { package: name } of knownSites(copying))
    if (!state.plans.some((plan) => plan.shortName === name)) state.plans.push({ shortName: name, name, layers: [] });
  for (const plan of state.plans) {
    const layers = byPackage.get(plan.shortName);
    if (layers === undefined) unread(plan, `which cache layers the plan ${plan.shortName} has`, 'layers');
    else Object.assign(plan, { layers: LAYERS.filter((layer) => layers.has(layer)) });
  }
}

function loadBackups({ answers, nowMs }: Copying, site: Site): void {
  const body = answers.object(`/api/sites/${site.id}/backups`);
  if (body === undefined) return unread(site, `the backups of site ${site.id}`, 'volumes');
  site.volumes = Object.keys(body).map((label): Volume => {
    const volume = rowIn(body, label);
    return {
      id: Number(volume['id']),
      label,
      sizeGb: numberOr(volume['size'], 0),
      usageGb: numberOr(volume['usage'], 0),
      archives: rowsIn(volume['archives']).map((one) => ({
        id: String(one['id']),
        name: String(one['name']),
        createdAt: timeOr(one['created'], nowMs),
      })),
      restoredFrom: null,
    };
  });
}

function loadMail({ answers, nowMs }: Copying, site: Site): void {
  const path = `/api/sites/${site.id}/mail`;
  const body = answers.object(path);
  const mail = body?.['mail'];
  // TML-01: a site without an account reads as mail null.
  if (mail === null) site.mail = null;
  else if (isRecord(mail)) site.mail = mailOf(mail, nowMs);
  else unread(site, `the mail of site ${site.id}`, 'mail');
}

function mailOf(row: Row, nowMs: number): MailAccount {
  const [dns, sender, suspension] = [rowIn(row, 'dns'), rowIn(row, 'sender_identity'), rowIn(row, 'suspension')];
  const left = numberOr(suspension['remaining_self_unsuspends'], 2);
  return mailAccount(timeOr(row['created_at'], nowMs), {
    updatedAt: timeOr(row['updated_at'], nowMs),
    status: row['status'] as MailAccount['status'],
    configured: row['configured'] === true,
    notificationsActive: row['notifications_active'] === true,
    dns: {
      spf: dns['spf_verified'] === true,
      dkim: dns['dkim_verified'] === true,
      lockdown: dns['lockdown_verified'] === true,
      verdict: textOr(dns['verdict'], 'unknown') as MailAccount['dns']['verdict'],
      locallyChecked: dns['locally_checked'] === true,
      checkedAt: timeOrNull(dns['checked_at']),
      failedSince: dns['verdict'] === 'failed' ? timeOrNull(dns['checked_at']) : null,
    },
    fromLocalPart: textOrNull(sender['mail_from_local_part']),
    fromName: textOrNull(sender['mail_from_name']),
    dkimDomain: textOrNull(sender['dkim_domain']),
    suspension: {
      abuse: suspension['abuse'] === true,
      system: suspension['system'] === true,
      reason: textOrNull(suspension['reason']),
      suspendedAt: timeOrNull(suspension['suspended_at']),
    },
    // TML-20: of two lifted blocks in thirty days so many are left.
    unblocks: Array.from({ length: Math.max(0, 2 - left) }, () => nowMs),
  });
}
