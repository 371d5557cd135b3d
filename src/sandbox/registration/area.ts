// Domain registrations: names, their contacts, transfers, and what the registrar does in its own time.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { REGISTRATION_AMBIGUITIES } from './ambiguities.ts';
import { runRegistrarTime } from './clock.ts';
import { loadRegistrations } from './load.ts';
import { registrarEvents, registrationControls } from './control.ts';
import { mail, panel, registrar, registrations } from './scenario.ts';
import { registrationSnapshot } from './snapshot.ts';
import { emptyRegistrar } from './state.ts';
import type { Registrar } from './state.ts';
import type { Order } from '../billing/state.ts';
import type { World } from '../core/world.ts';
import { registrationView } from './present.ts';
import type { Endpoint } from '../core/http/endpoint.ts';
import { domainContactEndpoints } from './routes/contacts.ts';
import { domainOrderEndpoints } from './routes/orders.ts';
import { registrantChangeEndpoints } from './routes/registrant-change.ts';
import { registrationHolderEndpoints } from './routes/holder.ts';
import { registrationHostEndpoints } from './routes/hosts.ts';
import { registrationSearchEndpoints } from './routes/search.ts';
import { registrationSettingEndpoints } from './routes/settings.ts';
import { registrationTransferEndpoints } from './routes/transfers.ts';
import { registrationEndpoints } from './routes/registrations.ts';

const registrarEndpoints: readonly Endpoint[] = [
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

declare module '../core/state.ts' {
  interface State {
    readonly registrar: Registrar;
  }
}
declare module '../core/ambiguities.ts' {
  interface Ambiguities extends Readings<typeof REGISTRATION_AMBIGUITIES> {}
}

export const registration: Area = {
  endpoints: registrarEndpoints,
  ambiguities: REGISTRATION_AMBIGUITIES,
  state: () => ({ registrar: emptyRegistrar() }),
  scenarios: { registrar: { from: 'small' }, 'registrations:N': {} },
  parts: { registrar, 'registrations:N': registrations, mail, panel },
  controls: registrationControls,
  outside: registrarEvents,
  load: loadRegistrations,
  snapshot: (state) => registrationSnapshot(state.registrar),
  orderBlock: domainBlock,
  registeredNames(world) {
    runRegistrarTime(world);
    return [...world.state.registrar.registrations.values()].map(({ name, accountId, status }) => ({
      name,
      accountId,
      status: status === 'OK' ? 'active' : status === 'EXPIRED' ? 'expired' : 'elsewhere',
    }));
  },
};

function domainBlock(world: World, { purchase, status }: Order): Record<string, unknown> {
  const domain = purchase?.domain;
  // ORD-07: a domain order has a `domain`, whose registration is null, with a status, until there is one.
  if (domain === undefined) return {};
  runRegistrarTime(world);
  const found = world.state.registrar.registrations.get(domain.registrationId ?? '');
  const { name, action } = domain;
  if (found !== undefined) return { domain: { name, action, registration: registrationView(world, found, 'write') } };
  return { domain: { name, action, registration: null, provisioning_status: status } };
}
