// The faults that can be injected, as data and on a command line. which request each strikes is chosen below; deliver.ts spoils
// its answer. Kinds ending in `-before` strike before the request is processed. All others strike after it: the change
// has happened, and only its answer is lost or damaged.
//
// On a command line, for example `reset-after@3,status-before:429@5:retry-after=2,slow:path=/api/domains:delay=200,5%`:
//
//   faults   := fault ("," fault)*
//   fault    := percent                          that share of all requests meets with an accident, drawn from a mix
//             | kind [":" status] ["@" where] (":" option)*
//   where    := number                           request number n, counted from 1
//             | percent                          a share of the requests that fit
// option := "retry-after=" text | "delay=" ms | "times=" n | "seed=" n | "method=" verb | "path=" prefix or * pattern
//   percent  := number "%"
// kind := reset-before | reset-after | status-before | status-after | html | truncate | garbage | slow | hang |
// not-a-list
import { createRandom } from '../random.ts';

const FAULT_KINDS = [
  'reset-before',
  'reset-after',
  'status-before',
  'status-after',
  'html',
  'truncate',
  'garbage',
  'slow',
  'hang',
  'not-a-list',
] as const;
type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Strikes at request number n, counted from 1. */
  readonly at?: number;
  /** Strikes where all that is given fits. A path is a prefix, or a pattern in which `*` stands for anything. */
  readonly match?: { readonly method?: string; readonly path?: string };
  /** How often it strikes; once with `at`, otherwise without end. */
  readonly times?: number;
  /** For the status kinds (default 503) and html (default 200). */
  readonly status?: number;
  /** The Retry-After header of the status kinds. */
  readonly retryAfter?: string;
  /** For slow: real milliseconds (default 1000). */
  readonly delayMs?: number;
  /** Strikes at this share of the requests that fit, 0 to 1. */
  readonly probability?: number;
  readonly seed?: number;
}

function checkFault(fault: Fault): void {
  if (!FAULT_KINDS.includes(fault.kind))
    throw new Error(`no fault '${String(fault.kind)}'; there are: ${FAULT_KINDS.join(', ')}`);
  const { status, probability, at, times } = fault;
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599))
    throw new Error(`a fault's status is 200 to 599, not ${status}`);
  if (probability !== undefined && !(probability >= 0 && probability <= 1))
    throw new Error(`a fault's probability is 0 to 1, not ${probability}`);
  for (const [name, value] of Object.entries({ at, times })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1))
      throw new Error(`a fault's '${name}' counts from 1, not ${value}`);
  }
}

/** What a bare percentage stands for. */
const MIX: readonly Fault[] = [
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'status-before', status: 503 },
  { kind: 'status-before', status: 429, retryAfter: '1' },
  { kind: 'status-after', status: 502 },
];

type Draft = { -readonly [Key in keyof Fault]: Fault[Key] };

export function parseFaults(text: string): readonly Fault[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.flatMap((part) => {
    const share = percent(part);
    if (share === undefined) return [parseFault(part)];
    checkFault({ kind: 'reset-before', probability: share });
    // Faults are tried one after the other: each gets its part of what the ones before it left.
    return MIX.map((fault, index) => ({
      ...fault,
      probability: share / MIX.length / (1 - (share * index) / MIX.length),
    }));
  });
}

function parseFault(part: string): Fault {
  const [head = '', ...options] = part.split(':');
  // The place may stand behind the kind or behind the status: `slow@2` and `status-before:429@2`.
  const [kind = '', ...places] = head.split('@');
  if (!isKind(kind)) throw problem(part, `'${kind}' is no fault; there are: ${FAULT_KINDS.join(', ')}`);
  const draft: Draft = { kind };
  let place = places[0];
  if (/^\d/.test(options[0] ?? '')) {
    const [status = '', afterStatus] = (options.shift() ?? '').split('@');
    draft.status = wholeNumber(part, 'the status', status);
    place = afterStatus ?? place;
  }
  if (place !== undefined) applyPlace(part, draft, place);
  for (const option of options) applyOption(part, draft, option);
  try {
    checkFault(draft);
  } catch (error) {
    throw problem(part, (error as Error).message);
  }
  return draft;
}

function isKind(text: string): text is FaultKind {
  return (FAULT_KINDS as readonly string[]).includes(text);
}

function applyPlace(part: string, draft: Draft, place: string): void {
  const share = percent(place);
  if (share === undefined) draft.at = wholeNumber(part, 'the request number after @', place);
  else draft.probability = share;
}

function applyOption(part: string, draft: Draft, option: string): void {
  const equals = option.indexOf('=');
  const [name, value] = equals === -1 ? [option, ''] : [option.slice(0, equals), option.slice(equals + 1)];
  if (value === '') throw problem(part, `'${option}' is no option of the form name=value`);
  switch (name) {
    case 'retry-after':
      draft.retryAfter = value;
      return;
    case 'delay':
    case 'times':
    case 'seed':
      draft[name === 'delay' ? 'delayMs' : name] = wholeNumber(part, name, value);
      return;
    case 'method':
    case 'path':
      draft.match = { ...draft.match, [name]: name === 'method' ? value.toUpperCase() : value };
      return;
    default:
      throw problem(part, `'${name}' is no option; there are: retry-after, delay, times, seed, method, path`);
  }
}

function percent(text: string): number | undefined {
  const number = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number) / 100;
}

function wholeNumber(part: string, what: string, text: string): number {
  if (!/^\d+$/.test(text)) throw problem(part, `${what} is a whole number, not '${text}'`);
  return Number(text);
}

function problem(part: string, message: string): Error {
  return new Error(`fault '${part}': ${message}`);
}

export interface FaultPicker {
  /** The first fault that fits this request; counts as a strike. */
  pick(request: { readonly n: number; readonly method: string; readonly path: string }): Fault | undefined;
}

export function isBefore(fault: Fault): boolean {
  return fault.kind === 'reset-before' || fault.kind === 'status-before';
}

export function createFaults(faults: readonly Fault[]): FaultPicker {
  const armed = faults.map((fault, index) => {
    checkFault(fault);
    return {
      fault,
      left: fault.times ?? Number.POSITIVE_INFINITY,
      random: createRandom((fault.seed ?? 1) * 31 + index),
      path: pathMatcher(fault.match?.path),
    };
  });
  return {
    pick(request) {
      for (const one of armed) {
        const { at, match, probability } = one.fault;
        if (one.left <= 0) continue;
        if (at !== undefined && at !== request.n) continue;
        if (match?.method !== undefined && match.method.toUpperCase() !== request.method) continue;
        if (!one.path(request.path)) continue;
        if (probability !== undefined && one.random() >= probability) continue;
        one.left -= 1;
        return one.fault;
      }
      return undefined;
    },
  };
}

function pathMatcher(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true;
  if (!pattern.includes('*')) return (path) => path.startsWith(pattern);
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  const expression = new RegExp(`^${source}$`);
  return (path) => expression.test(path.split('?', 1)[0] ?? path);
}
