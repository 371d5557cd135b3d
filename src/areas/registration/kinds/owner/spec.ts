// What the holder of a registration is declared with.
import type { JsonObject } from '../../../../model/json.ts';
import type { ContactFields } from '../contact-wire.ts';
import type { OwnerConsents } from './change.ts';

export type RegistrationOwnerSpec = ContactFields &
  Required<OwnerConsents> & {
    /** The contacts beside the holder that are declared as the same person with other details. */
    readonly roles: JsonObject;
  };
