// gRPC over HTTP/2, as far as Terraform speaks it: one message in, one message or several out, and a status behind it. A frame that
// is cut, compressed or too long, and a message that is none, end in a status; no frame ends the process.
import type { Http2SecureServer, Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { WireError } from './protobuf.ts';

/** The bytes of the answer to the bytes of a request; of a stream, those of each message. */
export type Handle = (request: Buffer) => Promise<Buffer | readonly Buffer[]>;

/** As long as what Terraform itself takes. */
const LONGEST = 256 * 1024 * 1024;
const HEAD = 5;

const INTERNAL = 13;
const INVALID_ARGUMENT = 3;
const RESOURCE_EXHAUSTED = 8;
const UNIMPLEMENTED = 12;

const NO_MESSAGE: WireError['name'] = 'WireError';

/** Ends a call with a status of gRPC. */
class Status extends Error {
  readonly code: number;
  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

/**
 * Answers calls on a server. `find` gives what answers a path such as `/tfplugin6.Provider/ReadResource`; `said` turns
 * what was thrown into what the other side is told.
 */
export function serveCalls(
  server: Http2Server | Http2SecureServer,
  find: (path: string) => Handle | undefined,
  said: (error: unknown) => string,
  longest = LONGEST,
): void {
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => stream.destroy());
    void answer(stream, find(headers[':path'] ?? ''), longest).then(
      (message) => end(stream, message, 0, ''),
      (error: unknown) => {
        const isNoMessage = error instanceof Error && error.name === NO_MESSAGE;
        const code = error instanceof Status ? error.code : isNoMessage ? INVALID_ARGUMENT : INTERNAL;
        end(stream, undefined, code, error instanceof Status || isNoMessage ? error.message : said(error));
      },
    );
  });
  server.on('sessionError', () => undefined);
}

async function answer(stream: ServerHttp2Stream, handle: Handle | undefined, longest: number): ReturnType<Handle> {
  if (handle === undefined) throw new Status(UNIMPLEMENTED, 'there is no such call');
  return handle(await requestOf(stream, longest));
}

/** The one message of a request. */
async function requestOf(stream: ServerHttp2Stream, longest: number): Promise<Buffer> {
  const bytes = await bytesOf(stream, longest);
  if (bytes.length < HEAD) throw new Status(INVALID_ARGUMENT, 'the request has no message');
  if (bytes[0] !== 0) throw new Status(UNIMPLEMENTED, 'compressed messages are not understood');
  if (bytes.readUInt32BE(1) !== bytes.length - HEAD) throw new Status(INVALID_ARGUMENT, 'the message is cut off');
  return bytes.subarray(HEAD);
}

/** What comes, to its end; of what is too long the rest is thrown away, so that it can still be answered. */
function bytesOf(stream: ServerHttp2Stream, longest: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= longest + HEAD) chunks.push(chunk);
      else {
        chunks = [];
        reject(new Status(RESOURCE_EXHAUSTED, `a message is longer than ${longest} bytes`));
      }
    });
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('close', () => reject(new Status(INVALID_ARGUMENT, 'the request was broken off')));
  });
}

function end(
  stream: ServerHttp2Stream,
  answered: Awaited<ReturnType<Handle>> | undefined,
  code: number,
  text: string,
): void {
  if (stream.destroyed || stream.closed) return;
  const trailers = { 'grpc-status': String(code), ...(text !== '' && { 'grpc-message': encodeURIComponent(text) }) };
  const headers = { ':status': 200, 'content-type': 'application/grpc' };
  if (answered === undefined) {
    stream.respond({ ...headers, ...trailers }, { endStream: true });
    return;
  }
  stream.respond(headers, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  for (const message of Buffer.isBuffer(answered) ? [answered] : answered) {
    const head = Buffer.alloc(HEAD);
    head.writeUInt32BE(message.length, 1);
    stream.write(head);
    stream.write(message);
  }
  stream.end();
}
