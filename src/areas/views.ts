// What `get KIND` reads and shows: the tables of all areas as one.
import { accountViews } from './account/views.ts';
import { cdnViews } from './cdn/views.ts';
import type { View } from './common/view.ts';
import { mailViews } from './mail/views.ts';
import { panelViews } from './panel/views.ts';
import { registrationViews } from './registration/views.ts';
import { shieldViews } from './shield/views.ts';
import { siteViews } from './site/views.ts';
import { userViews } from './user/views.ts';

export const VIEWS: Readonly<Record<string, View>> = {
  ...siteViews,
  ...cdnViews,
  ...shieldViews,
  ...mailViews,
  ...registrationViews,
  ...panelViews,
  ...userViews,
  ...accountViews,
};

export type { Cut, ListName, AccountReader, ViewRow, Wish } from './common/view.ts';
