// The only list of kinds, parents before children. Nothing else in the program names them all.
import type { DataKinds } from '../model/kind/data-kind.ts';
import type { HoldingDefinition, Kind, Registry } from '../model/kind/kind.ts';
import { backup } from './site/kinds/backup.ts';
import { cacheLayer } from './site/kinds/cache-layer.ts';
import { cachePurge } from './cdn/kinds/purge.ts';
import { caching } from './cdn/kinds/caching.ts';
import { contact } from './registration/kinds/contact.ts';
import { domainRegistration } from './registration/kinds/registration/index.ts';
import { edgeRule } from './cdn/kinds/edge-rule/index.ts';
import { mailAlias } from './mail/kinds/alias/index.ts';
import { mailDomain } from './mail/kinds/domain/index.ts';
import { mailGroup } from './mail/kinds/group/index.ts';
import { mailbox } from './mail/kinds/mailbox/index.ts';
import { mailspace } from './mail/kinds/mailspace/index.ts';
import { panelAccount } from './panel/kinds/index.ts';
import { phpVersion } from './site/kinds/php-version.ts';
import { registrationContacts } from './registration/kinds/contacts/index.ts';
import { registrationDnssec } from './registration/kinds/dnssec.ts';
import { registrationHost } from './registration/kinds/host/index.ts';
import { registrationLock } from './registration/kinds/lock.ts';
import { registrationNameservers } from './registration/kinds/nameservers.ts';
import { registrationOwner } from './registration/kinds/owner/index.ts';
import { registrationPrivacy } from './registration/kinds/privacy.ts';
import { shieldAccessList } from './shield/kinds/access-list.ts';
import { shieldBotDetection } from './shield/kinds/bot-detection.ts';
import { shieldCustomRule } from './shield/kinds/custom-rule.ts';
import { shieldDdos } from './shield/kinds/ddos.ts';
import { shieldRateLimit } from './shield/kinds/rate-limit/index.ts';
import { shieldWaf } from './shield/kinds/waf.ts';
import { shield } from './shield/kinds/zone/index.ts';
import { siteDomain } from './site/kinds/domain/index.ts';
import { siteMail } from './site/kinds/mail/index.ts';
import { site, siteHoldings } from './site/kinds/site/index.ts';
import { user } from './user/kinds/index.ts';

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

/** What is deleted with an object, by its kind. */
export const HOLDINGS: ReadonlyMap<string, readonly HoldingDefinition[]> = new Map([[site.kind, siteHoldings]]);

/** What manifests hold that stands for nothing live. */
export const dataKinds: DataKinds = new Map([contact].map((kind) => [kind.kind, kind]));

export { LISTS } from './common/lists.ts';
export { nextRead } from './common/waits.ts';
export type { PurchaseStage } from './common/purchase.ts';
export { cartStage, orderStage, paymentTrouble, takesCallback } from './common/purchase.ts';
export { nearlyFull } from './mail/kinds/mailspace/storage.ts';
export { endsSoon } from './registration/kinds/registration/renewal.ts';
export { isLearningAt, learningIn } from './shield/learning.ts';
