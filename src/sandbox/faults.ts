// Decides which requests meet with an accident, and which one. Must not carry it out: deliver.ts does.
// Kinds ending in `-before` strike before the request is processed; all others after it, so that the change has happened
// and only its answer is lost or spoilt.
import { createRandom } from './random.ts';

export const FAULT_KINDS = [
  'reset-before', 'reset-after', 'status-before', 'status-after', 'html', 'truncate', 'garbage', 'slow', 'hang', 'not-a-list',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

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
    return { fault, left: fault.times ?? Number.POSITIVE_INFINITY, random: createRandom((fault.seed ?? 1) * 31 + index), path: pathMatcher(fault.match?.path) };
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

export function checkFault(fault: Fault): void {
  if (!FAULT_KINDS.includes(fault.kind)) throw new Error(`no fault '${String(fault.kind)}'; there are: ${FAULT_KINDS.join(', ')}`);
  const { status, probability, at, times } = fault;
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) throw new Error(`a fault's status is 200 to 599, not ${status}`);
  if (probability !== undefined && !(probability >= 0 && probability <= 1)) throw new Error(`a fault's probability is 0 to 1, not ${probability}`);
  for (const [name, value] of Object.entries({ at, times })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1)) throw new Error(`a fault's '${name}' counts from 1, not ${value}`);
  }
}

function pathMatcher(pattern: string | undefined): (path: string) => boolean {
  if (pattern === undefined) return () => true;
  if (!pattern.includes('*')) return (path) => path.startsWith(pattern);
  const source = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*');
  const expression = new RegExp(`^${source}$`);
  return (path) => expression.test(path.split('?', 1)[0] ?? path);
}
