// The only list of the endpoints that this sandbox has.
import type { Endpoint } from './http/endpoint.ts';
import { aboutEndpoints } from './about.ts';
import { backupEndpoints } from '../site/routes/backups.ts';
import { cacheEndpoints } from '../site/routes/cache.ts';
import { cdnEndpoints } from '../cdn/routes/cdn.ts';
import { domainEndpoints } from '../site/routes/domains.ts';
import { edgeRuleEndpoints } from '../cdn/routes/edge-rules.ts';
import { mailAliasEndpoints } from '../mail/routes/aliases.ts';
import { mailDomainEndpoints } from '../mail/routes/domains.ts';
import { mailGroupEndpoints } from '../mail/routes/groups.ts';
import { mailNamedEndpoints } from '../mail/routes/undocumented-reads.ts';
import { mailVerificationEndpoints } from '../mail/routes/verification.ts';
import { mailboxEndpoints } from '../mail/routes/mailboxes.ts';
import { mailspaceEndpoints } from '../mail/routes/mailspaces.ts';
import { logEndpoints } from '../cdn/routes/logs.ts';
import { metricEndpoints } from '../site/routes/metrics.ts';
import { orderEndpoints } from '../billing/routes.ts';
import { panelEndpoints } from '../panel/routes/accounts.ts';
import { phpEndpoints } from '../site/routes/php.ts';
import { registrarEndpoints } from '../registration/routes/index.ts';
import { shieldItemEndpoints } from '../shield/routes/items.ts';
import { shieldEndpoints } from '../shield/routes/zone.ts';
import { siteMailLogEndpoints } from '../site/mail/log-routes.ts';
import { siteMailEndpoints } from '../site/mail/routes.ts';
import { siteEndpoints } from '../site/routes/sites.ts';
import { ssoEndpoints } from '../site/routes/sso.ts';
import { taskEndpoints } from './task-routes.ts';
import { userEndpoints } from '../user/routes.ts';

export const endpoints: readonly Endpoint[] = [
  ...aboutEndpoints,
  ...siteEndpoints,
  ...taskEndpoints,
  ...domainEndpoints,
  ...cdnEndpoints,
  ...edgeRuleEndpoints,
  ...cacheEndpoints,
  ...phpEndpoints,
  ...backupEndpoints,
  ...orderEndpoints,
  ...siteMailEndpoints,
  ...siteMailLogEndpoints,
  ...metricEndpoints,
  ...logEndpoints,
  ...ssoEndpoints,
  ...mailspaceEndpoints,
  ...mailVerificationEndpoints,
  ...mailDomainEndpoints,
  ...mailAliasEndpoints,
  ...mailGroupEndpoints,
  ...mailboxEndpoints,
  ...mailNamedEndpoints,
  ...panelEndpoints,
  ...userEndpoints,
  ...shieldEndpoints,
  ...shieldItemEndpoints,
  ...registrarEndpoints,
];
