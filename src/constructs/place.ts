// Where in the program a construct was made: the first call on the stack that is not our own. Types are stripped without
// moving anything, so this is the very place in the source, and no source map is needed.

/** Lines and columns count from 1. */
export interface Place {
  /** An absolute path, or the URL of what is no file. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Our own calls on the stack are the constructors of a kind, of its base, and what captures. */
const DEPTH = 12;
const OWN = import.meta.url.slice(0, import.meta.url.lastIndexOf('/') + 1);
const OWN_PATH = decodeURIComponent(OWN.replace(/^file:\/\//, ''));

/** The place of the call that led here from outside of this folder; undefined where the stack does not tell. */
export function capturePlace(): Place | undefined {
  const before: unknown = Reflect.get(Error, 'prepareStackTrace');
  const { stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.prepareStackTrace = (_error, sites) => sites;
    Error.stackTraceLimit = DEPTH;
    Error.captureStackTrace(holder, capturePlace);
    const sites = holder.stack;
    if (!Array.isArray(sites)) return undefined;
    for (const site of sites as readonly NodeJS.CallSite[]) {
      const name = site.getFileName();
      if (name === null || name === undefined || isOwn(name)) continue;
      return (
        mapped(before, site) ?? { file: name, line: site.getLineNumber() ?? 1, column: site.getColumnNumber() ?? 1 }
      );
    }
    return undefined;
  } finally {
    Reflect.set(Error, 'prepareStackTrace', before);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Test runners rewrite what they load, and bring a function that knows where it stood before. */
function mapped(format: unknown, site: NodeJS.CallSite): Place | undefined {
  if (typeof format !== 'function') return undefined;
  const text = String((format as (error: Error, sites: readonly NodeJS.CallSite[]) => unknown)(new Error(), [site]));
  const [, file, line, column] = /at (?:.*\()?(\S+?):(\d+):(\d+)\)?\s*$/.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

function isOwn(name: string): boolean {
  return name.startsWith(OWN) || name.startsWith(OWN_PATH) || name.startsWith('node:');
}
