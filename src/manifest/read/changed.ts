// Which manifests say something else than they said before, once profiles and plain data are in them: how they are
// written, and in which file, makes no difference.
import type { Address } from '../../model/address.ts';
import { addressOf } from '../../model/address.ts';
import type { Manifest } from '../../model/desired.ts';
import type { Json } from '../../model/json.ts';
import { canonicalJson } from '../../model/json.ts';
import type { Registry } from '../../model/kind/kind.ts';

export interface ManifestChanges {
  /** New, or not as before. */
  readonly changed: ReadonlySet<Address>;
  /** Wanted before, in no manifest any more, and not under another name either. */
  readonly gone: readonly Address[];
}

/** What became of the manifests of live objects. */
export function compareManifests(
  before: readonly Manifest[],
  now: readonly Manifest[],
  registry: Registry,
): ManifestChanges {
  const isObject = ({ kind }: Manifest): boolean => registry.has(kind);
  const earlier = new Map(before.filter(isObject).map((manifest) => [addressIn(manifest), contentOf(manifest)]));
  const present = now.filter(isObject);
  // What was to be deleted is not missed.
  const wanted = before
    .filter((manifest) => isObject(manifest) && manifest.lifecycle.state === 'present')
    .map(addressIn);
  const known = new Set(
    present.flatMap(({ kind, name, renamedFrom }) =>
      [name, ...(renamedFrom === undefined ? [] : [renamedFrom])].map((one) => addressOf(null, kind, one)),
    ),
  );
  return {
    changed: new Set(
      present.filter((manifest) => earlier.get(addressIn(manifest)) !== contentOf(manifest)).map(addressIn),
    ),
    gone: [...new Set(wanted)].filter((address) => !known.has(address)).sort(),
  };
}

function addressIn({ kind, name }: Manifest): Address {
  return addressOf(null, kind, name);
}

function contentOf({ id, renamedFrom, lifecycle, spec, references = [] }: Manifest): string {
  return canonicalJson({
    id: id ?? null,
    renamedFrom: renamedFrom ?? null,
    lifecycle,
    spec,
    references,
  } as unknown as Json);
}
