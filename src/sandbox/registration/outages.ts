// Whether the registrar fails just now, and what is said of it.
import { refuse } from '../core/http/endpoint.ts';
import type { Answer } from '../core/http/endpoint.ts';
import type { World } from '../core/world.ts';
import type { RegistrarTrouble } from './state.ts';
import type { Tld } from './tlds.ts';

/** Each trouble strikes as often as it says. */
export function fails(world: World, part: RegistrarTrouble): boolean {
  const { registrar } = world.state;
  const trouble = registrar.troubles.find((one) => one.part === part);
  if (trouble === undefined) return false;
  if (trouble.times === null) return true;
  trouble.times -= 1;
  if (trouble.times <= 0) registrar.troubles = registrar.troubles.filter((one) => one !== trouble);
  return true;
}

export function refuseTld(tld: Tld | undefined): Answer | undefined {
  if (tld?.registrar !== null) return undefined;
  // REG-34: a TLD without a registrar answers 503 registrar_unavailable.
  return refuse(503, 'registrar_unavailable', 'This TLD has no registrar');
}

/** The answer of a registrar that fails before, or after, it did its work. */
export function registrarFails(world: World, moment: 'before' | 'after'): Answer | undefined {
  // REG-34/upstream: a registrar that fails answers 502 without a code, and what was asked may have been done.
  if (!fails(world, moment)) return undefined;
  return refuse(502, null, 'The registrar failed');
}
