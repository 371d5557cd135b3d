// The kind of a user by itself: how it is known, what is sent, what is refused, what a list that shows nothing says.
import { describe, expect, it } from 'vitest';
import { user } from '../../../src/areas/user/kinds/index.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { ReadContext } from '../../../src/model/kind/kind.ts';
import { NOTHING_WANTED } from '../../../src/model/kind/kind.ts';
import { normaliseSpec } from '../../../src/model/kind/normalise.ts';
import { ShapeError } from '../../../src/model/kind/rows.ts';
import { wantRoots } from '../../support/desired.ts';

const spec = { email: 'jo@a.example', fname: 'Jo', lname: 'Doe' };
const whole = {
  ...spec,
  companyName: 'A',
  locale: 'nl',
  billingTerm: 'annual',
  setResellerBillingPlanId: 12,
  credentialsTo: { file: 'credentials/a.json' },
};
const context: ReadContext = {
  account: 'acc-1',
  parent: null,
  declared: wantRoots(user, []),
  owned: new Set(),
  answers: {},
};

describe('a user', () => {
  it('USR-01: is decoded by what the platform shows, null being no value', () => {
    const decode = (row: JsonObject) => user.decode({ list: [row] }, context);
    expect(decode({ id: 'u1', ...spec, email: 'Jo@A.example', locale: null, account_brand_id: 1 })).toEqual([
      { id: 'u1', spec: { ...spec, email: 'Jo@A.example' }, keys: [['jo@a.example']] },
    ]);
    expect(() => decode({ id: 'u1', email: null })).toThrow(ShapeError);
    expect(() => decode({ id: 7, email: 'a@b.nl' })).toThrow(ShapeError);
  });

  it('USR-06: is known by its address in any letter case', () => {
    expect(user.keys?.('a', { email: 'JO@A.Example' })).toEqual([['jo@a.example']]);
    expect(user.keys?.('a', {})).toEqual([]);
    expect([normaliseSpec(user, { email: ' JO@A.Example' }), normaliseSpec(user, { fname: 'Jo' })]).toEqual([
      { email: 'jo@a.example' },
      { fname: 'Jo' },
    ]);
  });

  it('USR-07: is written down as it is shown, without a language that no manifest takes, under no name of a person', () => {
    const live = (locale?: string) => ({ spec: { ...spec, ...(locale !== undefined && { locale }) }, computed: {} });
    expect([
      user.manifest?.item?.(live('nl')),
      user.manifest?.item?.(live('fr')),
      user.manifest?.item?.(live()),
    ]).toEqual([{ ...spec, locale: 'nl' }, spec, spec]);
    expect(user.manifest?.file?.called({ id: 'u1', identity: spec.email, keys: [[spec.email]], ...live() })).toEqual(
      [],
    );
  });

  it('GAP-56: is recalled as it was made, where no list shows it', () => {
    expect(user.capabilities.fromLedger?.decode({ id: 'u1', applied: whole })).toEqual({
      id: 'u1',
      spec: { ...spec, locale: 'nl' },
      keys: [['jo@a.example']],
    });
    expect(user.capabilities.fromLedger?.decode({ id: 'u1', applied: {} })).toEqual({ id: 'u1', spec: {}, keys: [] });
  });

  it('USR-02, USR-03: is not made without an address, both names and a place for its credentials', () => {
    const refuse = (desired: JsonObject) => user.create?.refuse?.(desired, null, NOTHING_WANTED)?.rule ?? null;
    expect(refuse(whole)).toBeNull();
    expect(refuse(spec)).toBe('USR-03');
    for (const field of ['email', 'fname', 'lname'])
      expect(refuse(Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field)))).toBe('USR-02');
  });

  it('USR-03: whose credentials were lost is remarked on as long as a place for them is declared', () => {
    const notices = (desired: JsonObject, outputs: Readonly<Record<string, string>>) =>
      user.notices?.({ spec, computed: {} }, desired, outputs).map(({ code }) => code);
    expect(notices(whole, { kept: 'lost' })).toEqual(['HW2009']);
    expect([notices(whole, { kept: 'whole' }), notices(whole, {}), notices(spec, { kept: 'lost' })]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('claims its address and its file', () => {
    const claims = (declared: JsonObject) => user.section.expand(declared)[0]?.claims;
    expect(claims(whole)).toEqual([
      { namespace: 'address of a user', name: 'jo@a.example' },
      { namespace: 'file for credentials', name: 'credentials/a.json' },
    ]);
    expect(claims({ fname: 'Jo' })).toEqual([]);
  });
});
