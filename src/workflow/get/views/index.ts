// The one table of views: what `get KIND` reads and shows.
import type { View } from '../view.ts';
import { about, carts, orders, panelAccounts, users } from './account.ts';
import { mailboxes, mailspaces } from './mail.ts';
import { contacts, hosts, registrations } from './registrations.ts';
import { shieldEvents, shieldRules } from './shield.ts';
import { archives, backups, domains, siteMail, sites, tasks } from './sites.ts';

export const VIEWS: Readonly<Record<string, View>> = {
  sites,
  domains,
  backups,
  archives,
  tasks,
  'site-mail': siteMail,
  orders,
  carts,
  mailspaces,
  mailboxes,
  registrations,
  contacts,
  hosts,
  'panel-accounts': panelAccounts,
  users,
  'shield-rules': shieldRules,
  'shield-events': shieldEvents,
  about,
};
