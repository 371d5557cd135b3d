// What the state of a panel account stands in the way of, and what is said of it that no field holds.
import { diagnose } from '../../../model/diagnostic.ts';
import type { JsonObject } from '../../../model/json.ts';
import type { Comment } from '../../../model/kind/to-manifest.ts';
import type { Blocker, Notice, Status } from '../../../model/kind/kind.ts';
import type { PanelAccountSpec } from './spec.ts';
import { inWords } from '../../common/format.ts';

interface Live {
  readonly spec: Partial<PanelAccountSpec>;
  readonly computed: JsonObject;
}
type Computed = Pick<Live, 'computed'>;

const MOVING: Blocker = {
  reason: 'a change of its package is in flight, and a second one would be refused',
  remedy: 'Run again in some minutes.',
  rule: 'O-67',
  as: 'waiting',
};
const SETTING_UP: Blocker = {
  reason: 'the account is being set up',
  remedy: 'Run again in some minutes.',
  rule: 'PNL-06',
  as: 'waiting',
};
const SUSPENDED: Readonly<Record<string, Blocker>> = {
  dunning_suspended: {
    reason: 'the account is suspended over an unpaid invoice',
    remedy: 'Pay the invoice, then run plan again.',
    rule: 'PNL-09',
  },
  admin_suspended: {
    reason: 'the account is suspended by the staff of the platform',
    remedy: 'Ask the platform why, then run plan again.',
    rule: 'PNL-09',
  },
};

/** Nothing can be done with an account that is on its way in or out. */
export function panelStatus({ computed }: Computed): Status | undefined {
  if (computed.state === 'provisioning') return { is: 'frozen', blocker: SETTING_UP };
  if (computed.state !== 'pending_deletion') return undefined;
  const when = typeof computed.leavesAt === 'string' ? ` (the platform says ${computed.leavesAt})` : '';
  const blocker = {
    reason: `the account is about to be deleted and takes no change${when}`,
    remedy:
      'Have it restored in the dashboard, which alone can do it, or say `lifecycle.state: absent` in its manifest.',
    rule: 'PNL-18',
  };
  return { is: 'deleting', blocker };
}

/** Why the package cannot be changed now. */
export function refuseResize({ spec, computed }: Live): Blocker | null {
  if (computed.localPackage !== null) return MOVING;
  if (spec.package === undefined)
    return {
      reason: `the platform shows the package ${inWords(computed.code)}, which is none of its present packages, so nothing is known of what a change would do`,
      remedy: 'Leave spec.package out, or change the package in the dashboard.',
      rule: 'GAP-47',
    };
  return SUSPENDED[computed.state as string] ?? unknownState(computed);
}

/** Only from what is active (GAP-49). */
export function refuseDeletion({ computed }: Computed): Blocker | null {
  if (computed.state === 'provisioning') return SETTING_UP;
  if (computed.localPackage !== null) return MOVING;
  const suspended = SUSPENDED[computed.state as string];
  if (suspended === undefined) return unknownState(computed);
  return {
    reason: `${suspended.reason}, and no document says whether it can be deleted then`,
    remedy: 'Delete it in the dashboard; the next plan sees that it is done.',
    rule: 'GAP-49',
    as: 'manual',
  };
}

function unknownState({ state }: JsonObject): Blocker | null {
  if (state === 'active') return null;
  return {
    reason: `the platform shows the state ${inWords(state)}, of which no document says anything`,
    remedy: 'Look at the account in the dashboard.',
    rule: 'PNL-04',
    as: 'unknown',
  };
}

/** What differs and cannot be changed, and what is changing although it is as wanted. */
export function panelNotices({ spec, computed }: Live, desired: Partial<PanelAccountSpec>): readonly Notice[] {
  const differing = (
    [
      ['primaryDomain', 'domain'],
      ['term', 'term'],
    ] as const
  ).flatMap(([fact, field]) => {
    const ordered = desired.order?.[field];
    const live = computed[fact];
    if (ordered === undefined || live === null || live === ordered) return [];
    return [
      diagnose(
        'HW2010',
        `Its ${field} is ${inWords(live)}, and spec.order says ${inWords(ordered)}. No call changes it, so it stays (PNL-21).`,
      ),
    ];
  });
  const moving =
    computed.localPackage === null || spec.package !== desired.package
      ? []
      : [
          diagnose(
            'HW2011',
            'The platform last gave the account another package than the one it shows, which is the one that is wanted. Plan again in some minutes (PNL-05).',
          ),
        ];
  return [...differing, ...moving];
}

/** What can be declared and bought; others may be shown (PNL-03). */
export const PACKAGES: readonly (string | undefined)[] = ['mini', 'basic', 'pro', 'max'];

/** An account is bought for a domain and a term, and a manifest that says them could buy another one. */
export function panelComments({ spec, computed }: Live): readonly Comment[] {
  const unknown = PACKAGES.includes(spec.package)
    ? []
    : [
        {
          pointer: '',
          text: `Its package, ${inWords(computed.code)}, cannot be declared, so it is left as it is.`,
        },
      ];
  const known = (
    [
      ['domain', computed.primaryDomain],
      ['term', computed.term],
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
