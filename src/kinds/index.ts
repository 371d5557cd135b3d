// The only list of kinds, parents before children. Nothing else in the program names them all.
import type { Kind, Registry } from '../model/kind.ts';
import { cacheLayer } from './cache-layer.ts';
import { caching } from './caching.ts';
import { edgeRule } from './edge-rule.ts';
import { mailAlias } from './mail-alias.ts';
import { mailDomain } from './mail-domain.ts';
import { mailGroup } from './mail-group.ts';
import { mailbox } from './mailbox.ts';
import { mailspace } from './mailspace.ts';
import { phpVersion } from './php-version.ts';
import { siteDomain } from './site-domain.ts';
import { site } from './site.ts';

const kinds: readonly Kind[] = [site, siteDomain, phpVersion, caching, cacheLayer, edgeRule, mailspace, mailDomain, mailbox, mailGroup, mailAlias];

export const registry: Registry = new Map(kinds.map((kind) => [kind.kind, kind]));
