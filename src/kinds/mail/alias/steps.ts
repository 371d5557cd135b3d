// The requests of an alias: make, move, remove, and the reads that confirm them.
import type { Address } from '../../../model/address.ts';
import type { LookUp, Step } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import type { MailAliasSpec } from './spec.ts';
import { removal } from '../../common/steps.ts';
import { until, readBack } from '../../common/steps.ts';

/** Makes an alias; repeating is safe (ALS-05). */
export function aliasSteps(mailspace: Address, { address = '', target = '' }: Partial<MailAliasSpec>): readonly Step[] {
  const there: LookUp = { ...listed(mailspace, { pointer: '/address', value: address }), capture: { id: '/address' } };
  return [
    {
      do: 'request',
      name: 'create',
      method: 'POST',
      path: path`/api/mailspace/${ref(mailspace)}/aliases`,
      body: { address, target_email: target },
      idempotent: true,
      answers: [
        { status: '2xx', then: 'done', capture: { id: '/alias/address' } },
        { status: '2xx', then: 'done' },
      ],
      reason: `point it at ${target}`,
      rule: 'ALS-05',
    },
    // A full list may never show it, and nothing else does (ALS-02): then the next plan says that it does not know.
    { do: 'wait-for', name: 'listed', waitFor: until(true, there, 'the mailspace lists the alias'), open: true },
  ];
}

/** The address is unique, so it cannot be in two places: it goes, and comes back right after (O-44). */
export function moveSteps(self: Address, mailspace: Address, { address, target }: MailAliasSpec): readonly Step[] {
  return [
    {
      do: 'request',
      name: 'remove',
      method: 'DELETE',
      path: path`/api/mailspace/${ref(mailspace)}/aliases/${ref(self)}`,
      idempotent: true,
      recheck: true,
      answers: [{ status: '2xx', then: 'done' }],
      reason: "take it from its target; until the next request it is nobody's",
      rule: 'O-44',
    },
    ...aliasSteps(mailspace, { address, target }),
    readBack('an alias shows its target in the list alone', 'ALS-04'),
  ];
}

export function removeAliasSteps(self: Address, mailspace: Address): readonly Step[] {
  const gone = until(
    false,
    listed(mailspace, { pointer: '/address', value: ref(self) }),
    'the mailspace no longer lists the alias',
  );
  return removal({
    path: path`/api/mailspace/${ref(mailspace)}/aliases/${ref(self)}`,
    gone,
    unknown: 'unknown_alias',
    reason: 'remove the alias',
    rule: 'ALS-07',
  });
}

function listed(mailspace: Address, condition: LookUp['where'][number]): LookUp {
  return { read: path`/api/mailspace/${ref(mailspace)}/aliases`, rows: '/aliases', where: [condition], capture: {} };
}
