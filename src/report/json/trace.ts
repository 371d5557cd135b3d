// What rules say of a request, and the tests of manifests, as programs read them.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Test } from '../../model/generated/output/test.ts';
import type { Trace as TraceDocument } from '../../model/generated/output/trace.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import type { Traced, TriedTest } from '../../model/plan/trace.ts';
import type { ShownTrace } from '../blocks/trace.ts';
import type { Ending } from './index.ts';
import { diagnosticDocuments, ending, renderJson } from './index.ts';

interface Ended {
  readonly outcome: OutcomeWord;
  readonly diagnostics: readonly Diagnostic[];
}

export function renderTraceJson({ trace, request, live, outcome, diagnostics }: ShownTrace & Ended): string {
  const { root, answer, unless, times, kinds, notRead } = trace;
  const { url, method = 'GET', country, ip, headers = {}, cookies = {} } = request;
  const written: Omit<TraceDocument, Ending> = {
    format: 'hostwright.trace/1',
    ...ending(outcome),
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
    diagnostics: diagnosticDocuments(diagnostics),
  };
  return renderJson(written);
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

export function renderTestsJson({
  tests,
  outcome,
  diagnostics,
}: Ended & { readonly tests: readonly TriedTest[] }): string {
  const written: Omit<Test, Ending> = {
    format: 'hostwright.test/1',
    ...ending(outcome),
    tests: tests.map(({ failures, ...test }) => ({ ...test, passed: failures.length === 0, failures })),
    diagnostics: diagnosticDocuments(diagnostics),
  };
  return renderJson(written);
}
