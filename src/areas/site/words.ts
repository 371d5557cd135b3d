// How the kinds of this area are worded for people, and what `get` calls what it shows. Data alone: it is loaded for help
// and completion.
import type { WordsOf } from '../../model/kind/words.ts';
import type { GetKindRow } from '../../model/shown.ts';

export const siteWords: WordsOf = {
  Site: { alsoCalled: ['website', 'app', 'application', 'hosting', 'wordpress', 'server'] },
  SiteProfile: { alsoCalled: ['template', 'profile'] },
  // DOM-13
  SiteDomain: { alsoCalled: ['domain', 'hostname', 'ingress', 'certificate'], noun: 'hostname', needsRecords: true },
  SiteMail: { noun: 'mail settings', nouns: 'mail settings' },
};

export const siteGetKinds: readonly GetKindRow[] = [
  [['sites', 'site'], 'plan, price, primary domain, PHP version, SSH address', { manifest: 'Site' }],
  [['domains', 'domain', 'dom'], 'hostnames, the site of each, the target of its CNAME, DNS zone', { takes: ['site'] }],
  [['backups', 'backup'], 'the volumes of sites, and how many archives each has', { takes: ['site'], moves: true }],
  [['archives', 'archive'], 'the archives of each volume, newest first', { takes: ['site'], moves: true }],
  [['tasks', 'task'], 'what the platform works on, at most 100 a site', { takes: ['site', 'status'], moves: true }],
  [['site-mail', 'site-mail'], 'the mail that sites send: sender, DNS verdict, suspension', { takes: ['site'] }],
];
