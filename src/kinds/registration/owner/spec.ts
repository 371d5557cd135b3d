// What the holder of a registration is declared with.
import type { ContactFields } from '../contact-wire.ts';
import type { OwnerConsents } from './change.ts';

export type RegistrationOwnerSpec = ContactFields & Required<OwnerConsents>;
