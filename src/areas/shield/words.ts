// How the kinds of this area are worded for people, and what `get` calls what it shows. Data alone: it is loaded for help
// and completion.
import type { WordsOf } from '../../model/kind/words.ts';
import type { GetKindRow } from '../../model/shown.ts';

export const shieldWords: WordsOf = {
  Shield: { alsoCalled: ['firewall'], noun: 'Shield' },
  ShieldWaf: { alsoCalled: ['waf'], noun: 'Shield WAF' },
  ShieldDdos: { noun: 'Shield DDoS protection' },
  ShieldBotDetection: { noun: 'Shield bot detection' },
  ShieldCustomRule: { noun: 'Shield custom rule' },
  ShieldRateLimit: { alsoCalled: ['ratelimit'], noun: 'Shield rate limit' },
  ShieldAccessList: { alsoCalled: ['accesslist', 'blocklist', 'allowlist'], noun: 'Shield access list' },
};

export const shieldGetKinds: readonly GetKindRow[] = [
  [
    ['shield-rules', 'shield-rule', 'sr'],
    'rules of the WAF itself, own rules, rate limits, access lists',
    { takes: ['site'] },
  ],
  [
    ['shield-events', 'shield-event', 'se'],
    'what Shield logged, challenged and blocked on one day',
    { takes: ['site', 'date', 'limit'], limit: 100 },
  ],
];
