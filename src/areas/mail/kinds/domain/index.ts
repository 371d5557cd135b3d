// A domain of a mailspace: added, described, removed when nothing is on it. One whose ownership is not proven waits for
// its TXT record. It must not remove the primary domain (O-51), nor touch a pending one (GAP-39).
import type { JsonObject } from '../../../../model/json.ts';
import { valueAt } from '../../../../model/json.ts';
import type { Blocker } from '../../../../model/kind/kind.ts';
import { defineChild, immutable, updatable } from '../../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../../model/kind/rows.ts';
import { addSteps, describeSteps, removeSteps } from './steps.ts';
import { mailPath, textOrEmpty } from '../guards.ts';
import { canonicalMailDomain } from '../../../common/spellings.ts';
import { mailDomainRecords, mailReported } from '../records.ts';
import { needsRegistration } from '../../../registration/kinds/registered-name.ts';
import { inWords } from '../../../common/format.ts';
import type { MailDomainSpec } from './spec.ts';
import { listSection } from '../../../common/sections.ts';

export const mailDomain = defineChild<MailDomainSpec>({
  kind: 'MailDomain',
  parent: 'Mailspace',
  list: 'additive',
  section: {
    ...listSection('domains', ({ name }) => canonicalMailDomain(name as string)),
    unlisted: 'domains',
  },
  identity: 'name',
  fields: {
    name: immutable('A mail domain keeps its name: another name is another domain (MDM-10).'),
    description: updatable(),
  },
  // A description of blanks is stored as none (MDM-11).
  normalise: (spec) => ({
    ...spec,
    ...(spec.name !== undefined && { name: canonicalMailDomain(spec.name) }),
    ...(spec.description?.trim() === '' && { description: '' }),
  }),
  reads: { domains: { path: (context) => mailPath(context, 'domains') } },
  decode: ({ domains }) => [...rowsAt(domains, '/domains'), ...rowsAt(domains, '/pending_domains')].map(decodeDomain),
  status: ({ computed }) => {
    if (computed.state === 'pending_verification') return { is: 'frozen', blocker: unproven(computed) };
    return computed.state === 'primary' ? { is: 'implicit' } : undefined;
  },
  create: {
    writes: ['name', 'description'],
    steps: ({ self, parent, desired }) => addSteps(self, parent, desired),
  },
  update: {
    describe: {
      writes: ['description'],
      steps: ({ self, parent, desired }) => describeSteps(self, parent, desired.description ?? ''),
    },
  },
  remove: {
    risk: ['delete'],
    refuse: ({ computed }) =>
      computed.state === 'pending_verification'
        ? {
            reason: 'a domain that is not verified yet cannot be removed over the API',
            remedy: 'Abandon it in the dashboard; the next plan sees that it is done.',
            rule: 'GAP-39',
            as: 'manual',
          }
        : null,
    steps: ({ self, parent }) => removeSteps(self, parent),
  },
  manifest: {
    item: ({ spec }) => ({ name: spec.name, ...(spec.description !== '' && { description: spec.description }) }),
  },
  capabilities: {
    needs: needsRegistration('O-17', ({ name }) => name),
    records: mailDomainRecords,
    reported: mailReported,
  },
});

function decodeDomain(row: JsonObject) {
  const name = canonicalMailDomain(textAt(row, '/name'));
  return {
    // A domain is addressed by its name (MDM-18).
    id: name,
    spec: { name, description: textOrEmpty(row, 'description') },
    computed: {
      state: textAt(row, '/state'),
      proven: row.verified === true,
      txtHost: valueAt(row, '/verification/txt_host') ?? null,
      txtValue: valueAt(row, '/verification/txt_value') ?? null,
    },
  };
}

function unproven({ proven, txtHost, txtValue }: JsonObject): Blocker {
  if (proven === true)
    return {
      reason: 'the ownership of the domain is proven, and it is being set up',
      remedy: 'Run again in a few minutes.',
      rule: 'O-37',
      as: 'waiting',
    };
  return {
    reason: 'nobody has proven yet that the domain is yours, and until then it takes no mail',
    remedy: `Publish the TXT record ${inWords(txtHost)} with the value ${inWords(txtValue)}, then run again. If it is published and this stays, have it checked in the dashboard.`,
    rule: 'MDM-07',
    as: 'waiting',
  };
}
