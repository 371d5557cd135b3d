// The only list of the conformance cases.
import type { ConformanceCase } from '../context.ts';
import { billingEventCases } from './billing-events.ts';
import { callbackCases } from './callbacks.ts';
import { cartCases } from './carts.ts';
import { cdnCases } from './cdn.ts';
import { conventionCases } from './conventions.ts';
import { domainContactCases } from './domain-contacts.ts';
import { domainOrderCases } from './domain-orders.ts';
import { domainCases } from './domains.ts';
import { edgeRuleCases } from './edge-rules.ts';
import { partGapCases } from './gaps-parts.ts';
import { shieldItemGapCases } from './gaps-shield-items.ts';
import { shieldGapCases } from './gaps-shield.ts';
import { mailGapCases } from './gaps-mail.ts';
import { panelGapCases } from './gaps-panel.ts';
import { registrationContactGapCases } from './gaps-registration-contacts.ts';
import { registrationGapCases } from './gaps-registration.ts';
import { gapCases } from './gaps.ts';
import { mailAliasCases } from './mail-aliases.ts';
import { mailDnsCases } from './mail-dns.ts';
import { mailDomainConflictCases } from './mail-domain-conflicts.ts';
import { mailDomainCases } from './mail-domains.ts';
import { mailGroupCases } from './mail-groups.ts';
import { mailGuardCases } from './mail-guards.ts';
import { mailboxUpdateCases } from './mailbox-updates.ts';
import { mailboxCases } from './mailboxes.ts';
import { mailspaceCases } from './mailspaces.ts';
import { orderRequestCases } from './order-requests.ts';
import { orderCases } from './orders.ts';
import { panelGuardCases } from './panel-guards.ts';
import { panelOrderCases } from './panel-orders.ts';
import { panelCases } from './panel.ts';
import { registrationChangeCases } from './registration-changes.ts';
import { registrationHolderCases } from './registration-holders.ts';
import { registrationHostCases } from './registration-hosts.ts';
import { registrationTransferCases } from './registration-transfers.ts';
import { registrationCases } from './registrations.ts';
import { shieldListCases } from './shield-lists.ts';
import { shieldRuleCases } from './shield-rules.ts';
import { shieldWafCases } from './shield-waf.ts';
import { shieldCases } from './shield.ts';
import { siteMailCases } from './site-mail.ts';
import { sitePartCases } from './site-parts.ts';
import { siteCases } from './sites.ts';
import { taskCases } from './tasks.ts';
import { trafficCases } from './traffic.ts';
import { silentAreaCases } from './silent-areas.ts';
import { userCases } from './users.ts';

export const cases: readonly ConformanceCase[] = [
  ...conventionCases, ...siteCases, ...taskCases, ...domainCases, ...cdnCases, ...edgeRuleCases, ...sitePartCases, ...orderRequestCases, ...cartCases, ...orderCases,
  ...shieldCases, ...shieldWafCases, ...shieldRuleCases, ...shieldListCases, ...shieldGapCases, ...shieldItemGapCases,
  ...mailspaceCases, ...mailGuardCases, ...mailDomainCases, ...mailDomainConflictCases, ...mailDnsCases, ...mailAliasCases, ...mailGroupCases, ...mailboxCases,
  ...mailboxUpdateCases, ...siteMailCases, ...trafficCases, ...gapCases, ...partGapCases, ...mailGapCases,
  ...panelCases, ...panelGuardCases, ...panelOrderCases, ...userCases, ...callbackCases, ...billingEventCases, ...silentAreaCases, ...panelGapCases,
  ...registrationCases, ...registrationChangeCases, ...registrationHolderCases, ...registrationTransferCases, ...registrationHostCases, ...domainContactCases,
  ...domainOrderCases, ...registrationGapCases, ...registrationContactGapCases,
];
