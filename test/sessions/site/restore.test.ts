// `run restore` and `run backup Site/delete`: what is asked, what is sent, how it ends, and what becomes of a lost answer.
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/sandbox/core/http/faults.ts';
import { ledgerCommand } from '../../../src/usecases/ledger.ts';
import { act } from '../../../src/usecases/act/act.ts';
import { asking } from '../../support/asking.ts';
import { openCommandLine } from '../../support/command-line.ts';
import type { Harness } from '../../support/harness.ts';
import { openHarness } from '../../support/open-harness.ts';
import { containing, matching } from '../../support/matchers.ts';

const SHOP = 'id:site-shop';
const nightly = { volume: 'content', archive: 'nightly' };
const yes = () => Promise.resolve(true);
const lostRestore: Fault = { kind: 'reset-after', match: { method: 'PATCH', path: '*/restores/*' }, times: 1 };
const writes = ({ sandbox }: Harness) =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);
const content = ({ sandbox }: Harness) => sandbox.state.sites.get('site-shop')?.volumes[0];

describe('run restore', () => {
  it('BKP-04: says what it overwrites, offers a backup, and restores once a person agrees', async () => {
    const one = await openHarness();
    const { asked, confirm } = asking();
    const done = await act(one.session(), { operation: 'restore', address: `Site/${SHOP}`, ...nightly }, confirm);
    expect(done, JSON.stringify(done)).toMatchObject({ outcome: 'done', restore: { volume: 'content' } });
    expect(asked[0]).toContain('Make a backup of the volume `content`');
    expect(asked[1]).toMatch(
      /^Restore the volume `content` of id:site-shop .* from the archive `nightly` \(id arch-nightly, made .*\)\? Everything that was written to it since then is overwritten\. What was there before is in the archive `hostwright-/,
    );
    expect(content(one)?.restoredFrom).toBe('arch-nightly');
    expect(content(one)?.archives).toHaveLength(2);
    expect(done.message).toMatch(/is restored from `nightly` .*: task \d+ site\.backup\.restore OK\. What was there/);
    expect(writes(one).at(-1)).toEqual([
      'PATCH',
      matching(/^\/api\/sites\/site-shop\/restores\/\d+$/),
      { backup_id: 'arch-nightly' },
    ]);
    // Nothing is left open in the ledger.
    const { view } = await ledgerCommand(one.session(), { do: 'list' });
    expect([view?.standing, view?.inFlight]).toEqual(['partial', []]);
  });

  it('without a yes sends nothing; without a backup says so', async () => {
    const one = await openHarness();
    const { asked, confirm } = asking(false);
    const refused = await act(
      one.session(),
      { operation: 'restore', address: `Site/${SHOP}`, ...nightly, backup: false },
      confirm,
    );
    expect([refused.outcome, writes(one), asked.length]).toEqual(['refused', [], 1]);
    expect(asked[0]).toContain('No backup of what is there now was made.');
  });

  it.each([
    [{ archive: 'nightly' }, 'Say which volume with --volume. There are: content and database.'],
    [{ volume: 'contents', archive: 'nightly' }, 'There is no volume `contents`. Did you mean `content`?'],
    [
      { volume: 'content' },
      'Say which archive with --archive. Archives of `content`: `nightly` (id arch-nightly, made',
    ],
    [{ volume: 'content', archive: 'nightl' }, 'There is no archive `nightl`. Did you mean `nightly`?'],
  ])('BKP-01: %j is answered with what there is', async (options, words) => {
    const one = await openHarness();
    const { outcome, diagnostics } = await act(
      one.session(),
      { operation: 'restore', address: `Site/${SHOP}`, ...options },
      yes,
    );
    expect(outcome).toBe('error');
    expect(diagnostics[0]?.code).toBe('HW4582');
    expect(diagnostics[0]?.detail).toContain(words);
    expect(writes(one)).toEqual([]);
  });

  it('two archives of one name: an id is asked for', async () => {
    const one = await openHarness();
    content(one)?.archives.push({ id: 'arch-2', name: 'nightly', createdAt: 0 });
    const { diagnostics } = await act(
      one.session(),
      { operation: 'restore', address: `Site/${SHOP}`, ...nightly },
      yes,
    );
    expect(diagnostics[0]?.detail).toContain('Several archives are called `nightly`');
    const byId = { volume: 'content', archive: 'arch-2', backup: false };
    expect((await act(one.session(), { operation: 'restore', address: `Site/${SHOP}`, ...byId }, yes)).outcome).toBe(
      'done',
    );
    expect(content(one)?.restoredFrom).toBe('arch-2');
  });

  it('TSK-09, CNV-30: a lost answer is not taken for a refusal, and the next run does not send it again', async () => {
    const one = await openHarness({ faults: [lostRestore] });
    const options = { ...nightly, backup: false };
    const lost = await act(one.session(), { operation: 'restore', address: `Site/${SHOP}`, ...options }, yes);
    expect(lost, JSON.stringify(lost)).toMatchObject({
      outcome: 'waiting',
      diagnostics: [{ code: 'HW4502', detail: containing('hostwright get tasks --site id:site-shop') }],
    });
    expect(writes(one)).toHaveLength(1);
    const listed = await ledgerCommand(one.session(), { do: 'list' });
    expect(listed.view?.inFlight).toMatchObject([
      {
        action: { address: 'Site/site-shop/RestoreVolume/11%20from%20arch-nightly', hook: 'command' },
        unanswered: 'restore',
      },
    ]);
    // Before a backup is asked for, too.
    const blocked = await act(one.session(), { operation: 'restore', address: `Site/${SHOP}`, ...nightly }, () => {
      throw new Error('nobody is asked');
    });
    expect(blocked).toMatchObject({
      outcome: 'waiting',
      diagnostics: [{ code: 'HW4581', detail: containing('add --again') }],
    });
    expect(writes(one)).toHaveLength(1);
    const again = await act(
      one.session(),
      { operation: 'restore', address: `Site/${SHOP}`, ...options, again: true },
      yes,
    );
    expect(again.outcome, JSON.stringify(again)).toBe('done');
    expect(writes(one)).toHaveLength(2);
    expect((await ledgerCommand(one.session(), { do: 'list' })).view?.inFlight).toEqual([]);
  });

  it('CNV-30: what never left is not in the way of the next', async () => {
    const one = await openHarness();
    const session = one.session();
    const { transport } = session;
    if (transport === undefined) throw new Error('in process');
    const unreachable: typeof transport = (request) =>
      request.method === 'PATCH'
        ? Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
        : transport(request);
    const failed = await act(
      { ...session, transport: unreachable },
      { operation: 'restore', address: `Site/${SHOP}`, ...nightly, backup: false },
      yes,
    );
    expect(failed.outcome).toBe('error');
    expect(
      (await act(one.session(), { operation: 'restore', address: `Site/${SHOP}`, ...nightly, backup: false }, yes))
        .outcome,
    ).toBe('done');
  });

  it('a backup that is refused ends it before anything is overwritten', async () => {
    const one = await openHarness({
      faults: [{ kind: 'status-before', status: 403, match: { method: 'PATCH', path: '*/backups/*' } }],
    });
    const result = await act(
      one.session(),
      { operation: 'restore', address: `Site/${SHOP}`, ...nightly, backup: true },
      yes,
    );
    expect(result).toMatchObject({ outcome: 'error', message: containing('nothing was restored') });
    expect(content(one)?.restoredFrom).not.toBe('arch-nightly');
  });

  it('on the command line: is an error without an archive, or with one that is not there', async () => {
    const { run, ...one } = await openCommandLine({ example: 'sender-identity' });
    const unnamed = await run('run restore Site/shop --volume content --yes');
    expect([unnamed.code, unnamed.stderr]).toMatchObject([1, containing('`nightly` (id')]);
    const unknown = await run('run delete-archive Site/shop --volume content --archive x --yes -o json');
    expect(JSON.parse(unknown.stdout)).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'HW4582' }] });
    expect(writes(one)).toEqual([]);
  });
});

describe('run backup Site/delete', () => {
  it('BKP-03: deletes one archive and waits until it is gone', async () => {
    const one = await openHarness();
    const { asked, confirm } = asking();
    const done = await act(
      one.session(),
      { operation: 'delete-archive', address: `Site/${SHOP}`, ...nightly },
      confirm,
    );
    expect(done, JSON.stringify(done)).toMatchObject({ outcome: 'done', deleted: { archive: 'arch-nightly' } });
    expect(asked).toEqual([matching(/^Delete the archive `nightly` .* It is the last one of this volume\.$/)]);
    expect(content(one)?.archives).toEqual([]);
    expect(writes(one)).toMatchObject([['DELETE', expect.anything(), { backup_id: 'arch-nightly' }]]);
  });

  it('BKP-05: a task that failed ends the wait at once, and the archive is said to be there still', async () => {
    const one = await openHarness();
    one.sandbox.state.taskFates.push({ status: 'FAILED' });
    const before = one.sandbox.clock.now();
    const ended = await act(one.session(), { operation: 'delete-archive', address: `Site/${SHOP}`, ...nightly }, yes);
    expect(ended).toMatchObject({ outcome: 'error', deleted: { archive: 'arch-nightly' } });
    expect(ended.diagnostics[0]?.detail).toMatch(/site\.backup\.delete FAILED/);
    expect(one.sandbox.clock.now() - before).toBeLessThan(60_000);
    expect(content(one)?.archives).toHaveLength(1);
  });

  it('rejects the options of other operations', async () => {
    const { run } = await openCommandLine();
    expect(await run('run delete-archive Site/shop --name x --yes')).toMatchObject({
      code: 1,
      stderr: containing('`run delete-archive` does not take --name. It takes --volume and --archive.'),
    });
  });
});
