// One writer at a time: living owners are respected, dead ones replaced, by exactly one of those who try.
import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileLock, fileStore } from '../../src/ledger/file-store.ts';
import { takeLock } from '../../src/ledger/lock.ts';
import type { Lock } from '../../src/ledger/lock.ts';
import { unlockLedger } from '../../src/ledger/by-hand.ts';
import { openLedger } from '../../src/ledger/stored-ledger.ts';
import { openFolder } from '../support/closing.ts';

let folder: string;
let file: string;
const children: ChildProcess[] = [];
const clock = { now: () => Date.now(), sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) };
const me = (runId = 'run-1') => ({ hostname: hostname(), pid: process.pid, user: 'me', runId });

beforeEach(async () => {
  folder = await openFolder();
  file = join(folder, 'ledger.jsonl');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const HOLDER = `
import { hostname } from 'node:os';
import { openLedger } from ${JSON.stringify(new URL('../../src/ledger/stored-ledger.ts', import.meta.url).href)};
import { randomUUID } from 'node:crypto';
import { fileStore } from ${JSON.stringify(new URL('../../src/ledger/file-store.ts', import.meta.url).href)};
const clock = { now: () => Date.now(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
const { ledger, diagnostics } = await openLedger({ store: fileStore(process.argv[2]), account: 'acc', clock, owner: { hostname: hostname(), pid: process.pid, user: 'other', runId: 'run-other' }, uuid: randomUUID, waitMs: Number(process.argv[3]) });
if (ledger === undefined) { console.log('refused ' + diagnostics[0].code); process.exit(); }
await ledger.append({ type: 'bound', address: 'Thing/' + process.pid, id: 'x', owned: true, applied: {} });
console.log('held');
if (process.argv[4] === 'leave') { await ledger.close(); process.exit(); }
setInterval(() => undefined, 1000);
`;

/** Another process that opens the ledger, and the first thing it says. */
async function other(waitMs = 0, then = 'stay'): Promise<{ child: ChildProcess; said: string; ended: Promise<void> }> {
  const script = join(folder, 'holder.mts');
  await writeFile(script, HOLDER);
  // The command of tsx runs the script in a child of its own: --import keeps it one process, so that its death is the
  // owner's.
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('../../node_modules/tsx/dist/esm/index.mjs', import.meta.url).href,
      script,
      file,
      String(waitMs),
      then,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.push(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())),
  );
  return { child, said, ended };
}

describe('between processes', () => {
  it('respects a living owner, says who it is, and takes over from a dead one', async () => {
    const { child, said, ended } = await other();
    expect(said).toBe('held');
    const refused = await openLedger({ store: fileStore(file), account: 'acc', clock, owner: me(), uuid: randomUUID });
    expect(refused.ledger).toBeUndefined();
    expect(refused.diagnostics).toMatchObject([{ code: 'HW5004' }]);
    for (const part of ['other', hostname(), String(child.pid), 'run-other', 'hostwright ledger unlock'])
      expect(refused.diagnostics[0]?.detail).toContain(part);
    expect((await unlockLedger(fileStore(file), hostname())).diagnostics).toMatchObject([{ code: 'HW5012' }]);
    child.kill('SIGKILL');
    await ended;
    const taken = await openLedger({ store: fileStore(file), account: 'acc', clock, owner: me(), uuid: randomUUID });
    expect(taken.diagnostics).toMatchObject([{ code: 'HW5009', severity: 'warning' }]);
    expect(taken.ledger?.view().objects.size).toBe(1);
    await taken.ledger?.close();
    expect((await readdir(folder)).sort()).toEqual(['holder.mts', 'ledger.jsonl']);
  });

  it('waits its turn when asked to', async () => {
    const mine = await openLedger({ store: fileStore(file), account: 'acc', clock, owner: me(), uuid: randomUUID });
    const waiting = other(600_000, 'leave');
    await mine.ledger?.append({ type: 'bound', address: 'Thing/me', id: 'x', owned: true, applied: {} });
    await mine.ledger?.close();
    const { said, ended } = await waiting;
    expect(said).toBe('held');
    await ended;
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(3);
  });

  it('lets one of many in', async () => {
    const tries = await Promise.all([other(), other(), other()]);
    expect(tries.map(({ said }) => said).sort()).toEqual(['held', 'refused HW5004', 'refused HW5004']);
  });
});

describe('a lock', () => {
  const dead = {
    token: '0-dead',
    hostname: hostname(),
    pid: 2 ** 22 + 1,
    user: 'ghost',
    runId: 'r',
    since: '2026-01-01T00:00:00Z',
    started: '',
    space: '',
  };

  async function leaveDead(extra: Partial<typeof dead> = {}): Promise<void> {
    const own = await takeLock(fileLock(`${file}.probe`), me(), clock, { uuid: randomUUID, waitMs: 0 });
    const { space } = (own as Lock).record;
    await (own as Lock).release();
    await writeFile(file, JSON.stringify({ ...dead, space, ...extra }));
  }

  it('of a dead owner goes to exactly one', async () => {
    for (let round = 0; round < 20; round += 1) {
      await leaveDead();
      const tries = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          takeLock(fileLock(file), me(`run-${index}`), clock, { uuid: randomUUID, waitMs: 0 }),
        ),
      );
      const won = tries.filter((taken): taken is Lock => 'release' in taken);
      expect(won).toHaveLength(1);
      expect(await fileLock(file).peek()).toEqual(won[0]?.record);
      await won[0]?.release();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('that a worker left is taken over by the one with its identity, where nothing says that it still runs', async () => {
    const named = (identity: string) => ({ ...me(), hostname: 'worker-0', identity });
    const elsewhere = { ...dead, hostname: 'worker-0', space: 'pid:[1]', identity: 'hosting/worker-0' };
    await writeFile(file, JSON.stringify(elsewhere));
    for (const owner of [me(), named('hosting/worker-1')])
      expect(await takeLock(fileLock(file), owner, clock, { uuid: randomUUID, waitMs: 0 })).toHaveProperty(
        'heldBy.runId',
        'r',
      );
    const taken = await takeLock(fileLock(file), named('hosting/worker-0'), clock, { uuid: randomUUID, waitMs: 0 });
    expect(taken).toMatchObject({ isSuccessor: true, takenFrom: { runId: 'r' } });
    // Two at once on one machine: the one that runs keeps it.
    expect(
      await takeLock(fileLock(file), named('hosting/worker-0'), clock, { uuid: randomUUID, waitMs: 0 }),
    ).toHaveProperty('heldBy.identity', 'hosting/worker-0');
    await (taken as Lock).release();
  });

  it('of a process number that was used again is dead', async () => {
    await leaveDead({ pid: process.pid, started: 'another-boot:1' });
    expect(await takeLock(fileLock(file), me(), clock, { uuid: randomUUID, waitMs: 0 })).toHaveProperty(
      'takenFrom.pid',
      process.pid,
    );
  });

  it.each([
    ['another machine', { hostname: 'elsewhere' }],
    ['another container', { space: 'pid:[1]' }],
  ])('of %s is never taken', async (_what, extra) => {
    await leaveDead(extra);
    expect(await takeLock(fileLock(file), me(), clock, { uuid: randomUUID, waitMs: 0 })).toHaveProperty(
      'heldBy.user',
      'ghost',
    );
    expect((await unlockLedger(fileStore(file.replace(/\.lock$/, '')), hostname())).changed).toBe(false);
  });

  it('that cannot be read is held by somebody', async () => {
    await writeFile(file, 'nonsense');
    expect(await takeLock(fileLock(file), me(), clock, { uuid: randomUUID, waitMs: 0 })).toEqual({ heldBy: undefined });
    await writeFile(`${file}.lock`, '');
    expect(await unlockLedger(fileStore(file), hostname())).toMatchObject({ changed: true, diagnostics: [] });
    expect(await unlockLedger(fileStore(file), hostname())).toMatchObject({ changed: false, diagnostics: [] });
  });

  it('is released by its owner only', async () => {
    const first = (await takeLock(fileLock(file), me(), clock, { uuid: randomUUID, waitMs: 0 })) as Lock;
    await unlockLedger(fileStore(file), hostname(), { force: true });
    await rm(file);
    const second = (await takeLock(fileLock(file), me('run-2'), clock, { uuid: randomUUID, waitMs: 0 })) as Lock;
    await first.release();
    expect(await fileLock(file).peek()).toEqual(second.record);
  });
});
