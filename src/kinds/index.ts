// The only list of kinds, parents before children. Nothing else in the program names them all.
import type { DataKinds } from '../model/data-kind.ts';
import type { Kind, Registry } from '../model/kind.ts';
import { backup } from './backup.ts';
import { cacheLayer } from './cache-layer.ts';
import { cachePurge } from './cache-purge.ts';
import { caching } from './caching.ts';
import { contact } from './contact.ts';
import { domainRegistration } from './domain-registration.ts';
import { edgeRule } from './edge-rule.ts';
import { mailAlias } from './mail-alias.ts';
import { mailDomain } from './mail-domain.ts';
import { mailGroup } from './mail-group.ts';
import { mailbox } from './mailbox.ts';
import { mailspace } from './mailspace.ts';
import { phpVersion } from './php-version.ts';
import { registrationContacts } from './registration-contacts.ts';
import { registrationDnssec } from './registration-dnssec.ts';
import { registrationHost } from './registration-host.ts';
import { registrationLock } from './registration-lock.ts';
import { registrationNameservers } from './registration-nameservers.ts';
import { registrationOwner } from './registration-owner.ts';
import { registrationPrivacy } from './registration-privacy.ts';
import { shieldAccessList } from './shield-access-list.ts';
import { shieldBotDetection } from './shield-bot-detection.ts';
import { shieldCustomRule } from './shield-custom-rule.ts';
import { shieldDdos } from './shield-ddos.ts';
import { shieldRateLimit } from './shield-rate-limit.ts';
import { shieldWaf } from './shield-waf.ts';
import { shield } from './shield.ts';
import { siteDomain } from './site-domain.ts';
import { siteMail } from './site-mail.ts';
import { site } from './site.ts';

const kinds: readonly Kind[] = [
  site, siteDomain, phpVersion, caching, cacheLayer, edgeRule, siteMail,
  shield, shieldWaf, shieldDdos, shieldBotDetection, shieldCustomRule, shieldRateLimit, shieldAccessList,
  backup, cachePurge,
  mailspace, mailDomain, mailbox, mailGroup, mailAlias,
  domainRegistration, registrationHost, registrationNameservers, registrationDnssec, registrationOwner, registrationContacts, registrationPrivacy, registrationLock,
];

export const registry: Registry = new Map(kinds.map((kind) => [kind.kind, kind]));

/** What manifests hold that stands for nothing live. */
export const dataKinds: DataKinds = new Map([contact].map((kind) => [kind.kind, kind]));
