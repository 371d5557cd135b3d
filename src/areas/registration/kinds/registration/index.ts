// A registered domain name: bound by its name, bought with an `order:` block, renewed or not. What else can be set on
// it are kinds of their own. It must not buy what the account has or once had, nor let a name lapse by accident:
// renewal goes on first and off last (O-65), off only when let pass (REG-13).
import { canonicalHostname } from '../../../../model/hostname.ts';
import type { Json, JsonObject } from '../../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../../model/json.ts';
import type { OrderedAction, ReadContext, Blocker } from '../../../../model/kind/kind.ts';
import {
  createOnly,
  defineRoot,
  frozenStatus,
  immutable,
  personal,
  updatable,
  writeOnly,
} from '../../../../model/kind/kind.ts';
import type { Price } from '../../../../model/price.ts';
import { rowsAt, textAt } from '../../../../model/kind/rows.ts';
import { LISTS } from '../../../common/lists.ts';
import { describePaid } from '../../../common/purchase.ts';
import { holdComputed, holdRegistration } from '../hold.ts';
import type { OrderedName } from './order.ts';
import { refuseOrder, registrationQuote } from './order.ts';
import { everyRole } from './order-contacts.ts';
import { buySteps } from './order-steps.ts';
import { endNotices, renewalComputed, renewalNotices, renewalRisk, renewalSteps } from './renewal.ts';

export interface DomainRegistrationSpec extends OrderedName {
  readonly autoRenew: boolean;
  readonly authcode: JsonObject;
}

export const domainRegistration = defineRoot<DomainRegistrationSpec>({
  kind: 'DomainRegistration',
  list: 'additive',
  section: {
    fields: ['autoRenew', 'order', 'contacts'],
    expand: (spec, name) => [
      {
        name: null,
        spec: ownFields(spec, canonicalHostname(name ?? '')),
        pointer: '',
        pointers: { authcode: '/order/authcode' },
      },
    ],
  },
  identity: 'name',
  keys: (name) => [[canonicalHostname(name)]],
  fields: {
    name: immutable('Another name is another registration.'),
    autoRenew: updatable(),
    order: createOnly('It is the licence to buy, used once (ORD-30).'),
    authcode: writeOnly('It is sent with the order of a transfer and of no use after that (ORD-31).'),
    contacts: personal(createOnly('Whom a name is bought for is said in its order (ORD-32).'), rolesIn),
    // What else a registration shows is read only (REG-39).
  },
  reads: { list: LISTS.registrations },
  decode: ({ list }) => rowsAt(list).map(decodeRow),
  blockers: ({ list }, context) => lapsed(rowsAt(list), context),
  status: (member) => frozenStatus(holdRegistration(member)),
  create: {
    writes: ['name', 'order', 'authcode', 'contacts'],
    risk: ['charge'],
    refuse: refuseOrder,
    cost: registrationQuote,
    steps: ({ self, desired, price }) => buySteps(self, desired as OrderedName, price as Price, desired.authcode),
  },
  update: {
    renewal: {
      writes: ['autoRenew'],
      risk: ({ autoRenew }, observed, computed) =>
        autoRenew === false && observed !== null ? renewalRisk(computed) : [],
      last: ({ autoRenew }) => autoRenew === false,
      steps: ({ self, desired, observed }) => renewalSteps(self, desired.autoRenew === true, observed === null),
    },
  },
  remove: {
    reason: 'no call of the platform ends a registration',
    remedy:
      'To let it run out, write `state: present` and `autoRenew: false`. To be rid of it before, have it cancelled or transferred in the dashboard; the next plan sees that it is done.',
    rule: 'REG-37',
    as: 'manual',
  },
  order: [
    {
      rule: 'O-65',
      reason: 'losing a name is the worst case, so its renewal goes on before anything else can fail',
      within: 'root',
      before: renews,
      after: ({ kind }) => kind !== 'DomainRegistration',
    },
  ],
  notices: (member, { autoRenew }, _outputs, nowMs) => [
    ...renewalNotices(member, autoRenew),
    ...endNotices(member, autoRenew, nowMs),
  ],
  capabilities: {
    paid: {
      describe: ({ id, keys }) => describePaid(id, keys[0]?.[0], undefined),
      hasNaturalKey: () => true,
      ordered: (view) => {
        const name = valueAt(view, '/domain/name');
        const id = valueAt(view, '/domain/registration/id');
        if (typeof name !== 'string') return null;
        return { what: name, key: canonicalHostname(name), ...(typeof id === 'string' && { id }) };
      },
    },
  },
  manifest: {
    file: { folder: 'registrations', called: ({ spec }) => [spec.name] },
    // Its name is that of its manifest.
    item: ({ spec: { name: _name, ...rest } }) => ({ ...rest }) as unknown as JsonObject,
  },
});

/** The code is a secret, and so a field of its own. */
function ownFields({ autoRenew, order, contacts }: JsonObject, name: string): JsonObject {
  const { authcode, ...licence } = (order ?? {}) as JsonObject;
  return {
    name,
    ...(autoRenew !== undefined && { autoRenew }),
    ...(order !== undefined && { order: licence }),
    ...(authcode !== undefined && { authcode }),
    ...(contacts !== undefined && { contacts: everyRole(contacts as JsonObject) }),
  };
}

function decodeRow(row: JsonObject) {
  const name = canonicalHostname(textAt(row, '/name'));
  return {
    id: textAt(row, '/id'),
    spec: { name, ...(typeof row.auto_renew === 'boolean' && { autoRenew: row.auto_renew }) },
    computed: { ...holdComputed(row), ...renewalComputed(row) },
    keys: [[name]],
  };
}

/**
 * What the account had and its list does not show has lapsed, or has left, or the list is not whole: no reason to pay
 * for it again.
 */
function lapsed(rows: readonly JsonObject[], { declared, owned }: ReadContext): Readonly<Record<string, Blocker>> {
  const listed = new Set(rows.map((row) => canonicalHostname(textAt(row, '/name'))));
  const missing = declared.members.filter(
    ({ identity, keys }) => owned.has(identity) && !keys.flat().some((name) => listed.has(name)),
  );
  return Object.fromEntries(missing.map(({ identity, address }) => [identity, hadIt(address)]));
}

function hadIt(address: string): Blocker {
  return {
    reason:
      'the ledger shows that the account had this name, and the list of registrations does not show it any more: it has lapsed, or has left',
    remedy: `Look in the dashboard what became of it. Only if it is to be bought anew, run \`hostwright ledger forget ${address}\`, then plan again.`,
    rule: 'ORD-43',
    as: 'manual',
  };
}

function renews({ kind, verb, changes }: OrderedAction): boolean {
  return (
    kind === 'DomainRegistration' &&
    verb === 'update' &&
    changes.some(({ path, value }) => path === '/autoRenew' && value === true)
  );
}

/** Which roles hold a person; the others say that they follow the owner. */
function rolesIn(contacts: Json): readonly string[] {
  return Object.entries(contacts as JsonObject).flatMap(([role, contact]) =>
    isJsonObject(contact) ? [`/${role}`] : [],
  );
}
