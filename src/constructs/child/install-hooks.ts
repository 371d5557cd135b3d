// How TypeScript is loaded in the process of a program: its types are stripped and everything else stays where it is. By
// Node.js itself where it can; before 22.18 by the library that Node.js has it from, in the thread of the loader.
import * as nodeModule from 'node:module';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { Stripped } from './strip.ts';
import { isOurs, isTypeScript, LIBRARY, moduleFor, strippedOrThrowing } from './strip.ts';

/** What newer versions have beside what the types of the oldest one know. */
interface NewerModule {
  readonly stripTypeScriptTypes?: (code: string, options: { readonly mode: 'strip' }) => string;
  readonly registerHooks?: (hooks: {
    readonly resolve: (
      specifier: string,
      context: unknown,
      next: (specifier: string, context: unknown) => unknown,
    ) => unknown;
    readonly load: (url: string, context: unknown, next: (url: string, context: unknown) => unknown) => unknown;
  }) => unknown;
}

const HERE = new URL('.', import.meta.url);

/** From here on programs can be imported. `stripped` gives the files that were, by their URLs. */
export function installHooks(): { readonly stripped: () => Stripped } {
  const { registerHooks, stripTypeScriptTypes } = nodeModule as unknown as NewerModule;
  const library = new URL(LIBRARY, HERE).href;
  requireOurs(fileURLToPath(library));
  if (process.permission.has('worker') !== true && registerHooks !== undefined && stripTypeScriptTypes !== undefined) {
    const files: Record<string, string> = {};
    registerHooks({
      resolve: (specifier, context, next) =>
        isOurs(specifier) ? { url: library, shortCircuit: true } : next(specifier, context),
      load: (url, context, next) => {
        if (!isTypeScript(url)) return next(url, context);
        const text = readFileSync(fileURLToPath(url), 'utf8');
        const source = strippedOrThrowing(url, () => stripTypeScriptTypes(text, { mode: 'strip' }));
        files[url] = source;
        return moduleFor(source);
      },
    });
    return { stripped: () => files };
  }
  const { port1, port2 } = new MessageChannel();
  nodeModule.register(new URL('constructs-hooks.mjs', HERE), {
    data: { port: port2, library },
    transferList: [port2],
  });
  return {
    stripped: () => {
      const files: Record<string, string> = {};
      for (let message = receiveMessageOnPort(port1); message !== undefined; message = receiveMessageOnPort(port1)) {
        const [url, source] = message.message as readonly [string, string];
        files[url] = source;
      }
      return files;
    },
  };
}

/** What CommonJS requires is not asked of the thread of the loader, and of hooks in some versions only. */
function requireOurs(library: string): void {
  const { Module } = nodeModule as unknown as {
    readonly Module: { _resolveFilename: (specifier: string, ...given: readonly unknown[]) => string };
  };
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function resolveFilename(specifier, ...given) {
    return isOurs(specifier) ? library : Reflect.apply(resolve, this, [specifier, ...given]);
  };
}
