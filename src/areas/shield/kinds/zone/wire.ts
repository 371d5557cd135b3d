// What the Shield zone of a site tells everything in it: whether it is active, on which plan, and what its refusals
// mean.
import type { Json, JsonObject } from '../../../../model/json.ts';
import { isJsonObject, valueAt } from '../../../../model/json.ts';
import type { DependsOn } from '../../../../model/kind/capabilities/depends-on.ts';
import type {
  Absences,
  Blocker,
  ChildContext,
  Member,
  OrderRule,
  ReadSpec,
  Unread,
} from '../../../../model/kind/kind.ts';
import { ShapeError } from '../../../../model/kind/rows.ts';
import type { AnswerRow, PathTemplate } from '../../../../model/plan/step.ts';
import { path, ref } from '../../../../model/plan/step.ts';
import { NOT_ACTIVE } from '../../endpoints.ts';
import { nameIn, PLANS } from '../names.ts';
import { keyIn, unwrap } from '../wire.ts';

/** One answer observes zone, WAF and DDoS; everything else is read only when it says that Shield is active. */
export const zoneRead: ReadSpec<Member> = { path: (context) => shieldPath(context, '') };

/** What everything in Shield has no meaning without: it is active first (O-21). */
export const inShield: DependsOn = { kind: 'Shield', field: 'enabled', notReady: unlessActive };

/** A Shield that was never there is one that is off. */
export const NEVER_ACTIVE: Absences = [[409, 'shield_not_active']];

/** On a plan without Shield it is off too. */
export const NO_SHIELD: Absences = [...NEVER_ACTIVE, [403, 'shield_not_in_plan']];

export function shieldPath({ parent }: Pick<ChildContext, 'parent'>, below: string): string {
  return `/api/sites/${encodeURIComponent(parent.id)}/shield${below}`;
}

/** The path of something below Shield, only where Shield is active. */
export function whenActive(below: string): (context: ChildContext) => string | null {
  return (context) => (isActive(context.answers.zone) ? shieldPath(context, below) : null);
}

export function pathIn(parent: string, below = ''): PathTemplate {
  return [...path`/api/sites/${ref(parent)}`, `/shield${below}`];
}

/** The zone as an object, however it is wrapped; null where there is none. */
export function zoneIn(answer: Json | undefined): JsonObject | null {
  if (answer === null) return null;
  const zone = unwrap(answer, (row) => typeof row.active === 'boolean');
  if (typeof zone.active !== 'boolean') throw new ShapeError('expected true or false at active');
  return zone;
}

export function isActive(answer: Json | undefined): boolean {
  return zoneIn(answer)?.active === true;
}

/** A deactivated zone may answer all the same, also for what is in it (GAP-27): nothing that it shows counts. */
function unlessActive({ zone }: Readonly<Record<string, Json | undefined>>): Unread | null {
  return isActive(zone) ? null : { state: 'deferred', ...NOT_ACTIVE };
}

/** A part of the zone: `waf`, `ddos`. */
export function partOfZone(answer: Json | undefined, key: string): JsonObject {
  const part = zoneIn(answer)?.[key];
  return isJsonObject(part) ? part : {};
}

/** The plan that Shield has, by name; undefined where it shows none that is known. */
export function tierIn(zone: JsonObject | null): string | undefined {
  const tier = zone === null ? undefined : nameIn(PLANS, keyIn(zone, 'plan'));
  return typeof tier === 'string' ? tier : undefined;
}

/** The plan that Shield will have once what the manifest wants is done. */
export function tierToBe({ declared, answers }: ChildContext): string | undefined {
  const wanted = valueAt(declared.rootSpec, '/shield/plan');
  return typeof wanted === 'string' ? wanted : tierIn(zoneIn(answers.zone));
}

/** What only a premium plan allows, on a plan that surely is none (GAP-32). */
export function premiumBlocker(what: string, rule: string): Blocker {
  return {
    reason: `${what} takes a premium Shield plan, and the site has basic`,
    remedy: 'Write `shield.plan: advanced` or a higher one, or remove it.',
    rule,
  };
}

/** Never overwritten: nobody knows what it means. */
export function unclearBlocker(fields: readonly string[]): Blocker {
  const [names, is] = [fields.join(', '), fields.length === 1 ? 'is' : 'are'];
  return {
    reason: `${names} ${is} live as something that Hostwright does not know, so it cannot be compared`,
    remedy: `Set ${names} in the dashboard, and leave ${fields.length === 1 ? 'it' : 'them'} out of the manifest.`,
    rule: 'GAP-28',
  };
}

/** A success by its status whose body holds an error: an upstream's refusal that was passed on (GAP-30, GAP-32). */
const passedOn: AnswerRow = {
  status: '2xx',
  has: '/errors/0',
  then: 'blocked',
  reason: 'the platform refused it, and nothing was saved',
  rule: 'GAP-30',
};

/**
 * How refusals of a write are taken: each blocks this object alone. Tried again in the same run they would be refused
 * again.
 */
export const blockers: readonly AnswerRow[] = [
  passedOn,
  {
    status: 409,
    code: 'cdn_not_active',
    then: 'blocked',
    reason: 'the CDN of the site is not active, and no call of the API activates it',
    rule: 'GAP-26',
  },
];

/** What a higher plan alone may allow comes after it. */
export const afterUpgrade: OrderRule = {
  rule: 'O-22',
  reason: 'the Shield plan decides which other settings are allowed',
  within: 'parent',
  before: ({ kind, stage, changes }) =>
    kind === 'Shield' && stage === 'change' && changes.some(({ path: at }) => at === '/plan'),
  after: ({ kind }) => /^Shield(CustomRule|BotDetection|RateLimit|AccessList)$/.test(kind),
};
