// The users of the account.
import type { JsonObject } from '../../model/json.ts';
import { defineView, idAt, timeAt } from '../common/view.ts';

const users = defineView<JsonObject>({
  called: [['users', 'user'], 'the users of the account', { manifest: 'User' }],
  items: (reader) => reader.list('users'),
  id: (row) => idAt(row),
  names: (row) => [row.email],
  object: (row) => row,
  columns: {
    email: '/email',
    'first name': '/fname',
    'last name': '/lname',
    locale: '/locale',
    created: (row) => timeAt(row, '/created_at'),
    id: '/id',
  },
  wide: { brand: '/account_brand_id' },
});

export const userViews = [users];
