// Decides whether a manifest has a section of a kind. Must not look into it.
import type { JsonObject } from './json.ts';
import { valueAt } from './json.ts';
import type { Kind } from './kind.ts';

/** True when the spec of a root has the section of this kind. */
export function isSectionDeclared({ section }: Pick<Kind, 'section'>, spec: JsonObject): boolean {
  return section.fields.some((field) => valueAt(spec, `/${field}`) !== undefined);
}
