// The kinds that `get` shows: the tables of all areas as one.
import type { GetKind } from '../model/shown.ts';
import { accountGetKinds } from './account/get-kinds.ts';
import { cdnGetKinds } from './cdn/get-kinds.ts';
import { mailGetKinds } from './mail/get-kinds.ts';
import { panelGetKinds } from './panel/get-kinds.ts';
import { registrationGetKinds } from './registration/get-kinds.ts';
import { shieldGetKinds } from './shield/get-kinds.ts';
import { siteGetKinds } from './site/get-kinds.ts';
import { userGetKinds } from './user/get-kinds.ts';

export const GET_KINDS: readonly GetKind[] = [
  ...siteGetKinds,
  ...cdnGetKinds,
  ...shieldGetKinds,
  ...mailGetKinds,
  ...registrationGetKinds,
  ...panelGetKinds,
  ...userGetKinds,
  ...accountGetKinds,
].map(([[kind, singular, ...short], shows, more]) => ({
  kind,
  singular,
  short,
  shows,
  takes: [],
  moves: false,
  ...more,
}));
