// How text reaches the two streams: results stdout, everything else stderr. A reader that went away is no reason to
// stop: a run that is half done goes on. A result that could not be written is told at the end.
import fs from 'node:fs';
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

/** A stream, or a number of the process that is made one when it has to be. */
type Target = Writable | { readonly fd: 1 | 2; readonly open: () => Writable };

/** The two streams of a process. */
export function processOutput(process: NodeJS.Process): Output {
  return createOutput({ fd: 1, open: () => process.stdout }, { fd: 2, open: () => process.stderr });
}

export function createOutput(stdout: Target, stderr: Target): Output {
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

/** The same output, of which every text goes through `redact` first. */
export function redacted(output: Output, redact: (text: string) => string): Output {
  return {
    ...output,
    result: (text) => output.result(redact(text)),
    stream: (pieces) => output.stream(redactedPieces(pieces, redact)),
    error: (text) => output.error(redact(text)),
    raw: (stream, text) => output.raw(stream, redact(text)),
  };
}

/** Pieces end where a value does, so none holds half of a secret. */
export function* redactedPieces(pieces: Iterable<string>, redact: (text: string) => string): Generator<string> {
  for (const piece of pieces) yield redact(piece);
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

function createSink(target: Target): Sink {
  let gone = false;
  let failure: string | undefined;
  let last: Promise<void> = Promise.resolve();
  const fail = ({ code = 'unknown error' }: NodeJS.ErrnoException): void => {
    gone = true;
    if (!READER_GONE.includes(code)) failure ??= code;
  };
  let stream: Writable | undefined;
  const open = (): Writable => {
    if (stream === undefined) {
      stream = 'open' in target ? target.open() : target;
      stream.on('error', fail);
    }
    return stream;
  };
  if (!('open' in target)) open();
  return {
    write: (text) => {
      if (gone) return;
      const left = stream === undefined && 'open' in target ? writeNow(target.fd, text, fail) : text;
      if (left.length === 0) return;
      last = new Promise((resolve) => {
        // Before `flush` goes on: the event comes after this.
        open().write(left, (error) => {
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

/** False for a file, a pipe and /dev/null; true for a terminal, and for whatever else it might be. */
export function isDevice(fd: number): boolean {
  try {
    const stats = fs.fstatSync(fd);
    return stats.isCharacterDevice() && stats.rdev !== fs.statSync('/dev/null').rdev;
  } catch {
    return true;
  }
}

/**
 * Writes to a file or a pipe without its stream, which takes longer to load than most commands take; gives what is left
 * for the stream. Windows and terminals have ways of their own, and get all of it there.
 */
function writeNow(fd: 1 | 2, text: string, fail: (error: NodeJS.ErrnoException) => void): string | Uint8Array {
  if (process.platform === 'win32' || isDevice(fd)) return text;
  let left: Uint8Array = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(fs.writeSync(fd, left));
  } catch (error) {
    // A pipe whose reader is slow, and that others have set not to wait.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return left;
    fail(error as NodeJS.ErrnoException);
    return '';
  }
  return left;
}
