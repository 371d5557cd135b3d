// What `get` calls what this area shows. Data alone: it is loaded for help and completion, and its views are not.
import type { GetKindRow } from '../../model/shown.ts';

export const panelGetKinds: readonly GetKindRow[] = [
  [
    ['panel-accounts', 'panel-account', 'pa'],
    'package, state, disk space, server',
    { takes: ['query'], manifest: 'PanelAccount' },
  ],
];
