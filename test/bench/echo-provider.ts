// The floor of a plan by Terraform: a provider that answers each call with what it was asked with, and looks at nothing.
// What is left is Terraform's own work, its start, and the wire. For `--require`, in a process of the provider.
import { EventEmitter } from 'node:events';
import http2 from 'node:http2';
import { serveCalls } from '../../src/terraform/wire/grpc.ts';
import type { CallName } from '../../src/terraform/wire/messages.ts';
import { CALLS } from '../../src/terraform/wire/messages.ts';
import type { Message } from '../../src/terraform/wire/protobuf.ts';
import { decode, encode } from '../../src/terraform/wire/protobuf.ts';

const ECHOES: Readonly<Partial<Record<CallName, (request: Message) => Message>>> = {
  ValidateProviderConfig: () => ({}),
  ConfigureProvider: () => ({}),
  ValidateResourceConfig: () => ({}),
  UpgradeResourceState: ({ rawState }) => ({ upgradedState: rawState }),
  ReadResource: ({ currentState, private: kept }) => ({ newState: currentState, private: kept }),
  PlanResourceChange: ({ priorState, priorPrivate }) => ({ plannedState: priorState, plannedPrivate: priorPrivate }),
};

type Server = ReturnType<typeof http2.createSecureServer>;
type Listener = (...args: unknown[]) => void;

const echo = new EventEmitter();
serveCalls(
  echo as unknown as Server,
  (path) => {
    const name = nameIn(path);
    const answer = ECHOES[name];
    const { request, response } = CALLS[name];
    return (bytes) => Promise.resolve(encode(response, answer?.(decode(request, bytes)) ?? {}));
  },
  String,
);

function nameIn(path: unknown): CallName {
  return String(path).split('/').at(-1) as CallName;
}

const make = http2.createSecureServer;
http2.createSecureServer = ((...args: Parameters<typeof make>): Server => {
  const server = make(...args);
  const on = server.on.bind(server) as (event: string, listener: Listener) => Server;
  server.on = ((event: string, listener: Listener) =>
    on(event, (...given) => {
      const isEcho = event === 'stream' && nameIn((given[1] as Readonly<Record<string, unknown>>)[':path']) in ECHOES;
      if (isEcho) echo.emit('stream', ...given);
      else listener(...given);
    })) as Server['on'];
  return server;
}) as typeof make;
