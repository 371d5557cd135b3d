// The areas that this sandbox has, one a line. To take one out is to delete its folder and its line; those that build on
// another area (`billing`) go with it.
import { billing } from './billing/area.ts';
import { cdn } from './cdn/area.ts';
import type { Area } from './core/area.ts';
import { CORE_AMBIGUITIES } from './core/ambiguities.ts';
import type { AmbiguityTable } from './core/ambiguities.ts';
import { mail } from './mail/area.ts';
import { panel } from './panel/area.ts';
import { registration } from './registration/area.ts';
import { shield } from './shield/area.ts';
import { site } from './site/area.ts';
import { user } from './user/area.ts';

// prettier-ignore
export const AREAS: readonly Area[] = [
  billing,
  mail,
  registration,
  site,
  cdn,
  shield,
  panel,
  user,
];

/** All that the documents leave open, and the readings that this sandbox has of each. */
export const AMBIGUITIES: AmbiguityTable = Object.assign(
  { ...CORE_AMBIGUITIES },
  ...AREAS.map(({ ambiguities }) => ambiguities),
) as AmbiguityTable;
