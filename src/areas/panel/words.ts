// How the kinds of this area are worded for people.
import type { WordsOf } from '../../model/kind/words.ts';

export const panelWords: WordsOf = {
  PanelAccount: { alsoCalled: ['account', 'package'] },
};
