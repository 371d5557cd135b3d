// What `get KIND` reads and shows: the tables of all areas as one, by their names.
import { accountViews } from './account/views.ts';
import { cdnViews } from './cdn/views.ts';
import type { View } from './common/view.ts';
import { mailViews } from './mail/views.ts';
import { panelViews } from './panel/views.ts';
import { registrationViews } from './registration/views.ts';
import { shieldViews } from './shield/views.ts';
import { siteViews } from './site/views.ts';
import { userViews } from './user/views.ts';

const views: readonly View[] = [
  ...siteViews,
  ...cdnViews,
  ...shieldViews,
  ...mailViews,
  ...registrationViews,
  ...panelViews,
  ...userViews,
  ...accountViews,
];

export const VIEWS: ReadonlyMap<string, View> = new Map(views.map((view) => [view.called[0][0], view]));

export type { Cut, ListName, AccountReader, ViewRow, Wish } from './common/view.ts';
