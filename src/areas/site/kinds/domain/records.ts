// The DNS records that a site's hostname needs: name servers at its registrar, or a CNAME (DOM-12). They are never
// written by us (DOM-13). It must not guess a value: name servers are told once, when the hostname is attached
// (DOM-07).
import type { DnsRecord } from '../../../../model/dns.ts';
import { valueAt } from '../../../../model/json.ts';
import type { Answers } from '../../../../model/kind/kind.ts';
import type { RecordContext, RecordsDefinition } from '../../../../model/kind/capabilities/records.ts';
import type { ReportedDefinition } from '../../../../model/kind/capabilities/reported.ts';
import { siteViewPaths } from '../../../common/lists.ts';
import type { SiteDomainSpec } from './spec.ts';

const NOT_ATTACHED = 'not known before it is attached';

export const siteDomainRecords: RecordsDefinition<SiteDomainSpec> = {
  reads: (context) => (isHostedHere(context) ? {} : readsOf(context)),
  records: (context, answers) =>
    methodOf(context) === 'dns' || isHostedHere(context) ? nameServers(context) : [cname(context, answers)],
};

/** Only where the ledger does not know the target; the view of the site names it (SIT-03). */
function readsOf(context: RecordContext<SiteDomainSpec>): Readonly<Record<string, readonly string[]>> {
  const { live, outputs, parent } = context;
  return methodOf(context) === 'cname' && live !== null && outputs.cname === undefined && parent !== null
    ? { site: siteViewPaths(parent.id) }
    : {};
}

/** Where the CNAME record of a hostname points: told at its attach (DOM-07), else by the view of its site (SIT-03). */
export const siteDomainReported: ReportedDefinition<SiteDomainSpec> = {
  reads: readsOf,
  values: {
    cnameTarget: (context, answers) => {
      if (methodOf(context) === 'dns') return null;
      const target = targetOf(context, answers);
      return target ?? (answers.site === undefined ? undefined : null);
    },
  },
};

/** What the answer to the attach gave says how it was attached; the method itself is never read back (GAP-18). */
function methodOf({ desired, outputs }: RecordContext<SiteDomainSpec>): 'dns' | 'cname' {
  if (outputs.ns1 !== undefined) return 'dns';
  return outputs.cname === undefined ? (desired.attach ?? 'cname') : 'cname';
}

/**
 * Nothing says how it was attached, and the platform hosts its zone (DOM-13): then nobody is told to publish a CNAME
 * that the zone may not even take.
 */
function isHostedHere({ desired, live, outputs }: RecordContext<SiteDomainSpec>): boolean {
  return desired.attach === undefined && outputs.cname === undefined && live?.computed.hasZone === true;
}

function nameServers({ desired, live, outputs }: RecordContext<SiteDomainSpec>): readonly DnsRecord[] {
  const record = {
    name: desired.hostname as string,
    type: 'NS',
    purpose: 'hands the name to the platform',
    rule: 'DOM-07',
    at: 'registrar',
  } as const;
  const known = [outputs.ns1, outputs.ns2].filter((value) => value !== undefined);
  if (known.length > 0) return known.map((value) => ({ ...record, value }));
  const reason =
    live === null
      ? NOT_ATTACHED
      : 'the platform hosts the zone of this name, and shows its name servers only when a hostname is attached; look in the dashboard';
  return [{ ...record, reason }];
}

function targetOf({ outputs }: RecordContext<SiteDomainSpec>, { site }: Answers): string | undefined {
  const target = outputs.cname ?? valueAt(site, '/site/domain_cname');
  return typeof target === 'string' && target !== '' ? target : undefined;
}

function cname(context: RecordContext<SiteDomainSpec>, answers: Answers): DnsRecord {
  const { desired, live, outputs } = context;
  const record = {
    name: desired.hostname as string,
    type: 'CNAME',
    purpose: 'leads visitors to the site',
    rule: outputs.cname === undefined ? 'SIT-03' : 'DOM-07',
  } as const;
  const value = targetOf(context, answers);
  if (value !== undefined) return { ...record, value };
  return { ...record, reason: live === null ? NOT_ATTACHED : 'neither the ledger nor the site tells its target' };
}
