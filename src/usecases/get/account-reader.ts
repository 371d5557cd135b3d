// How views read: each list once, the same way as plan; a read that fails beside others is told, and never taken for
// nothing.
import type { ReadContext } from '../../model/kind/kind.ts';
import { rowsAt, ShapeError } from '../../model/kind/rows.ts';
import { LISTS } from '../../areas/index.ts';
import type { AccountReader, Wish } from '../../areas/views.ts';
import { createReader } from '../../observe/reader.ts';
import { isAbsence } from '../../observe/unread.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Opened } from '../client.ts';
import { reasonOf } from '../client.ts';
import { nothingDeclared } from '../plan/nothing-declared.ts';

const ALL: Wish = { detailed: false, watching: false, carts: [] };

/** Reads the account as it is now. */
export function createAccountReader(
  { client, workspace: { account } }: Pick<Opened, 'client' | 'workspace'>,
  wish = ALL,
): AccountReader {
  const lists = createReader(client);
  const context: ReadContext = {
    account,
    parent: null,
    declared: nothingDeclared('', null),
    owned: new Set(),
    answers: {},
  };
  return {
    ...wish,
    account,
    missed: [],
    cuts: [],
    known: [],
    read: (path) => client.read(path),
    readByPost: (path, body) => client.ask(path, body),
    failed,
    attempt: async (path, absences = []) => {
      try {
        return { is: 'read', answer: await client.read(path) };
      } catch (error) {
        return failed(error, absences);
      }
    },
    list: async (name, query) => {
      const path = LISTS[name].path();
      const asked =
        query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(query)}`;
      return rowsAt(await lists.answer(LISTS[name], asked, context));
    },
  };
}

/** Why a read came to nothing; what concerns the whole run, and our own bugs, go on. */
const failed: AccountReader['failed'] = (error, absences = []) => {
  if (error instanceof ShapeError)
    return { is: 'unknown', reason: `the answer is not what the documents say: ${error.message}` };
  if (!(error instanceof ApiError) || error.kind === 'unauthorised') throw error;
  return isAbsence(absences, error)
    ? { is: 'none', code: error.code }
    : { is: 'unknown', reason: reasonOf(error), ...(error.code !== null && { code: error.code }) };
};
