// What the contacts beside the holder are declared with.
import type { JsonObject } from '../../../../model/json.ts';

export interface RegistrationContactsSpec {
  readonly admin: JsonObject;
  readonly tech: JsonObject;
  readonly billing: JsonObject;
  /** The declared holder, with the consents to it. */
  readonly owner: JsonObject;
}
