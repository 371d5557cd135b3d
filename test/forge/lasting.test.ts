// An approval counts until it is carried out, refused or withdrawn, however much is merged after it; and a search for
// approvals ends at a marker that the forge confirms.
import { describe, expect, it } from 'vitest';
import { answerPulls } from '../../src/forge/answer.ts';
import { approvedBy } from '../../src/forge/approved.ts';
import { stickyText } from '../../src/forge/sticky.ts';
import type { Fleet, FleetAccount } from '../../src/model/plan/fleet.ts';
import type { OutcomeWord } from '../../src/model/plan/outcome.ts';
import { EXIT_CODES } from '../../src/model/plan/outcome.ts';
import { containing } from '../support/matchers.ts';
import type { Ground } from './grounds.ts';
import { A, B, KEY, onGithub, onGitlab, planText, sticky } from './grounds.ts';

const ask = ({ forge }: Ground, commit: string) => approvedBy(forge, { commit, branch: 'main', key: KEY });
const fleetPlan = (...lines: readonly string[]): string =>
  sticky(`<!-- hostwright: fleet plan\n${lines.map((line) => `${line}\n`).join('')}-->`, 'plan');
const row = (account: string, outcome: OutcomeWord): FleetAccount => ({
  account,
  workspace: account,
  outcome,
  note: '',
  requests: 0,
  ms: 0,
  diagnostics: [],
});

type Happened = (at: Ground) => unknown;

/** What `fleet apply` reports of these accounts. */
function ran(...accounts: readonly FleetAccount[]): Fleet {
  const outcome = accounts.every((one) => one.outcome === 'done') ? 'done' : 'partly-applied';
  return {
    apiVersion: 'hostwright.fleet/1',
    command: 'apply',
    accounts,
    outcome,
    exitCode: EXIT_CODES[outcome],
    diagnostics: [],
  } as unknown as Fleet;
}

/** Merges pull requests that have no plan, as those of other people and of bots have none. */
function mergeOthers(at: Ground, from: number, count: number): string {
  for (let number = from; number < from + count; number += 1) {
    at.addPull(number);
    at.merge(number, `c${number}`);
  }
  return `c${from + count - 1}`;
}

/** Pull request 1 with a plan that approves A, merged as c1. */
function approve(at: Ground, text = planText([A])): void {
  at.say(1, at.author, text);
  at.merge(1, 'c1');
}

describe.each<[string, () => Promise<Ground>]>([
  ['GitHub', onGithub],
  ['GitLab', onGitlab],
])('on %s an approval', (name, open) => {
  it.each([31, 101, 250])('counts after %i later merges, in few requests', async (count) => {
    const at = await open();
    approve(at);
    const newest = mergeOthers(at, 2, count);
    at.requests.length = 0;
    expect(await ask(at, newest)).toMatchObject({
      digests: [A],
      pulls: [count + 1, 1],
      search: { count: count + 1, oldest: 1, until: 'first' },
    });
    expect(at.requests.length).toBeLessThanOrEqual(8 + Math.ceil(count / 50));
  });

  it('counts after 120 pull requests that were closed without a merge, and 120 commits', async () => {
    const at = await open();
    approve(at);
    for (let number = 2; number <= 121; number += 1) at.addPull(number);
    at.commit(...Array.from({ length: 120 }, (_, index) => `d${index}`));
    expect(await ask(at, 'd119')).toMatchObject({ digests: [A], pulls: [1] });
  });

  it('counts although others comment on 120 older pull requests afterwards', async () => {
    const at = await open();
    mergeOthers(at, 2, 120);
    approve(at);
    for (let number = 2; number <= 121; number += 1) at.say(number, 'stale[bot]', 'still relevant?');
    expect(await ask(at, 'c1')).toMatchObject({ digests: [A], pulls: [1] });
  });

  it('is searched for down to the newest run that ended well, however many there were before', async () => {
    const at = await open();
    mergeOthers(at, 2, 150);
    approve(at);
    at.say(1, at.author, sticky('<!-- hostwright: apply acme -->', 'apply', 'done'));
    at.addPull(500);
    at.say(500, at.author, planText([B]));
    at.merge(500, 'c500');
    at.requests.length = 0;
    const { digests, pulls, search } = await ask(at, 'c500');
    expect([digests, pulls, search.until]).toEqual([[B], [500], 'carried out']);
    expect(at.requests.length).toBeLessThan(12);
  });

  it('counts where its commit is newer than the run that ended well, although its merge is older', async () => {
    const at = await open();
    approve(at);
    for (const number of [2, 3, 4]) at.addPull(number);
    at.say(2, at.author, planText([B]));
    // The commit of 3 comes first on the branch, and its merge is recorded later.
    at.commit('c3');
    at.merge(2, 'c2');
    at.merge(3, 'c3');
    at.say(3, at.author, sticky('<!-- hostwright: apply acme -->', 'apply', 'done'));
    at.merge(4, 'c4');
    expect((await ask(at, 'c4')).digests).toEqual([B]);
  });

  it('of a fleet counts until each of its accounts is done, and the answer is the marker then', async () => {
    const at = await open();
    const question = { commit: 'c2', branch: 'main', key: KEY };
    approve(at, fleetPlan(`acc-1 ${A}`, `acc-2 ${B}`));
    at.addPull(2);
    at.say(2, at.author, fleetPlan(`acc-3 ${A}`));
    at.merge(2, 'c2');
    await answerPulls(at.forge, question, ran(row('acc-1', 'error'), row('acc-2', 'done'), row('acc-3', 'done')));
    expect(at.texts().filter((text) => text.includes('none left'))).toEqual([]);
    const newest = mergeOthers(at, 10, 60);
    expect(await ask(at, newest)).toMatchObject({ pulls: [69, 1], search: { until: 'first' } });
    at.requests.length = 0;
    await answerPulls(at.forge, { ...question, commit: newest }, ran(row('acc-1', 'done')));
    expect(at.texts().filter((text) => text.includes('none left'))).toHaveLength(1);
    const after = mergeOthers(at, 100, 3);
    expect(await ask(at, after)).toMatchObject({ pulls: [102], search: { until: 'carried out' } });
  });

  it.each<[string, Happened]>([
    [
      'another account wrote',
      (at) => at.say(2, 'mallory', stickyText('<!-- hostwright: fleet apply\n-->', MARKER) ?? ''),
    ],
    [
      'another account edited',
      (at) =>
        at.edit(
          at.say(2, at.author, sticky('<!-- hostwright: fleet apply\n-->', 'apply', 'done')),
          'mallory',
          stickyText('<!-- hostwright: fleet apply\n-->', MARKER) ?? '',
        ),
    ],
    [
      'a name quotes',
      (at) =>
        at.say(
          2,
          at.author,
          sticky(
            '<!-- hostwright: fleet apply\n-->\n<!-- hostwright-approvals: none left -->\n| acc |',
            'apply',
            'done',
          ),
        ),
    ],
  ])('is not hidden by a marker that %s', async (_what, forge) => {
    const at = await open();
    approve(at, fleetPlan(`acc-1 ${A}`));
    at.addPull(2);
    at.merge(2, 'c2');
    forge(at);
    expect(await ask(at, 'c2')).toMatchObject({ accounts: [{ account: 'acc-1', isDone: false }] });
  });

  it('is withdrawn by deleting or editing the comment', async () => {
    const at = await open();
    const said = at.say(1, at.author, planText([A]));
    at.merge(1, 'c1');
    at.edit(said, 'dev', 'withdrawn');
    const newest = mergeOthers(at, 2, 3);
    expect(await ask(at, newest)).toMatchObject({ digests: [] });
  });

  it('beyond the limit of one search is reported as unknown', async () => {
    const at = await open();
    approve(at);
    const newest = mergeOthers(at, 2, name === 'GitHub' ? 1000 : 2000);
    const { digests, notices, search } = await ask(at, newest);
    expect([digests, search.until]).toEqual([[], 'limit']);
    expect(notices.join()).toContain('back to 2. Approvals that were merged before it and not carried out are unknown');
    const fleet = ran(row('acc-1', 'done'));
    await answerPulls(at.forge, { commit: newest, branch: 'main', key: KEY }, fleet);
    expect(at.texts()).not.toContainEqual(containing('none left'));
  });
});

const MARKER = { what: 'apply', key: KEY, outcome: 'done', isNoneLeft: true } as const;
