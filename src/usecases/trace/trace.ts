// What a manifest's rules say of one request, and what of its answer that makes certain.
import { addressOf } from '../../model/address.ts';
import type { Manifest } from '../../model/desired.ts';
import { canonicalHostname } from '../../model/hostname.ts';
import type { Kind } from '../../model/kind/kind.ts';
import { isSectionWhole, itemsOf, unresolvedIn } from '../../model/kind/section.ts';
import type { CacheTimes, Trace, Traced, TracedKind, TracedRequest, Truth } from '../../model/plan/trace.ts';
import { registry } from '../../areas/index.ts';
import { listOf, quote } from '../../model/format.ts';

/** The sections of a root that say something of requests. */
export function tracedKinds(root: string): readonly Kind[] {
  return [...registry.values()].filter(({ parent, section }) => parent === root && section.trace !== undefined);
}

/** Settings: they hold where no rule says otherwise. */
function isSettings({ list }: Kind): boolean {
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

/** `unread`: where the rules are live ones, why a kind of them is not known, or not all of it. */
export function traceRequest(manifest: Traceable, request: TracedRequest, unread?: ReadonlyMap<string, string>): Trace {
  const { kind: root, name, spec } = manifest;
  const kinds = tracedKinds(root);
  const why = (kind: Kind): string | undefined =>
    unread === undefined
      ? unresolvedIn(kind, manifest)[0] && 'a value in it is known in apply only'
      : unread.get(kind.kind);
  const isThere = (kind: Kind): boolean =>
    isSectionWhole(kind, manifest) || (unread !== undefined && !isSettings(kind) && !unread.has(kind.kind));
  const inOrder = [...kinds.filter((kind) => !isSettings(kind)), ...kinds.filter(isSettings)];
  const traced = inOrder
    .filter(isThere)
    .map((kind): TracedKind => ({ kind: kind.kind, entries: kind.section.trace?.(spec, request) ?? [] }));
  const doubts = inOrder.flatMap((kind) => {
    const reason = why(kind);
    return reason === undefined ? [] : [{ kind, says: `What ${quote(placeOf(kind))} says is not known: ${reason}.` }];
  });
  const { answer, unless } = answerOf(traced);
  const inRules = doubts.filter(({ kind }) => !isSettings(kind)).map(({ says }) => says);
  return {
    root: addressOf(null, root, name),
    kinds: traced,
    answer: inRules.length === 0 ? answer : { unknown: [...('unknown' in answer ? answer.unknown : []), ...inRules] },
    unless,
    times:
      doubts.length === 0
        ? timesOf(traced)
        : Object.fromEntries(TIMES.map((time) => [time, { unknown: doubts.map(({ says }) => says) }])),
    notRead: kinds.filter((kind) => (unread === undefined ? !isThere(kind) : why(kind) !== undefined)).map(placeOf),
  };
}

/** Where its section stands in a manifest. */
export function placeOf({ section }: Kind): string {
  return section.fields[0] as string;
}

const TIMES: readonly (keyof CacheTimes)[] = ['cacheTime', 'browserCacheTime'];

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
    ...past.map((one) =>
      one.held === true
        ? `${named(one)} lets the request past ${one.letsPast as string}, and ${UNDOCUMENTED}.`
        : notKnown(one),
    ),
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
  return Object.fromEntries(
    TIMES.flatMap((field): readonly (readonly [string, number | { readonly unknown: readonly string[] }])[] => {
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

export function whyOf(held: Truth): string {
  return typeof held === 'boolean' ? '' : listOf(held.unknown, 'and');
}
