// A panel account: bought with an `order:` block for a domain of the workspace, recognised by that domain, resized,
// scheduled for deletion. It must not write what no document shows: add-on domains, passwords, purging and sessions are
// somebody's own to do (GAP-48).
import { canonicalHostname } from '../../../model/hostname.ts';
import type { JsonObject } from '../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../model/json.ts';
import { createOnly, defineRoot, updatable } from '../../../model/kind/kind.ts';
import { panelStatus, PACKAGES, panelComments, panelNotices, refuseDeletion, refuseResize } from './guards.ts';
import { decodePanel, isCutOff, narrowed, orderBlockers, toRegister } from './reads.ts';
import type { PanelAccountSpec, PanelOrder } from './spec.ts';
import { deleteSteps, orderSteps, resizeSteps } from './steps.ts';
import { needsRegistration } from '../../registration/kinds/registered-name.ts';
import { eachBelow, LISTS } from '../../common/lists.ts';
import { describePaid, orderedUnnamed } from '../../common/purchase.ts';
import { removalNotice } from '../../common/steps.ts';

export const panelAccount = defineRoot<PanelAccountSpec>({
  kind: 'PanelAccount',
  list: 'additive',
  section: { fields: ['package', 'order'], expand: (spec) => [{ name: null, spec: canonical(spec), pointer: '' }] },
  identity: ({ order }) => order?.domain ?? '',
  keys: (_name, spec) => [domainsOf(canonical(spec))],
  fields: {
    package: updatable(),
    order: createOnly('Term and domain are chosen when an account is bought; no call changes them (PNL-21).'),
  },
  reads: {
    list: LISTS.panelAccounts,
    // Rows may slide between two pages, and one workspace reaches 500 accounts and no more: what is declared and not
    // shown is then asked for by itself (PNL-11).
    narrowed: {
      ...LISTS.panelAccounts,
      path: (context) => eachBelow('/api/panel_accounts', narrowed(context)),
      after: ['list'],
    },
    // Where it cannot be read, the order itself finds out.
    registrations: {
      ...LISTS.registrations,
      path: (context) => (toRegister(context).length === 0 ? null : '/api/domain_registrations'),
      after: ['list', 'narrowed'],
      absences: 'any',
    },
  },
  decode: decodePanel,
  blockers: orderBlockers,
  incomplete: isCutOff,
  status: panelStatus,
  create: {
    writes: ['package', 'order'],
    risk: ['charge'],
    refuse: ({ package: product, order }) => {
      if (order === undefined)
        return {
          reason: 'no panel account answers to this manifest',
          remedy:
            'Bind it: write the username of its account as metadata.id. To buy one, write spec.package and spec.order.',
          rule: 'PNL-13',
        };
      return product === undefined
        ? {
            reason: 'no panel account answers to this manifest, and its order says no package',
            remedy: 'Write the package to buy as spec.package.',
            rule: 'PNL-13',
          }
        : null;
    },
    steps: ({ self, desired }) => orderSteps(self, desired.order as PanelOrder, desired.package as string),
  },
  update: {
    resize: {
      writes: ['package'],
      risk: ['charge'],
      refuse: (_desired, live) => refuseResize(live),
      steps: ({ self, desired }) => resizeSteps(self, desired.package as string),
    },
  },
  remove: {
    risk: ['delete'],
    notice: removalNotice(
      'The account is scheduled for deletion with everything in it; until then only the dashboard can take that back (PNL-18).',
    ),
    refuse: refuseDeletion,
    steps: ({ self }) => deleteSteps(self),
  },
  notices: panelNotices,
  manifest: {
    file: { folder: 'panel', called: ({ id, keys }) => [...keys.flat(), id] },
    item: ({ spec }) => ({ ...(PACKAGES.includes(spec.package) && { package: spec.package }) }),
    comments: panelComments,
  },
  capabilities: {
    needs: needsRegistration('O-66', ({ order }) => order?.domain),
    paid: {
      describe: ({ id, computed: { primaryDomain, createdAt } }) =>
        describePaid(id, primaryDomain ?? 'no primary domain', createdAt),
      // An account that is being set up may show no domain yet (GAP-46).
      hasNaturalKey: ({ computed }) => typeof computed.primaryDomain === 'string',
      ordered: orderedUnnamed,
    },
  },
});

/** The domain as hostnames are compared. */
function canonical(spec: JsonObject): JsonObject {
  const { package: product, order } = spec;
  const domain = valueAt(order, '/domain');
  return {
    ...(product !== undefined && { package: product }),
    ...(isJsonObject(order) && {
      order: { ...order, ...(typeof domain === 'string' && { domain: canonicalHostname(domain) }) },
    }),
  };
}

function domainsOf(spec: JsonObject): readonly string[] {
  const domain = valueAt(spec, '/order/domain');
  return typeof domain === 'string' ? [domain] : [];
}
