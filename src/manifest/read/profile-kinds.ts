// Which kind of document holds the shared settings of which kind of manifest: `SiteProfile` those of `Site`, wherever
// there is a schema for both.
import { shapes } from '../generated/shapes.ts';
import type { Shape } from '../shape.ts';
import { shapeAt } from '../shape.ts';

const ENDING = 'Profile';

/** The field of a spec that names the profiles it starts from. */
export const PROFILES = 'profiles';

const profileKinds = new Map(
  Object.keys(shapes).flatMap((kind) =>
    Object.hasOwn(shapes, `${kind}${ENDING}`) ? [[kind, `${kind}${ENDING}`]] : [],
  ),
);
const userKinds = new Map([...profileKinds].map(([user, profile]) => [profile, user]));

/** The kind of the profiles that manifests of this kind can use. */
export function profileKindOf(kind: string): string | undefined {
  return profileKinds.get(kind);
}

/** The kind of the manifests that profiles of this kind are for; undefined when it is no profile. */
export function userKindOf(kind: string): string | undefined {
  return userKinds.get(kind);
}

/** What of the spec of this kind can be shared; undefined when it has no profiles. */
export function sharedShapeOf(kind: string): Shape | undefined {
  const name = profileKindOf(kind);
  return name === undefined ? undefined : shapeAt(shapes[name], '/spec');
}
