// The requests of a host: make it, replace its addresses. Whether they wait for other changes, or are worked on for
// days, no document says: they are taken as if they did (HST-05, GAP-52).
import type { StepContext } from '../../../../model/kind/kind.ts';
import type { LookUp, Step, Template } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { changeSteps } from '../guards.ts';
import type { RegistrationHostSpec } from './spec.ts';
import { whileLocked } from '../section.ts';
import { LOST_CREATE_MS, until, waitStep } from '../../../common/steps.ts';

type Context = StepContext<RegistrationHostSpec>;

/** Creates the host. Whether the platform refuses a second one of the same name is not documented (GAP-52). */
export function createHostSteps({ parent, desired: { hostName = '', addresses = [] } }: Context): readonly Step[] {
  const listed: LookUp = {
    read: path`/api/domain_registrations/${ref(parent)}/hosts`,
    rows: '/hosts',
    where: [{ pointer: '/host_name', value: hostName, as: 'hostname' }],
    capture: { id: '/host_name' },
  };
  const [request, verify] = changeSteps(parent, {
    name: 'create',
    method: 'POST',
    path: path`/api/domain_registrations/${ref(parent)}/hosts`,
    body: { host_name: hostName, addresses: toWire(addresses) },
    recovery: { lookUp: listed, ifNotFound: 'ask', graceMs: LOST_CREATE_MS, rule: 'RTY-04' },
    reason: `have the registry know ${hostName} by its addresses`,
    rule: 'HST-02',
  });
  const found: Step = waitStep('listed', until(true, listed, 'the registration lists the host'));
  return [request as Step, found, verify as Step];
}

/** Replaces all its addresses (HST-03). */
export function updateHostSteps({ self, parent, desired: { addresses = [] }, computed }: Context): readonly Step[] {
  return changeSteps(
    parent,
    {
      name: 'addresses',
      method: 'PATCH',
      path: path`/api/domain_registrations/${ref(parent)}/hosts/${ref(self)}`,
      body: { addresses: toWire(addresses) },
      reason: 'replace the addresses',
      rule: 'HST-03',
    },
    whileLocked(computed),
  );
}

function toWire(addresses: readonly string[]): Template {
  return addresses.map((address) => ({ address }));
}
