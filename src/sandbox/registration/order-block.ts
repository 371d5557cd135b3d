// What the view of an order says of the domain that it registers or transfers.
import type { Order } from '../billing/state.ts';
import type { World } from '../core/world.ts';
import { registrationView } from './present.ts';
import { runRegistrarTime } from './clock.ts';

export function domainBlock(world: World, { purchase, status }: Order): Record<string, unknown> {
  const domain = purchase?.domain;
  // ORD-07: a domain order has a `domain`, whose registration is null, with a status, until there is one.
  if (domain === undefined) return {};
  runRegistrarTime(world);
  const found = world.state.registrar.registrations.get(domain.registrationId ?? '');
  const { name, action } = domain;
  if (found !== undefined) return { domain: { name, action, registration: registrationView(world, found, 'write') } };
  return { domain: { name, action, registration: null, provisioning_status: status } };
}
