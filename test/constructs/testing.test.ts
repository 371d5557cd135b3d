// What tests of programs get: templates, plans and applies in a sandbox in the same process.
import { describe, expect, it } from 'vitest';
import { Account, App, secret, Site, Mailspace } from '../../src/constructs/index.ts';
import { applyInSandbox, matchers, planInSandbox, Template } from '../../src/testing/index.ts';

const shop = (props = {}): App => {
  const app = new App();
  new Site(app, 'shop', { id: 'site-shop', caching: { cacheExpiration: 61 }, ...props });
  return app;
};

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
};

describe('Template', () => {
  it('counts, finds parts, and gives YAML', () => {
    const template = Template.fromApp(shop());
    template.count('Site', 1);
    template.has('Site', 'shop');
    template.has('Site', 'shop', { caching: { cacheExpiration: 61, smartCache: undefined } });
    expect(template.toYaml()).toBe(
      'apiVersion: hostwright/v1\nkind: Site\nmetadata:\n  name: shop\n  id: site-shop\nspec:\n  caching:\n    cacheExpiration: 61\n',
    );
  });

  it('says what the rules do with a request, of a site with what is accepted and tested', () => {
    const site = shop({
      domains: ['shop.example.com'],
      edgeRules: [
        {
          name: 'closed',
          triggers: [{ url: ['*'] }],
          action: { redirect: { to: 'https://status.example.com' } },
          accept: [{ code: 'HW2702', reason: 'The shop is closed until May.' }],
        },
      ],
      tests: [{ url: '/', expect: { redirect: 'https://status.example.com' } }],
    });
    const template = Template.fromApp(site);
    expect(template.trace('https://shop.example.com/x', { headers: { 'User-Agent': 'curl' } }).answer).toEqual({
      redirect: 'https://status.example.com',
    });
    expect(() => template.trace('https://nowhere.example/')).toThrow('No site of the program has the hostname');
  });

  it('says what is otherwise, as a diff, and where it was made', () => {
    const template = Template.fromApp(shop());
    expect(messageOf(() => template.count('Site', 3))).toBe(
      'Expected 3 manifests of the kind Site, and there is one: shop.',
    );
    expect(messageOf(() => template.has('Site', 'sohp'))).toBe('There is no Site `sohp`. There are: shop.');
    const message = messageOf(() => template.has('Site', 'shop', { caching: { cacheExpiration: 60 } }));
    expect(message.split('\n').slice(3)).toEqual([
      '',
      '  caching:',
      '-   cacheExpiration: 60',
      '+   cacheExpiration: 61',
    ]);
    expect(message).toMatch(/^Site `shop` at test\/constructs\/testing\.test\.ts:8:3 is not as expected:/);
  });

  it('looks for any manifest of a kind, and shows the nearest', () => {
    const app = shop();
    new Site(app, 'docs', { caching: { cacheExpiration: 60, cookieVaryParameters: ['a', 'b'] }, phpVersion: '8.3' });
    const template = Template.fromApp(app);
    template.has('Site', { caching: { cookieVaryParameters: expect.arrayContaining(['b']) as string[] } });
    const message = messageOf(() => template.has('Site', { phpVersion: '8.3', caching: { cacheExpiration: 62 } }));
    expect(message).toMatch(/^None of 2 manifests is as expected. The nearest: Site `docs` at .*testing\.test\.ts/);
    expect(template.all('Site', { caching: { cacheExpiration: 60 } }).map(({ name }) => name)).toEqual(['docs']);
    expect(template.find('Site', 'docs')?.caching?.cacheExpiration).toBe(60);
    expect(template.find('Site', 'other')).toBeUndefined();
  });

  it('has a matcher for runners that take those', () => {
    const { pass, message } = matchers.toHaveResource(shop(), 'Site', 'shop', { caching: { cacheExpiration: 61 } });
    expect([pass, message()]).toEqual([true, 'There is a Site `shop` with these props, and there should be none.']);
    expect(matchers.toHaveResource(Template.fromApp(shop()), 'Site').pass).toBe(true);
    expect(matchers.toHaveResource(shop(), 'Contact').message()).toBe(
      'There is no Contact. The program declares no Contact.',
    );
    const failed = matchers.toHaveResource(shop(), 'Site', { caching: { cacheExpiration: 60 } });
    expect([failed.pass, failed.message()]).toEqual([false, expect.stringContaining('+   cacheExpiration: 61')]);
  });

  it('throws at what is not valid, and asks which account is meant', () => {
    expect(messageOf(() => Template.fromApp(shop({ caching: { cacheExpiration: 'soon' } })))).toMatch(
      /testing\.test\.ts:8/,
    );
    const app = new App();
    for (const name of ['north', 'south']) new Site(new Account(app, name), 'shop', {});
    expect(messageOf(() => Template.fromApp(app))).toMatch(/north, south/);
    Template.fromApp(app, { account: 'south' }).count('Site', 1);
  });
});

describe('a sandbox in this process', () => {
  it('plans, and applies until nothing is left', async () => {
    const plan = await planInSandbox(shop());
    expect(plan.actions.map(({ address, verb }) => [address, verb])).toEqual([['Site/shop/Caching', 'update']]);
    const { outcome, again } = await applyInSandbox(shop());
    expect([outcome.outcome, again.actions]).toEqual(['done', []]);
  });

  it('meets accidents on the way, and waits in virtual time', async () => {
    const { outcome, again } = await applyInSandbox(shop(), { faults: ['429@3', 'reset-after@5'] });
    expect([outcome.outcome, again.actions]).toEqual(['done', []]);
    await expect(planInSandbox(shop(), { faults: ['nonsense@3'] })).rejects.toThrow(/no fault/);
  });

  it('has values for secrets, and the guards of the account', async () => {
    const app = new App();
    const account = new Account(app, 'acc-north', { guards: { allowCharges: 0 } });
    new Mailspace(account, 'shop.example.com', {
      mailboxes: [{ address: 'new@shop.example.com', password: secret.env('NEW_PASSWORD') }],
    });
    const { outcome } = await applyInSandbox(app, { scenario: 'mail' });
    expect(outcome.outcome).toBe('done');
  });
});
