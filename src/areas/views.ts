// What `get KIND` reads and shows: the tables of all areas as one, by their names.
import { accountViews } from './account/views.ts';
import { cdnViews } from './cdn/views.ts';
import type { GetKindRow } from '../model/shown.ts';
import type { View } from './common/view.ts';
import { mailViews } from './mail/views.ts';
import { panelViews } from './panel/views.ts';
import { priceViews } from './registration/prices.ts';
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
  ...priceViews,
  ...panelViews,
  ...userViews,
  ...accountViews,
];

/** What `get` reads of one site without a view: entries and numbers instead of rows. */
export const TRAFFIC_KINDS: readonly GetKindRow[] = [
  [
    ['logs', 'log'],
    'log entries of a site: access (default), origin or mail; or summary',
    { takes: ['site', 'since', 'until', 'filter', 'limit'], moves: true, limit: 100 },
  ],
  [
    ['metrics', 'metric'],
    'metrics of a site: cdn (default), resources, now, mail, shield or shield-overview',
    { takes: ['site', 'since', 'until', 'chart'] },
  ],
];

export const VIEWS: ReadonlyMap<string, View> = new Map(views.map((view) => [view.called[0][0], view]));

export type { Cut, ListName, AccountReader, ViewRow, Wish } from './common/view.ts';
