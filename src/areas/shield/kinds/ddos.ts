// The DDoS protection of a site's Shield: how sensitive it is, what it does, how long a passed challenge lasts. Part of
// the zone. It must not overwrite a mode that it cannot read (GAP-28).
import { unclearComments } from '../../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../../model/json.ts';
import { defineChild, updatable } from '../../../model/kind/kind.ts';
import { unlessLower, weakerThanBefore } from '../../common/protection.ts';
import type { Names } from './names.ts';
import { DDOS_SENSITIVITIES, MODES, withNames } from './names.ts';
import { zoneSteps } from './steps.ts';
import { bodyOf, keyIn, named, number, understand } from './wire.ts';
import { partOfZone, inShield, unclearBlocker, zoneRead } from './zone/wire.ts';
import { objectSection } from '../../common/sections.ts';

export interface ShieldDdosSpec {
  readonly sensitivity: string | number;
  readonly executionMode: string | number;
  readonly challengeWindow: number;
}

const NAMES: Readonly<Record<string, Names>> = { sensitivity: DDOS_SENSITIVITIES, executionMode: MODES };

export const shieldDdos = defineChild<ShieldDdosSpec>({
  kind: 'ShieldDdos',
  parent: 'Site',
  list: 'singleton',
  section: objectSection('shield/ddos'),
  fields: {
    sensitivity: { ...updatable(), lowers: weakerThanBefore(['off', 'low', 'medium', 'high', 'challenge']) },
    executionMode: { ...updatable(), lowers: weakerThanBefore(['log', 'block']) },
    // How long a challenge that was passed counts.
    challengeWindow: { ...updatable(), lowers: unlessLower },
  },
  normalise: (spec) => withNames(spec, NAMES),
  reads: { zone: zoneRead },
  decode: ({ zone }) => {
    const ddos = partOfZone(zone, 'ddos');
    const { spec, unclear } = understand([
      ['sensitivity', keyIn(ddos, 'sensitivity'), named(DDOS_SENSITIVITIES)],
      ['executionMode', keyIn(ddos, 'execution_mode'), named(MODES)],
      ['challengeWindow', keyIn(ddos, 'challenge_window'), number],
    ]);
    return [{ id: 'ddos', spec, computed: { unclear } }];
  },
  create: { reason: 'the platform shows no DDoS protection', remedy: 'Run plan again.', rule: 'SHD-05' },
  update: Object.fromEntries(
    // One refusal must not stand in the way of the others; what is written goes in one request all the same.
    (['sensitivity', 'executionMode', 'challengeWindow'] as const).map((field) => [
      field,
      {
        writes: [field],
        refuse: (_desired: Partial<ShieldDdosSpec>, { computed }: { readonly computed: JsonObject }) =>
          (computed.unclear as readonly string[]).includes(field) ? unclearBlocker([field]) : null,
        steps: ({ parent, desired, writing }) =>
          writing[0] === field
            ? zoneSteps(
                parent,
                'ddos',
                bodyOf(writing, desired, NAMES, 'ddos_'),
                writing,
                'write the settings that differ',
              )
            : [],
      },
    ]),
  ),
  manifest: {
    comments: ({ computed }) => unclearComments(computed),
  },
  capabilities: {
    dependsOn: inShield,
  },
});
