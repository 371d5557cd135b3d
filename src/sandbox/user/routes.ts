// How a reseller's users are listed, viewed and made, each with a sub-account of its own.
import { accountRole } from '../core/http/access.ts';
import { endpointsAt, notFound, ok, refuse } from '../core/http/endpoint.ts';
import type { Answer, Call, Endpoint, Row } from '../core/http/endpoint.ts';
import { filledText, text } from '../core/http/schema.ts';
import type { Properties } from '../core/http/schema.ts';
import { NotRead } from '../core/copy/answers.ts';
import { isListed, consistencyLag } from '../core/lists.ts';
import { dateTime } from '../core/present.ts';
import { nextId, takeSerial } from '../core/state.ts';
import type { Account, User } from '../core/state.ts';
import { countCreation, inListOrder } from '../core/world.ts';
import type { World } from '../core/world.ts';

/** USR-03: password, account and token are told when the user is made, and never again. */
function view(user: User): Row {
  return {
    id: user.id,
    fname: user.firstName,
    lname: user.lastName,
    email: user.email,
    account_brand_id: 1,
    locale: user.locale ?? 'en',
    ...stamps(user),
  };
}

function stamps(user: User): Row {
  const at = user.createdAt ?? Date.UTC(2026, 0, 1);
  return { created_at: dateTime(at), updated_at: dateTime(at) };
}

/** GAP-56: whether the users of sub-accounts are linked to the reseller. */
function isLinked(world: World, accountId: string | null, user: User): boolean {
  // USR-01: the list and the view show users that are linked to the account.
  return user.accountIds.some(
    (id) =>
      id === accountId ||
      (world.ambiguities['GAP-56'] === 'listed' && world.state.accounts.get(id)?.parentId === accountId),
  );
}

/** A copy that has read no users knows none. */
function usersOf({ state }: World): Map<string, User> {
  if (state.usersUnread === true) throw new NotRead('the list of users');
  return state.users;
}

function listUsers(call: Call): Answer {
  const rows = [...usersOf(call).values()].filter(
    (user) => isLinked(call, call.accountId, user) && isListed(call, { hidden: user.hidden ?? null }),
  );
  return ok({ users: inListOrder(call, rows).map(view) });
}

function linkedUser(call: Call): User {
  const user = usersOf(call).get(call.params['user'] ?? '');
  return user !== undefined && isLinked(call, call.accountId, user) ? user : notFound();
}

interface Wanted {
  readonly fname: string;
  readonly lname: string;
  readonly email: string;
  readonly company: string;
  readonly locale: 'en' | 'nl';
  readonly term: 'monthly' | 'annual';
}

function createUser(call: Call): Answer {
  const wanted = readWanted(call.body['user'] as Row);
  const known = [...usersOf(call).values()].find(({ email }) => email.toLowerCase() === wanted.email.toLowerCase());
  const duplicate = call.ambiguities['GAP-56.duplicate'];
  if (known !== undefined && duplicate === 'refuse') refuse(422, null, 'email is taken');
  countCreation(call, `user ${wanted.email}`);
  const made: Account = {
    id: nextId(call.state),
    name: wanted.company,
    billingTerm: wanted.term,
    parentId: call.accountId ?? '',
  };
  // USR-02: a user comes with a sub-account, named after the company.
  call.state.accounts.set(made.id, made);
  const user = known !== undefined && duplicate === 'further-account' ? known : addUser(call, wanted);
  user.accountIds.push(made.id);
  const { id, fname, lname, email, created_at, updated_at } = view(user);
  const secrets =
    user === known
      ? { password: null, api_token: null }
      : { password: `sandbox-password-${user.id.slice(0, 8)}`, api_token: user.apiToken };
  return ok(
    { user: { id, fname, lname, email, created_at, updated_at, ...secrets, account_id: made.id } },
    Number(call.ambiguities['GAP-56.status']),
  );
}

/** GAP-56: neither the role nor what its absence answers is shown. */
function refuseMaker(call: Call): void {
  const account = call.state.accounts.get(call.accountId ?? '');
  // USR-04: a platform administration account makes no users: 422.
  if (account?.platformAdmin === true) refuse(422, null, 'A platform administration account makes no users');
  const role = accountRole(call, call.accountId ?? '');
  const administrates = role === 'full' || (role === 'modify' && call.ambiguities['GAP-56.role'] === 'modify');
  // USR-02/reseller: users are made by an administrator of a reseller account.
  if (!administrates || account?.reseller !== true)
    refuse(Number(call.ambiguities['GAP-56.refusal']), null, 'Only administrators of reseller accounts make users');
}

const BODY: Properties = {
  user: {
    type: 'object',
    required: true,
    properties: {
      fname: filledText,
      lname: filledText,
      email: { type: 'string', required: true, pattern: /^[^@\s]+@[^@\s]+$/ },
      company_name: text,
      locale: { enum: ['en', 'nl'] },
      billing_term: { enum: ['monthly', 'annual'] },
      set_reseller_billing_plan_id: { type: 'integer' },
    },
  },
};

function readWanted(fields: Row): Wanted {
  const { fname, lname, email, company_name: company, locale = 'en', billing_term: term = 'monthly' } = fields;
  return { fname, lname, email, company: company ?? `${String(fname)} ${String(lname)}`, locale, term } as Wanted;
}

function addUser(world: World, { fname, lname, email, locale }: Wanted): User {
  const id = nextId(world.state);
  const user: User = {
    id,
    firstName: fname,
    lastName: lname,
    email,
    accountIds: [],
    role: 'full',
    siteRoles: new Map(),
    locale,
    createdAt: world.clock.now(),
    hidden: consistencyLag(world),
    apiToken: `sandbox-user-token-${takeSerial(world.state)}`,
  };
  world.state.users.set(id, user);
  return user;
}

function refuseChange(): never {
  // USR-05: PATCH and DELETE on a user answer 401.
  return refuse(401, null, 'Users cannot be changed here');
}

const demands = { scope: 'never', account: true } as const;

export const userEndpoints: readonly Endpoint[] = [
  ...endpointsAt<Endpoint>('/api/users', () => demands, {
    GET: listUsers,
    POST: { admit: refuseMaker, body: BODY, handle: createUser },
    'PATCH /:user': refuseChange,
    'DELETE /:user': refuseChange,
  }),
  ...endpointsAt<Endpoint<User>>('/api/users/:user', () => ({ ...demands, admit: linkedUser }), {
    GET: (_call, user) => ok({ user: view(user) }),
  }),
];
