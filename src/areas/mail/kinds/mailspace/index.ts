// A mailspace: bought with an `order:` block, bound by its primary domain, set up by the platform once its owner is
// proven. What is in it are kinds of their own. It must not buy a second one, nor change a package or delete: no
// document says how (GAP-36, GAP-37).
import { needs } from '../../../endpoint.ts';
import { canonicalHostname } from '../../../../model/hostname.ts';
import type { Json, JsonObject } from '../../../../model/json.ts';
import { valueAt } from '../../../../model/json.ts';
import type { Answers, ReadContext, Blocker, Status } from '../../../../model/kind/kind.ts';
import { createOnly, defineRoot, frozenStatus, immutable } from '../../../../model/kind/kind.ts';
import { rowsAt, textAt } from '../../../../model/kind/rows.ts';
import { answersOf } from '../guards.ts';
import { mailspaceRecords, mailReported } from '../records.ts';
import { storageNotices } from './storage.ts';
import { buySteps } from './steps.ts';
import { needsRegistration } from '../../../registration/kinds/registered-name.ts';
import { inWords } from '../../../common/format.ts';
import { eachBelow, LISTS } from '../../../common/lists.ts';
import { describePaid, orderedUnnamed } from '../../../common/purchase.ts';
import type { MailspaceSpec } from './spec.ts';

export const mailspace = defineRoot<MailspaceSpec>({
  kind: 'Mailspace',
  list: 'additive',
  section: {
    fields: ['package', 'order'],
    expand: (spec, name) => [
      { name: null, spec: { domain: canonicalHostname(name ?? ''), ...pick(spec, ['package', 'order']) }, pointer: '' },
    ],
  },
  identity: 'domain',
  keys: (name) => [[canonicalHostname(name)]],
  fields: {
    domain: immutable(
      'The primary domain of a mailspace stays what it is (MSP-21): bind another mailspace, or buy one.',
    ),
    package: {
      ...immutable('No document says how the package is changed (MSP-19).'),
      manual: {
        rule: 'GAP-36',
        remedy: (from, to) => `Change the package from ${inWords(from)} to ${inWords(to)} in the dashboard.`,
      },
    },
    order: createOnly('It is the licence to buy, used once (MSP-06).'),
  },
  reads: {
    list: LISTS.mailspaces,
    // Only the view tells the TXT record, and only while it is needed (MSP-04).
    views: {
      path: (context) => eachBelow('/api/mailspace', unverified(context)),
      after: ['list'],
    },
  },
  decode: ({ list, views }) =>
    rowsAt(list).map((row) => decodeRow(row, valueAt(answersOf(views)[textAt(row, '/id')], '/mailspace/verification'))),
  status: statusOf,
  create: {
    writes: ['domain', 'package', 'order'],
    requires: needs('billing:read'),
    risk: ['charge'],
    refuse: ({ order }) =>
      order === undefined
        ? {
            reason: 'the account has no mailspace for this domain',
            remedy: 'To buy one, write spec.order: {}, and the package to buy as spec.package.',
            rule: 'MSP-06',
          }
        : null,
    steps: ({ self, desired }) => buySteps(self, desired.domain as string, desired.package),
  },
  remove: {
    reason: 'no document says how a mailspace is deleted, and every mailbox would go with it',
    remedy: 'Delete it in the dashboard; the next plan sees that it is done.',
    rule: 'GAP-37',
    as: 'manual',
  },
  order: [
    {
      rule: 'O-32',
      reason: 'its id is not known before it is bought',
      within: 'root',
      before: ({ kind, verb }) => kind === 'Mailspace' && verb === 'create',
      after: ({ kind }) => kind !== 'Mailspace',
    },
  ],
  notices: ({ computed }) => storageNotices(computed),
  manifest: {
    file: { folder: 'mail', called: ({ spec }) => [spec.domain] },
    item: ({ spec }) => pick({ ...spec }, ['package']),
  },
  capabilities: {
    needs: needsRegistration('O-17', ({ domain }) => domain),
    paid: {
      describe: ({ id, computed, keys }) => describePaid(id, keys[0]?.[0], computed.createdAt),
      hasNaturalKey: () => true,
      ordered: orderedUnnamed,
    },
    records: mailspaceRecords,
    reported: mailReported,
  },
});

function decodeRow(row: JsonObject, verification: Json | undefined) {
  const domain = canonicalHostname(textAt(row, '/domain'));
  const fact = (key: string): Json => row[key] ?? null;
  return {
    id: textAt(row, '/id'),
    spec: { domain, ...(typeof row.package === 'string' && { package: row.package }) },
    computed: {
      // The flags decide: how the status moves is not documented (GAP-35).
      ready: row.provisioned === true,
      proven: row.needs_domain_verification === false,
      leaving: row.pending_deletion === true,
      leavesAt: fact('delete_scheduled_at'),
      maxMailboxes: fact('max_mailboxes'),
      storageGb: fact('storage_gb'),
      usedMb: fact('used_mb'),
      ...(typeof row.created_at === 'string' && { createdAt: row.created_at }),
      txtHost: valueAt(verification, '/txt_host') ?? null,
      txtValue: valueAt(verification, '/txt_value') ?? null,
    },
    keys: [[domain]],
  };
}

function statusOf({ computed }: { readonly computed: JsonObject }): Status | undefined {
  if (computed.leaving === true) {
    // It still holds its domain, so another one cannot be bought either (MSP-10).
    const when = typeof computed.leavesAt === 'string' ? `; it will be gone for good at ${computed.leavesAt}` : '';
    const blocker = {
      reason: `the mailspace is about to be deleted and takes no change${when}`,
      remedy: 'Have it restored in the dashboard, or remove its manifest.',
      rule: 'MSP-15',
    };
    return { is: 'deleting', blocker };
  }
  return frozenStatus(computed.ready === true ? null : notSetUp(computed));
}

/** Why nothing can be done in a mailspace yet. */
function notSetUp(computed: JsonObject): Blocker {
  // That the record is no longer asked for does not mean that anything is set up (MSP-17).
  if (computed.proven === true)
    return {
      reason: 'the ownership of the domain is proven, and the mailspace is being set up',
      remedy: 'Run again in a few minutes.',
      rule: 'O-34',
      as: 'waiting',
    };
  const record =
    typeof computed.txtHost === 'string'
      ? `Publish the TXT record ${computed.txtHost} with the value ${inWords(computed.txtValue)}`
      : 'Publish the TXT record that the dashboard shows';
  return {
    reason: 'nobody has proven yet that the domain is yours, and until then nothing in the mailspace can be set up',
    remedy: `${record}, then run again. If it is published and this stays, have it checked in the dashboard.`,
    rule: 'O-33',
    as: 'waiting',
  };
}

/** Declared mailspaces of which somebody has to publish a record, by id. */
function unverified({
  declared,
  answers,
}: Pick<ReadContext, 'declared'> & { readonly answers: Answers }): Readonly<Record<string, string>> {
  const domains = new Set(declared.members.flatMap(({ keys }) => keys.flat()));
  const ids = new Set(declared.members.map(({ boundId }) => boundId));
  const rows = rowsAt(answers.list).filter(
    (row) =>
      row.needs_domain_verification === true &&
      (ids.has(textAt(row, '/id')) || domains.has(canonicalHostname(textAt(row, '/domain')))),
  );
  return Object.fromEntries(rows.map((row) => [textAt(row, '/id'), `/${encodeURIComponent(textAt(row, '/id'))}`]));
}

function pick(spec: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.filter((field) => field in spec).map((field) => [field, spec[field] as Json]));
}
