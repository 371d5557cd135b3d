// What the small account has of caching and edge rules.
import type { Site, State } from '../core/state.ts';
import { SYSTEM_PREFIX, addEdgeRule } from './edge-rules.ts';

/** The shop of the small account: caching that somebody set, and rules. */
export function small(state: State): void {
  const shop = state.sites.get('site-shop');
  if (shop === undefined) return;
  Object.assign(shop.cdn.caching, {
    smart_cache: true,
    cache_expiration: 3600,
    vary_cookie: true,
    cookie_vary_parameters: ['currency'],
  });
  shopEdgeRules(shop);
}

/** Order indexes with a hole (the platform's own rule) and a tie, and an action that cannot be written. */
function shopEdgeRules(shop: Site): void {
  const onUrl = (...PatternMatches: string[]) => ({
    Type: 0,
    PatternMatchingType: 0,
    Parameter1: null,
    PatternMatches,
  });
  addEdgeRule(shop, {
    Guid: 'edge-force-ssl',
    ActionType: 0,
    Description: 'force ssl',
    OrderIndex: 1,
    Triggers: [onUrl('*')],
  });
  addEdgeRule(shop, {
    Guid: 'edge-old-shop',
    ActionType: 1,
    ActionParameter1: 'https://shop.example.com/',
    ActionParameter2: '301',
    Description: 'old shop',
    OrderIndex: 3,
    Triggers: [onUrl('*/old/*', '*/classic/*')],
  });
  addEdgeRule(shop, {
    Guid: 'edge-headers',
    ActionType: 5,
    ActionParameter1: 'X-Frame-Options',
    ActionParameter2: 'DENY',
    Description: 'headers',
    OrderIndex: 3,
    TriggerMatchingType: 1,
    Enabled: false,
    Triggers: [onUrl('*'), { Type: 4, PatternMatchingType: 2, Parameter1: '', PatternMatches: ['NL'] }],
    ExtraActions: [
      {
        ActionType: 5,
        ActionParameter1: 'X-Content-Type-Options',
        ActionParameter2: 'nosniff',
        ActionParameter3: null,
      },
    ],
  });
  addEdgeRule(shop, {
    Guid: 'edge-system',
    ActionType: 4,
    Description: `${SYSTEM_PREFIX}block bad bots`,
    OrderIndex: 2,
    Triggers: [onUrl('*/xmlrpc.php')],
  });
  addEdgeRule(shop, {
    Guid: 'edge-newer',
    ActionType: 37,
    Description: 'made elsewhere',
    OrderIndex: 4,
    Triggers: [onUrl('*/beta/*')],
  });
}
