// Whether a manifest has a section of a kind, and whether it can be looked into yet.
import type { Manifest } from '../desired.ts';
import type { JsonObject } from '../json.ts';
import { valueAt } from '../json.ts';
import type { Kind } from './kind.ts';
import type { PlacedReference } from '../manifest-reference.ts';
import { isWithin } from '../manifest-reference.ts';

/** True when the spec of a root has the section of this kind. */
export function isSectionDeclared({ section }: Pick<Kind, 'section'>, spec: JsonObject): boolean {
  return section.fields.some((field) => valueAt(spec, `/${field}`) !== undefined);
}

/** The references in a section that stand for values: until they are known nobody can say what is declared there. */
export function unresolvedIn(
  { section }: Pick<Kind, 'section'>,
  { references = [] }: Pick<Manifest, 'references'>,
): readonly PlacedReference[] {
  return references.filter(
    ({ pointer, output }) => output !== undefined && section.fields.some((field) => isWithin(pointer, `/${field}`)),
  );
}

/** True when a manifest has the section of this kind, and all values in it stand there. */
export function isSectionWhole(kind: Pick<Kind, 'section'>, manifest: Pick<Manifest, 'spec' | 'references'>): boolean {
  return isSectionDeclared(kind, manifest.spec) && unresolvedIn(kind, manifest).length === 0;
}
