// Every field that can be changed, changed behind the program's back: it is found, named alone, and repaired.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import { changeField, FIELD_STORIES } from '../support/field-stories.ts';
import type { Harness } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import { converge } from '../support/open-harness.ts';

/** Fields whose change takes more than an apply, and where that is seen. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'Site/plan': 'a charge: sessions/site/orders.test.ts',
  'Shield/enabled': 'a charge: sessions/shield/shield.test.ts',
  'Shield/plan': 'a charge: sessions/shield/shield.test.ts',
  'ShieldCustomRule/name': 'the identity: sessions/site/renames.test.ts',
  'ShieldRateLimit/name': 'the identity: sessions/site/renames.test.ts',
  'ShieldRateLimit/configuration': 'may hold any key: sessions/shield/known-names.test.ts',
  'ShieldAccessList/name': 'the identity: sessions/site/renames.test.ts',
  'EdgeRule/name': 'the identity: sessions/site/renames.test.ts',
  'EdgeRule/orderIndex': 'goes by the whole list: sessions/cdn/edge-rules.test.ts',
  'Mailbox/deletion': 'comes and goes: sessions/mail/mail-edges.test.ts',
  'MailAlias/target': 'removed and made again: sessions/mail/mail.test.ts',
  'RegistrationOwner/firstName': 'another holder takes a consent: sessions/registration/registration-sections.test.ts',
  'RegistrationOwner/lastName': 'another holder takes a consent: sessions/registration/registration-sections.test.ts',
  'RegistrationOwner/organization':
    'another holder takes a consent: sessions/registration/registration-sections.test.ts',
  'RegistrationOwner/email': 'has to be confirmed: sessions/registration/registration-sections.test.ts',
  'RegistrationOwner/extraProperties': 'others are kept: sessions/registration/registration-sections.test.ts',
  'PanelAccount/package': 'a charge: sessions/panel/panel.test.ts',
};

describe.each(Object.entries(FIELD_STORIES))('%s', (_name, story) => {
  const { root, options, rows, kept } = story;
  let one: Harness;
  beforeAll(async () => {
    one = await startHarness(options);
    await converge(one, { allowCharges: 1 });
  });
  afterAll(() => one.close());

  it.each(rows)('%s %s: drift is found, named alone, and repaired', async (...row) => {
    const [object, fields] = row;
    const { sandbox } = one;
    const before = JSON.stringify(kept(sandbox));
    changeField(sandbox, story, row);
    const { actions } = await one.planned();
    expect(
      actions.map(({ address, verb, changes }) => [address, verb, changes.map(({ path }) => path).sort()]),
    ).toEqual([
      [
        object === '' ? root : `${root}/${object}`,
        'update',
        fields
          .split(' ')
          .map((field) => `/${field}`)
          .sort(),
      ],
    ]);
    await converge(one);
    expect(JSON.stringify(kept(sandbox))).toBe(before);
  });
});

it('no field that can be changed is left out', () => {
  const changed = Object.values(FIELD_STORIES).flatMap(({ root, rows }) =>
    rows.flatMap(([object, fields]) =>
      fields.split(' ').map((field) => [(object || root).split('/')[0], field.split('/')[0]].join('/')),
    ),
  );
  const updatable = [...registry.values()].flatMap(({ kind, fields }) =>
    Object.entries(fields).flatMap(([field, { rule: how }]) => (how === 'updatable' ? [`${kind}/${field}`] : [])),
  );
  expect([...new Set([...changed, ...Object.keys(ELSEWHERE)])].sort()).toEqual(updatable.sort());
});
