// Runs in the thread of the loader, where Node.js cannot strip types itself.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { closeWaysOut } from './fence.ts';
import { isOurs, isTypeScript, moduleFor, strippedOrThrowing } from './strip.ts';

interface Given {
  readonly port: MessagePort;
  readonly library: string;
}

type Next = (name: string, context: unknown) => unknown;

let given: Given | undefined;

export function initialize(data: Given): void {
  given = data;
  closeWaysOut();
}

export function resolve(specifier: string, context: unknown, next: Next): unknown {
  return isOurs(specifier) && given !== undefined
    ? { url: given.library, shortCircuit: true }
    : next(specifier, context);
}

export async function load(url: string, context: unknown, next: Next): Promise<unknown> {
  if (!isTypeScript(url)) return next(url, context);
  const text = await readFile(fileURLToPath(url), 'utf8');
  const { default: amaro } = await import('amaro');
  const source = strippedOrThrowing(url, () => amaro.transformSync(text, { mode: 'strip-only' }).code);
  given?.port.postMessage([url, source]);
  return moduleFor(source);
}
