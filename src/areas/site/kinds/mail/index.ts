// The sender identity of a site's transactional mail: the two overrides that are stored. What follows from them (the
// address in use, the delivery configuration) is told as notices and never compared. It must not lift a block or check
// DNS: those are a person's decisions (TML-20).
import type { JsonObject } from '../../../../model/json.ts';
import { valueAt } from '../../../../model/json.ts';
import { defineChild, updatable } from '../../../../model/kind/kind.ts';
import { describeType, objectAt, ShapeError } from '../../../../model/kind/rows.ts';
import type { Mail } from '../../../../model/generated/site.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { mailComputed, mailNotices } from './notices.ts';
import { objectSection } from '../../../common/sections.ts';
import { readBack, change } from '../../../common/steps.ts';

/** An empty text is no override: the platform's default applies, and the name falls back to that of the site. */
export type SiteMailSpec = Required<Mail>;

export const siteMail = defineChild<SiteMailSpec>({
  kind: 'SiteMail',
  parent: 'Site',
  list: 'singleton',
  section: objectSection('mail'),
  fields: { fromLocalPart: updatable(), fromName: updatable() },
  reads: { mail: { path: ({ parent }) => `/api/sites/${encodeURIComponent(parent.id)}/mail` } },
  decode: (answers, { parent }) => {
    const { mail } = objectAt(answers.mail);
    // null says that the site has no account (TML-01); an answer without the key says nothing.
    if (mail === null) return [];
    const account = objectAt(mail);
    // Only the stored overrides are wanted or not; the effective values have defaults in them (TML-10).
    return [
      {
        id: 'mail',
        spec: { fromLocalPart: override(account, 'local_part'), fromName: override(account, 'name') },
        computed: mailComputed(account, parent.computed.primaryDomain),
      },
    ];
  },
  create: {
    reason: 'the site has no mail account: it comes with the site, and no call makes one',
    remedy: 'Ask the platform for the mail account of the site, or remove `mail` from the manifest.',
    rule: 'TML-07',
  },
  update: {
    settings: {
      writes: ['fromLocalPart', 'fromName'],
      steps: ({ parent, desired, observed }) => {
        const both = { ...observed, ...desired };
        return [
          change({
            name: 'settings',
            method: 'PATCH',
            path: path`/api/sites/${ref(parent)}/mail/settings`,
            // What becomes of an override that is left out is not documented, so the one that stays is sent as it is
            // (GAP-34).
            body: { mail_from_local_part: both.fromLocalPart || null, mail_from_name: both.fromName || null },
            reason: 'store who the site sends mail as',
            rule: 'TML-28',
          }),
          readBack('the platform ignores what it does not know without saying so', 'TML-11'),
        ];
      },
    },
  },
  order: [
    {
      rule: 'O-29',
      reason: 'mail waits until its DKIM domain is the primary domain, so promote that first',
      within: 'root',
      // The removal of the old primary comes last, and tells of it too.
      before: ({ kind, changes }) =>
        kind === 'SiteDomain' && changes.some((change) => change.path === '/primary' && change.value === true),
      after: ({ kind }) => kind === 'SiteMail',
    },
  ],
  notices: ({ computed }) => mailNotices(computed),
});

function override(account: JsonObject, key: 'local_part' | 'name'): string {
  const value = valueAt(account, `/sender_identity/mail_from_${key}`);
  if (value === null) return '';
  if (typeof value !== 'string')
    throw new ShapeError(`expected text or null at /sender_identity/mail_from_${key}, found ${describeType(value)}`);
  return value;
}
