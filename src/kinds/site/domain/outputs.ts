// What other manifests can take from a site's hostname: the name servers of its zone. They are told once, when it is
// attached by `dns` (DOM-07). They are never guessed: whoever hands a name to servers that do not know it takes it off
// the net, so the zone comes first (O-61).
import type { OutputDefinition } from '../../../model/kind/needs.ts';
import type { SiteDomainSpec } from './index.ts';

export const siteDomainOutputs: Readonly<Record<string, OutputDefinition<SiteDomainSpec>>> = {
  nameservers: {
    value: ({ reported: { ns1, ns2 } }) => (ns1 === undefined || ns2 === undefined ? undefined : [ns1, ns2]),
    unknown: {
      reason:
        'the platform tells the name servers once, when a hostname is attached by `dns`, and the ledger does not have them',
      remedy: 'Write the name servers as a list; the dashboard shows them.',
      rule: 'DOM-07',
    },
  },
};
