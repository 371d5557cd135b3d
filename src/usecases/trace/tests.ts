// The use case `test`: the `tests` of manifests, each tried against the rules of its manifest. Nothing is asked of
// anybody.
import { addressOf } from '../../model/address.ts';
import type { Manifest } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors, sortDiagnostics } from '../../model/diagnostic.ts';
import type { SiteTest } from '../../model/generated/site.ts';
import type { Trace, TracedRequest, TriedTest, Verdict } from '../../model/plan/trace.ts';
import { quote } from '../../model/format.ts';
import { capital } from '../../model/common/sentence.ts';
import type { ParsedDocument } from '../../manifest/read/parse.ts';
import { problemAt } from '../../manifest/read/parse.ts';
import type { Session } from '../session.ts';
import type { OpenedWorkspace } from '../workspace.ts';
import { openOffline } from '../workspace.ts';
import { hostnamesOf, tracedKinds, traceRequest, whyOf } from './trace.ts';

export interface TestResult {
  readonly tests: readonly TriedTest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Tries the tests of the manifests named, or of all that the workspace names. */
export async function testWorkspace(session: Session, paths: readonly string[]): Promise<TestResult> {
  const opened = await openOffline(session, paths, { counted: true });
  const { tests, diagnostics } = tryTests(opened);
  const errors = opened.diagnostics.filter(({ severity }) => severity === 'error');
  return { tests, diagnostics: sortDiagnostics([...errors, ...diagnostics]) };
}

/** The tests of manifests that are sound, and a diagnostic for each that fails. */
export function tryTests({
  manifests,
  documents,
  diagnostics,
}: Pick<OpenedWorkspace, 'manifests' | 'documents' | 'diagnostics'>): TestResult {
  if (hasErrors(diagnostics)) return { tests: [], diagnostics: [] };
  // Those of a profile are tried in each site that uses it.
  const tried = manifests
    .filter(({ kind }) => tracedKinds(kind).length > 0)
    .flatMap((manifest) => testsOf(manifest).map((test, index) => tryOne(manifest, test, index)));
  return {
    tests: tried.map(({ test }) => test),
    diagnostics: tried
      .filter(({ test }) => test.failures.length > 0)
      .map(({ test: { root, pointer, url, failures }, code }) => {
        const document = documents.find(({ value }) => addressIn(value) === root);
        const what = `${quote(url)}: ${failures.join(' ')}`;
        return document === undefined
          ? diagnose(code, what, { address: root })
          : problemAt(document, `/spec${pointer}`, code, what, root);
      }),
  };
}

function addressIn(value: ParsedDocument['value']): string {
  const { kind, metadata } = value as { readonly kind?: string; readonly metadata?: { readonly name?: string } };
  return addressOf(null, kind ?? '', metadata?.name ?? '');
}

function testsOf({ spec }: Manifest): readonly SiteTest[] {
  return (spec.tests ?? []) as unknown as readonly SiteTest[];
}

interface Tried {
  readonly test: TriedTest;
  readonly code: 'HW2721' | 'HW2722';
}

function tryOne(manifest: Manifest, test: SiteTest, index: number): Tried {
  const tried = {
    root: addressOf(null, manifest.kind, manifest.name),
    pointer: `/tests/${index}`,
    url: test.url,
  };
  const [hostname] = hostnamesOf(manifest);
  const url = test.url.startsWith('/') ? hostname && `https://${hostname}${test.url}` : test.url;
  if (url === undefined || !URL.canParse(url))
    return { test: { ...tried, failures: ['The manifest names no hostname of the site.'] }, code: 'HW2722' };
  const failures = failuresOf(traceRequest(manifest, requestOf(test, url)), test.expect);
  return { test: { ...tried, failures }, code: 'HW2721' };
}

function requestOf({ method = 'GET', country, ip, headers = [], cookies = [] }: SiteTest, url: string): TracedRequest {
  return {
    url: new URL(url),
    method,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
    cookies: Object.fromEntries(cookies.map(({ name, value }) => [name, value])),
    ...(country !== undefined && { country }),
    ...(ip !== undefined && { ip }),
  };
}

function failuresOf(trace: Trace, expect: SiteTest['expect']): readonly string[] {
  const { redirect, block, challenge, passes, rules, ...times } = expect;
  const wanted: readonly Verdict[] = [
    ...(redirect === undefined ? [] : [{ redirect }]),
    ...(block === undefined ? [] : [{ block }]),
    ...(challenge === undefined ? [] : [{ challenge }]),
    ...(passes === undefined ? [] : [{ passes }]),
  ];
  return [
    ...wanted
      .filter((answer) => JSON.stringify(answer) !== JSON.stringify(trace.answer))
      .map((answer) => `${capital(inWords(answer))} is expected; ${seen(trace.answer)}`),
    ...(rules === undefined ? [] : otherRules(trace, rules)),
    ...(['cacheTime', 'browserCacheTime'] as const).flatMap((field) => {
      const [is, time] = [trace.times[field], times[field]];
      if (time === undefined || is === time) return [];
      const found =
        is === undefined ? 'nothing sets one' : typeof is === 'object' ? is.unknown.join(' ') : `it is ${is}`;
      return [`A ${quote(field)} of ${time} is expected; ${found.replace(/\.$/, '')}.`];
    }),
  ];
}

function otherRules({ kinds }: Trace, wanted: readonly string[]): readonly string[] {
  const rules = kinds
    .flatMap(({ entries }) => entries)
    .filter(({ name, isShield }) => name !== null && isShield !== true);
  const names = (held: boolean): readonly string[] =>
    rules.flatMap((rule) => (rule.held === held ? [rule.name as string] : []));
  const matching = names(true);
  const missing = wanted.filter((name) => !rules.some((rule) => rule.name === name) || names(false).includes(name));
  const others = matching.filter((name) => !wanted.includes(name));
  return [
    ...missing.map((name) => `${quote(name)} does not match.`),
    ...others.map((name) => `${quote(name)} matches too.`),
    ...rules
      .filter(({ held }) => typeof held === 'object')
      .map(({ name, held }) => `Whether ${quote(name ?? '')} matches is not known: ${whyOf(held)}.`),
  ];
}

function inWords(answer: Verdict): string {
  if ('redirect' in answer) return `a redirect to ${quote(answer.redirect)}`;
  return 'block' in answer ? 'a block' : 'challenge' in answer ? 'a challenge' : 'an answer of the site itself';
}

function seen(answer: Verdict): string {
  return 'unknown' in answer ? `that is not certain. ${answer.unknown.join(' ')}` : `it is ${inWords(answer)}.`;
}
