// How a sandbox starts and stops, and what a test or the command line can reach of it. Listens on the loopback
// interface only: it is a stand-in for the platform on this machine, never a service.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { buildApp } from './core/http/app.ts';
import type { Desk, Env, Hooks } from './core/http/app.ts';
import { createClock } from './core/clock.ts';
import type { VirtualClock } from './core/clock.ts';
import { buildControl } from './core/control.ts';
import { createFaults } from './core/http/faults.ts';
import type { Fault } from './core/http/faults.ts';
import { AMBIGUITIES } from './areas.ts';
import { resolveAmbiguities } from './core/ambiguities.ts';
import type { OutsideEvent } from './core/outside.ts';
import { outsideEvents } from './core/outside.ts';
import type { RecordedRequest } from './core/http/recording.ts';
import { buildScenario } from './scenarios.ts';
import type { ScenarioFn } from './scenarios.ts';
import { snapshotOf } from './core/snapshot.ts';
import type { State } from './core/state.ts';
import { newWorld } from './core/world.ts';

export interface SandboxOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** A scenario's name, `sites:1000` for a generated account, or a function that builds the store. Default: small. */
  readonly scenario?: string | ScenarioFn;
  /** A real delay before each answer, for benchmarks. */
  readonly latencyMs?: number;
  readonly faults?: readonly Fault[];
  /** How to read what the documents leave open; see ambiguities.ts. */
  readonly ambiguities?: Readonly<Record<string, string>>;
  readonly clock?: 'virtual' | 'real';
  /** Called around the processing of each request; `after`: the state has changed, the answer is not sent yet. */
  readonly hooks?: Hooks;
}

export interface Sandbox {
  readonly url: string;
  readonly clock: VirtualClock;
  readonly requests: RecordedRequest[];
  /** Logical creation (`domain www.example.com on site-1`) -> how many times it was processed. */
  readonly creations: ReadonlyMap<string, number>;
  /** The live store: tests change it behind a client's back. */
  readonly state: State;
  /** A JSON-able copy in stable order, without generated ids and times, to compare with what a person wrote. */
  snapshot(): unknown;
  setFaults(faults: readonly Fault[]): void;
  /** What can happen outside now, in the order in which it is told. */
  outside(): readonly OutsideEvent[];
  close(): Promise<void>;
}

/** All of it but the socket: tests that ask very often hand their requests to `app`. */
export type OpenSandbox = Omit<Sandbox, 'url' | 'close'> & { readonly app: Hono<Env> };

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return serveSandbox(openSandbox(options), options.port);
}

/** Serves an open sandbox on a port of this machine; any free one where none is named. */
export async function serveSandbox({ app, ...sandbox }: OpenSandbox, port = 0): Promise<Sandbox> {
  const server = createAdaptorServer({ fetch: app.fetch, createServer }) as Server;
  const listening = await listen(server, port);
  return { ...sandbox, url: `http://127.0.0.1:${listening}`, close: () => close(server) };
}

export function openSandbox(options: SandboxOptions = {}): OpenSandbox {
  const scenario = buildScenario(options.scenario ?? 'small');
  const world = newWorld({
    state: scenario.state,
    clock: createClock(options.clock ?? 'virtual'),
    ambiguities: resolveAmbiguities(AMBIGUITIES, scenario.ambiguities, options.ambiguities ?? {}),
  });
  const desk: Desk = {
    world,
    requests: [],
    hooks: options.hooks ?? {},
    latencyMs: options.latencyMs ?? 0,
    faults: createFaults(options.faults ?? []),
  };
  return {
    app: new Hono<Env>().route('/', buildControl(desk)).route('/', buildApp(desk)),
    clock: world.clock,
    requests: desk.requests,
    creations: world.creations,
    state: world.state,
    snapshot: () => snapshotOf(world.state),
    outside: () => outsideEvents(world),
    setFaults(faults) {
      desk.faults = createFaults(faults);
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Ends open connections too: a fault may be holding one for ever. A server that is closed already stays closed. */
function close(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
