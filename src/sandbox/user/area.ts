// The users of a reseller, each with a sub-account of its own.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { USER_AMBIGUITIES } from './ambiguities.ts';
import { loadUsers } from './load.ts';
import { userEndpoints } from './routes.ts';

declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof USER_AMBIGUITIES> {}
}

export const user: Area = { endpoints: userEndpoints, ambiguities: USER_AMBIGUITIES, load: loadUsers };
