// A client of the official SDK, and the server in the same process: what a program speaks over standard input and output.
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { onTestFinished } from 'vitest';
import type { Ground } from '../../src/mcp/tools.ts';
import { serveMcp } from '../../src/mcp/server.ts';
import { redactorFor } from '../../src/usecases/environment/credentials.ts';

export interface Asked {
  readonly text: string;
  readonly isError: boolean;
}

export interface Agent {
  readonly client: Client;
  /** What a tool says; a refusal of the protocol is its message. */
  readonly call: (
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: Parameters<Client['callTool']>[2],
  ) => Promise<Asked>;
  /** The document of an answer. */
  readonly document: (
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: Parameters<Client['callTool']>[2],
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** The text of a resource, or why there is none. */
  readonly read: (uri: string) => Promise<string>;
}

export function agentOf(client: Client): Agent {
  const call: Agent['call'] = async (name, args = {}, options = {}) => {
    try {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...args } }, undefined, options);
      const [first] = content as readonly { readonly text: string }[];
      return { text: first?.text ?? '', isError: isError === true };
    } catch (error) {
      return { text: (error as Error).message, isError: true };
    }
  };
  return {
    client,
    call,
    document: async (name, args, options) => {
      const { text } = await call(name, args, options);
      return JSON.parse(text.slice(text.indexOf('\n') + 1)) as Readonly<Record<string, unknown>>;
    },
    read: (uri) =>
      client.readResource({ uri }).then(
        ({ contents }) => (contents[0] as { readonly text: string }).text,
        (error: unknown) => (error as Error).message,
      ),
  };
}

/** Connects a client to a server of this account. */
export async function startAgent(ground: Pick<Ground, 'account' | 'askForge'>): Promise<Agent> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const { token, env = {} } = ground.account;
  const learnt = new Set<string>();
  const redact = redactorFor({ ...env, HOSTWRIGHT_TOKEN: token }, learnt);
  const stop = new AbortController();
  const served = serveMcp(
    { ...ground, account: { ...ground.account, onSecret: (secret) => learnt.add(secret) }, redact },
    { version: '0', input: toServer, output: toClient, stop: stop.signal },
  );
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(new StdioServerTransport(toClient, toServer));
  onTestFinished(async () => {
    stop.abort();
    await served;
  });
  return agentOf(client);
}
