// Which kinds of sections the manifest of a root has. A root may have forty, and most manifests have a few: nobody looks
// at the others.
import type { Manifest } from '../desired.ts';
import type { Kind, Registry } from './kind.ts';
import { isSectionDeclared, unresolvedIn } from './section.ts';

interface Cache {
  /** By the kind of a root and the fields at the top of its spec: most manifests have the same ones. */
  readonly byFields: Map<string, readonly Kind[]>;
  readonly byManifest: WeakMap<Manifest, readonly Kind[]>;
}

const knownOf = new WeakMap<Registry, Cache>();

/** The kinds of the sections that a manifest has, whole or with values to come, in the order of the registry. */
export function declaredKinds(manifest: Manifest, registry: Registry): readonly Kind[] {
  const known = knownOf.get(registry) ?? { byFields: new Map(), byManifest: new WeakMap() };
  knownOf.set(registry, known);
  const found = known.byManifest.get(manifest);
  if (found !== undefined) return found;
  const declared = kindsWith(manifest, registry, known).filter(
    (kind) => isSectionDeclared(kind, manifest.spec) || unresolvedIn(kind, manifest).length > 0,
  );
  known.byManifest.set(manifest, declared);
  return declared;
}

function kindsWith(manifest: Manifest, registry: Registry, { byFields }: Cache): readonly Kind[] {
  const fields = Object.keys(manifest.spec);
  for (const { pointer } of manifest.references ?? []) fields.push(pointer.split('/')[1] as string);
  const key = `${manifest.kind} ${fields.join(' ')}`;
  const found = byFields.get(key);
  if (found !== undefined) return found;
  const tops = new Set(fields);
  const kinds = [...registry.values()].filter(
    ({ parent, section }) =>
      parent === manifest.kind && section.fields.some((field) => tops.has(field.split('/')[0] as string)),
  );
  byFields.set(key, kinds);
  return kinds;
}
