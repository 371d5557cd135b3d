// What `get` calls what this area shows. Data alone: it is loaded for help and completion, and its views are not.
import type { GetKindRow } from '../../model/shown.ts';

export const accountGetKinds: readonly GetKindRow[] = [
  [
    ['orders', 'order'],
    'what was bought, its payment, and the page to pay on',
    { takes: ['limit'], moves: true, limit: 20 },
  ],
  [['carts', 'cart'], 'purchases on their way that the ledger knows, or one cart by its token', { moves: true }],
  [['about', 'plans', 'locations', 'plan', 'location'], 'plans and locations, as the platform names them'],
];
