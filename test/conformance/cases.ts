// The only list of the conformance cases.
import type { ConformanceCase } from './context.ts';
import { billingEventCases } from './billing/events.ts';
import { callbackCases } from './billing/callbacks.ts';
import { cartCases } from './billing/carts.ts';
import { cdnCases } from './cdn/cdn.ts';
import { conventionCases } from './core/conventions.ts';
import { domainContactCases } from './registration/domain-contacts.ts';
import { domainOrderCases } from './registration/domain-orders.ts';
import { domainCases } from './site/domains.ts';
import { edgeRuleCases } from './cdn/edge-rules.ts';
import { partGapCases } from './site/ambiguities-parts.ts';
import { shieldItemGapCases } from './shield/ambiguities-items.ts';
import { shieldGapCases } from './shield/ambiguities.ts';
import { mailGapCases } from './mail/ambiguities.ts';
import { panelGapCases } from './panel/ambiguities.ts';
import { registrationContactGapCases } from './registration/ambiguities-contacts.ts';
import { registrationGapCases } from './registration/ambiguities.ts';
import { gapCases } from './core/ambiguities.ts';
import { mailAliasCases } from './mail/aliases.ts';
import { mailDnsCases } from './mail/dns.ts';
import { mailDomainConflictCases } from './mail/domain-conflicts.ts';
import { mailDomainCases } from './mail/domains.ts';
import { mailGroupCases } from './mail/groups.ts';
import { mailGuardCases } from './mail/guards.ts';
import { mailboxUpdateCases } from './mail/mailbox-updates.ts';
import { mailboxCases } from './mail/mailboxes.ts';
import { mailspaceCases } from './mail/mailspaces.ts';
import { orderRequestCases } from './billing/order-requests.ts';
import { orderCases } from './billing/orders.ts';
import { panelGuardCases } from './panel/guards.ts';
import { panelOrderCases } from './panel/orders.ts';
import { panelCases } from './panel/panel.ts';
import { registrationChangeCases } from './registration/changes.ts';
import { registrationHolderCases } from './registration/holders.ts';
import { registrationHostCases } from './registration/hosts.ts';
import { registrationTransferCases } from './registration/transfers.ts';
import { registrationCases } from './registration/registrations.ts';
import { shieldListCases } from './shield/lists.ts';
import { shieldRuleCases } from './shield/rules.ts';
import { shieldWafCases } from './shield/waf.ts';
import { shieldCases } from './shield/shield.ts';
import { siteMailCases } from './site/mail.ts';
import { sitePartCases } from './site/parts.ts';
import { siteCases } from './site/sites.ts';
import { taskCases } from './site/tasks.ts';
import { trafficCases } from './site/traffic.ts';
import { silentAreaCases } from './billing/silent-areas.ts';
import { userCases } from './user/users.ts';

export const cases: readonly ConformanceCase[] = [
  ...conventionCases,
  ...siteCases,
  ...taskCases,
  ...domainCases,
  ...cdnCases,
  ...edgeRuleCases,
  ...sitePartCases,
  ...orderRequestCases,
  ...cartCases,
  ...orderCases,
  ...shieldCases,
  ...shieldWafCases,
  ...shieldRuleCases,
  ...shieldListCases,
  ...shieldGapCases,
  ...shieldItemGapCases,
  ...mailspaceCases,
  ...mailGuardCases,
  ...mailDomainCases,
  ...mailDomainConflictCases,
  ...mailDnsCases,
  ...mailAliasCases,
  ...mailGroupCases,
  ...mailboxCases,
  ...mailboxUpdateCases,
  ...siteMailCases,
  ...trafficCases,
  ...gapCases,
  ...partGapCases,
  ...mailGapCases,
  ...panelCases,
  ...panelGuardCases,
  ...panelOrderCases,
  ...userCases,
  ...callbackCases,
  ...billingEventCases,
  ...silentAreaCases,
  ...panelGapCases,
  ...registrationCases,
  ...registrationChangeCases,
  ...registrationHolderCases,
  ...registrationTransferCases,
  ...registrationHostCases,
  ...domainContactCases,
  ...domainOrderCases,
  ...registrationGapCases,
  ...registrationContactGapCases,
];
