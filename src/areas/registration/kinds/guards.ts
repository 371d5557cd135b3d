// What all kinds of domain registration share: the one list, its rows, requirements.
import type { Json, JsonObject } from '../../../model/json.ts';
import type { Address } from '../../../model/address.ts';
import type { ChildContext, Member, ReadSpec } from '../../../model/kind/kind.ts';
import type { RequestStep, WaitFor, Step } from '../../../model/plan/step.ts';
import { path, ref } from '../../../model/plan/step.ts';
import { LISTS } from '../../common/lists.ts';

/**
 * The row of the registration that a section is in. One call observes every registration of the account, with contacts,
 * fees, name servers and what is in flight (REG-09); equal paths are asked once a run, so it costs no request.
 */
export const registrationRow: ReadSpec<Member> = {
  ...LISTS.registrations,
  where: { pointer: '/id', equals: ({ parent }: ChildContext) => parent.id },
};

/** A value of a row that may be left out. */
export function factAt(row: JsonObject, key: string): Json {
  return row[key] ?? null;
}

/**
 * Registries answer within seconds or within days; what takes longer is continued by a later run (PRC-04). The
 * registration tells, not the process (PRC-02).
 */
const PROCESSED_WITHIN_MS = 120_000;

/** A request that changes a registration. With `recovery` it could do its work twice, and is sent once. */
export type RegistrationChange = Pick<
  RequestStep,
  'name' | 'method' | 'path' | 'body' | 'reason' | 'rule' | 'recovery' | 'skipIf'
>;

/**
 * One guarded change of a registration: any of them may be done at once (200) or begin a process (202, REG-10), and
 * what is still being worked on refuses the next (409 registration_busy, REG-11). That a process has ended says nothing
 * of success (REG-38): the object is read back.
 */
export function changeSteps(
  registration: Address,
  change: RegistrationChange,
  answers: RequestStep['answers'] = [],
): readonly Step[] {
  return [
    {
      do: 'request',
      ...change,
      idempotent: change.recovery === undefined,
      answers: [
        ...answers,
        { status: 202, then: 'wait-for', waitFor: processEnded(registration), rule: 'REG-10' },
        { status: '2xx', then: 'done' },
      ],
    },
    {
      do: 'verify',
      name: `${change.name} read back`,
      reason: 'a process that has ended says nothing of success',
      rule: 'REG-38',
    },
  ];
}

function processEnded(registration: Address): WaitFor {
  return {
    how: 'until',
    lookUp: {
      read: path`/api/domain_registrations`,
      rows: '/domain_registrations',
      where: [
        { pointer: '/id', value: ref(registration) },
        { pointer: '/pending_async', value: false },
      ],
      capture: {},
    },
    found: true,
    deadlineMs: PROCESSED_WITHIN_MS,
    reason: 'the registrar has worked on the change',
  };
}
