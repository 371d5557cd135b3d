// Decides how text reaches the two streams: results on stdout, everything else on stderr. A reader that went away is no
// reason to stop: a run that is half done goes on. Must not decide what is said.
import type { Writable } from 'node:stream';

export interface Output {
  /** A result, with a line break. */
  readonly result: (text: string) => void;
  /** Anything else, with a line break. */
  readonly error: (text: string) => void;
  /** Text as it is, from the command line parser. */
  readonly raw: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Resolves when everything has left, or has nowhere to go. */
  readonly flush: () => Promise<void>;
}

export function createOutput(stdout: Writable, stderr: Writable): Output {
  const out = createSink(stdout);
  const err = createSink(stderr);
  return {
    result: (text) => out.write(`${text}\n`),
    error: (text) => err.write(`${text}\n`),
    raw: (stream, text) => (stream === 'stdout' ? out : err).write(text),
    flush: async () => {
      await Promise.all([out.flush(), err.flush()]);
    },
  };
}

function createSink(stream: Writable): { readonly write: (text: string) => void; readonly flush: () => Promise<void> } {
  let gone = false;
  let last: Promise<void> = Promise.resolve();
  // `hostwright plan | head` closes the pipe; other errors of an output stream have no better place to go either.
  stream.on('error', () => {
    gone = true;
  });
  return {
    write: (text) => {
      if (gone) return;
      last = new Promise((resolve) => {
        stream.write(text, () => resolve());
      });
    },
    flush: () => last,
  };
}
