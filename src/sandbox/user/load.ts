// Puts the users of a reseller into the store of a copy, as they were read.
import { textOr, timeOr } from '../core/copy/answers.ts';
import type { Copying } from '../core/copy/copying.ts';

export function loadUsers({ answers, state, accountId, nowMs }: Copying): void {
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
