// How text reaches the two streams: results stdout, everything else stderr. A reader that went away is no reason to
// stop: a run that is half done goes on. A result that could not be written is told at the end.
import type { Writable } from 'node:stream';

export interface Output {
  /** A result, with a line break. */
  readonly result: (text: string) => void;
  /** A large result, piece by piece, as fast as it is taken; with a line break. */
  readonly stream: (pieces: Iterable<string>) => Promise<void>;
  /** Anything else, with a line break. */
  readonly error: (text: string) => void;
  /** Text as it is, from the command line parser. */
  readonly raw: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Resolves when everything has left, or has nowhere to go. */
  readonly flush: () => Promise<void>;
  /**
   * Why results could not be written, such as `ENOSPC`; a reader that went away wanted no more of them. Undefined: they
   * were.
   */
  readonly unwritten: () => string | undefined;
}

export function createOutput(stdout: Writable, stderr: Writable): Output {
  const out = createSink(stdout);
  const err = createSink(stderr);
  return {
    result: (text) => out.write(`${text}\n`),
    stream: async (pieces) => {
      for (const piece of pieces) {
        if (out.isGone()) return;
        out.write(piece);
        await out.flush();
      }
      out.write('\n');
    },
    error: (text) => err.write(`${text}\n`),
    raw: (stream, text) => (stream === 'stdout' ? out : err).write(text),
    flush: async () => {
      await Promise.all([out.flush(), err.flush()]);
    },
    unwritten: out.failure,
  };
}

/** `hostwright plan | head` closes the pipe. */
const READER_GONE = ['EPIPE', 'ERR_STREAM_DESTROYED'];

interface Sink {
  readonly write: (text: string) => void;
  readonly flush: () => Promise<void>;
  /** Nobody takes it any more. */
  readonly isGone: () => boolean;
  readonly failure: () => string | undefined;
}

function createSink(stream: Writable): Sink {
  let gone = false;
  let failure: string | undefined;
  let last: Promise<void> = Promise.resolve();
  const fail = ({ code = 'unknown error' }: NodeJS.ErrnoException): void => {
    gone = true;
    if (!READER_GONE.includes(code)) failure ??= code;
  };
  stream.on('error', fail);
  return {
    write: (text) => {
      if (gone) return;
      last = new Promise((resolve) => {
        // Before `flush` goes on: the event comes after this.
        stream.write(text, (error) => {
          if (error) fail(error);
          resolve();
        });
      });
    },
    flush: () => last,
    isGone: () => gone,
    failure: () => failure,
  };
}
