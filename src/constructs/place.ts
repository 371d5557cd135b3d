// Where in the program a construct was made: the calls on the stack that are not our own. Types are stripped without
// moving anything, so this is the very place in the source, and no source map is needed.

/** Lines and columns count from 1. */
export interface Place {
  /** An absolute path, or the URL of what is no file. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Our own calls on the stack are the constructors of a kind, of its base, and what captures. */
const DEPTH = 24;
/** Of the user's own calls, as many are kept. */
const KEPT = 6;
const OWN = import.meta.url.slice(0, import.meta.url.lastIndexOf('/') + 1);
const OWN_PATH = decodeURIComponent(OWN.replace(/^file:\/\//, ''));

/** The calls that led here from outside of this folder, the innermost first; none where the stack does not tell. */
export function capturePlaces(): readonly Place[] {
  const before: unknown = Reflect.get(Error, 'prepareStackTrace');
  const { stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.prepareStackTrace = (_error, sites) => sites;
    Error.stackTraceLimit = DEPTH;
    Error.captureStackTrace(holder, capturePlaces);
    const sites = holder.stack;
    if (!Array.isArray(sites)) return [];
    Reflect.set(Error, 'prepareStackTrace', before);
    return (sites as readonly NodeJS.CallSite[])
      .flatMap((site, index) => {
        const name = site.getFileName();
        return name === null || name === undefined || isOwn(name) ? [] : [{ site, index, name }];
      })
      .slice(0, KEPT)
      .map(
        ({ site, index, name }) =>
          placeIn(typeof before === 'function' ? formatted(before as Format, site) : lineOf(index)) ?? {
            file: name,
            line: site.getLineNumber() ?? 1,
            column: site.getColumnNumber() ?? 1,
          },
      );
  } finally {
    Reflect.set(Error, 'prepareStackTrace', before);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

type Format = (error: Error, sites: readonly NodeJS.CallSite[]) => unknown;

/** Test runners rewrite what they load, and bring a function that knows where it stood before. */
function formatted(format: Format, site: NodeJS.CallSite): string {
  return String(format(new Error(), [site]));
}

/** In a context of its own, as jest has, that function is out of reach, and Node.js calls it for each stack as text. */
function lineOf(index: number): string {
  const holder: { stack?: unknown } = {};
  Error.captureStackTrace(holder, capturePlaces);
  const lines = String(holder.stack).split('\n');
  return lines.filter((line) => /^\s+at /.test(line))[index] ?? '';
}

function placeIn(text: string): Place | undefined {
  const [, file, line, column] = /at (?:.*\()?(\S+?):(\d+):(\d+)\)?\s*$/.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

function isOwn(name: string): boolean {
  return name.startsWith(OWN) || name.startsWith(OWN_PATH) || name.startsWith('node:');
}
