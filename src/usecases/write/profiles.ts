// Moves the settings that all exported roots of a kind share into one profile per kind.
import { registry } from '../../areas/index.ts';
import { isWithin } from '../../model/manifest-reference.ts';
import type { TakenNames } from '../../manifest/write/name-manifests.ts';
import { shareProfile } from '../../manifest/write/shared-profile.ts';
import { GET_KINDS } from '../get/kinds.ts';
import type { ExportDocument } from './documents.ts';
import { newDocument } from './documents.ts';

/** Returns the profiles first, then the documents without the values that their profile has. */
export function withProfiles(documents: readonly ExportDocument[], taken: TakenNames): readonly ExportDocument[] {
  const rewritten = new Map<ExportDocument, ExportDocument>();
  const profiles = [...registry.values()]
    .filter(({ parent }) => parent === null)
    .flatMap(({ kind }) => {
      const own = documents.filter(({ manifest }) => manifest.kind === kind);
      const { profile, specs, moved } = shareProfile(
        kind,
        own.map(({ manifest }) => manifest.spec),
        taken,
      );
      if (profile === undefined) return [];
      own.forEach((document, index) => {
        const { manifest, comments } = document;
        rewritten.set(document, {
          ...document,
          manifest: { ...manifest, spec: specs[index] ?? manifest.spec },
          comments: comments.filter(({ pointer }) => !moved[index]?.some((place) => isWithin(pointer, place))),
        });
      });
      const objects = GET_KINDS.find(({ manifest }) => manifest === kind)?.kind ?? kind;
      return [{ ...newDocument(profile), header: `used by ${own.length} ${objects}` }];
    });
  return [...profiles, ...documents.map((document) => rewritten.get(document) ?? document)];
}
