// What the ledger records of secrets and of what else cannot be read: the rotation token with which each was last
// written, and which ones a failed action left unwritten. Must never see a value.
import type { InFlight } from '../model/plan/ledger-view.ts';
import type { Change } from '../model/plan/plan.ts';
import { canonicalJson, unescapePointer } from '../model/json.ts';
import type { RotationToken, RotationTokens, SecretPlace } from '../model/secret.ts';

/** The rotation tokens once these changes are made; undefined when there are none. */
export function rotatedAfter(
  before: RotationTokens | undefined,
  changes: readonly Change[],
): RotationTokens | undefined {
  return merged(
    before,
    changes.flatMap((change) =>
      change.secret === undefined && change.rotationToken === undefined
        ? []
        : [[fieldOf(change), rotationTokenOf(change)] as const],
    ),
  );
}

/**
 * The rotation tokens when an action ends before all of it is done: what its answered requests wrote has its token, and of
 * what a create did not write it is known that it was never written.
 */
export function rotatedSoFar(
  before: RotationTokens | undefined,
  { action: { changes, requests, verb }, answered }: Pick<InFlight, 'action' | 'answered'>,
): RotationTokens | undefined {
  const sent = requests.flatMap(({ name, secrets = [] }) => (Object.hasOwn(answered, name) ? secrets : []));
  const isWritten = (place: SecretPlace): boolean => sent.some((one) => canonicalJson(one) === canonicalJson(place));
  return merged(
    before,
    changes.flatMap((change): readonly (readonly [string, RotationToken])[] => {
      if (change.secret === undefined) return [];
      if (isWritten(change.secret)) return [[fieldOf(change), rotationTokenOf(change)]];
      return verb === 'create' ? [[fieldOf(change), false]] : [];
    }),
  );
}

function merged(
  before: RotationTokens | undefined,
  rotationTokens: readonly (readonly [string, RotationToken])[],
): RotationTokens | undefined {
  return before === undefined && rotationTokens.length === 0
    ? undefined
    : { ...before, ...Object.fromEntries(rotationTokens) };
}

function fieldOf({ path }: Change): string {
  return unescapePointer(path.slice(1));
}

function rotationTokenOf({ value }: Change): RotationToken {
  return typeof value === 'string' ? value : null;
}
