// Decides whether the registrar fails just now, and what is said of it. Must not know what was asked of it.
import { refuse } from '../core/http/endpoint.ts';
import type { Answer } from '../core/http/endpoint.ts';
import { rule } from '../rules/rules.ts';
import type { World } from '../core/world.ts';
import type { RegistrarTrouble } from './state.ts';
import type { Tld } from './tlds.ts';

const noRegistrar = rule('REG-34', 'a TLD without a registrar answers 503 registrar_unavailable');
const upstream = rule(
  'REG-34/upstream',
  'a registrar that fails answers 502 without a code, and what was asked may have been done',
);

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

export function refuseTld(world: World, tld: Tld | undefined): Answer | undefined {
  if (tld?.registrar !== null) return undefined;
  return world.rules.on(noRegistrar)
    ? refuse(world, 503, 'registrar_unavailable', 'This TLD has no registrar')
    : undefined;
}

/** The answer of a registrar that fails before, or after, it did its work. */
export function registrarFails(world: World, moment: 'before' | 'after'): Answer | undefined {
  if (!fails(world, moment) || !world.rules.on(upstream)) return undefined;
  return refuse(world, 502, null, 'The registrar failed');
}
