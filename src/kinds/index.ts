// The only list of kinds, parents before children. Nothing else in the program names them all.
import type { DataKinds } from '../model/kind/data-kind.ts';
import type { Kind, Registry } from '../model/kind/kind.ts';
import { backup } from './site/backup.ts';
import { cacheLayer } from './site/cache-layer.ts';
import { cachePurge } from './cdn/purge.ts';
import { caching } from './cdn/caching.ts';
import { contact } from './registration/contact.ts';
import { domainRegistration } from './registration/registration/index.ts';
import { edgeRule } from './cdn/edge-rule/index.ts';
import { mailAlias } from './mail/alias/index.ts';
import { mailDomain } from './mail/domain/index.ts';
import { mailGroup } from './mail/group/index.ts';
import { mailbox } from './mail/mailbox/index.ts';
import { mailspace } from './mail/mailspace/index.ts';
import { panelAccount } from './panel/index.ts';
import { phpVersion } from './site/php-version.ts';
import { registrationContacts } from './registration/contacts/index.ts';
import { registrationDnssec } from './registration/dnssec.ts';
import { registrationHost } from './registration/host/index.ts';
import { registrationLock } from './registration/lock.ts';
import { registrationNameservers } from './registration/nameservers.ts';
import { registrationOwner } from './registration/owner/index.ts';
import { registrationPrivacy } from './registration/privacy.ts';
import { shieldAccessList } from './shield/access-list.ts';
import { shieldBotDetection } from './shield/bot-detection.ts';
import { shieldCustomRule } from './shield/custom-rule.ts';
import { shieldDdos } from './shield/ddos.ts';
import { shieldRateLimit } from './shield/rate-limit/index.ts';
import { shieldWaf } from './shield/waf.ts';
import { shield } from './shield/zone/index.ts';
import { siteDomain } from './site/domain/index.ts';
import { siteMail } from './site/mail/index.ts';
import { site } from './site/site/index.ts';
import { user } from './user/index.ts';

const kinds: readonly Kind[] = [
  site,
  siteDomain,
  phpVersion,
  caching,
  cacheLayer,
  edgeRule,
  siteMail,
  shield,
  shieldWaf,
  shieldDdos,
  shieldBotDetection,
  shieldCustomRule,
  shieldRateLimit,
  shieldAccessList,
  backup,
  cachePurge,
  mailspace,
  mailDomain,
  mailbox,
  mailGroup,
  mailAlias,
  domainRegistration,
  registrationHost,
  registrationNameservers,
  registrationDnssec,
  registrationOwner,
  registrationContacts,
  registrationPrivacy,
  registrationLock,
  panelAccount,
  user,
];

export const registry: Registry = new Map(kinds.map((kind) => [kind.kind, kind]));

/** What manifests hold that stands for nothing live. */
export const dataKinds: DataKinds = new Map([contact].map((kind) => [kind.kind, kind]));

export { LISTS, siteViewPaths } from './common/lists.ts';
export { edgeRulesIn } from './cdn/edge-rule/index.ts';
export { nextRead } from './common/waits.ts';
export { configurationOf, idIn, keyIn } from './shield/wire.ts';
export { zoneIn } from './shield/zone/wire.ts';
export * as mailActs from './mail/acts.ts';
export * as registrationActs from './registration/acts.ts';
export * as shieldActs from './shield/acts.ts';
export * as cdnActs from './cdn/acts.ts';
export type { PurgeLayer } from './cdn/acts.ts';
export type { Decision } from './registration/acts.ts';
export * as siteActs from './site/acts.ts';
export { paymentTrouble, takesCallback } from './common/purchase.ts';
export { nearlyFull } from './mail/mailspace/storage.ts';
export { endsSoon } from './registration/registration/renewal.ts';
