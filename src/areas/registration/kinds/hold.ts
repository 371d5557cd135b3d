// When a registration, and everything in it, is left as it is: what is not OK, or about to change hands, or being
// worked on.
import type { Json, JsonObject } from '../../../model/json.ts';
import type { Blocker } from '../../../model/kind/kind.ts';
import { factAt } from './guards.ts';

/** What of a row says whether the registration can be changed now. */
export function holdComputed(row: JsonObject): JsonObject {
  return {
    status: factAt(row, 'status'),
    busy: factAt(row, 'pending_async'),
    leaves: row.transfer_out_pending === true,
    pushed: row.push_transfer_pending === true,
  };
}

/** Why nothing can be changed in a registration for now, or null. A name that is about to leave is left alone (REG-36). */
export function holdRegistration({
  spec: { name = 'NAME' },
  computed,
}: {
  readonly spec: { readonly name?: string };
  readonly computed: JsonObject;
}): Blocker | null {
  const { status = null, busy, leaves, pushed } = computed;
  if (leaves === true)
    return {
      reason:
        'somebody has asked for the name to be transferred away, and nothing of it is changed until that is decided',
      remedy: `Run \`hostwright run transfer-out DomainRegistration/${name} --decision approve\` to transfer it, or \`--decision reject\` to keep it. Then plan again.`,
      rule: 'O-64',
      as: 'waiting',
    };
  if (pushed === true)
    return {
      reason:
        'the name is being handed over to another holder at the registrar, and nothing of it is changed until that has ended',
      remedy: `Wait for it, or have it called off in the dashboard. \`hostwright run refresh DomainRegistration/${name}\` shows when it has ended; then plan again.`,
      rule: 'O-64',
      as: 'waiting',
    };
  if (status === 'PENDING_TRANSFER')
    return {
      reason: 'the name is still on its way here',
      remedy: 'Run again when the transfer has ended, which can take days.',
      rule: 'GAP-55',
      as: 'waiting',
    };
  if (status !== 'OK')
    return {
      reason: `the status of the registration is ${inWords(status)}, and only one that is OK is changed`,
      remedy: 'Look in the dashboard whether it is to be renewed, restored or given up.',
      rule: 'REG-35',
    };
  // That it is worked on is not the same as that nobody knows whether it is (REG-11).
  if (busy === true)
    return {
      reason: 'the registrar is still working on a change of the registration',
      remedy: 'Run again when that has ended, which can take days. If it never ends, ask the platform.',
      rule: 'O-56',
      as: 'waiting',
    };
  return null;
}

function inWords(status: Json): string {
  return typeof status === 'string' && status !== '' ? status : 'not told';
}
