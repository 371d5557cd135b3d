// The use case `shield learn`: begins the learning mode of Shield, or ends it before its time. It has an end, which the
// platform sets (SHD-26), so it is no desired state. Whether it is on is read, so a lost answer is looked up.
import type { JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt } from '../../model/kind/rows.ts';
import { ApiError } from '../../platform/api-error.ts';
import { carryOut } from '../act/act.ts';
import type { Confirm } from '../act/send.ts';
import { cannot, pause } from '../act/send.ts';
import type { Session } from '../session.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';

export interface Learning {
  readonly learning: boolean;
  /** As the platform writes it; absent: it shows no end. */
  readonly until?: string;
}

const SHOWN_WITHIN_MS = 60_000;

/** Has Shield learn, or stops that; `off` where it learns no more. */
export function shieldLearn(
  session: Session,
  wanted: string,
  { off = false }: { readonly off?: boolean },
  confirm: Confirm,
): Promise<SiteResult<Learning>> {
  return withSite(session, wanted, async (site): Promise<Ending<Learning>> => {
    const before = await readLearning(site);
    if ('objection' in before) return cannot(before.objection);
    const on = !off;
    if (isLearning(before, session) === on)
      return {
        outcome: 'done',
        value: before,
        message: `${on ? `Shield of ${site.label} learns already${until(before)}` : `Shield of ${site.label} does not learn`}. Nothing was sent.`,
      };
    return carryOut<Learning>(
      site,
      {
        question: on
          ? `Have Shield of ${site.label} learn from its traffic now? The platform says when that ends, and what it learns from now on counts, attacks included.`
          : `End the learning of Shield of ${site.label} now${until(before)}?`,
        request: { method: 'PATCH', path: `${site.path}/shield`, body: { learning_mode: on } },
        follow: async (answer) => {
          const after = await untilIs(site, on);
          if (after !== undefined)
            return {
              outcome: 'done',
              value: after,
              message: on
                ? `Shield of ${site.label} learns${until(after)}.`
                : `Shield of ${site.label} does not learn any more.`,
            };
          return answer === undefined
            ? undefined
            : {
                outcome: 'waiting',
                message: `The platform took the change, and Shield of ${site.label} does not read so yet. Run the command again to see.`,
              };
        },
        look: 'Shield still reads as before. Running the command again does no harm.',
      },
      confirm,
    );
  });
}

async function untilIs(site: OpenSite, on: boolean): Promise<Learning | undefined> {
  const { clock, emit } = site.session;
  const deadlineAtMs = clock.now() + SHOWN_WITHIN_MS;
  for (let polls = 0; ; polls += 1) {
    const found = await readLearning(site);
    if (!('objection' in found) && isLearning(found, site.session) === on) return found;
    if (clock.now() >= deadlineAtMs) return undefined;
    emit({ type: 'waiting', address: site.label, on: 'Shield', atMs: clock.now(), deadlineAtMs });
    await pause(site, polls);
  }
}

/** One whose end has passed is over, whatever the flag says (SHD-26). */
function isLearning({ learning, until: end }: Learning, { clock }: Session): boolean {
  return learning && !(end !== undefined && Date.parse(end) <= clock.now());
}

async function readLearning(site: OpenSite): Promise<Learning | { readonly objection: string }> {
  let answer;
  try {
    answer = objectAt(await site.client.read(`${site.path}/shield`));
  } catch (error) {
    const objection = error instanceof ApiError ? NO_SHIELD[error.code ?? ''] : undefined;
    if (objection === undefined) throw error;
    return { objection };
  }
  // Bare or wrapped: not documented (GAP-29).
  const zone: JsonObject = isJsonObject(answer.shield) ? answer.shield : answer;
  if (zone.active === false) return { objection: NO_SHIELD.shield_not_active as string };
  const end = valueAt(zone, '/waf/learning_mode_until');
  return {
    learning: valueAt(zone, '/waf/learning_mode') === true,
    ...(typeof end === 'string' && end !== '' && { until: end }),
  };
}

const NO_SHIELD: Readonly<Record<string, string>> = {
  shield_not_active: 'The site has no active Shield. Write `shield: { enabled: true }` in its manifest and apply it.',
  shield_not_in_plan: 'The plan of the site has no Shield.',
};

function until({ until: end }: Learning): string {
  return end === undefined ? '' : ` until ${end}`;
}
