// The documents when what several of them share stands in profiles: the profiles first, then the rest of each.
import { registry } from '../../areas/index.ts';
import { isWithin } from '../../model/manifest-reference.ts';
import type { TakenNames } from '../../manifest/write/name-manifests.ts';
import { proposeProfiles } from '../../manifest/write/propose-profiles.ts';
import type { ExportDocument } from './documents.ts';
import { newDocument } from './documents.ts';

/** The documents of each kind with profiles for what they share. */
export function withProfiles(documents: readonly ExportDocument[], taken: TakenNames): readonly ExportDocument[] {
  const rewritten = new Map<ExportDocument, ExportDocument>();
  const profiles = [...registry.values()]
    .filter(({ parent }) => parent === null)
    .flatMap(({ kind }) => {
      const own = documents.filter(({ manifest }) => manifest.kind === kind);
      const sections = [...registry.values()]
        .filter(({ parent }) => parent === kind)
        .flatMap(({ section }) => section.fields);
      const proposed = proposeProfiles({ kind, specs: own.map(({ manifest }) => manifest.spec), sections, taken });
      own.forEach((document, index) => {
        const moved = proposed.moved[index] ?? [];
        rewritten.set(document, {
          ...document,
          manifest: { ...document.manifest, spec: proposed.specs[index] ?? document.manifest.spec },
          comments: document.comments.filter(({ pointer }) => !moved.some((place) => isWithin(pointer, place))),
        });
      });
      return proposed.profiles.map(newDocument);
    });
  return [...profiles, ...documents.map((document) => rewritten.get(document) ?? document)];
}
