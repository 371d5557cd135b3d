// A staging and a production account from one program: the same shop twice, and every difference on a line of its own.
import { Account, App, Construct, Site } from 'hostwright/constructs';

interface Stage {
  readonly account: string;
  readonly hostname: string;
  readonly isLive: boolean;
}

const STAGES: readonly Stage[] = [
  { account: 'acc-staging', hostname: 'staging.shop.example.com', isLive: false },
  { account: 'acc-production', hostname: 'shop.example.com', isLive: true },
];

class Shop extends Construct {
  constructor(scope: Construct, { hostname, isLive }: Stage) {
    super(scope, 'shop');
    new Site(this, 'shop', {
      id: 'site-shop', // the same site, whatever it is called by
      ...(isLive && { lifecycle: { protect: true } }),
      primaryDomain: hostname,
      domains: isLive ? [hostname, `www.${hostname}`] : [hostname],
      caching: {
        smartCache: true,
        cacheExpiration: isLive ? 3600 : 0, // whoever tests sees each change at once
        varyCookie: true,
        cookieVaryParameters: ['currency'],
      },
    });
  }
}

const app = new App();
for (const stage of STAGES)
  new Shop(
    new Account(app, stage.account, { manifests: ['sites'], guards: { allowDeletes: stage.isLive ? 0 : 5 } }),
    stage,
  );

export default app;
