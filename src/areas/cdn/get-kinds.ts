// What `get` calls what this area shows. Data alone: it is loaded for help and completion, and its views are not.
import type { GetKindRow } from '../../model/shown.ts';

export const cdnGetKinds: readonly GetKindRow[] = [
  [
    ['cdn', 'cdn'],
    'each hostname at the CDN: whether it has its certificate; wide: origin, logging',
    { takes: ['site'] },
  ],
  [['caching', 'caching'], 'how the CDN caches each site: expiration, what answers differ by', { takes: ['site'] }],
  [
    ['edge-rules', 'edge-rule', 'er'],
    'edge rules in their order: what each does, and for which requests',
    { takes: ['site'] },
  ],
];
