// Which kind of document holds the shared settings of which kind of manifest: `SiteProfile` those of `Site`, wherever
// there is a schema for both.
import { shapes } from '../generated/shapes.ts';
import type { Shape } from '../shape.ts';
import { shapeAt } from '../shape.ts';

const ENDING = 'Profile';

/** The field of a spec that names the profiles it starts from. */
export const PROFILES = 'profiles';

/** The kind of the profiles that manifests of this kind can use. */
export function profileKindOf(kind: string): string | undefined {
  const name = `${kind}${ENDING}`;
  return Object.hasOwn(shapes, kind) && Object.hasOwn(shapes, name) ? name : undefined;
}

/** The kind of the manifests that profiles of this kind are for; undefined when it is no profile. */
export function userKindOf(kind: string): string | undefined {
  const user = kind.endsWith(ENDING) ? kind.slice(0, -ENDING.length) : '';
  return profileKindOf(user) === undefined ? undefined : user;
}

/** What of the spec of this kind can be shared; undefined when it has no profiles. */
export function sharedShapeOf(kind: string): Shape | undefined {
  const name = profileKindOf(kind);
  return name === undefined ? undefined : shapeAt(shapes[name], '/spec');
}
