// How the kinds of this area are worded for people.
import type { WordsOf } from '../../model/kind/words.ts';

export const siteWords: WordsOf = {
  Site: { alsoCalled: ['website', 'app', 'application', 'hosting', 'wordpress', 'server'] },
  SiteProfile: { alsoCalled: ['template', 'profile'] },
  // DOM-13
  SiteDomain: { alsoCalled: ['domain', 'hostname', 'ingress', 'certificate'], noun: 'hostname', needsRecords: true },
  SiteMail: { noun: 'mail settings', nouns: 'mail settings' },
};
