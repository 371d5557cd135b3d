// The only list of the endpoints that this sandbox has.
import type { Endpoint } from '../endpoint.ts';
import { aboutEndpoints } from './about.ts';
import { backupEndpoints } from './backups.ts';
import { cacheEndpoints } from './cache.ts';
import { cdnEndpoints } from './cdn.ts';
import { domainEndpoints } from './domains.ts';
import { edgeRuleEndpoints } from './edge-rules.ts';
import { logEndpoints } from './logs.ts';
import { mailLogEndpoints } from './mail-logs.ts';
import { mailEndpoints } from './mail.ts';
import { metricEndpoints } from './metrics.ts';
import { laterEndpoints } from './not-yet.ts';
import { orderEndpoints } from './orders.ts';
import { phpEndpoints } from './php.ts';
import { siteEndpoints } from './sites.ts';
import { ssoEndpoints } from './sso.ts';
import { taskEndpoints } from './tasks.ts';

export const endpoints: readonly Endpoint[] = [
  ...aboutEndpoints, ...siteEndpoints, ...taskEndpoints, ...domainEndpoints, ...cdnEndpoints, ...edgeRuleEndpoints, ...cacheEndpoints,
  ...phpEndpoints, ...backupEndpoints, ...orderEndpoints, ...mailEndpoints, ...mailLogEndpoints,
  ...metricEndpoints, ...logEndpoints, ...ssoEndpoints, ...laterEndpoints,
];
