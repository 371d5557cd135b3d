// Which registration a name rests on: that of the name itself, or of the nearest name above it, whichever is declared.
// A name that no manifest registers is somebody else's business.
import { canonicalHostname } from '../../../model/hostname.ts';
import type { NeedsDefinition } from '../../../model/kind/capabilities/needs.ts';

/**
 * What is made under a name that is being registered waits until that is done: before, the platform does not know whose
 * it is (O-17, O-66).
 */
export function needsRegistration<Spec>(
  rule: 'O-17' | 'O-66',
  nameIn: (spec: Partial<Spec>) => string | undefined,
): NeedsDefinition<Spec> {
  return {
    kind: 'DomainRegistration',
    keys: (spec) => namesFrom(nameIn(spec) ?? ''),
    // A transfer is in the list long before it has arrived (GAP-55); a name that has run out is ours all the same.
    isMet: ({ computed }) => computed.status !== 'PENDING_TRANSFER',
    rule,
    reason: 'a name is used when its registration is completed',
  };
}

/** The name itself, then the names above it but for the last label. */
export function namesFrom(name: string): readonly string[] {
  const labels = canonicalHostname(name).split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}
