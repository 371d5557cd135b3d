// What the look at the end of a run rests on: what was read after the last write that may concern it.
import { describe, expect, it } from 'vitest';
import { createReadBacks } from '../../src/apply/read-backs.ts';
import { virtualClock } from '../platform/virtual-clock.ts';

const CACHING = '/api/sites/s1/cdn/caching';

function setUp() {
  const clock = virtualClock();
  const asked: string[] = [];
  let fails = false;
  const readBacks = createReadBacks(clock, (path) => {
    asked.push(path);
    return fails ? Promise.reject(new Error('no answer')) : Promise.resolve({ number: asked.length });
  });
  return {
    clock,
    readBacks,
    asked,
    fail: (): void => {
      fails = true;
    },
    /** True when the last look asks again. */
    asksAgain: async (path = CACHING): Promise<boolean> => {
      const before = asked.length;
      await readBacks.last(path);
      return asked.length > before;
    },
  };
}

describe('an answer that was read back', () => {
  it('is the answer of the last look too', async () => {
    const { readBacks, asked } = setUp();
    const answer = await readBacks.read(CACHING);
    expect(await readBacks.last(CACHING)).toBe(answer);
    expect(asked).toEqual([CACHING]);
  });

  it.each([
    ['the same place', CACHING, true],
    ['another place in the same object', '/api/sites/s1/edge_rules', true],
    ['the object', '/api/sites/s1', true],
    ['another object of the list', '/api/sites/s2/cdn/caching', false],
    ['an object whose name begins alike', '/api/sites/s10', false],
    ['the list', '/api/sites', true],
    ['another list', '/api/mailspace/m1/mailboxes', true],
  ])('is asked for again when something was sent to %s', async (_, path, again) => {
    const { readBacks, asksAgain } = setUp();
    await readBacks.read(CACHING);
    readBacks.sent(path);
    expect(await asksAgain()).toBe(again);
  });

  it('is asked for again where the sending ended while it was on its way', async () => {
    const { readBacks, asksAgain } = setUp();
    const reading = readBacks.read(CACHING);
    readBacks.sent('/api/sites/s1/cache');
    await reading;
    expect(await asksAgain()).toBe(true);
  });

  it('is good for a minute', async () => {
    const { clock, readBacks, asksAgain } = setUp();
    await readBacks.read(CACHING);
    await clock.sleep(59_999);
    expect(await asksAgain()).toBe(false);
    await clock.sleep(1);
    expect(await asksAgain()).toBe(true);
  });

  it('is not kept of a list, nor when there was none, nor after all is forgotten', async () => {
    const { readBacks, asksAgain, fail } = setUp();
    await readBacks.read('/api/sites?page=2');
    expect(await asksAgain('/api/sites?page=2')).toBe(true);
    await readBacks.read(CACHING);
    readBacks.forget();
    expect(await asksAgain()).toBe(true);
    fail();
    await expect(readBacks.read(CACHING)).rejects.toThrow('no answer');
    await expect(readBacks.last(CACHING)).rejects.toThrow('no answer');
  });
});
