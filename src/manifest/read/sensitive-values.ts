// Which values of a manifest are about a person or are a secret, by the marks of the kinds, and diagnostics without them.
// A malformed value is still what somebody wrote: it is quoted in no diagnostic, because reports are shared.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { namesSecret, quote } from '../../model/format.ts';
import type { Json } from '../../model/json.ts';
import type { Registry } from '../../model/kind/kind.ts';

export type Sensitivity = 'personal' | 'secret';

/** Fields in which a secret is named; what is written there by mistake is often the secret itself. */
const SOURCES: ReadonlySet<string> = new Set(['env', 'file', 'entry']);
/** A kind of plain data, all of it about a person. */
const CONTACT = 'Contact';

/** Returns what the value at a pointer into a manifest of a root kind is. undefined: it may be quoted. */
export function sensitivityOf(kind: string, pointer: string, registry: Registry): Sensitivity | undefined {
  const [top, ...names] = pointer.split('/').slice(1);
  if (top !== 'spec') return undefined;
  if (names.some(namesSecret) || SOURCES.has(names.at(-1) ?? '')) return 'secret';
  if (kind === CONTACT) return 'personal';
  const marked = personalFields(kind, registry);
  return names.some((name) => marked.has(name)) ? 'personal' : undefined;
}

/** The names of the fields that a root kind, and what is in its manifest, mark as personal. */
function personalFields(kind: string, registry: Registry): ReadonlySet<string> {
  const names = new Set<string>();
  for (const definition of registry.values()) {
    let root = definition;
    for (let above = root.parent; above !== null; above = root.parent) {
      const found = registry.get(above);
      if (found === undefined) break;
      root = found;
    }
    if (root.kind !== kind) continue;
    for (const [name, field] of Object.entries(definition.fields)) if (field.personal !== undefined) names.add(name);
  }
  return names;
}

/** Returns a text in which every text of a value, and the name of the field where it is not one, reads `(personal)`. */
export function withoutValue(text: string, value: Json | undefined, pointer: string, sort: Sensitivity): string {
  const hidden = `(${sort})`;
  const own = sort === 'secret' && isOtherKey(pointer) ? [lastOf(pointer)] : [];
  // The longest first: a shorter one may be a part of it.
  const texts = [...textsIn(value), ...own].filter((one) => one !== '').sort((a, b) => b.length - a.length);
  return texts.reduce((left, one) => {
    const quoted = left.replaceAll(quote(one), hidden).replaceAll(JSON.stringify(one), hidden);
    return one.length < 3 ? quoted : quoted.replaceAll(one, hidden);
  }, text);
}

/** Returns a diagnostic without the lines of the manifest, which contain the value, and without a key that is one. */
export function withoutLines({ frame: _frame, ...problem }: Diagnostic, sort: Sensitivity): Diagnostic {
  const { pointer } = problem;
  if (sort !== 'secret' || pointer === undefined || !isOtherKey(pointer)) return problem;
  return { ...problem, pointer: pointer.slice(0, pointer.lastIndexOf('/')) };
}

/** A key of a secret that no schema names may be the secret itself. */
function isOtherKey(pointer: string): boolean {
  const name = lastOf(pointer);
  return !namesSecret(name) && !SOURCES.has(name);
}

function lastOf(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => textsIn(one));
}
