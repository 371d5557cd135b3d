// The operations `learn` and `stop-learning`: start and end the learning mode of Shield. Learning is not desired state,
// because the platform sets its end (SHD-26) and no call changes that end (SHD-07). An earlier end that the user wants is
// recorded in the ledger and reported when it is reached.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Ending } from '../../model/plan/act.ts';
import { path } from '../../model/plan/step.ts';
import type { Asked, GivenOptions, OpenSite } from '../common/operation.ts';
import { actOn, cannot, onSite, rememberedAs } from '../common/operation.ts';
import { change, until } from '../common/steps.ts';
import type { Learning } from './learning.ts';
import { isLearningAt, learningIn } from './learning.ts';

const DAY_MS = 86_400_000;
const SHOWN_WITHIN_MS = 60_000;

const learn = onSite(
  {
    name: 'learn',
    does: 'Start the learning mode of Shield. The platform decides when it ends.',
    takes: ['days'],
  },
  (site, options) => setLearning(site, true, options),
);

const stopLearning = onSite({ name: 'stop-learning', does: 'End the learning mode of Shield now.' }, (site, options) =>
  setLearning(site, false, options),
);

/** Starts or ends learning, and records in the ledger when the user wants it to end. */
async function setLearning(site: OpenSite, on: boolean, { days }: GivenOptions): Promise<Ending> {
  const known = await site.ledger();
  if (days !== undefined && known.standing === 'missing')
    return cannot(
      'No call of the platform sets when learning ends, so --days is kept in the ledger, and there is none. Run `hostwright ledger init` first.',
    );
  const asked = await learnOrNot(site, on);
  const ended = 'act' in asked ? await site.run(asked) : asked;
  if (ended.outcome !== 'done' || ended.learning === undefined) return ended;
  const name = `learning of Shield of ${site.id}`;
  if (!on) {
    const isKept = rememberedAs(known, name) !== undefined;
    return isKept ? told(ended, await site.remember(name, undefined)) : ended;
  }
  if (days === undefined) return ended;
  const untilMs = site.now() + days * DAY_MS;
  const day = new Date(untilMs).toISOString().slice(0, 10);
  const { until: end } = ended.learning;
  if (end !== undefined && Date.parse(end) <= untilMs)
    return told(ended, [], ` That is before ${day}, so there is nothing to remember.`);
  const diagnostics = await site.remember(name, { request: `PATCH ${site.path}/shield`, untilMs });
  return diagnostics.some(({ code }) => code === 'HW4588')
    ? told(ended, diagnostics)
    : told(
        ended,
        diagnostics,
        ` No call sets an earlier end: from ${day} on, plan, drift and doctor say that it is time to run \`hostwright run stop-learning ${site.address}\`.`,
      );
}

function told({ message = '', diagnostics = [], ...ended }: Ending, more: readonly Diagnostic[], also = ''): Ending {
  return { ...ended, message: `${message}${also}`, diagnostics: [...diagnostics, ...more] };
}

/** Whether it is on is read first: what is so already is not sent. */
async function learnOrNot(site: OpenSite, on: boolean): Promise<Asked | Ending> {
  const before = await readLearning(site);
  if ('outcome' in before) return before;
  if (isLearningAt(before, site.now()) === on)
    return {
      outcome: 'done',
      learning: before,
      message: `${on ? `Shield of ${site.label} learns already${endOf(before)}` : `Shield of ${site.label} does not learn`}. Nothing was sent.`,
    };
  const shown = {
    read: path`/api/sites/${site.id}/shield`,
    rows: '',
    // Bare or wrapped: not documented (GAP-29).
    where: [{ pointer: '/waf/learning_mode', or: ['/shield/waf/learning_mode'], value: on }],
    capture: {},
  };
  return {
    act: actOn(['Site', site.id], 'LearnTraffic', {
      steps: [
        change({
          name: 'learn',
          method: 'PATCH',
          path: path`/api/sites/${site.id}/shield`,
          body: { learning_mode: on },
          reason: on ? 'begin to learn' : 'end learning',
        }),
        { do: 'wait-for', name: 'shown', open: true, waitFor: until(true, shown, 'Shield reads so', SHOWN_WITHIN_MS) },
      ],
    }),
    question: on
      ? `Have Shield of ${site.label} learn from its traffic now? The platform says when that ends, and what it learns from now on counts, attacks included.`
      : `End the learning of Shield of ${site.label} now${endOf(before)}?`,
    done: async () => {
      const after = await readLearning(site);
      if ('outcome' in after) return after;
      const message = on
        ? `Shield of ${site.label} learns${endOf(after)}.`
        : `Shield of ${site.label} does not learn any more.`;
      return { outcome: 'done', learning: after, message };
    },
    waiting: () =>
      `The platform took the change, and Shield of ${site.label} does not read so yet. Run the command again to see.`,
  };
}

const INACTIVE = 'The site has no active Shield. Write `shield: { enabled: true }` in its manifest and apply it.';
const NO_SHIELD: Readonly<Record<string, string>> = {
  shield_not_active: INACTIVE,
  shield_not_in_plan: 'The plan of the site has no Shield.',
};

async function readLearning({ read, path, unlessRefused }: OpenSite): Promise<Learning | Ending> {
  const found = await unlessRefused(read(`${path}/shield`), ({ code }) => NO_SHIELD[code ?? '']);
  if ('refused' in found) return cannot(found.refused);
  return learningIn(found.answer) ?? cannot(INACTIVE);
}

function endOf({ until: end }: Learning): string {
  return end === undefined ? '' : ` until ${end}`;
}

export const shieldOperations = [learn, stopLearning];
