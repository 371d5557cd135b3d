// How the kinds of this area are worded for people.
import type { WordsOf } from '../../model/kind/words.ts';

export const shieldWords: WordsOf = {
  Shield: { alsoCalled: ['firewall'], noun: 'Shield' },
  ShieldWaf: { alsoCalled: ['waf'], noun: 'Shield WAF' },
  ShieldDdos: { noun: 'Shield DDoS protection' },
  ShieldBotDetection: { noun: 'Shield bot detection' },
  ShieldCustomRule: { noun: 'Shield custom rule' },
  ShieldRateLimit: { alsoCalled: ['ratelimit'], noun: 'Shield rate limit' },
  ShieldAccessList: { alsoCalled: ['accesslist', 'blocklist', 'allowlist'], noun: 'Shield access list' },
};
