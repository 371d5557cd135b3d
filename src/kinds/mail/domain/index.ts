// A domain of a mailspace: added, described, removed when nothing is on it. One whose ownership is not proven waits for
// its TXT record. Must not remove the primary domain (O-51), nor touch a pending one (GAP-39).
import type { JsonObject } from '../../../model/json.ts';
import { valueAt } from '../../../model/json.ts';
import type { Refusal } from '../../../model/kind/kind.ts';
import { defineKind, fixed, updatable } from '../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../model/kind/rows.ts';
import { addSteps, describeSteps, removeSteps } from './steps.ts';
import { mailGuards, mailPath, mailWrite, textOrEmpty } from '../guards.ts';
import { canonicalMailDomain } from '../names.ts';
import { mailDomainOrder } from '../mailspace/order.ts';
import { mailDomainRecords } from '../records.ts';
import { needsRegistration } from '../../registration/registered-name.ts';
import { inWords } from '../../common/words.ts';

export interface MailDomainSpec {
  readonly name: string;
  readonly description: string;
}

export const mailDomain = defineKind<MailDomainSpec>({
  kind: 'MailDomain',
  parent: 'Mailspace',
  list: 'asset',
  section: {
    fields: ['domains'],
    unlisted: 'domains',
    expand: ({ domains }) =>
      (domains as readonly JsonObject[]).map((spec, index) => ({
        name: canonicalMailDomain(spec.name as string),
        spec,
        pointer: `/domains/${index}`,
      })),
  },
  identity: ({ name = '' }) => name,
  fields: { name: fixed('Another name is another domain.'), description: updatable() },
  // A description of blanks is stored as none (MDM-11).
  normalise: (spec) => ({
    ...spec,
    ...(spec.name !== undefined && { name: canonicalMailDomain(spec.name) }),
    ...(spec.description?.trim() === '' && { description: '' }),
  }),
  reads: { domains: { path: (context) => mailPath(context, 'domains') } },
  failures: mailGuards,
  decode: ({ domains }) => [...rowsAt(domains, '/domains'), ...rowsAt(domains, '/pending_domains')].map(decodeDomain),
  hold: ({ facts }) => (facts.state === 'pending_verification' ? unproven(facts) : null),
  inherent: ({ facts }) => facts.state === 'primary',
  create: {
    writes: ['name', 'description'],
    requires: mailWrite,
    steps: ({ self, parent, desired }) => addSteps(self, parent, desired),
  },
  update: {
    describe: {
      writes: ['description'],
      requires: mailWrite,
      steps: ({ self, parent, desired }) => describeSteps(self, parent, desired.description ?? ''),
    },
  },
  remove: {
    requires: mailWrite,
    risk: ['delete'],
    refuse: ({ facts }) =>
      facts.state === 'pending_verification'
        ? {
            because: 'a domain that is not verified yet cannot be removed over the API',
            todo: 'Abandon it in the dashboard; the next plan sees that it is done.',
            rule: 'GAP-39',
            as: 'manual',
          }
        : null,
    steps: ({ self, parent }) => removeSteps(self, parent),
  },
  order: mailDomainOrder,
  needs: needsRegistration('O-17', ({ name }) => name),
  records: mailDomainRecords,
  adopt: ({ spec }) => ({ name: spec.name, ...(spec.description !== '' && { description: spec.description }) }),
});

function decodeDomain(row: JsonObject) {
  const name = canonicalMailDomain(textAt(row, '/name'));
  return {
    // A domain is addressed by its name (MDM-18).
    id: name,
    spec: { name, description: textOrEmpty(row, 'description') },
    facts: {
      state: textAt(row, '/state'),
      proven: row.verified === true,
      txtHost: valueAt(row, '/verification/txt_host') ?? null,
      txtValue: valueAt(row, '/verification/txt_value') ?? null,
    },
  };
}

function unproven({ proven, txtHost, txtValue }: JsonObject): Refusal {
  if (proven === true)
    return {
      because: 'the ownership of the domain is proven, and it is being set up',
      todo: 'Run again in a few minutes.',
      rule: 'O-37',
      as: 'waiting',
    };
  return {
    because: 'nobody has proven yet that the domain is yours, and until then it takes no mail',
    todo: `Publish the TXT record ${inWords(txtHost)} with the value ${inWords(txtValue)}, then run again. If it is published and this stays, have it checked in the dashboard.`,
    rule: 'MDM-07',
    as: 'waiting',
  };
}
