// Whether a request gets as far as its endpoint: credential, scope, account header, user, in that order. What its path
// names is asked for behind them.
import { reachableAccounts } from './access.ts';
import { answerAtOnce, refuse } from './endpoint.ts';
import type { Call, Endpoint } from './endpoint.ts';

export function passGuards(call: Call, endpoint: Endpoint): void {
  refuseBackEnd(call, endpoint);
  // CNV-10/first: the scope is checked before every other guard.
  refuseScope(call, endpoint);
  refuseAccountHeader(call, endpoint);
  // CNV-13: a system key is refused where a user is needed.
  if (call.credential.userId === null && endpoint.user?.(call) === true)
    refuse(401, 'user_required', 'This request needs a user');
}

/** The task report takes the infrastructure's key and that key opens nothing else. */
function refuseBackEnd({ credential: { kind } }: Call, { backEnd }: Endpoint): void {
  if (kind !== 'oauth' && (kind === 'back-end') !== (backEnd === true)) refuse(401, null, 'Unauthorized');
}

function refuseScope(call: Call, { scope }: Endpoint): void {
  const { credential } = call;
  // CNV-06: session and API-key credentials are not asked for scopes.
  if (credential.kind !== 'oauth') return;
  // CNV-09: a write takes the write scope.
  const demand = typeof scope === 'function' ? scope(call) : scope;
  if (demand === 'none') return;
  // CNV-11: some endpoints are closed to OAuth whatever the scopes.
  if (demand === 'never') forbid(call, 'This endpoint is not available via OAuth');
  if (credential.scopes.includes(demand)) return;
  // CNV-10: a missing scope answers the OAuth error body.
  answerAtOnce({
    status: 403,
    body: { error: 'insufficient_scope', error_description: 'The token lacks the scope that this request needs' },
  });
}

/** GAP-03: whether this 403 has a code is not documented. */
export function forbid({ ambiguities }: Call, message: string): never {
  return refuse(403, ambiguities['GAP-03'] === 'with-code' ? 'not_authorized' : null, message);
}

function refuseAccountHeader(call: Call, { account = false }: Endpoint): void {
  if (typeof account === 'function' ? !account(call) : !account) return;
  // CNV-07: account-scoped endpoints refuse a request without X-Auth-Account.
  if (call.accountId === null) refuse(400, 'missing_account', 'X-Auth-Account is missing');
  // What a foreign account answers is not documented; to refuse is the reading that shows a wrong header soonest.
  if (call.credential.kind !== 'back-end' && !reachableAccounts(call).includes(call.accountId))
    forbid(call, 'Not Authorized');
}
