// Takes from a program what leads around the permissions of Node.js: threads, which have none of them; signals, which reach
// every process of the user; databases, which write files themselves. Node.js 22.18 refuses threads itself.
import * as nodeModule from 'node:module';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);

/** As Node.js refuses what a permission is lacking for. */
function refusing(permission: string): () => never {
  return function refused(): never {
    throw Object.assign(new Error('Access to this API has been restricted'), { code: 'ERR_ACCESS_DENIED', permission });
  };
}

/** Called once the hooks are there, and again in the thread of the loader where there is one. */
export function closeWaysOut(): void {
  take(process, ['kill', '_kill', '_debugProcess'], 'Signal');
  take(require('node:worker_threads') as object, ['Worker'], 'WorkerThreads');
  // It runs code in the thread of the loader.
  take((nodeModule as unknown as { readonly default: object }).default, ['register'], 'WorkerThreads');
  take(databases(), ['DatabaseSync', 'backup'], 'FileSystemWrite');
  syncBuiltinESMExports();
}

function take(from: object, names: readonly string[], permission: string): void {
  for (const name of names)
    if (name in from)
      Object.defineProperty(from, name, { value: refusing(permission), writable: false, configurable: false });
}

/** Node.js 20 has none. */
function databases(): object {
  try {
    return require('node:sqlite') as object;
  } catch {
    return {};
  }
}
