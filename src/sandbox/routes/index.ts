// The only list of the endpoints that this sandbox has.
import type { Endpoint } from '../endpoint.ts';
import { aboutEndpoints } from './about.ts';
import { backupEndpoints } from './backups.ts';
import { cacheEndpoints } from './cache.ts';
import { cdnEndpoints } from './cdn.ts';
import { domainEndpoints } from './domains.ts';
import { edgeRuleEndpoints } from './edge-rules.ts';
import { mailAliasEndpoints } from './mail-aliases.ts';
import { mailDomainEndpoints } from './mail-domains.ts';
import { mailGroupEndpoints } from './mail-groups.ts';
import { mailNamedEndpoints } from './mail-named.ts';
import { mailVerificationEndpoints } from './mail-verification.ts';
import { mailboxEndpoints } from './mailboxes.ts';
import { mailspaceEndpoints } from './mailspaces.ts';
import { logEndpoints } from './logs.ts';
import { metricEndpoints } from './metrics.ts';
import { orderEndpoints } from './orders.ts';
import { panelEndpoints } from './panel-accounts.ts';
import { phpEndpoints } from './php.ts';
import { registrarEndpoints } from './registrar.ts';
import { shieldItemEndpoints } from './shield-items.ts';
import { shieldEndpoints } from './shield.ts';
import { siteMailLogEndpoints } from './site-mail-logs.ts';
import { siteMailEndpoints } from './site-mail.ts';
import { siteEndpoints } from './sites.ts';
import { ssoEndpoints } from './sso.ts';
import { taskEndpoints } from './tasks.ts';
import { userEndpoints } from './users.ts';

export const endpoints: readonly Endpoint[] = [
  ...aboutEndpoints, ...siteEndpoints, ...taskEndpoints, ...domainEndpoints, ...cdnEndpoints, ...edgeRuleEndpoints, ...cacheEndpoints,
  ...phpEndpoints, ...backupEndpoints, ...orderEndpoints, ...siteMailEndpoints, ...siteMailLogEndpoints,
  ...metricEndpoints, ...logEndpoints, ...ssoEndpoints, ...mailspaceEndpoints, ...mailVerificationEndpoints,
  ...mailDomainEndpoints, ...mailAliasEndpoints, ...mailGroupEndpoints, ...mailboxEndpoints, ...mailNamedEndpoints,
  ...panelEndpoints, ...userEndpoints, ...shieldEndpoints, ...shieldItemEndpoints, ...registrarEndpoints,
];
