// What rules say of a request, and the tests of manifests, as programs read them.
import type { Test } from '../../model/generated/output/test.ts';
import type { Trace } from '../../model/generated/output/trace.ts';
import type { Traced, TriedTest } from '../../model/plan/trace.ts';
import type { ShownTrace } from '../blocks/trace.ts';
import type { Ended } from './index.ts';
import { renderDocument } from './index.ts';

export function renderTraceJson({ trace, request, live }: ShownTrace, ended: Ended): string {
  const { root, answer, unless, times, kinds, notRead } = trace;
  const { url, method = 'GET', country, ip, headers = {}, cookies = {} } = request;
  return renderDocument<Trace>('hostwright.trace/1', ended, {
    request: {
      url: url.href,
      method,
      ...(country !== undefined && { country }),
      ...(ip !== undefined && { ip }),
      headers: Object.keys(headers),
      cookies: Object.keys(cookies),
    },
    root,
    live,
    answer,
    unless,
    times,
    kinds: kinds.map(({ kind, entries }) => ({ kind, entries: entries.map(entryOf) })),
    notRead,
  });
}

function entryOf({ name, pointer, held, does, letsPast, effect }: Traced) {
  return {
    name,
    pointer,
    matches: held === true ? ('yes' as const) : held === false ? ('no' as const) : ('unknown' as const),
    ...(typeof held === 'object' && { unknown: held.unknown }),
    does,
    ...(letsPast !== undefined && { letsPast }),
    ...(effect !== undefined && { effect }),
  };
}

export function renderTestsJson(tests: readonly TriedTest[], ended: Ended): string {
  return renderDocument<Test>('hostwright.test/1', ended, {
    tests: tests.map(({ failures, ...test }) => ({ ...test, passed: failures.length === 0, failures })),
  });
}
