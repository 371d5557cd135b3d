// The kinds that `get` shows, by all the names that people may call them: plural, singular, short, and what manifests
// say. Data alone: the command line reads it for help and completion, before anything else is loaded.

/** Options that narrow what is shown. */
export type Narrowing = 'site' | 'mailspace' | 'registration' | 'query' | 'status' | 'date' | 'limit';

export interface GetKind {
  /** Plural, such as `sites`. */
  readonly kind: string;
  readonly singular: string;
  readonly short: readonly string[];
  /** What is shown of it, in a few words. */
  readonly shows: string;
  readonly takes: readonly Narrowing[];
  /** Something of it moves by itself: it can be watched. */
  readonly moves: boolean;
  /** The kind of manifest whose names it takes beside its own. */
  readonly manifest?: string;
  /** How many rows are shown where `--limit` says nothing. */
  readonly limit?: number;
}

function kindOf(
  [kind, singular, ...short]: readonly [string, string, ...string[]],
  shows: string,
  more: Partial<Pick<GetKind, 'takes' | 'moves' | 'manifest' | 'limit'>> = {},
): GetKind {
  return { kind, singular, short, shows, takes: [], moves: false, ...more };
}

export const GET_KINDS: readonly GetKind[] = [
  kindOf(['sites', 'site'], 'plan, price, primary domain, PHP version, SSH address', { manifest: 'Site' }),
  kindOf(['domains', 'domain', 'dom'], 'hostnames, the site of each, the target of its CNAME, DNS zone', {
    takes: ['site'],
  }),
  kindOf(['cdn', 'cdn'], 'each hostname at the CDN: whether it has its certificate; wide: origin, logging', {
    takes: ['site'],
  }),
  kindOf(['caching', 'caching'], 'how the CDN caches each site: expiration, what answers differ by', {
    takes: ['site'],
  }),
  kindOf(['edge-rules', 'edge-rule', 'er'], 'edge rules in their order: what each does, and for which requests', {
    takes: ['site'],
  }),
  kindOf(['backups', 'backup'], 'the volumes of sites, and how many archives each has', {
    takes: ['site'],
    moves: true,
  }),
  kindOf(['archives', 'archive'], 'the archives of each volume, newest first', { takes: ['site'], moves: true }),
  kindOf(['tasks', 'task'], 'what the platform works on, at most 100 a site', {
    takes: ['site', 'status'],
    moves: true,
  }),
  kindOf(['site-mail', 'site-mail'], 'the mail that sites send: sender, DNS verdict, suspension', { takes: ['site'] }),
  kindOf(['orders', 'order'], 'what was bought, its payment, and the page to pay on', {
    takes: ['limit'],
    moves: true,
    limit: 20,
  }),
  kindOf(['carts', 'cart'], 'purchases on their way that the ledger knows, or one cart by its token', { moves: true }),
  kindOf(['mailspaces', 'mailspace', 'ms'], 'used space, quota, mailboxes, days until deletion, webmail', {
    manifest: 'Mailspace',
  }),
  kindOf(['mailboxes', 'mailbox', 'mb'], 'used space, quota, days until deletion; wide: two-factor sign-in', {
    takes: ['mailspace'],
  }),
  kindOf(['mail-domains', 'mail-domain', 'md'], 'domains of mailspaces: state, DNS; wide: the TXT record to publish', {
    takes: ['mailspace'],
  }),
  kindOf(['groups', 'group'], 'groups of mailspaces, how many members each has; wide: who they are', {
    takes: ['mailspace'],
  }),
  kindOf(['aliases', 'alias'], 'aliases of mailspaces, and where each leads', { takes: ['mailspace'] }),
  kindOf(['registrations', 'registration', 'reg'], 'expiry, renewal, cancellation deadline, fees, process going on', {
    takes: ['query'],
    moves: true,
    manifest: 'DomainRegistration',
  }),
  kindOf(['contacts', 'contact'], 'who is at the registrar, and which registrations use them', { takes: ['query'] }),
  kindOf(['hosts', 'host'], 'glue records of registrations', { takes: ['registration'] }),
  kindOf(['panel-accounts', 'panel-account', 'pa'], 'package, state, disk space, server', {
    takes: ['query'],
    manifest: 'PanelAccount',
  }),
  kindOf(['users', 'user'], 'the users of the account', { manifest: 'User' }),
  kindOf(['shield-rules', 'shield-rule', 'sr'], 'rules of the WAF itself, own rules, rate limits, access lists', {
    takes: ['site'],
  }),
  kindOf(['shield-events', 'shield-event', 'se'], 'what Shield logged, challenged and blocked on one day', {
    takes: ['site', 'date', 'limit'],
    limit: 100,
  }),
  kindOf(['about', 'plans', 'locations', 'plan', 'location'], 'plans and locations, as the platform names them'),
];

/** Upper case, hyphens and the word `domain` of manifests weigh nothing: `PanelAccount` is `panel-account`. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

/** The kind that is called so; undefined where there is none. */
export function findGetKind(name: string): GetKind | undefined {
  return GET_KINDS.find((known) => namesOf(known).some((one) => plain(one) === plain(name)));
}

/** Every name that a kind answers to. */
export function namesOf({ kind, singular, short, manifest }: GetKind): readonly string[] {
  return [kind, singular, ...short, ...(manifest === undefined ? [] : [manifest, `${manifest}s`])];
}

/** What it is called beside its plural, for people. */
export function otherNames({ kind, singular, short }: GetKind): string {
  return [singular, ...short].filter((name) => name !== kind).join(', ');
}
