// What a manifest's rules say of one request, and what of its answer that makes certain.
import { addressOf } from '../../model/address.ts';
import type { Manifest } from '../../model/desired.ts';
import { canonicalHostname } from '../../model/hostname.ts';
import type { Kind } from '../../model/kind/kind.ts';
import { isSectionDeclared, isSectionWhole, itemsOf } from '../../model/kind/section.ts';
import type { CacheTimes, Held, Trace, Traced, TracedKind, TracedRequest } from '../../model/plan/trace.ts';
import { registry } from '../../areas/index.ts';
import { listOf, quote } from '../../manifest/format.ts';

/** The sections of a root that say something of requests. */
export function tracedKinds(root: string): readonly Kind[] {
  return [...registry.values()].filter(({ parent, section }) => parent === root && section.trace !== undefined);
}

/** Of such a section there is one, which says what holds where no rule does. */
function isWhole({ list }: Kind): boolean {
  return list === 'singleton';
}

type Traceable = Pick<Manifest, 'kind' | 'name' | 'spec' | 'references'>;

/** The hostnames that a manifest declares, the primary one first. */
export function hostnamesOf(manifest: Traceable): readonly string[] {
  return [...registry.values()]
    .filter((kind) => kind.parent === manifest.kind && kind.list === 'additive' && isSectionWhole(kind, manifest))
    .flatMap((kind) => itemsOf(kind, manifest))
    .flatMap(({ name }) => (name === null ? [] : [name]));
}

/** The manifest of the root that a request goes to. */
export function servedBy<One extends Traceable>(manifests: readonly One[], { hostname }: URL): One | undefined {
  const asked = canonicalHostname(hostname);
  return manifests.find((one) => tracedKinds(one.kind).length > 0 && hostnamesOf(one).includes(asked));
}

export function traceRequest(manifest: Traceable, request: TracedRequest): Trace {
  const { kind: root, name, spec } = manifest;
  const kinds = tracedKinds(root);
  const isKnown = (kind: Kind): boolean => isSectionDeclared(kind, spec) && isSectionWhole(kind, manifest);
  const inOrder = [...kinds.filter((kind) => !isWhole(kind)), ...kinds.filter(isWhole)];
  const traced = inOrder
    .filter(isKnown)
    .map((kind): TracedKind => ({ kind: kind.kind, entries: kind.section.trace?.(spec, request) ?? [] }));
  return {
    root: addressOf(null, root, name),
    kinds: traced,
    ...answerOf(traced),
    times: timesOf(traced),
    notRead: kinds.filter((kind) => !isKnown(kind)).map(({ section }) => section.fields[0] as string),
  };
}

const UNDOCUMENTED = 'in which order the platform carries them out is not documented';

/**
 * What is certain: of what surely matches, unless an edge rule that may match as well would answer otherwise. What of
 * Shield may match is left to `unless`: it is there against attacks, and a request of which nothing is said is none.
 */
function answerOf(kinds: readonly TracedKind[]): Pick<Trace, 'answer' | 'unless'> {
  const entries = kinds.flatMap((one) => one.entries).filter(({ held }) => held !== false);
  const sure = entries.filter(({ held }) => held === true);
  const maybe = entries.filter(({ held }) => held !== true);
  const [first, ...others] = sure.filter(({ answer }) => answer !== undefined);
  const isOther = ({ answer }: Traced): boolean =>
    answer !== undefined && JSON.stringify(answer) !== JSON.stringify(first?.answer);
  const different = others.filter(isOther);
  const past = first?.isShield === true ? entries.filter(({ letsPast }) => letsPast !== undefined) : [];
  const unknown = [
    ...maybe.filter((one) => one.isShield !== true && (isOther(one) || one.effect !== undefined)).map(notKnown),
    ...(first === undefined || different.length === 0
      ? []
      : [`${listOf([first, ...different].map(named), 'and')} answer differently, and ${UNDOCUMENTED}.`]),
    ...sure
      .filter(({ effect }) => effect !== undefined)
      .map((one) => `${named(one)} matches the request, and ${one.effect as string}.`),
    ...past.map((one) => `${named(one)} lets the request past ${one.letsPast as string}, and ${UNDOCUMENTED}.`),
  ];
  return {
    answer: unknown.length > 0 ? { unknown } : (first?.answer ?? { passes: true }),
    unless: maybe.filter((one) => one.isShield === true && (isOther(one) || one.effect !== undefined)).map(notKnown),
  };
}

function notKnown(one: Traced): string {
  return `Whether ${named(one)} matches is not known: ${whyOf(one.held)}.`;
}

/** A rule beats what the whole section says; of two rules that say different things nobody knows. */
function timesOf(kinds: readonly TracedKind[]): Trace['times'] {
  const entries = kinds.flatMap((one) => one.entries).filter(({ held, sets }) => held !== false && sets !== undefined);
  const fields: readonly (keyof CacheTimes)[] = ['cacheTime', 'browserCacheTime'];
  return Object.fromEntries(
    fields.flatMap((field): readonly (readonly [string, number | { readonly unknown: readonly string[] }])[] => {
      const all = entries.filter(({ sets }) => sets?.[field] !== undefined);
      const rules = all.filter(({ name }) => name !== null);
      const sure = rules.filter(({ held }) => held === true);
      const from = sure.length > 0 ? sure : all.filter(({ name }) => name === null);
      const [value, ...more] = new Set(from.map(({ sets }) => sets?.[field]));
      const open = rules.filter(({ held, sets }) => held !== true && sets?.[field] !== value);
      const unknown = [
        ...open.map(notKnown),
        ...(more.length === 0 ? [] : [`${listOf(sure.map(named), 'and')} set different times, and ${UNDOCUMENTED}.`]),
      ];
      if (unknown.length > 0) return [[field, { unknown }]];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

function named({ name }: Traced): string {
  return quote(name ?? '');
}

export function whyOf(held: Held): string {
  return typeof held === 'boolean' ? '' : listOf(held.unknown, 'and');
}
