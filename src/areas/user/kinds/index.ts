// A user of a sub-account: made once by a reseller together with that account, and never changed or removed (USR-05).
// What the answer tells only once goes to a file or a command. It must not make a second one for an address that any list or the
// ledger knows (USR-06).
import { diagnose } from '../../../model/diagnostic.ts';
import { withoutEmpty } from '../../../model/kind/to-manifest.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import type { FieldRule } from '../../../model/kind/kind.ts';
import { createOnly, defineRoot, immutable, personal } from '../../../model/kind/kind.ts';
import { asDestination } from '../../../model/secret-sink.ts';
import { SECRET_SAVED } from '../../../model/plan/step.ts';
import { rowsAt, textAt } from '../../../model/kind/rows.ts';
import { LISTS } from '../../common/lists.ts';
import { canonicalAddress } from '../../common/spellings.ts';
import { createSteps, LOST_REMEDY } from './steps.ts';
import type { UserSpec } from './spec.ts';

const LOCALES = ['en', 'nl'];
const READABLE = ['email', 'fname', 'lname', 'locale'] as const;
const unchanging = (): FieldRule =>
  immutable(
    'The platform lets nobody change a user over the API (USR-05). Correct the manifest, or have the user change it when logged in.',
  );
const unseen = (): FieldRule => createOnly('It is sent when the user is made, and no read shows it (USR-07).');

export const user = defineRoot<UserSpec>({
  kind: 'User',
  list: 'additive',
  section: {
    fields: [
      'email',
      'fname',
      'lname',
      'companyName',
      'locale',
      'billingTerm',
      'setResellerBillingPlanId',
      'credentialsTo',
    ],
    expand: (spec) => [{ name: null, spec, pointer: '', claims: claimsOf(spec) }],
  },
  identity: 'email',
  keys: (_name, { email }) => keysOf(email),
  fields: {
    email: personal(
      immutable('A user keeps its address (USR-05): another address is another user, with a manifest of its own.'),
    ),
    fname: personal(unchanging()),
    lname: personal(unchanging()),
    companyName: unseen(),
    locale: unchanging(),
    billingTerm: unseen(),
    setResellerBillingPlanId: unseen(),
    credentialsTo: {
      ...createOnly('It takes what the platform tells only when the user is made (USR-03).'),
      secretFile: true,
    },
  },
  normalise: (spec) => ({ ...spec, ...(spec.email !== undefined && { email: canonicalAddress(spec.email) }) }),
  reads: { list: LISTS.users },
  decode: ({ list }) =>
    rowsAt(list).map((row) => ({ id: textAt(row, '/id'), ...known({ ...row, email: textAt(row, '/email') }) })),
  create: {
    writes: [
      'email',
      'fname',
      'lname',
      'companyName',
      'locale',
      'billingTerm',
      'setResellerBillingPlanId',
      'credentialsTo',
    ],
    risk: ['irreversible'],
    refuse: ({ email, fname, lname, credentialsTo }) => {
      if (email === undefined || fname === undefined || lname === undefined)
        return {
          reason: 'a user is made with an address and both names',
          remedy: 'Take them out of lifecycle.ignore.',
          rule: 'USR-02',
        };
      if (credentialsTo !== undefined) return null;
      return {
        reason: 'no user of the account has this address',
        remedy:
          'To make one, write spec.credentialsTo: { file: ... } or { sink: ... }: its password and token are told only once.',
        rule: 'USR-03',
      };
    },
    steps: createSteps,
  },
  remove: {
    reason: 'the platform lets nobody remove a user over the API',
    remedy: 'Have it removed in the dashboard, then remove its manifest.',
    rule: 'USR-05',
    as: 'manual',
  },
  notices: (_member, { credentialsTo }, outputs) =>
    credentialsTo === undefined || outputs[SECRET_SAVED] !== 'lost'
      ? []
      : [
          diagnose(
            'HW2009',
            `The user was made, and the answer with its password and token did not arrive whole (USR-03). ${LOST_REMEDY} Then remove \`credentialsTo\` from the manifest.`,
          ),
        ],
  manifest: {
    // Addresses of objects stand in plans that are shared, so a person's name is no part of one: the id is all that is
    // left.
    file: { folder: 'users', called: () => [] },
    item: ({ spec }) => imported(spec),
    comments: () => [
      { pointer: '', text: 'The platform does not show what its account is called and how it is billed.' },
    ],
  },
  capabilities: {
    // The list may not show the users of sub-accounts: whom the ledger shows to be made is there (GAP-56).
    fromLedger: {
      decode: ({ id, applied }) => ({ id, ...known(applied) }),
      oneByOne: {
        reason: 'one user is made in a run, because no document says what becomes of an address that is taken',
        remedy: 'Look at the one that is made first, then run again.',
        rule: 'GAP-56',
      },
    },
  },
});

/** A language that cannot be declared is left as it is. */
function imported({ email, fname, lname, locale }: UserSpec): Json {
  return withoutEmpty({ email, fname, lname, ...(LOCALES.includes(locale) && { locale }) });
}

function known(values: JsonObject) {
  const spec: Readonly<Record<string, Json>> = Object.fromEntries(
    READABLE.flatMap((field) => (typeof values[field] === 'string' ? [[field, values[field] as Json]] : [])),
  );
  return { spec, keys: keysOf(values.email) };
}

function keysOf(email: Json | undefined): readonly (readonly string[])[] {
  return typeof email === 'string' ? [[canonicalAddress(email)]] : [];
}

function claimsOf({ email, credentialsTo }: JsonObject) {
  const to = asDestination(credentialsTo);
  return [
    ...keysOf(email)
      .flat()
      .map((name) => ({ namespace: 'address of a user', name })),
    ...(to !== undefined && 'file' in to ? [{ namespace: 'file for credentials', name: to.file }] : []),
  ];
}
