// Decides what the state of a panel account stands in the way of, and what is said of it that no field holds.
// Must not plan anything: it only says no, or says something.
import type { JsonObject } from '../../model/json.ts';
import type { Note } from '../../model/kind/to-manifest.ts';
import type { Refusal, Remark } from '../../model/kind/kind.ts';
import type { PanelAccountSpec } from './steps.ts';
import { inWords } from '../common/words.ts';

interface Live {
  readonly spec: Partial<PanelAccountSpec>;
  readonly facts: JsonObject;
}
type Facts = Pick<Live, 'facts'>;

const MOVING: Refusal = {
  because: 'a change of its package is in flight, and a second one would be refused',
  todo: 'Run again in some minutes.',
  rule: 'O-67',
  as: 'waiting',
};
const SETTING_UP: Refusal = {
  because: 'the account is being set up',
  todo: 'Run again in some minutes.',
  rule: 'PNL-06',
  as: 'waiting',
};
const SUSPENDED: Readonly<Record<string, Refusal>> = {
  dunning_suspended: {
    because: 'the account is suspended over an unpaid invoice',
    todo: 'Pay the invoice, then run plan again.',
    rule: 'PNL-09',
  },
  admin_suspended: {
    because: 'the account is suspended by the staff of the platform',
    todo: 'Ask the platform why, then run plan again.',
    rule: 'PNL-09',
  },
};

/** Nothing can be done with an account that is on its way in or out. */
export function holdPanel({ facts }: Facts): Refusal | null {
  if (facts.state === 'provisioning') return SETTING_UP;
  if (facts.state !== 'pending_deletion') return null;
  const when = typeof facts.leavesAt === 'string' ? ` (the platform says ${facts.leavesAt})` : '';
  return {
    because: `the account is about to be deleted and takes no change${when}`,
    todo: 'Have it restored in the dashboard, which alone can do it, or say `lifecycle.state: absent` in its manifest.',
    rule: 'PNL-18',
  };
}

/** Why the package cannot be changed now. */
export function refuseResize({ spec, facts }: Live): Refusal | null {
  if (facts.localPackage !== null) return MOVING;
  if (spec.package === undefined)
    return {
      because: `the platform shows the package ${inWords(facts.code)}, which is none of its present packages, so nothing is known of what a change would do`,
      todo: 'Leave spec.package out, or change the package in the dashboard.',
      rule: 'GAP-47',
    };
  return SUSPENDED[facts.state as string] ?? unknownState(facts);
}

/** Only from what is active (GAP-49). */
export function refuseDeletion({ facts }: Facts): Refusal | null {
  if (facts.state === 'provisioning') return SETTING_UP;
  if (facts.localPackage !== null) return MOVING;
  const suspended = SUSPENDED[facts.state as string];
  if (suspended === undefined) return unknownState(facts);
  return {
    because: `${suspended.because}, and no document says whether it can be deleted then`,
    todo: 'Delete it in the dashboard; the next plan sees that it is done.',
    rule: 'GAP-49',
    as: 'manual',
  };
}

function unknownState({ state }: JsonObject): Refusal | null {
  if (state === 'active') return null;
  return {
    because: `the platform shows the state ${inWords(state)}, of which no document says anything`,
    todo: 'Look at the account in the dashboard.',
    rule: 'PNL-04',
    as: 'unknown',
  };
}

/** What differs and cannot be changed, and what is changing although it is as wanted. */
export function panelRemarks({ spec, facts }: Live, desired: Partial<PanelAccountSpec>): readonly Remark[] {
  const differing = (
    [
      ['primaryDomain', 'domain'],
      ['term', 'term'],
    ] as const
  ).flatMap(([fact, field]) => {
    const ordered = desired.order?.[field];
    const live = facts[fact];
    if (ordered === undefined || live === null || live === ordered) return [];
    return [
      remark(
        'HW2010',
        'An account is not what its order says',
        `Its ${field} is ${inWords(live)}, and spec.order says ${inWords(ordered)}. No call changes it, so it stays (PNL-21).`,
      ),
    ];
  });
  const moving =
    facts.localPackage === null || spec.package !== desired.package
      ? []
      : [
          remark(
            'HW2011',
            'A package may be changing',
            'The platform last gave the account another package than the one it shows, which is the one that is wanted. Plan again in some minutes (PNL-05).',
          ),
        ];
  return [...differing, ...moving];
}

/** What can be declared and bought; others may be shown (PNL-03). */
export const PACKAGES: readonly (string | undefined)[] = ['mini', 'basic', 'pro', 'max'];

/** An account is bought for a domain and a term, and a manifest that says them could buy another one. */
export function panelNotes({ spec, facts }: Live): readonly Note[] {
  const unknown = PACKAGES.includes(spec.package)
    ? []
    : [
        {
          pointer: '',
          text: `Its package, ${inWords(facts.code)}, is none that can be declared, so it is left as it is (GAP-47).`,
        },
      ];
  const known = (
    [
      ['domain', facts.primaryDomain],
      ['term', facts.term],
    ] as const
  ).flatMap(([what, value]) => (typeof value === 'string' ? [`its ${what} is ${value}`] : []));
  return [
    {
      pointer: '',
      text:
        [...known, 'without an order nothing is ever bought']
          .join('; ')
          .replace(/^./, (letter) => letter.toUpperCase()) + ' (PNL-21).',
    },
    ...unknown,
  ];
}

function remark(code: Remark['code'], summary: string, detail: string): Remark {
  return { code, severity: 'info', summary, detail };
}
