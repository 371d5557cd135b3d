// How the kinds of this area are worded for people.
import type { WordsOf } from '../../model/kind/words.ts';

export const shieldWords: WordsOf = {
  Shield: { noun: 'Shield' },
  ShieldWaf: { noun: 'Shield WAF' },
  ShieldDdos: { noun: 'Shield DDoS protection' },
  ShieldBotDetection: { noun: 'Shield bot detection' },
  ShieldCustomRule: { noun: 'Shield custom rule' },
  ShieldRateLimit: { noun: 'Shield rate limit' },
  ShieldAccessList: { noun: 'Shield access list' },
};
