// Sandboxes for the tests of one file, which end with the test that started them.
import { afterEach } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/server.ts';
import { createClient } from '../conformance/context.ts';
import type { Client } from '../conformance/context.ts';

/** Starts sandboxes like this one, or with other options. */
export function sandboxes(
  usual: SandboxOptions = {},
): (options?: SandboxOptions) => Promise<{ readonly sandbox: Sandbox; readonly client: Client }> {
  const open: Sandbox[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
  });
  return async (options = {}) => {
    const sandbox = await startSandbox({ ...usual, ...options });
    open.push(sandbox);
    return { sandbox, client: createClient(sandbox) };
  };
}
