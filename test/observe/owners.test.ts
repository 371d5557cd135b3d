// A list that only tells where a section is, is read and decoded once for all who look within a moment, and again when
// something may have changed it.
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import type { Json } from '../../src/model/json.ts';
import type { Kind } from '../../src/model/kind/kind.ts';
import { createObserver } from '../../src/observe/observer.ts';
import { createOwners, watchUse } from '../../src/observe/owners.ts';
import { virtualClock } from '../platform/virtual-clock.ts';

/** An account of so many sites; counts what is asked, and how often a list of sites is decoded. */
function account(count: number) {
  const clock = virtualClock();
  const owners = createOwners(clock);
  const asked: string[] = [];
  const decoded: string[] = [];
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    name: `Site ${index}`,
    primary_domain: `${index}.nl`,
    account: { id: 'acc-1' },
  }));
  const read = (path: string): Promise<Json> => {
    asked.push(path);
    if (path === '/api/sites') return Promise.resolve({ sites: rows });
    return Promise.resolve(
      path.endsWith('/mail') ? { mail: { sender_identity: { mail_from_local_part: null, mail_from_name: null } } } : {},
    );
  };
  const counting = new Map(
    [...registry].map(([name, kind]): [string, Kind] => [
      name,
      {
        ...kind,
        decode: (answers, context) => {
          decoded.push(name);
          return kind.decode(answers, context);
        },
      },
    ]),
  );
  const ids = new Map(rows.map(({ id }) => [`Site/${id}`, id]));
  const observe = createObserver(counting, { read }, 'acc-1', () => [], owners);
  return {
    clock,
    owners,
    rows,
    look: async (...addresses: readonly string[]) => [...(await observe(addresses, ids)).values()],
    lists: () => asked.filter((path) => path === '/api/sites').length,
    decodes: () => decoded.filter((name) => name === 'Site').length,
  };
}

describe('the list of sites, where one section after the other is looked at', () => {
  it('is read and decoded once, however many there are', async () => {
    for (const count of [10, 90]) {
      const { rows, look, lists, decodes } = account(count);
      for (const { id } of rows) expect(await look(`Site/${id}/Caching`)).toMatchObject([{ state: 'present' }]);
      expect([lists(), decodes()]).toEqual([1, 1]);
    }
  });

  it('is read again after five seconds', async () => {
    const { clock, look, lists } = account(3);
    await look('Site/s0/Caching');
    await clock.sleep(4999);
    await look('Site/s1/Caching');
    expect(lists()).toBe(1);
    await clock.sleep(1);
    await look('Site/s2/Caching');
    expect(lists()).toBe(2);
  });

  it.each([
    ['something inside a site', '/api/sites/s0/cdn/caching', 1],
    ['a site', '/api/sites/s0', 2],
    ['the list', '/api/sites', 2],
    ['an order', '/api/orders', 2],
  ])('is read again when %s was written that may change who is in it', async (_, path, lists) => {
    const one = account(3);
    await one.look('Site/s0/Caching');
    one.owners.sent(path);
    await one.look('Site/s1/Caching');
    expect(one.lists()).toBe(lists);
  });

  it('is read again for who asks for a site itself', async () => {
    const { look, lists } = account(3);
    await look('Site/s0/Caching');
    await look('Site/s0');
    expect(lists()).toBe(2);
  });

  it('is read with each section that rests on more of its site than the id (TML-10)', async () => {
    const { look, lists } = account(3);
    for (const id of ['s0', 's1', 's2'])
      expect(await look(`Site/${id}/SiteMail`)).toMatchObject([{ state: 'present' }]);
    expect(lists()).toBe(3);
  });

  it('is read again before a site is said not to be there', async () => {
    const { rows, look, lists } = account(3);
    await look('Site/s0/Caching');
    rows.splice(1, 1);
    expect(await look('Site/s1/Caching')).toMatchObject([{ state: 'present' }]);
    expect(lists()).toBe(1);
    expect(await look('Site/s9/Caching')).toEqual([{ state: 'unknown', reason: 'Site/s9 is not there' }]);
    expect(lists()).toBe(2);
  });

  it('that could not be read is not shared', async () => {
    const owners = createOwners(virtualClock());
    const unread = Promise.resolve({ state: 'unknown', reason: 'it failed', remedy: 'Plan again.' } as const);
    owners.learn('Site', unread);
    const failed = Promise.reject(new Error('refused'));
    owners.learn('Mailspace', failed);
    await Promise.allSettled([unread, failed]);
    expect([owners.known('Site'), owners.known('Mailspace')]).toEqual([undefined, undefined]);
  });
});

it('an owner tells when more of it than its id is looked at', () => {
  const member = { id: 's1', identity: 'one', spec: { name: 'One' }, computed: {}, keys: [] };
  const looks: readonly ((one: typeof member) => unknown)[] = [
    ({ spec }) => spec,
    ({ computed }) => computed,
    (one) => ({ ...one }),
    (one) => Object.keys(one),
  ];
  for (const look of looks) {
    const { member: owner, isUsed } = watchUse(member);
    expect([owner.id, isUsed()]).toEqual(['s1', false]);
    look(owner as typeof member);
    expect(isUsed()).toBe(true);
  }
});
