// What a mailspace is declared with.
import type { JsonObject } from '../../../../model/json.ts';

export interface MailspaceSpec {
  readonly domain: string;
  readonly package: string;
  readonly order: JsonObject;
}
