// Sites: their domains, PHP, cache layers, backups, metrics and transactional mail.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import type { Layer } from '../core/state.ts';
import { SITE_AMBIGUITIES } from './ambiguities.ts';
import { siteControls, siteEvents } from './control.ts';
import { siteMailLogEndpoints } from './mail/log-routes.ts';
import { siteMailEndpoints } from './mail/routes.ts';
import { mailAccount } from './mail/state.ts';
import type { MailAccount } from './mail/state.ts';
import { backupEndpoints } from './routes/backups.ts';
import { cacheEndpoints } from './routes/cache.ts';
import { domainEndpoints } from './routes/domains.ts';
import { metricEndpoints } from './routes/metrics.ts';
import { phpEndpoints } from './routes/php.ts';
import { sitesEndpoints } from './routes/sites.ts';
import { ssoEndpoints } from './routes/sso.ts';
import { loadSites } from './load.ts';
import { small } from './scenario.ts';
import { cacheLayers, phpVariants, volumes } from './state.ts';
import type { CacheLayer, PhpVariant, Volume } from './state.ts';

declare module '../core/state.ts' {
  interface State {
    /** The platform has no transactional mail at present. */
    mailDown: boolean;
  }
  interface Site {
    phpVariants: PhpVariant[];
    layers: Record<Layer, CacheLayer>;
    volumes: Volume[];
    restarts: { cms: number; database: number; cache: number };
    /** Its transactional mail; null where the site has no account. */
    mail: MailAccount | null;
  }
}
declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof SITE_AMBIGUITIES> {}
}

export const site: Area = {
  endpoints: [
    ...sitesEndpoints,
    ...domainEndpoints,
    ...cacheEndpoints,
    ...phpEndpoints,
    ...backupEndpoints,
    ...siteMailEndpoints,
    ...siteMailLogEndpoints,
    ...metricEndpoints,
    ...ssoEndpoints,
  ],
  ambiguities: SITE_AMBIGUITIES,
  state: () => ({ mailDown: false }),
  siteState: ({ serial, createdAt }) => ({
    phpVariants: phpVariants(serial),
    layers: cacheLayers(),
    volumes: volumes(serial),
    restarts: { cms: 0, database: 0, cache: 0 },
    // The account comes with the site (TML-07).
    mail: mailAccount(createdAt),
  }),
  parts: { small },
  load: loadSites,
  controls: siteControls,
  outside: siteEvents,
  siteSnapshot: ({ phpVersion, layers, volumes: stored, restarts, mail, traffic }) => ({
    php: phpVersion,
    layers: Object.fromEntries(Object.entries(layers).map(([layer, { on }]) => [layer, on])),
    backups: Object.fromEntries(stored.map(({ label, archives }) => [label, archives.map(({ name }) => name).sort()])),
    restarts,
    mail:
      mail === null
        ? null
        : {
            fromLocalPart: mail.fromLocalPart,
            fromName: mail.fromName,
            configured: mail.configured,
            unblocks: mail.unblocks.length,
          },
    logins: traffic.logins,
  }),
};
