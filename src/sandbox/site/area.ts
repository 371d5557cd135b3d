// Sites: their domains, PHP, cache layers, backups, metrics and transactional mail.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import type { Layer, State } from '../core/state.ts';
import { SITE_AMBIGUITIES } from './ambiguities.ts';
import { siteControls, siteEvents } from './control.ts';
import { siteMailLogEndpoints } from './mail/log-routes.ts';
import { siteMailEndpoints } from './mail/routes.ts';
import { mailAccount, mailMessage, verifiedAccount } from './mail/state.ts';
import type { MailAccount } from './mail/state.ts';
import { backupEndpoints } from './routes/backups.ts';
import { cacheEndpoints } from './routes/cache.ts';
import { domainEndpoints } from './routes/domains.ts';
import { metricEndpoints } from './routes/metrics.ts';
import { phpEndpoints, sitesEndpoints, ssoEndpoints } from './routes/sites.ts';
import { loadSites } from './load.ts';
import { cacheLayers, phpVariants, volumes } from './state.ts';
import type { CacheLayer, PhpVariant, Volume } from './state.ts';
import { EPOCH_MS } from '../core/clock.ts';

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

function small({ sites }: State): void {
  const minutesAgo = (minutes: number): number => EPOCH_MS - minutes * 60_000;
  const blog = sites.get('site-blog');
  if (blog !== undefined) blog.mail = null;
  const docs = sites.get('site-docs');
  if (docs !== undefined) docs.mail = mailAccount(EPOCH_MS, { status: 'pending' });
  const shop = sites.get('site-shop');
  if (shop === undefined) return;
  shop.layers.nginx.on = true;
  shop.volumes[0]?.archives.push({ id: 'arch-nightly', name: 'nightly', createdAt: EPOCH_MS - 86_400_000 });
  shop.mail = verifiedAccount(EPOCH_MS - 86_400_000, 'shop.example.com');
  shop.mail.fromName = 'The Shop';
  shop.mail.messages.push(
    mailMessage({ rcpt: 'ada@customer.example', subject: 'Your order 17', sentAt: minutesAgo(50) }),
    mailMessage({
      rcpt: 'bob@customer.example',
      subject: 'Your order 18',
      sentAt: minutesAgo(40),
      delivered: 'N',
      rspcode: '550',
      rspmsg: 'no such user',
    }),
    mailMessage({ rcpt: 'relay@platform.example', sentAt: minutesAgo(30), relay: true }),
    mailMessage({ rcpt: 'ada@customer.example', subject: 'Password reset', sentAt: minutesAgo(20), delivered: 'Y' }),
  );
}
