// `shield learn`: begins the learning mode of Shield, or ends it before its time. It has an end, which the platform sets
// (SHD-26), so it is no desired state. No call sets that end (SHD-07): an earlier one that a person wants is remembered in
// the ledger, and told when it has come.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Ending } from '../../model/plan/act.ts';
import { path } from '../../model/plan/step.ts';
import type { Asked, OpenSite } from '../common/command.ts';
import { actOn, cannot, onSite, rememberedAs } from '../common/command.ts';
import { change, until } from '../common/steps.ts';
import type { Learning } from './learning.ts';
import { isLearningAt, learningIn } from './learning.ts';

const DAY_MS = 86_400_000;
const SHOWN_WITHIN_MS = 60_000;

interface LearnOptions {
  /** It is to learn no more. */
  readonly off?: boolean;
  /** After how many days it is to end, where that is before the end that the platform sets. */
  readonly days?: number;
}

const learn = onSite<LearnOptions>(async (site, { off = false, days }) => {
  const known = await site.ledger();
  if (days !== undefined && known.standing === 'missing')
    return cannot(
      'No call of the platform sets when learning ends, so --days is kept in the ledger, and there is none. Run `hostwright ledger init` first.',
    );
  const asked = await learnOrNot(site, !off);
  const ended = 'act' in asked ? await site.run(asked) : asked;
  if (ended.outcome !== 'done' || ended.learning === undefined) return ended;
  const name = `learning of Shield of ${site.id}`;
  if (off) {
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
        ` No call sets an earlier end: from ${day} on, plan, drift and doctor say that it is time for \`hostwright shield learn ${site.name} --off\`.`,
      );
});

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

export const shieldCommands = { 'shield learn': learn };
