// The use case `shield learn`: begins the learning mode of Shield, or ends it before its time. It has an end, which the
// platform sets (SHD-26), so it is no desired state. No call sets that end (SHD-07): an earlier one that a person wants
// is remembered in the ledger, and told when it has come. Whether it is on is read, so a lost answer is looked up.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../model/json.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { objectAt, ShapeError } from '../../model/kind/rows.ts';
import type { LedgerView } from '../../model/plan/ledger-view.ts';
import { ApiError } from '../../platform/api-error.ts';
import type { Client } from '../../platform/http.ts';
import { shieldActs } from '../../areas/index.ts';
import { remember, rememberedAs, viewForAct } from '../act/remember.ts';
import type { Confirm } from '../act/run-act.ts';
import { cannot, runAct } from '../act/run-act.ts';
import type { Session } from '../session.ts';
import type { Ending, OpenSite, SiteResult } from './open-site.ts';
import { withSite } from './open-site.ts';

export interface Learning {
  readonly learning: boolean;
  /** As the platform writes it; absent: it shows no end. */
  readonly until?: string;
}

const DAY_MS = 86_400_000;

export interface LearnOptions {
  /** It is to learn no more. */
  readonly off?: boolean;
  /** After how many days it is to end, where that is before the end that the platform sets. */
  readonly days?: number;
}

/** Has Shield learn, or stops that. */
export function shieldLearn(
  session: Session,
  wanted: string,
  { off = false, days }: LearnOptions,
  confirm: Confirm,
): Promise<SiteResult<Learning>> {
  return withSite(session, wanted, async (site): Promise<Ending<Learning>> => {
    const known = await viewForAct(site);
    if ('ending' in known) return known.ending;
    if (days !== undefined && known.view.standing === 'missing')
      return cannot(
        'No call of the platform sets when learning ends, so --days is kept in the ledger, and there is none. Run `hostwright ledger init` first.',
      );
    const ended = await learnOrNot(site, !off, confirm);
    if (ended.outcome !== 'done' || ended.value === undefined) return ended;
    const remembered = off
      ? await forget(site, known.view)
      : days === undefined
        ? {}
        : await endAfter(site, days, ended.value, wanted);
    return {
      ...ended,
      ...(remembered.message !== undefined && { message: `${ended.message ?? ''} ${remembered.message}` }),
      diagnostics: [...(ended.diagnostics ?? []), ...(remembered.diagnostics ?? [])],
    };
  });
}

/** The name under which the wanted end is remembered. */
const learningOf = ({ id }: OpenSite): string => `learning of Shield of ${id}`;

type Remembered = Pick<Ending<never>, 'message' | 'diagnostics'>;

async function endAfter(site: OpenSite, days: number, { until: end }: Learning, wanted: string): Promise<Remembered> {
  const untilMs = site.session.clock.now() + days * DAY_MS;
  if (end !== undefined && Date.parse(end) <= untilMs)
    return { message: `That is before ${dayOf(untilMs)}, so there is nothing to remember.` };
  const diagnostics = await remember(site, learningOf(site), { request: `PATCH ${site.path}/shield`, untilMs });
  if (hasWarnings(diagnostics)) return { diagnostics };
  return {
    message: `No call sets an earlier end: from ${dayOf(untilMs)} on, plan, drift and doctor say that it is time for \`hostwright shield learn ${wanted} --off\`.`,
    diagnostics,
  };
}

async function forget(site: OpenSite, view: LedgerView): Promise<Remembered> {
  const name = learningOf(site);
  return rememberedAs(view, name) === undefined ? {} : { diagnostics: await remember(site, name, undefined) };
}

const hasWarnings = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.some(({ code }) => code === 'HW4588');
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

async function learnOrNot(site: OpenSite, on: boolean, confirm: Confirm): Promise<Ending<Learning>> {
  const { session } = site;
  const before = await readLearning(site);
  if ('objection' in before) return cannot(before.objection);
  if (isLearning(before, session) === on)
    return {
      outcome: 'done',
      value: before,
      message: `${on ? `Shield of ${site.label} learns already${until(before)}` : `Shield of ${site.label} does not learn`}. Nothing was sent.`,
    };
  return runAct<Learning>(
    site,
    shieldActs.learnTraffic(site.id, on),
    {
      question: on
        ? `Have Shield of ${site.label} learn from its traffic now? The platform says when that ends, and what it learns from now on counts, attacks included.`
        : `End the learning of Shield of ${site.label} now${until(before)}?`,
      done: async () => {
        const after = await readLearning(site);
        if ('objection' in after) return cannot(after.objection);
        const message = on
          ? `Shield of ${site.label} learns${until(after)}.`
          : `Shield of ${site.label} does not learn any more.`;
        return { outcome: 'done', value: after, message };
      },
      waiting: () =>
        `The platform took the change, and Shield of ${site.label} does not read so yet. Run the command again to see.`,
      look: 'Running the command again does no harm.',
    },
    confirm,
  );
}

/** Whether Shield of a site learns now; undefined: it could not be read. */
export async function learnsNow(
  client: Pick<Client, 'read'>,
  path: string,
  nowMs: number,
): Promise<boolean | undefined> {
  try {
    const found = await readLearning({ client, path });
    return !('objection' in found) && isLearningAt(found, nowMs);
  } catch (error) {
    if (error instanceof ApiError || error instanceof ShapeError) return undefined;
    throw error;
  }
}

/** One whose end has passed is over, whatever the flag says (SHD-26). */
function isLearningAt({ learning, until: end }: Learning, nowMs: number): boolean {
  return learning && !(end !== undefined && Date.parse(end) <= nowMs);
}

function isLearning(learning: Learning, { clock }: Session): boolean {
  return isLearningAt(learning, clock.now());
}

async function readLearning(site: {
  readonly client: Pick<Client, 'read'>;
  readonly path: string;
}): Promise<Learning | { readonly objection: string }> {
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
