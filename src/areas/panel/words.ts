// How the kinds of this area are worded for people, and what `get` calls what it shows. Data alone: it is loaded for help
// and completion.
import type { WordsOf } from '../../model/kind/words.ts';
import type { GetKindRow } from '../../model/shown.ts';

export const panelWords: WordsOf = {
  PanelAccount: { alsoCalled: ['account', 'package'] },
};

export const panelGetKinds: readonly GetKindRow[] = [
  [
    ['panel-accounts', 'panel-account', 'pa'],
    'package, state, disk space, server',
    { takes: ['query'], manifest: 'PanelAccount' },
  ],
];
