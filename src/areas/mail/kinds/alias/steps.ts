// The requests of an alias: make, move, remove, and the reads that confirm them.
import type { Address } from '../../../../model/address.ts';
import type { LookUp, RequestStep, Step } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { domainOf, localPartOf } from '../../../common/spellings.ts';
import type { MailAliasSpec } from './spec.ts';
import { removal } from '../../../common/steps.ts';
import { until, readBack } from '../../../common/steps.ts';

/** Makes an alias; repeating is safe (ALS-05). */
export function aliasSteps(
  mailspace: Address,
  { address = '', target = '' }: Partial<MailAliasSpec>,
): readonly [RequestStep, ...Step[]] {
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

/**
 * The address is unique, so it cannot be in two places: it goes, and comes back right after (O-44). Before that the new
 * target has to be there, and when it is refused all the same, `from` gets the alias back.
 */
export function moveSteps(
  self: Address,
  mailspace: Address,
  { address, target, from }: MailAliasSpec & { readonly from: string },
): readonly Step[] {
  const [create, ...after] = aliasSteps(mailspace, { address, target });
  const putBack = {
    body: { address, target_email: from },
    there: listed(mailspace, { pointer: '/address', value: address }),
    what: address,
    rule: 'ALS-05',
  };
  return [
    {
      do: 'look-up',
      name: 'target',
      lookUp: {
        read: path`/api/mailspace/${ref(mailspace)}/mailboxes/check?username=${localPartOf(target)}&domain=${domainOf(target)}`,
        rows: '',
        where: [{ pointer: '/available', value: true, not: true }],
        capture: {},
      },
      reason: 'the new target has to be there before the alias leaves the old one',
      unless: `nothing has the address ${target}`,
    },
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
    { ...create, putBack },
    ...after,
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
