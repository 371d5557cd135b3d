// The sites of an agency: a client is a line in clients.json, and what clients have in common is written here once.
import { App, Construct, Site, type SiteProps } from 'hostwright/constructs';
import clients from './clients.json' with { type: 'json' };

interface Client {
  readonly name: string;
  /** For a site that has no hostname yet to be found by. */
  readonly id?: string | undefined;
  readonly hostname: string;
  readonly aliases: readonly string[];
  readonly sells: boolean;
}

const brochure = (): SiteProps => ({
  caching: { smartCache: true, cacheExpiration: 86_400, browserCacheExpiration: 3600, staleWhileUpdating: true },
});

/** Prices change, and depend on the currency. */
const shop = (): SiteProps => ({
  caching: { cacheExpiration: 600, varyCookie: true, cookieVaryParameters: ['currency'] },
});

class ClientSite extends Construct {
  constructor(scope: Construct, { name, id, hostname, aliases, sells }: Client) {
    super(scope, name);
    new Site(
      this,
      name,
      Site.merge(brochure(), sells ? shop() : {}, {
        ...(id !== undefined && { id }),
        ...(sells && { lifecycle: { protect: true } }),
        primaryDomain: hostname,
        domains: [hostname, ...aliases],
      }),
    );
  }
}

const app = new App();
app.check(Site, (site) =>
  (site.props.domains?.length ?? 0) > 5 ? 'the contract of a client has five hostnames at most' : undefined,
);
for (const client of clients) new ClientSite(app, client);

export default app;
