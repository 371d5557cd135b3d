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
/** The folder of this code, as stacks name it: a path or a URL, depending on who loaded it. */
const OWN = ownFolder();

/** The calls that led here from outside of this folder, the innermost first; none where the stack does not tell. */
export function capturePlaces(): readonly Place[] {
  const { stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = DEPTH;
    const [sites, before] = sitesAbove(capturePlaces);
    return sites
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
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The calls above a function, and what formats stacks otherwise. */
function sitesAbove(callee: () => unknown): readonly [readonly NodeJS.CallSite[], unknown] {
  const before: unknown = Reflect.get(Error, 'prepareStackTrace');
  const holder: { stack?: unknown } = {};
  try {
    Error.prepareStackTrace = (_error, sites) => sites;
    Error.captureStackTrace(holder, callee);
    const { stack } = holder;
    return [Array.isArray(stack) ? (stack as readonly NodeJS.CallSite[]) : [], before];
  } finally {
    Reflect.set(Error, 'prepareStackTrace', before);
  }
}

function ownFolder(): string | undefined {
  const name = sitesAbove(ownFolder)[0][0]?.getFileName();
  return name?.slice(0, Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
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
  return (OWN !== undefined && name.startsWith(OWN)) || name.startsWith('node:');
}
