// Which request an accident strikes.
import { checkFault } from './faults.ts';
import type { Fault } from './faults.ts';
import { createRandom } from '../random.ts';

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
