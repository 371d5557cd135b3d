// The only list of kinds, parents before children. Nothing else in the program names them all.
import type { Kind, Registry } from '../model/kind.ts';
import { backup } from './backup.ts';
import { cacheLayer } from './cache-layer.ts';
import { cachePurge } from './cache-purge.ts';
import { caching } from './caching.ts';
import { edgeRule } from './edge-rule.ts';
import { phpVersion } from './php-version.ts';
import { siteDomain } from './site-domain.ts';
import { site } from './site.ts';

const kinds: readonly Kind[] = [site, siteDomain, phpVersion, caching, cacheLayer, edgeRule, backup, cachePurge];

export const registry: Registry = new Map(kinds.map((kind) => [kind.kind, kind]));
