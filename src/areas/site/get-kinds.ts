// What `get` calls what this area shows. Data alone: it is loaded for help and completion, and its views are not.
import type { GetKindRow } from '../../model/shown.ts';

export const siteGetKinds: readonly GetKindRow[] = [
  [['sites', 'site'], 'plan, price, primary domain, PHP version, SSH address', { manifest: 'Site' }],
  [['domains', 'domain', 'dom'], 'hostnames, the site of each, the target of its CNAME, DNS zone', { takes: ['site'] }],
  [['backups', 'backup'], 'the volumes of sites, and how many archives each has', { takes: ['site'], moves: true }],
  [['archives', 'archive'], 'the archives of each volume, newest first', { takes: ['site'], moves: true }],
  [['tasks', 'task'], 'what the platform works on, at most 100 a site', { takes: ['site', 'status'], moves: true }],
  [['site-mail', 'site-mail'], 'the mail that sites send: sender, DNS verdict, suspension', { takes: ['site'] }],
];
