// Polls that share an answer: under way or of a moment ago, and never of before something was sent.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import { createSharedPolls } from '../../src/platform/shared-polls.ts';
import { virtualClock } from './virtual-clock.ts';

function start() {
  const clock = virtualClock();
  const asked: string[] = [];
  const pending: { readonly answer: (value: Json) => void; readonly fail: () => void }[] = [];
  const read = (path: string): Promise<Json> => {
    asked.push(path);
    return new Promise((resolve, reject) => {
      pending.push({ answer: resolve, fail: () => reject(new Error('gone')) });
    });
  };
  return { clock, asked, pending, ...createSharedPolls(clock, read) };
}

describe('shared polls', () => {
  it('join a read that is under way, however long it takes', async () => {
    const { clock, asked, pending, poll } = start();
    const first = poll('/a');
    await clock.sleep(5000);
    const second = poll('/a');
    pending[0]?.answer(1);
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    expect(asked).toEqual(['/a']);
  });

  it('share the answer of a moment ago, by path, and no older one', async () => {
    const { clock, asked, pending, poll } = start();
    const first = poll('/a');
    pending[0]?.answer(1);
    await first;
    await clock.sleep(249);
    expect(await poll('/a')).toBe(1);
    void poll('/b');
    await clock.sleep(1);
    void poll('/a');
    expect(asked).toEqual(['/a', '/b', '/a']);
  });

  it('never share what was read before something was sent', async () => {
    const { asked, pending, poll, forget } = start();
    const before = poll('/a');
    forget();
    void poll('/a');
    pending[0]?.answer(1);
    await before;
    void poll('/a');
    expect(asked).toEqual(['/a', '/a']);
  });

  it('share no failure with whoever asks later, and lose none', async () => {
    const { asked, pending, poll, forget } = start();
    const [first, second] = [poll('/a'), poll('/a')];
    pending[0]?.fail();
    await expect(first).rejects.toThrow('gone');
    await expect(second).rejects.toThrow('gone');
    const third = poll('/a');
    forget();
    void poll('/a');
    pending[1]?.fail();
    await expect(third).rejects.toThrow('gone');
    void poll('/a');
    expect(asked).toEqual(['/a', '/a', '/a']);
  });
});
