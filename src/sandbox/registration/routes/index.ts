// The list of the endpoints of domain registration, in the order in which paths are matched.
import type { Endpoint } from '../../core/http/endpoint.ts';
import { domainContactEndpoints } from './contacts.ts';
import { domainOrderEndpoints } from './orders.ts';
import { registrantChangeEndpoints } from './registrant-change.ts';
import { registrationHolderEndpoints } from './holder.ts';
import { registrationHostEndpoints } from './hosts.ts';
import { registrationSearchEndpoints } from './search.ts';
import { registrationSettingEndpoints } from './settings.ts';
import { registrationTransferEndpoints } from './transfers.ts';
import { registrationEndpoints } from './registrations.ts';

export const registrarEndpoints: readonly Endpoint[] = [
  ...domainOrderEndpoints,
  ...registrationSearchEndpoints,
  ...registrationEndpoints,
  ...registrationSettingEndpoints,
  ...registrationHolderEndpoints,
  ...registrantChangeEndpoints,
  ...registrationTransferEndpoints,
  ...registrationHostEndpoints,
  ...domainContactEndpoints,
];
