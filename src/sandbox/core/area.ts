// What an area of the platform is to the sandbox: one folder that brings its endpoints, what it remembers, how that looks
// from outside /api, and what it adds to scenarios. `areas.ts` lists them. `core` imports none of them; an area that
// remembers something adds its type to `State` or `Site` by declaration merging, in its `area.ts`.
import type { AmbiguityTable } from './ambiguities.ts';
import type { Controls } from './controls.ts';
import type { Copying } from './copy/answers.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { SiteDemands } from './http/site-endpoints.ts';
import type { OutsideEvent } from './outside.ts';
import type { Site, State } from './state.ts';
import type { World } from './world.ts';

export type { Area } from './state.ts';

/** A store to start from that a person can name; `sites:N` is named with a count: `sites:1000`. */
export interface Scenario {
  /** What is there before it. */
  readonly from?: 'empty' | 'small';
  readonly ambiguities?: Readonly<Record<string, string>>;
}

/** Puts one area's things into the store of a scenario; `count` belongs to a sized one. */
export type ScenarioPart = (state: State, count: number) => void;

declare module './state.ts' {
  interface Area {
    readonly endpoints: readonly Endpoint[];
    readonly ambiguities?: AmbiguityTable;
    /** Refuses requests to a site that cannot go on. */
    readonly siteGuard?: (world: World, site: Site, demands: SiteDemands) => void;
    /** The scenarios that it owns. */
    readonly scenarios?: Readonly<Record<string, Scenario>>;
    /** What it puts into scenarios, its own and those of others, by their name. */
    readonly parts?: Readonly<Record<string, ScenarioPart>>;
    /** The controls for tests, below /_sandbox. */
    readonly controls?: (world: World) => Controls;
    /** What can happen now without a request of the customer. */
    readonly outside?: (world: World) => readonly OutsideEvent[];
    /** Does what somebody outside is asked for: pays, publishes, confirms. */
    readonly oblige?: (world: World) => void;
    /** Puts what was read of this area into the store of a copy, and marks what was not. */
    readonly load?: (copying: Copying) => void;
    readonly snapshot?: (state: State) => Readonly<Record<string, unknown>>;
    readonly siteSnapshot?: (site: Site) => Readonly<Record<string, unknown>>;
    /** The names that are registered with this service. */
    readonly registeredNames?: (world: World) => readonly RegisteredName[];
  }
}

export interface RegisteredName {
  readonly name: string;
  readonly accountId: string;
  /** Whether it counts as its account's own at present; a name on its way here, or gone, does not. */
  readonly status: 'active' | 'expired' | 'elsewhere';
}

export function registeredNames(world: World): readonly RegisteredName[] {
  return world.state.areas.flatMap((area) => area.registeredNames?.(world) ?? []);
}

/** Whether an account owns a domain as the service sees it. */
export function ownsDomain(world: World, accountId: string, domain: string): boolean {
  // MDM-08: a domain counts as one's own when it is registered with the service; hosting its zone is not enough.
  // MDM-08/expired: an expired registration counts until it is purged.
  return registeredNames(world).some(
    (one) => one.name === domain && one.accountId === accountId && one.status !== 'elsewhere',
  );
}
