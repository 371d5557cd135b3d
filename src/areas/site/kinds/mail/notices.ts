// What is said about a site's mail that no manifest can write: whether it is delivered, and what stands in the way.
import { diagnose } from '../../../../model/diagnostic.ts';
import { canonicalHostname } from '../../../../model/hostname.ts';
import type { Json, JsonObject } from '../../../../model/json.ts';
import { valueAt } from '../../../../model/json.ts';
import type { Notice } from '../../../../model/kind/kind.ts';

const RECORDS = { spf: 'SPF', dkim: 'DKIM', lockdown: 'domain lockdown' } as const;

/** What the notices rest on; what is not there, or is of another type, is null. */
type MailComputed = {
  readonly status: string | null;
  readonly configured: boolean;
  readonly verdict: string | null;
  readonly unverified: readonly string[];
  readonly dkimDomain: string | null;
  readonly primaryDomain: string | null;
  readonly suspended: boolean;
  readonly liftable: boolean;
  readonly reason: string | null;
};

/** The facts in an account, under a site with this primary domain. */
export function mailComputed(account: JsonObject, primaryDomain: Json | undefined): MailComputed {
  const dkim = valueAt(account, '/sender_identity/dkim_domain');
  return {
    status: text(account.status),
    configured: account.configured === true,
    verdict: text(valueAt(account, '/dns/verdict')),
    unverified: Object.entries(RECORDS)
      .filter(([record]) => valueAt(account, `/dns/${record}_verified`) === false)
      .map(([, name]) => name),
    dkimDomain: typeof dkim === 'string' ? canonicalHostname(dkim) : null,
    primaryDomain: text(primaryDomain),
    suspended: valueAt(account, '/suspension/suspended') === true,
    liftable: valueAt(account, '/suspension/can_self_unsuspend') === true,
    reason: text(valueAt(account, '/suspension/reason')),
  };
}

/** One notice at most: the first thing that keeps mail from being delivered as declared. */
export function mailNotices(computed: JsonObject): readonly Notice[] {
  const detail = blocker(computed as unknown as MailComputed);
  return detail === null ? [] : [diagnose('HW2301', detail)];
}

function blocker({
  status,
  configured,
  verdict,
  unverified,
  dkimDomain,
  primaryDomain,
  suspended,
  liftable,
  reason,
}: MailComputed): string | null {
  if (suspended) {
    const why = reason === null ? '' : ` (${reason})`;
    return `Sending is suspended${why}. ${liftable ? 'It may be lifted once its cause is gone: `hostwright run unblock-mail Site/NAME`.' : 'Only the platform can lift it.'}`;
  }
  if (status !== 'active')
    return `The mail account is ${status ?? 'in an unknown state'}, so nothing is sent through it. What is declared is stored all the same.`;
  if (verdict === 'failed') {
    const missing = unverified.join(', ');
    return `The DNS check failed${missing === '' ? '' : ` (${missing})`}; a day after that the platform stops delivering. Publish the records that the dashboard shows, then \`hostwright run check-mail Site/NAME\`.`;
  }
  if (dkimDomain !== null && primaryDomain !== null && dkimDomain !== primaryDomain) {
    return `The DKIM domain is ${dkimDomain} and the primary domain ${primaryDomain}: until the first follows the second, mail stays as it was (TML-18).`;
  }
  if (configured) return null;
  if (dkimDomain === null) return 'The mail account has no DKIM domain yet, so there is no address to send from.';
  return verdict === 'verified'
    ? 'The platform has not put the delivery configuration on the site yet.'
    : 'The DNS of the sender domain has not been verified yet: `hostwright run check-mail Site/NAME`.';
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
