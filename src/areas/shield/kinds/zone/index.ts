// Shield of a site: whether it is active, on which plan, and whether it learns first. A Shield that was never there is
// one that is off. It must not deactivate, downgrade or charge by itself, nor assume that what a deactivated one held
// is gone or still there (GAP-27, GAP-32).
import { diagnose } from '../../../../model/diagnostic.ts';
import { commentsAt, placedAt } from '../../../../model/kind/to-manifest.ts';
import type { JsonObject } from '../../../../model/json.ts';
import type { Blocker } from '../../../../model/kind/kind.ts';
import { createOnly, defineChild, updatable } from '../../../../model/kind/kind.ts';
import { domainsBefore } from '../../../cdn/kinds/guards.ts';
import { exceptWhileOff, unlessOn, weakerThanBefore } from '../../../common/protection.ts';
import { PLANS } from '../names.ts';
import { activateSteps, deactivateSteps, planSteps, zoneSteps } from '../steps.ts';
import { flag, keyIn, understand } from '../wire.ts';
import {
  afterUpgrade,
  isActive,
  NEVER_ACTIVE,
  NO_SHIELD,
  partOfZone,
  shieldPath,
  tierIn,
  zoneIn,
  zoneRead,
} from './wire.ts';

type ShieldPlan = keyof typeof PLANS;

export interface ShieldSpec {
  readonly enabled: boolean;
  readonly plan: ShieldPlan;
  readonly planDowngrade: ShieldPlan;
  readonly learnOnActivation: boolean;
  readonly whitelabelResponsePages: boolean;
}

interface Live {
  readonly spec: ShieldSpec;
  readonly computed: JsonObject;
}

const FIELDS = ['enabled', 'plan', 'planDowngrade', 'learnOnActivation', 'whitelabelResponsePages'];

export const shield = defineChild<ShieldSpec>({
  kind: 'Shield',
  parent: 'Site',
  list: 'singleton',
  section: {
    fields: FIELDS.map((field) => `shield/${field}`),
    expand: ({ shield: declared }) => {
      const spec = Object.fromEntries(
        Object.entries(declared as JsonObject).filter(([field]) => FIELDS.includes(field)),
      );
      // Of what is off nothing else can be wanted.
      return [{ name: null, spec: spec.enabled === false ? { enabled: false } : spec, pointer: '/shield' }];
    },
    // Of one that is off nothing is said.
    toManifest: (zones, { items }) =>
      items
        .filter((_, index) => zones[index]?.spec.enabled === true)
        .map(({ value, comments }) => ({
          spec: placedAt('shield', value),
          comments: commentsAt('/shield', comments),
        }))[0] ?? {
        spec: {},
      },
  },
  fields: {
    enabled: { ...updatable(), lowers: unlessOn },
    plan: { ...updatable(), lowers: exceptWhileOff('enabled', weakerThanBefore(Object.keys(PLANS))) },
    planDowngrade: { ...createOnly('A consent to one downgrade; it is never sent.'), lowers: 'never' },
    // Before activation nothing was protected.
    learnOnActivation: {
      ...createOnly('Learning is asked for at activation only; the platform ends it (SHD-26).'),
      lowers: 'never',
    },
    whitelabelResponsePages: { ...updatable(), lowers: 'never' },
  },
  reads: {
    zone: { ...zoneRead, absences: NO_SHIELD },
    // The same answer once more: whoever wants Shield on, or anything of it, has to have a plan with it; whoever wants
    // it off has not (SHD-01).
    inPlan: {
      path: (context) =>
        context.answers.zone !== null || context.declared.members.every(({ spec }) => spec.enabled === false)
          ? null
          : shieldPath(context, ''),
      after: ['zone'],
      absences: NEVER_ACTIVE,
    },
    // No call activates the CDN, and Shield needs it: asked only where Shield is to be activated (O-20).
    cdn: {
      path: (context) =>
        isActive(context.answers.zone) || !context.declared.members.some(({ spec }) => spec.enabled === true)
          ? null
          : `/api/sites/${encodeURIComponent(context.parent.id)}/cdn`,
      after: ['zone'],
      absences: [[409, 'cdn_not_active']],
    },
  },
  decode: ({ zone: answer, cdn }) => {
    const zone = zoneIn(answer);
    const tier = tierIn(zone);
    const waf = partOfZone(answer, 'waf');
    const computed = {
      hasCdn: cdn !== null,
      plan: tier ?? null,
      learnedUntil: keyIn(waf, 'learning_mode') === true ? null : (keyIn(waf, 'learning_mode_until') ?? null),
    };
    // What a deactivated zone shows is not what it comes back with (GAP-27).
    if (zone === null || zone.active === false) return [{ id: 'shield', spec: { enabled: false }, computed }];
    const { spec } = understand([['whitelabelResponsePages', keyIn(zone, 'whitelabel_response_pages'), flag]]);
    return [
      {
        id: 'shield',
        spec: { ...spec, enabled: true, ...(tier !== undefined && { plan: tier as ShieldPlan }) },
        computed,
      },
    ];
  },
  // Learning is over, and is not started again (SHD-26).
  notices: ({ spec, computed }, { learnOnActivation }) =>
    learnOnActivation === true && spec.enabled && typeof computed.learnedUntil === 'string'
      ? [
          diagnose(
            'HW2302',
            `The learning mode was set until ${computed.learnedUntil} and has ended. It starts only when Shield is activated, and is never started again (SHD-26).`,
          ),
        ]
      : [],
  create: { reason: 'the platform shows no Shield', remedy: 'Run plan again.', rule: 'SHD-02' },
  update: {
    switch: {
      writes: ['enabled'],
      last: ({ enabled }) => enabled === false,
      refuse: notThere,
      steps: ({ parent, desired }) =>
        desired.enabled === true ? activateSteps(parent, desired.learnOnActivation) : deactivateSteps(parent),
    },
    plan: {
      writes: ['plan'],
      risk: (desired, observed) =>
        isDowngrade(desired, observed?.plan) || (observed?.enabled === false && desired.plan === 'basic')
          ? []
          : ['charge'],
      last: (desired, observed) => isDowngrade(desired, observed?.plan),
      refuse: (desired, live) => notThere(desired, live) ?? notConsented(desired, live),
      // A fresh zone surely has the lowest plan: nothing is sent that could lower another one unseen.
      steps: ({ parent, desired, observed }) =>
        observed?.enabled === false && desired.plan === 'basic' && desired.planDowngrade !== 'basic'
          ? [
              {
                do: 'verify',
                name: 'plan read back',
                only: ['plan'],
                reason: 'a plan is never lowered unseen',
                rule: 'GAP-32',
              },
            ]
          : planSteps(parent, desired.plan as ShieldPlan),
    },
    pages: {
      writes: ['whitelabelResponsePages'],
      refuse: notThere,
      steps: ({ parent, desired }) =>
        zoneSteps(
          parent,
          'pages',
          { whitelabel_response_pages: desired.whitelabelResponsePages === true },
          ['whitelabelResponsePages'],
          'set the response pages',
        ),
    },
  },
  order: [
    domainsBefore('Shield'),
    afterUpgrade,
    {
      rule: 'O-23',
      reason: 'the lower Shield plan may refuse it, or drop it unseen',
      within: 'parent',
      before: ({ kind }) => /^Shield./.test(kind),
      after: ({ kind, stage, changes }) =>
        kind === 'Shield' && stage === 'removal' && changes.some(({ path }) => path === '/plan'),
    },
    {
      rule: 'O-25',
      reason: 'once Shield is off nothing in it can be removed',
      within: 'parent',
      before: ({ kind, verb }) => /^Shield./.test(kind) && verb === 'delete',
      after: ({ kind, changes }) =>
        kind === 'Shield' && changes.some(({ path, value }) => path === '/enabled' && value === false),
    },
  ],
});

/** Nothing can be set on what is not there and is not about to be. */
function notThere({ enabled }: Partial<ShieldSpec>, { spec, computed }: Live): Blocker | null {
  if (spec.enabled) return null;
  if (enabled !== true)
    return { reason: 'Shield is not active on the site', remedy: 'Write `shield.enabled: true`.', rule: 'SHD-02' };
  if (computed.hasCdn === true) return null;
  return {
    reason: 'the CDN of the site is not active, and no call of the API activates it',
    remedy: 'Activate the CDN in the dashboard (attaching a first domain may do it), then plan again.',
    rule: 'GAP-20',
  };
}

/** A downgrade may drop rules, and what it does to them is not documented: it takes a consent that names the plan. */
function notConsented(desired: Partial<ShieldSpec>, { spec, computed }: Live): Blocker | null {
  if (spec.enabled && spec.plan === undefined)
    return {
      reason: 'the platform shows a Shield plan that Hostwright does not know, so it cannot be compared',
      remedy: 'Leave `shield.plan` out.',
      rule: 'GAP-28',
    };
  const from = computed.plan as ShieldPlan | null;
  if (from === null || !isDowngrade(desired, from) || desired.planDowngrade === desired.plan) return null;
  return {
    reason: `the Shield plan would go down from ${from} to ${String(desired.plan)}, which may remove what only the higher one has`,
    remedy: `Write \`shield.planDowngrade: ${String(desired.plan)}\` beside it if that is meant, and remove the line afterwards.`,
    rule: 'GAP-32',
  };
}

function isDowngrade({ plan }: Partial<ShieldSpec>, from: ShieldPlan | undefined): boolean {
  return plan !== undefined && from !== undefined && PLANS[plan] < PLANS[from];
}
