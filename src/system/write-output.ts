// Writes the files that a user names as outputs: never through a link, and not where another user could replace them.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TrustOptions } from './trusted-file.ts';
import { untrusted, untrustedMessage } from './trusted-file.ts';

export interface OutputOptions extends Omit<TrustOptions, 'use'> {
  /** Adds to the file instead of replacing its content. */
  readonly append?: boolean;
  /** The mode of a file that is created. */
  readonly mode?: number;
}

/** Descriptors of this process, which shells pass as paths, and the device that takes everything. */
const DESCRIPTOR = /^\/(?:dev\/(?:stdout|stderr|null|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** Writes text to a file. Rejects with an error that names the failed check, or with that of the system. */
export async function writeOutput(
  file: string,
  text: string | Iterable<string>,
  { append = false, mode = 0o666, ...trust }: OutputOptions = {},
): Promise<void> {
  const isDescriptor = DESCRIPTOR.test(file);
  const problem = isDescriptor ? undefined : untrusted(file, { use: 'output', ...trust });
  if (problem !== undefined) throw new Error(untrustedMessage(problem).replace(/\.$/, ''));
  const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW = 0 } = constants;
  const flags = O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC) | (isDescriptor ? 0 : O_NOFOLLOW);
  const handle = await open(file, flags, mode);
  try {
    for (const piece of typeof text === 'string' ? [text] : text) await handle.writeFile(piece);
  } finally {
    await handle.close();
  }
}
