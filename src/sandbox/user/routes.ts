// Decides how a reseller's users are listed, viewed and made, each with a sub-account of its own.
// Must not tell a password or a token twice.
import { accountRole } from '../core/http/access.ts';
import { isRecord, ok, refuse, unknownKeys } from '../core/http/endpoint.ts';
import type { Answer, Call, Endpoint } from '../core/http/endpoint.ts';
import { isListed, lateness } from '../core/consistency-lag.ts';
import { dateTime } from '../core/present.ts';
import { rule } from '../rules/rules.ts';
import { nextId, takeSerial } from '../core/state.ts';
import type { Account, User } from '../core/state.ts';
import { countCreation, inListOrder } from '../core/world.ts';
import type { World } from '../core/world.ts';

const linkedOnly = rule('USR-01', 'the list and the view show users that are linked to the account');
const makesBoth = rule('USR-02', 'a user comes with a sub-account, named after the company');
const resellersOnly = rule('USR-02/reseller', 'users are made by an administrator of a reseller account');
const toldOnce = rule('USR-03', 'password, account and token are told when the user is made, and never again');
const notByPlatform = rule('USR-04', 'a platform administration account makes no users: 422');
const neverChanged = rule('USR-05', 'PATCH and DELETE on a user answer 401');

type Row = Record<string, unknown>;

function view(world: World, user: User): Row {
  const row = {
    id: user.id,
    fname: user.firstName,
    lname: user.lastName,
    email: user.email,
    account_brand_id: 1,
    locale: user.locale ?? 'en',
    ...stamps(world, user),
  };
  return world.rules.on(toldOnce) ? row : { ...row, api_token: user.apiToken ?? null };
}

function stamps(world: World, user: User): Row {
  const at = user.createdAt ?? Date.UTC(2026, 0, 1);
  return { created_at: dateTime(world, at), updated_at: dateTime(world, at) };
}

/** GAP-56: whether the users of sub-accounts are linked to the reseller. */
function isLinked(world: World, accountId: string | null, user: User): boolean {
  if (!world.rules.on(linkedOnly)) return true;
  return user.accountIds.some(
    (id) =>
      id === accountId ||
      (world.readings['GAP-56'] === 'listed' && world.state.accounts.get(id)?.parentId === accountId),
  );
}

function listUsers({ world, accountId }: Call): Answer {
  const rows = [...world.state.users.values()].filter(
    (user) => isLinked(world, accountId, user) && isListed(world, { hidden: user.hidden ?? null }),
  );
  return ok({ users: inListOrder(world, rows).map((user) => view(world, user)) });
}

function readUser({ world, accountId, params }: Call): Answer {
  const user = world.state.users.get(params['user'] ?? '');
  return user === undefined || !isLinked(world, accountId, user)
    ? refuse(world, 404, null, 'Not Found')
    : ok({ user: view(world, user) });
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
  const { world } = call;
  const account = world.state.accounts.get(call.accountId ?? '');
  const wanted = refuseMaker(call, account) ?? readWanted(world, call.body);
  if ('status' in wanted) return wanted;
  const known = [...world.state.users.values()].find(({ email }) => email.toLowerCase() === wanted.email.toLowerCase());
  const duplicate = world.readings['GAP-56.duplicate'];
  if (known !== undefined && duplicate === 'refuse') return refuse(world, 422, null, 'email is taken');
  countCreation(world, `user ${wanted.email}`);
  const made: Account = {
    id: nextId(world.state),
    name: wanted.company,
    billingTerm: wanted.term,
    parentId: call.accountId ?? '',
  };
  if (world.rules.on(makesBoth)) world.state.accounts.set(made.id, made);
  const user = known !== undefined && duplicate === 'further-account' ? known : addUser(world, wanted);
  user.accountIds.push(made.id);
  const { id, fname, lname, email, created_at, updated_at } = view(world, user);
  const secrets =
    user === known
      ? { password: null, api_token: null }
      : { password: `sandbox-password-${user.id.slice(0, 8)}`, api_token: user.apiToken };
  return ok(
    {
      user: {
        id,
        fname,
        lname,
        email,
        created_at,
        updated_at,
        ...(world.rules.on(toldOnce) ? { ...secrets, account_id: made.id } : {}),
      },
    },
    Number(world.readings['GAP-56.status']),
  );
}

/** GAP-56: neither the role nor what its absence answers is shown. */
function refuseMaker({ world, credential, accountId }: Call, account: Account | undefined): Answer | undefined {
  if (account?.platformAdmin === true && world.rules.on(notByPlatform))
    return refuse(world, 422, null, 'A platform administration account makes no users');
  const role = accountRole(world, credential, accountId ?? '');
  const administrates = role === 'full' || (role === 'modify' && world.readings['GAP-56.role'] === 'modify');
  const allowed = administrates && (account?.reseller === true || account?.platformAdmin === true);
  return allowed || !world.rules.on(resellersOnly)
    ? undefined
    : refuse(
        world,
        Number(world.readings['GAP-56.refusal']),
        null,
        'Only administrators of reseller accounts make users',
      );
}

function readWanted(world: World, body: unknown): Wanted | Answer {
  const fields = isRecord(body) && isRecord(body['user']) ? body['user'] : {};
  const strange =
    unknownKeys(world, isRecord(body) ? body : {}, ['user']) ??
    unknownKeys(world, fields, [
      'fname',
      'lname',
      'email',
      'company_name',
      'locale',
      'billing_term',
      'set_reseller_billing_plan_id',
    ]);
  if (strange !== undefined) return strange;
  const {
    fname,
    lname,
    email,
    company_name: company,
    locale = 'en',
    billing_term: term = 'monthly',
    set_reseller_billing_plan_id: plan,
  } = fields;
  const invalid = (key: string): Answer => refuse(world, 422, null, `${key} is missing or not valid`);
  if (typeof fname !== 'string' || fname === '') return invalid('fname');
  if (typeof lname !== 'string' || lname === '') return invalid('lname');
  if (typeof email !== 'string' || !/^[^@\s]+@[^@\s]+$/.test(email)) return invalid('email');
  if (company !== undefined && typeof company !== 'string') return invalid('company_name');
  if (locale !== 'en' && locale !== 'nl') return invalid('locale');
  if (term !== 'monthly' && term !== 'annual') return invalid('billing_term');
  if (plan !== undefined && !Number.isInteger(plan)) return invalid('set_reseller_billing_plan_id');
  return { fname, lname, email, company: company ?? `${fname} ${lname}`, locale, term };
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
    hidden: lateness(world),
    apiToken: `sandbox-user-token-${takeSerial(world.state)}`,
  };
  world.state.users.set(id, user);
  return user;
}

function refuseChange({ world }: Call): Answer {
  return world.rules.on(neverChanged) ? refuse(world, 401, null, 'Users cannot be changed here') : ok({});
}

const ONE = '/api/users/:user';

export const userEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/api/users', scope: 'never', account: true, handle: listUsers },
  { method: 'GET', path: ONE, scope: 'never', account: true, handle: readUser },
  { method: 'POST', path: '/api/users', scope: 'never', account: true, handle: createUser },
  { method: 'PATCH', path: ONE, scope: 'never', account: true, handle: refuseChange },
  { method: 'DELETE', path: ONE, scope: 'never', account: true, handle: refuseChange },
];
