// A name with a change in every section, broken at every request and at every sign of life, and run under every reading
// of what the documents leave open. A rerun converges, nothing is made twice, and the store is the one that was written
// down by hand.
import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import { AMBIGUITIES } from '../../../src/sandbox/areas.ts';
import { REGISTRATION_AMBIGUITIES } from '../../../src/sandbox/registration/ambiguities.ts';
import { openHarness } from '../../support/open-harness.ts';
import { manifest, workspaceFile } from '../../support/manifests.ts';
import { ADA, KEY } from '../../support/registrations.ts';
import type { Story } from '../../support/loops.ts';
import { deathLoop, killLoop } from '../../support/loops.ts';
import { unusual } from '../../support/whole.ts';
import { containing } from '../../support/matchers.ts';

const WORKSPACE = workspaceFile('manifests: [names]');

/** One name, with a change of every section of it. */
const FILE = [
  manifest('DomainRegistration', 'plain.com', {
    nameservers: ['ns2.plain.com', 'ns1.elsewhere.example'],
    hosts: [{ hostName: 'ns2.plain.com', addresses: ['192.0.2.54', '2001:DB8:0::53'] }],
    dnssec: { keys: [KEY], rotate: '1' },
    privacyProtect: true,
    locked: true,
    contacts: { owner: { ref: 'Contact/ada' }, admin: { ref: 'Contact/zoe' }, tech: { ref: 'Contact/ada' } },
    confirmReverification: 'new@acme.example',
  }),
  manifest('Contact', 'ada', { ...ADA, email: 'new@acme.example' }),
  manifest('Contact', 'zoe', { ...ADA, firstName: 'Zoe', organization: 'Acme B.V.', email: 'zoe@acme.example' }),
].join('\n---\n');

const STORE = {
  registrations: {
    'plain.com': {
      locked: true,
      privacyProtect: true,
      dnssec: [KEY],
      nameservers: ['ns1.elsewhere.example', 'ns2.plain.com'],
      process: null,
      hosts: { 'ns1.plain.com': ['192.0.2.53'], 'ns2.plain.com': ['192.0.2.54', '2001:db8::53'] },
      contacts: {
        owner: 'new@acme.example',
        admin: 'zoe@acme.example',
        tech: 'new@acme.example',
        billing: 'new@acme.example',
      },
    },
    'locked.com': {
      locked: true,
      privacyProtect: false,
      dnssec: null,
      nameservers: ['ns1.sandbox.example', 'ns2.sandbox.example'],
      hosts: {},
    },
  },
};

const story: Story = {
  name: 'a name with a change in every section',
  options: { scenario: 'registrar', workspace: WORKSPACE, files: { 'names/main.yaml': FILE } },
  run: async (one, extra) => (await one.apply({}, extra)).outcome,
  check: (one, where) => expect(one.sandbox.snapshot(), where).toMatchObject(STORE),
};

/** Billing is to keep the details that it has from the holder. */
const parting: Story = {
  ...story,
  name: 'a role that keeps the details of a holder who changes',
  options: {
    ...story.options,
    files: {
      'names/main.yaml': [
        manifest('DomainRegistration', 'plain.com', {
          contacts: { owner: { ref: 'Contact/new' }, billing: { ref: 'Contact/ada' } },
          confirmReverification: 'new@acme.example',
        }),
        manifest('Contact', 'new', { ...ADA, email: 'new@acme.example' }),
        manifest('Contact', 'ada', ADA),
      ].join('\n---\n'),
    },
  },
  check: (one, where) =>
    expect(one.sandbox.snapshot(), where).toMatchObject({
      registrations: {
        'plain.com': { process: null, contacts: { owner: 'new@acme.example', billing: 'ada@acme.example' } },
      },
    }),
};

describe.each([story, parting])('broken: $name', (each) => {
  it('by a death at any event', () => deathLoop(each));

  killLoop(each);
});

describe('every reading of what the documents leave open', () => {
  // Renewal, transfers away and what replaces a holder have their own tests.
  const elsewhere = /^(GAP-(12|53|55)|holderSource|violations)/;
  const general = Object.keys(AMBIGUITIES).filter((name) => /^(late|list|empty)/.test(name));
  const ambiguities = Object.entries(AMBIGUITIES)
    .filter(
      ([name]) => (Object.hasOwn(REGISTRATION_AMBIGUITIES, name) && !elsewhere.test(name)) || general.includes(name),
    )
    .flatMap(([gap, values]) => unusual(values).map((value) => [gap, value] as const));
  // A client can only send one form: under the other the platform refuses, and nothing is done.
  const stops: readonly string[] = ['roleKeys nested'];
  const copied: readonly string[] = ['holderShared split'];

  it.each(ambiguities)('%s = %s: converges, or stops and says so', async (gap, value) => {
    const harness = await openHarness({ ...story.options, ambiguities: { [gap]: value } });
    const one = harness;
    const name = `${gap} ${value}`;
    let { outcome } = await one.apply();
    // Where the registrar takes its time, every run does one more.
    for (let rounds = 0; rounds < 12 && outcome.exitCode === 3; rounds += 1) {
      one.sandbox.clock.advance(3 * 86_400_000);
      ({ outcome } = await one.apply());
    }
    if (stops.includes(name)) {
      expect(outcome, name).toMatchObject({
        exitCode: 6,
        actions: expect.arrayContaining([
          expect.objectContaining({ result: 'failed', reason: containing('sandbox_unknown_key') }),
        ]) as unknown[],
      });
      return;
    }
    expect(outcome, `${name}: ${JSON.stringify(outcome, null, 1)}`).toMatchObject({ exitCode: 0 });
    const { registrations } = STORE;
    const contacts = copied.includes(name)
      ? { ...registrations['plain.com'].contacts, billing: 'ada@acme.example' }
      : registrations['plain.com'].contacts;
    expect([...one.sandbox.creations.entries()].filter(([, times]) => times > 1)).toEqual([]);
    expect(isEmptyPlan(await one.planned())).toBe(true);
    expect(one.sandbox.snapshot()).toMatchObject({
      registrations: { ...registrations, 'plain.com': { ...registrations['plain.com'], contacts } },
    });
  });
});
