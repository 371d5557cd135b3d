// The users of the account.
import type { JsonObject } from '../../model/json.ts';
import { defineView, idAt, plainAt, timeAt } from '../common/view.ts';

const users = defineView<JsonObject>({
  items: (reader) => reader.list('users'),
  id: (row) => idAt(row),
  names: (row) => [row.email],
  object: (row) => row,
  columns: {
    email: (row) => plainAt(row, '/email'),
    'first name': (row) => plainAt(row, '/fname'),
    'last name': (row) => plainAt(row, '/lname'),
    locale: (row) => plainAt(row, '/locale'),
    created: (row) => timeAt(row, '/created_at'),
    id: (row) => plainAt(row, '/id'),
  },
  wide: { brand: (row) => plainAt(row, '/account_brand_id') },
});

export const userViews = { users };
