// The only list of the endpoints that this sandbox has.
import type { Endpoint } from '../endpoint.ts';
import { aboutEndpoints } from './about.ts';
import { backupEndpoints } from './backups.ts';
import { cacheEndpoints } from './cache.ts';
import { cdnEndpoints } from './cdn.ts';
import { domainEndpoints } from './domains.ts';
import { edgeRuleEndpoints } from './edge-rules.ts';
import { laterEndpoints } from './not-yet.ts';
import { orderEndpoints } from './orders.ts';
import { phpEndpoints } from './php.ts';
import { shieldItemEndpoints } from './shield-items.ts';
import { shieldEndpoints } from './shield.ts';
import { siteEndpoints } from './sites.ts';
import { taskEndpoints } from './tasks.ts';

export const endpoints: readonly Endpoint[] = [
  ...aboutEndpoints, ...siteEndpoints, ...taskEndpoints, ...domainEndpoints, ...cdnEndpoints, ...edgeRuleEndpoints, ...cacheEndpoints,
  ...phpEndpoints, ...backupEndpoints, ...orderEndpoints, ...shieldEndpoints, ...shieldItemEndpoints, ...laterEndpoints,
];
