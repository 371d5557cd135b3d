// A ledger in a Git remote, with real Git: what stays untouched, what a shallow clone can do, and what is said when it
// cannot be reached.
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LedgerEntry } from '../../src/ledger/entries.ts';
import type { FileInRef, GitRemote } from '../../src/ledger/git/remote.ts';
import { createGitRemote } from '../../src/ledger/git/remote.ts';
import type { GitStoreOptions } from '../../src/ledger/git/git-store.ts';
import { gitStore } from '../../src/ledger/git/git-store.ts';
import { LedgerWriteError } from '../../src/ledger/ledger.ts';
import { initLedger } from '../../src/ledger/by-hand.ts';
import type { OpenOptions } from '../../src/ledger/stored-ledger.ts';
import { openLedger, readLedger } from '../../src/ledger/stored-ledger.ts';
import type { GitGround } from '../support/processes/git.ts';
import { noGit, startGit } from '../support/processes/git.ts';
import { virtualClock } from '../platform/virtual-clock.ts';
import { bound, openedLedger } from './support.ts';
import { openFolder } from '../support/closing.ts';
import { containing } from '../support/matchers.ts';

const ref = 'refs/hostwright/ledger';
if (noGit !== undefined) process.stderr.write(`skipped: the ledger in a Git remote: ${noGit}\n`);

describe.skipIf(noGit !== undefined)('a ledger in a Git remote', () => {
  let ground: GitGround;
  beforeEach(async () => {
    ground = await startGit();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await ground.close();
  });

  function at(
    folder: string,
    extra: Partial<Pick<GitStoreOptions, 'ref' | 'timeoutMs' | 'signal'>> & {
      readonly env?: Readonly<Record<string, string>>;
    } = {},
  ): OpenOptions {
    const store = gitStore({
      remote: 'origin',
      ref: extra.ref ?? ref,
      folder,
      env: { ...ground.env, ...extra.env },
      timeoutMs: extra.timeoutMs ?? 60_000,
      ...(extra.signal !== undefined && { signal: extra.signal }),
      clock: virtualClock(),
    });
    return {
      store,
      account: 'acc',
      clock: virtualClock(),
      owner: { hostname: 'here', pid: process.pid, user: 'me', runId: 'run-1' },
      uuid: randomUUID,
    };
  }
  async function write(options: OpenOptions, ...names: readonly string[]): Promise<void> {
    const ledger = await openedLedger(options);
    for (const name of names) await ledger.append(bound(name));
    expect(await ledger.close()).toEqual([]);
  }

  it('is one commit an append, by nobody in particular, and leaves the clone as it was, byte for byte', async () => {
    const clone = await ground.clone();
    const everything = async () =>
      Object.fromEntries(
        await Promise.all(
          (await readdir(clone, { recursive: true, withFileTypes: true }))
            .filter((entry) => entry.isFile())
            .map(
              async (entry) =>
                [
                  join(entry.parentPath, entry.name),
                  await readFile(join(entry.parentPath, entry.name), 'base64'),
                ] as const,
            ),
        ),
      );
    const before = await everything();
    // Other tests have folders among the system's temporary ones.
    const place = await openFolder();
    vi.stubEnv('TMPDIR', place);
    expect(tmpdir()).toBe(place);
    expect((await initLedger(at(clone))).changed).toBe(true);
    await write(at(clone), 'a', 'b');
    await readLedger(at(clone));
    expect(await everything()).toEqual(before);
    expect(await readdir(place)).toEqual([]);
    expect((await ground.git(ground.bare, 'log', '--format=%an <%ae> %s', ref)).split('\n')).toEqual(
      Array<string>(3).fill('Hostwright <hostwright@localhost> Run run-1'),
    );
    expect(await ground.git(ground.bare, 'for-each-ref', '--format=%(refname)')).toBe(`refs/heads/main\n${ref}`);
  });

  it('that grew long is in a few parts, of which an append writes the smallest; who comes next reads them all', async () => {
    const clone = await ground.clone();
    const wide = (name: string): LedgerEntry => ({ ...bound(name), id: 'x'.repeat(40_000) }) as LedgerEntry;
    await initLedger(at(clone));
    const { ledger } = await openLedger(at(clone));
    await ledger?.append(...['a', 'b', 'c', 'd', 'e'].map(wide));
    await ledger?.append(wide('f'));
    const files = async (): Promise<readonly string[]> =>
      (await ground.git(ground.bare, 'ls-tree', '--name-only', ref)).split('\n');
    expect(await files()).toEqual(['ledger-01.jsonl', 'ledger-02.jsonl']);
    await ledger?.close();
    const { view, diagnostics } = await readLedger(at(await ground.clone('--depth=1')));
    expect([[...view.objects.keys()], diagnostics]).toEqual([
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `Thing/${name}`),
      [],
    ]);
    await write(at(clone), 'g');
    expect((await readLedger(at(await ground.clone()))).view.objects.size).toBe(7);
  });

  it('of which 2,000 entries are appended one by one writes each byte a few times', async () => {
    const seen = new Set<Buffer>();
    let bytes = 0;
    let parts = 0;
    const shared: GitRemote = {
      list: () => Promise.resolve(new Map()),
      read: () => Promise.resolve(undefined),
      commit: (_, files) => {
        for (const part of files) if (!seen.has(part)) bytes += seen.add(part) && part.length;
        parts = Math.max(parts, files.length);
        return Promise.resolve('c');
      },
      push: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    };
    const { clock, owner, account } = at('.');
    const store = gitStore({ remote: 'origin', ref, folder: '.', env: {}, timeoutMs: 1, clock, shared });
    const { ledger } = await openLedger({ store, clock, owner, uuid: randomUUID, account });
    for (let index = 0; index < 2_000; index += 1)
      await ledger?.append({ ...bound(`x${index}`), id: 'x'.repeat(1_000) } as LedgerEntry);
    expect(bytes / (2_000 * 1_100)).toBeLessThan(40);
    expect(parts).toBeLessThan(10);
  });

  it.each([['--depth=1'], ['--filter=blob:none']])('works from a clone made with %s', async (option) => {
    await ground.git(ground.bare, 'config', 'uploadpack.allowFilter', 'true');
    await write(at(await ground.clone()), 'a');
    const clone = await ground.clone(option);
    const shallow = await readFile(join(clone, '.git', 'shallow'), 'utf8').catch(() => '');
    await write(at(clone), 'b');
    expect(await readFile(join(clone, '.git', 'shallow'), 'utf8').catch(() => '')).toBe(shallow);
    expect((await readLedger(at(await ground.clone()))).view.objects.size).toBe(2);
  });

  it('works from a folder inside the work tree, and on a branch where a host takes nothing else', async () => {
    const clone = await ground.clone();
    await mkdir(join(clone, 'environments'));
    const options = at(join(clone, 'environments'), { ref: 'refs/heads/hostwright-ledger' });
    await write(options, 'a');
    await write(options, 'b');
    expect((await readLedger(options)).view.objects.size).toBe(2);
    // A branch of somebody else is not a ledger, and is not written over.
    const main = at(clone, { ref: 'refs/heads/main' });
    expect((await readLedger(main)).diagnostics).toMatchObject([
      { code: 'HW5007', detail: containing('holds no ledger.jsonl') },
    ]);
    expect((await openLedger(main)).diagnostics).toMatchObject([{ code: 'HW5007' }]);
    expect((await ground.git(ground.bare, 'log', '--format=%s', 'refs/heads/main')).split('\n')).toEqual([
      'two',
      'one',
    ]);
    expect(await ground.git(ground.bare, 'for-each-ref', '--format=%(refname)', 'refs/heads/main-lock')).toBe('');
  });

  it('is not written by one of two clones that race, and the loser has sent nothing', async () => {
    await write(at(await ground.clone()), 'a');
    const { ledger } = await openLedger(at(await ground.clone()));
    // Somebody who knows no lock writes in between.
    const { bare, git } = ground;
    const commit = await git(
      bare,
      'commit-tree',
      '-p',
      ref,
      '-m',
      'another',
      await git(bare, 'rev-parse', `${ref}^{tree}`),
    );
    await git(bare, 'update-ref', ref, commit);
    await expect(ledger?.append(bound('b'))).rejects.toBeInstanceOf(LedgerWriteError);
    await expect(ledger?.append(bound('c'))).rejects.toBeInstanceOf(LedgerWriteError);
    expect(await ledger?.close()).toEqual([]);
    expect(await git(bare, 'rev-parse', ref)).toBe(commit);
  });

  it('that was written although the answer was lost, is written', async () => {
    const clone = await ground.clone();
    // The push arrives, and git reports a failure: as when the connection breaks before the answer is there.
    const bin = join(ground.folder, 'git');
    await writeFile(
      bin,
      `#!/bin/sh\nPATH="${ground.env.PATH ?? ''}"\ngit "$@" || exit $?\ncase "$*" in *" push "*) echo 'fatal: the remote end hung up unexpectedly' >&2; exit 128;; esac\n`,
      { mode: 0o755 },
    );
    const options = at(clone, { env: { PATH: `${ground.folder}:${ground.env.PATH ?? ''}` } });
    await write(options, 'a', 'b');
    expect((await readLedger(at(clone))).view.objects.size).toBe(2);
  });

  it('starts its history anew when it is shortened, also where a remote takes no such push', async () => {
    for (const deny of ['false', 'true']) {
      await ground.git(ground.bare, 'config', 'receive.denyNonFastForwards', deny);
      const options = at(await ground.clone(), { ref: `refs/heads/ledger-${deny}` });
      const { ledger } = await openLedger(options);
      await ledger?.append(bound('a'));
      await ledger?.append(...Array.from({ length: 1100 }, () => bound('b')));
      expect(await ledger?.close()).toEqual([]);
      expect(await ground.git(ground.bare, 'rev-list', '--count', `refs/heads/ledger-${deny}`)).toBe(
        deny === 'true' ? '3' : '1',
      );
      expect((await readLedger(options)).view.objects.size).toBe(2);
    }
  });

  it('that cannot be reached is not a missing one, and what git says holds no credentials', async () => {
    const clone = await ground.clone();
    await write(at(clone), 'a');
    await rm(ground.bare, { recursive: true });
    for (const remote of [
      `file://${ground.bare}`,
      'http://user:hunter2@127.0.0.1:1/x.git',
      'http://hunter2@127.0.0.1:1/x.git',
    ]) {
      await ground.git(clone, 'remote', 'set-url', 'origin', remote);
      const results = [await readLedger(at(clone)), await openLedger(at(clone)), await initLedger(at(clone))];
      for (const { diagnostics } of results)
        expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['HW5007', 'error']]);
      expect(JSON.stringify(results)).not.toContain('hunter2');
    }
    const elsewhere = await readLedger(at(ground.folder));
    expect(elsewhere.diagnostics).toMatchObject([{ code: 'HW5007', detail: containing('not a git repository') }]);
    const without = await readLedger(at(clone, { env: { PATH: ground.folder } }));
    expect(without.diagnostics).toMatchObject([{ code: 'HW5007', detail: containing('git could not be started') }]);
  });

  it('whose lock is let go between the two questions about it is free', async () => {
    const { ledger: holder } = await openLedger({
      ...at(await ground.clone()),
      owner: { hostname: 'elsewhere', pid: 7, user: 'alice', runId: 'run-0' },
      uuid: randomUUID,
    });
    const shim = join(ground.folder, 'shim');
    await mkdir(shim);
    const [real] = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.split('\n');
    await writeFile(
      join(shim, 'git'),
      `#!/bin/sh\ncase " $* " in *" fetch "*) "${real}" --git-dir "${ground.bare}" update-ref -d ${ref}-lock && : > "${shim}/done" ;; esac\nexec "${real}" "$@"\n`,
      { mode: 0o755 },
    );
    await write(at(await ground.clone(), { env: { PATH: `${shim}${delimiter}${ground.env.PATH ?? ''}` } }), 'a');
    expect(await readdir(shim)).toContain('done');
    await holder?.close();
  });

  it('whose remote does not answer is given up, helpers included', async () => {
    const clone = await ground.clone();
    const hung = join(ground.folder, 'hung');
    await writeFile(hung, '#!/bin/sh\nsleep 60\n', { mode: 0o755 });
    await ground.git(clone, 'remote', 'set-url', 'origin', 'ssh://nowhere.example/x.git');
    const { diagnostics } = await readLedger(at(clone, { env: { GIT_SSH: hung }, timeoutMs: 700 }));
    expect(diagnostics).toMatchObject([{ code: 'HW5007', detail: containing('git ls-remote did not end within') }]);
    for (const signal of [AbortSignal.timeout(50), AbortSignal.abort()])
      expect(
        (await readLedger(at(clone, { env: { GIT_SSH: hung }, timeoutMs: 60_000, signal }))).diagnostics,
      ).toMatchObject([{ code: 'HW5007', detail: containing('was broken off: the command is to stop') }]);
  });

  it('whose remote refuses to be written says so and leaves no lock', async () => {
    const clone = await ground.clone();
    await writeFile(join(ground.bare, 'hooks', 'pre-receive'), '#!/bin/sh\necho "read only" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const { ledger, diagnostics } = await openLedger(at(clone));
    expect([ledger, diagnostics.map(({ code }) => code)]).toEqual([undefined, ['HW5007']]);
    expect(diagnostics[0]?.detail).toMatch(/pre-receive|read only/);
    expect((await readLedger(at(clone))).view.standing).toBe('missing');
  });

  /** Ledgers of several accounts in one remote, and a `git` that writes down its pushes; `onPush` is a line of shell. */
  async function accounts(onPush = ':') {
    const clone = await ground.clone();
    const shim = join(ground.folder, 'shim');
    await mkdir(shim);
    const log = join(shim, 'pushes');
    await writeFile(log, '');
    const [real] = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.split('\n');
    await writeFile(
      join(shim, 'git'),
      `#!/bin/sh\nrun() { "${real}" "$@"; }\ncase " $* " in *" push "*) echo "$*" >> "${log}"; ${onPush} ;; esac\nexec "${real}" "$@"\n`,
      { mode: 0o755 },
    );
    const place = {
      remote: 'origin',
      folder: clone,
      env: { ...ground.env, PATH: `${shim}${delimiter}${ground.env.PATH ?? ''}` },
      timeoutMs: 60_000,
      clock: virtualClock(),
    };
    const shared = createGitRemote(place);
    const open = async (name: string, extra: Partial<OpenOptions> = {}) => {
      const store = gitStore({ ...place, shared, ref: `${ref}-${name}` });
      const options = { ...at(clone), store, account: name, ...extra };
      const { ledger, diagnostics } = await openLedger(options);
      if (ledger === undefined) throw new Error(JSON.stringify(diagnostics));
      return ledger;
    };
    const pushes = async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean).length;
    const sizeOf = async (name: string) =>
      (await readLedger({ ...at(clone, { ref: `${ref}-${name}` }), account: name })).view.objects.size;
    return { open, pushes, sizeOf, shared };
  }

  it('writes what is noted with the next entry, and takes and gives back its lock with the first and the last', async () => {
    const { open, pushes, sizeOf, shared } = await accounts();
    const ledger = await open('one', { withFirstWrite: true });
    await ledger.note(bound('a'));
    expect([ledger.view().objects.size, await pushes()]).toEqual([1, 0]);
    await ledger.append(bound('b'));
    expect([await pushes(), await sizeOf('one')]).toEqual([1, 2]);
    expect(await ground.git(ground.bare, 'for-each-ref', '--format=%(refname)', `${ref}-one-lock`)).not.toBe('');
    await ledger.append();
    await ledger.note(bound('c'));
    expect(await pushes()).toBe(1);
    expect(await ledger.close()).toEqual([]);
    expect([await pushes(), await sizeOf('one')]).toEqual([2, 3]);
    expect(await ground.git(ground.bare, 'for-each-ref', '--format=%(refname)', `${ref}-one-lock`)).toBe('');
    await shared.close();
  });

  it('whose end cannot be written says so as an error', async () => {
    const { open, shared } = await accounts();
    const ledger = await open('one', { withFirstWrite: true });
    await ledger.append(bound('a'));
    await ledger.note(bound('b'));
    await writeFile(join(ground.bare, 'hooks', 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect((await ledger.close()).map(({ code, severity }) => [code, severity])).toEqual([
      ['HW5006', 'error'],
      ['HW5013', 'warning'],
    ]);
    await shared.close();
  });

  it('joins what several accounts write, and each learns what became of its own', async () => {
    const { open, pushes, sizeOf, shared } = await accounts();
    const names = ['one', 'two', 'three', 'four', 'five'];
    const ledgers = await Promise.all(names.map((name) => open(name, { withFirstWrite: true })));
    await Promise.all(ledgers.map((ledger) => ledger.append(bound('a'))));
    const before = await pushes();
    const commits = await Promise.all(names.map((name) => shared.commit('x', [Buffer.from(name)], name, '')));
    const moves = commits.map((to, index) => [{ ref: `refs/hostwright/x${index}`, from: '', to }]);
    expect(await Promise.all(moves.map((move) => shared.push(move)))).toEqual(names.map(() => true));
    expect(await pushes()).toBe(before + 1);
    await ground.git(ground.bare, 'update-ref', '-d', `${ref}-three-lock`);
    const ends = await Promise.allSettled(ledgers.map((ledger) => ledger.append(bound('b'))));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await Promise.all(names.map(sizeOf))).toEqual([2, 2, 1, 2, 2]);
    // One that the remote refuses for a reason of its own keeps nobody else back either.
    const [, two, , four, five] = ledgers;
    await writeFile(
      join(ground.bare, 'hooks', 'update'),
      `#!/bin/sh\ncase "$1" in ${ref}-four) echo "protected" >&2; exit 1;; esac\n`,
      { mode: 0o755 },
    );
    const others = await Promise.allSettled([two, four, five].map(async (ledger) => ledger?.append(bound('c'))));
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(String((others[1] as PromiseRejectedResult).reason)).toMatch(/protected|hook declined/);
    expect(await Promise.all(names.map(sizeOf))).toEqual([2, 3, 1, 2, 3]);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    expect(await ground.git(ground.bare, 'for-each-ref', '--format=%(refname)', 'refs/hostwright/*-lock')).toBe('');
    await shared.close();
  });

  it('of an account that asks while those of all are fetched is not looked for again', async () => {
    const clone = await ground.clone('--depth=1');
    const expected = ['one', 'two'].map((name) => ({ ref: `${ref}-${name}`, file: 'ledger.jsonl' }));
    for (const { ref: own } of expected) await write({ ...at(clone, { ref: own }), account: own }, 'a');
    const fresh = await ground.clone('--depth=1');
    const [shim, log] = [join(ground.folder, 'shim'), join(ground.folder, 'calls')];
    await mkdir(shim);
    const [real] = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.split('\n');
    await writeFile(join(shim, 'git'), `#!/bin/sh\necho "$*" >> "${log}"\nexec "${real}" "$@"\n`, { mode: 0o755 });
    const env = { ...ground.env, PATH: `${shim}${delimiter}${ground.env.PATH ?? ''}` };
    const shared = createGitRemote({
      remote: 'origin',
      folder: fresh,
      env,
      timeoutMs: 60_000,
      clock: virtualClock(),
      expected,
    });
    const [one, two] = expected as [FileInRef, FileInRef];
    await shared.list('now');
    const first = shared.read(one, 'recent');
    // By then it looks for both.
    await new Promise((done) => setImmediate(done));
    const read = await Promise.all([first, shared.read(two, 'recent')]);
    expect(read.map((found) => String(found?.bytes))).toEqual([containing('Thing/a'), containing('Thing/a')]);
    const calls = await readFile(log, 'utf8');
    expect([calls.match(/ cat-file /g)?.length, calls.match(/ fetch /g)?.length]).toEqual([2, 1]);
    await shared.close();
  });

  it('of one account that cannot be had keeps no other from its own', async () => {
    const clone = await ground.clone();
    const names = ['one', 'two', 'three'];
    for (const name of names) await write({ ...at(clone, { ref: `${ref}-${name}` }), account: name }, 'a');
    const { bare } = ground;
    const blob = await ground.git(bare, 'rev-parse', `${ref}-two:ledger.jsonl`);
    await rm(join(bare, 'objects', blob.slice(0, 2), blob.slice(2)));
    const place = { remote: 'origin', folder: clone, env: ground.env, timeoutMs: 60_000, clock: virtualClock() };
    const expected = names.map((name) => ({ ref: `${ref}-${name}`, file: 'ledger.jsonl' }));
    const shared = createGitRemote({ ...place, expected });
    const read = await Promise.all(
      names.map((name) => readLedger({ store: gitStore({ ...place, shared, ref: `${ref}-${name}` }), account: name })),
    );
    expect(read.map(({ view, diagnostics }) => [view.objects.size, diagnostics.map(({ code }) => code)])).toEqual([
      [1, []],
      [0, ['HW5007']],
      [1, []],
    ]);
    await shared.close();
  });

  it('of several accounts that was written although the answer was lost, is written', async () => {
    const { open, sizeOf, shared } = await accounts('run "$@" && exit 128');
    const names = ['one', 'two', 'three'];
    const ledgers = await Promise.all(names.map((name) => open(name, { withFirstWrite: true })));
    await Promise.all(ledgers.map((ledger) => ledger.append(bound('a'))));
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    expect(await Promise.all(names.map(sizeOf))).toEqual([1, 1, 1]);
    await shared.close();
  });

  it('whose lock was to be taken with the first entry knows that somebody was faster', async () => {
    const { open, sizeOf, shared } = await accounts();
    const first = await open('one', { withFirstWrite: true });
    const second = await open('one', { withFirstWrite: true });
    await first.append(bound('a'));
    await expect(second.append(bound('b'))).rejects.toBeInstanceOf(LedgerWriteError);
    expect([first.isOutrun(), second.isOutrun()]).toEqual([false, true]);
    expect(await second.close()).toEqual([]);
    // It leaves the lock of the other one alone, and also knows it when that has ended meanwhile.
    await first.append(bound('c'));
    const third = await open('one', { withFirstWrite: true }).catch(() => undefined);
    expect(third).toBeUndefined();
    const late = gitStore({
      remote: 'origin',
      ref: `${ref}-one`,
      folder: await ground.clone(),
      env: ground.env,
      timeoutMs: 60_000,
      clock: virtualClock(),
    });
    await first.close();
    const before = await openLedger({ ...at(ground.folder), store: late, account: 'one', withFirstWrite: true });
    const other = await open('one');
    await other.append(bound('d'));
    await other.close();
    await before.ledger?.note(bound('e'));
    expect((await before.ledger?.close())?.map(({ code }) => code)).toEqual(['HW5006']);
    expect([before.ledger?.isOutrun(), await sizeOf('one')]).toEqual([true, 3]);
    await shared.close();
  });
});
