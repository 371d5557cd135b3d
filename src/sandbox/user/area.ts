// The users of a reseller, each with a sub-account of its own.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { userEndpoints } from './routes.ts';
import { textOr, timeOr } from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/answers.ts';

const USER_AMBIGUITIES = {
  /** Whether a reseller's list shows the users of its sub-accounts. */
  'GAP-56': ['unlisted', 'listed'],
  /**
   * Making a user with an e-mail address that is taken: refused, a second user, or a further sub-account of the first.
   */
  'GAP-56.duplicate': ['refuse', 'second', 'further-account'],
  /** The role that making users takes. */
  'GAP-56.role': ['full', 'modify'],
  /** How a create is refused for its role or its account. */
  'GAP-56.refusal': ['403', '422'],
  /** What a create answers with. */
  'GAP-56.status': ['201', '200'],
} as const;

declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof USER_AMBIGUITIES> {}
}

export const user: Area = { endpoints: userEndpoints, ambiguities: USER_AMBIGUITIES, load: loadUsers };

function loadUsers({ answers, state, accountId, nowMs }: Copying): void {
  const rows = answers.rows('/api/users', 'users');
  if (rows === undefined) {
    state.usersUnread = true;
    return;
  }
  // Who may list them may make them, as far as anybody can read.
  const account = state.accounts.get(accountId);
  if (account !== undefined) account.reseller = true;
  for (const row of rows) {
    const id = String(row['id']);
    state.users.set(id, {
      id,
      firstName: textOr(row['fname'], ''),
      lastName: textOr(row['lname'], ''),
      email: textOr(row['email'], ''),
      locale: row['locale'] === 'nl' ? 'nl' : 'en',
      accountIds: [accountId],
      role: 'full',
      siteRoles: new Map(),
      createdAt: timeOr(row['created_at'], nowMs),
    });
  }
}
