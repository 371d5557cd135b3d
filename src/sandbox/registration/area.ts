// Domain registrations: names, their contacts, transfers, and what the registrar does in its own time.
import type { Area } from '../core/area.ts';
import type { Readings } from '../core/ambiguities.ts';
import { REGISTRATION_AMBIGUITIES } from './ambiguities.ts';
import { runRegistrarTime } from './clock.ts';
import { loadRegistrations } from './load.ts';
import { registrarEvents, registrationControls } from './control.ts';
import { domainBlock } from './order-block.ts';
import { registrarEndpoints } from './routes/index.ts';
import { mail, panel, registrar, registrations } from './scenario.ts';
import { registrationSnapshot } from './snapshot.ts';
import { emptyRegistrar } from './state.ts';
import type { Registrar } from './state.ts';

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
