// What `get` calls what this area shows. Data alone: it is loaded for help and completion, and its views are not.
import type { GetKindRow } from '../../model/shown.ts';

export const userGetKinds: readonly GetKindRow[] = [
  [['users', 'user'], 'the users of the account', { manifest: 'User' }],
];
