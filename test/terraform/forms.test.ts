// What an edge rule does and looks at: a word in `type` with what it takes beside it. The manifest has a key for each word;
// an attribute for each would be null in all but one, in every rule of every state.
import { expect, it } from 'vitest';
import type { Core, CoreOptions } from '../support/terraform-core.ts';
import { openCore } from '../support/terraform-core.ts';
import { UNKNOWN } from '../../src/terraform/value/cty.ts';

const open = (options: CoreOptions = {}): Promise<Core> =>
  openCore({ provider: { guards: { allow_deletes: 50 } }, ...options });

const SITE = 'hostwright_site';
const rule = (action: object, trigger: object = { type: 'url', patterns: ['*/old/*'] }) => ({
  name: 'shop',
  adopt: true,
  domains: { 'shop.example.com': {} },
  edge_rules: [{ name: 'old', action, triggers: [trigger] }],
});
const redirect = { type: 'redirect', to: 'https://shop.example.com/new', status: 308 };

it('is carried out, planned to nothing, seen when it was changed, and healed', async () => {
  const it = await open();
  const { run, plan, refresh, stored, harness } = it;
  const config = rule(redirect, { type: 'status_code', none: ['404', '410'] });
  expect(await run(SITE, 'it', config)).toMatchObject({ failed: false });
  const site = harness.sandbox.state.sites.get('site-shop');
  const live = site?.edgeRules.find(({ Description }) => Description === 'old');
  expect(live).toMatchObject({ ActionType: 1, ActionParameter1: redirect.to, ActionParameter2: '308' });
  expect(live?.Triggers).toMatchObject([{ PatternMatches: ['404', '410'] }]);
  expect((await plan(SITE, 'it', config)).changes).toBe(false);
  if (live !== undefined) live.ActionParameter2 = '301';
  await refresh(SITE, 'it');
  expect(stored.get('it')?.state).toMatchObject({ edge_rules: [{ action: { ...redirect, status: 301 } }] });
  if (live !== undefined) Object.assign(live, { ActionType: 4, ActionParameter1: null, ActionParameter2: null });
  await refresh(SITE, 'it');
  expect(stored.get('it')?.state).toMatchObject({
    edge_rules: [{ action: { type: 'block', to: null, status: null } }],
  });
  expect(await run(SITE, 'it', config)).toMatchObject({ failed: false, changes: true });
  expect((await plan(SITE, 'it', config)).changes).toBe(false);
});

it('EDG-02: a type of the platform stays as it is written', async () => {
  const { run, plan, stored } = await open();
  const config = rule({ type: 'BlockRequest' }, { type: 'Url', match: 'none', patterns: ['*/old/*'] });
  expect(await run(SITE, 'it', config)).toMatchObject({ failed: false });
  expect((await plan(SITE, 'it', config)).changes).toBe(false);
  expect(stored.get('it')?.state).toMatchObject({ edge_rules: [{ action: { type: 'BlockRequest' } }] });
});

it.each([
  ['a word that nobody knows', rule({ type: 'redirct', to: redirect.to }), 'redirect'],
  ['what the word does not take', rule({ ...redirect, seconds: 5 }), 'seconds'],
  ['what the word needs', rule({ type: 'redirect' }), 'to'],
  ['what a type of the platform does not take', rule({ type: 'Redirect', to: redirect.to }), '`force_ssl`'],
  ['a status that is no number', rule(redirect, { type: 'status_code', patterns: ['x'] }), 'whole number'],
])('is refused before anything is asked: %s', async (_what, config, said) => {
  const { validate } = await open();
  const problems = await validate(SITE, config);
  expect(problems.join('\n')).toContain(said);
});

it('names the place of what is wrong in words, and what the language has for it', async () => {
  const { validate } = await open();
  const wordsOf = await validate(SITE, rule({ type: 'redirekt' }));
  expect(wordsOf.join()).toContain(
    'edge_rules[0] "old".action: `type` cannot be `redirekt`. Did you mean `redirect`? Allowed: `redirect`, `force_ssl`,',
  );
  const unlike = (await validate(SITE, rule({ type: 'nonsense' }))).join();
  expect(unlike).toContain('.action: `type` cannot be `nonsense`. Allowed: `redirect`, `force_ssl`,');
  expect(unlike).not.toContain('the field');
  const of = async (contact: object): Promise<string> =>
    (await validate('hostwright_domain_registration', { name: 'a.example', contacts: { owner: contact } })).join();
  expect(await of({ country: 'Holland' })).toContain('contacts.owner.country: `country` cannot be (personal)');
  expect(await of({ extra_properties: 'text' })).toContain(
    'contacts.owner.extra_properties: `extra_properties` has to be JSON of an object: write `jsonencode({ ... })`',
  );
});

it('waits for a value that is not known yet', async () => {
  const { validate, plan } = await open();
  for (const action of [{ ...redirect, to: UNKNOWN }, { type: UNKNOWN }]) {
    expect(await validate(SITE, rule(action))).toEqual([]);
    expect(await plan(SITE, 'it', rule(action))).toMatchObject({ failed: false, planned: { actions: UNKNOWN } });
  }
});
