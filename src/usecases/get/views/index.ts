// The one table of views: what `get KIND` reads and shows.
import type { View } from '../view.ts';
import { about, carts, orders, panelAccounts, users } from './account.ts';
import { caching, cdn, edgeRules } from './cdn.ts';
import { aliases, groups, mailboxes, mailDomains, mailspaces } from './mail.ts';
import { contacts, hosts, registrations } from './registrations.ts';
import { shieldEvents, shieldRules } from './shield.ts';
import { archives, backups, domains, siteMail, sites, tasks } from './sites.ts';

export const VIEWS: Readonly<Record<string, View>> = {
  sites,
  domains,
  cdn,
  caching,
  'edge-rules': edgeRules,
  backups,
  archives,
  tasks,
  'site-mail': siteMail,
  orders,
  carts,
  mailspaces,
  mailboxes,
  'mail-domains': mailDomains,
  groups,
  aliases,
  registrations,
  contacts,
  hosts,
  'panel-accounts': panelAccounts,
  users,
  'shield-rules': shieldRules,
  'shield-events': shieldEvents,
  about,
};
