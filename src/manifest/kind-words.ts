// What people call a kind before they know its name. Spelling alone leads from `Domain` to the wrong one.

/** In small letters and singular, with the kind that is meant. */
export const KIND_WORDS: Readonly<Record<string, string>> = {
  website: 'Site',
  app: 'Site',
  application: 'Site',
  hosting: 'Site',
  wordpress: 'Site',
  server: 'Site',
  template: 'SiteProfile',
  profile: 'SiteProfile',
  domain: 'SiteDomain',
  hostname: 'SiteDomain',
  ingress: 'SiteDomain',
  certificate: 'SiteDomain',
  rule: 'EdgeRule',
  edge: 'EdgeRule',
  redirect: 'EdgeRule',
  cache: 'Caching',
  cdn: 'Caching',
  waf: 'ShieldWaf',
  firewall: 'Shield',
  ratelimit: 'ShieldRateLimit',
  accesslist: 'ShieldAccessList',
  blocklist: 'ShieldAccessList',
  allowlist: 'ShieldAccessList',
  mail: 'Mailspace',
  email: 'Mailspace',
  maildomain: 'MailDomain',
  inbox: 'Mailbox',
  alias: 'MailAlias',
  forward: 'MailAlias',
  group: 'MailGroup',
  list: 'MailGroup',
  registration: 'DomainRegistration',
  nameserver: 'RegistrationNameservers',
  dnssec: 'RegistrationDnssec',
  glue: 'RegistrationHost',
  person: 'Contact',
  registrant: 'Contact',
  owner: 'Contact',
  client: 'User',
  customer: 'User',
  account: 'PanelAccount',
  package: 'PanelAccount',
};

/** The kind that somebody means by a word, or undefined where nobody knows. */
export function kindMeant(word: string): string | undefined {
  const plain = word.toLowerCase().replace(/[_\s-]/g, '');
  const singular = [plain, plain.replace(/s$/, ''), plain.replace(/es$/, '')];
  return singular.map((one) => (Object.hasOwn(KIND_WORDS, one) ? KIND_WORDS[one] : undefined)).find(Boolean);
}
