// The list of the endpoints of domain registration, in the order in which paths are matched. Decides nothing.
import type { Endpoint } from '../endpoint.ts';
import { domainContactEndpoints } from './domain-contacts.ts';
import { domainOrderEndpoints } from './domain-orders.ts';
import { registrantChangeEndpoints } from './registrant-change.ts';
import { registrationHolderEndpoints } from './registration-holder.ts';
import { registrationHostEndpoints } from './registration-hosts.ts';
import { registrationSearchEndpoints } from './registration-search.ts';
import { registrationSettingEndpoints } from './registration-settings.ts';
import { registrationTransferEndpoints } from './registration-transfers.ts';
import { registrationEndpoints } from './registrations.ts';

export const registrarEndpoints: readonly Endpoint[] = [
  ...domainOrderEndpoints, ...registrationSearchEndpoints, ...registrationEndpoints, ...registrationSettingEndpoints, ...registrationHolderEndpoints,
  ...registrantChangeEndpoints, ...registrationTransferEndpoints, ...registrationHostEndpoints, ...domainContactEndpoints,
];
