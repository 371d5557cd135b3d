// Resource identity and list resources, as version 6.11 of the protocol has them. Terraform asks for identities from 1.12
// on, and for lists from 1.14 on (`terraform query`): an older one can be asked nothing, so the calls themselves are made.
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/terraform/value/convert.ts';
import type { Value, ValueObject } from '../../src/terraform/value/cty.ts';
import { decodeValue, encodeObject } from '../../src/terraform/value/cty.ts';
import type { CallName } from '../../src/terraform/wire/messages.ts';
import type { Message } from '../../src/terraform/wire/protobuf.ts';
import type { Core, CoreOptions } from '../support/terraform-core.ts';
import { openCore, tables } from '../support/terraform-core.ts';

const SITE = 'hostwright_site';
const fields = tables[SITE]?.fields ?? {};

interface Session extends Core {
  readonly call: (name: CallName, message: Message) => Promise<Message>;
}
async function open(options: CoreOptions = {}): Promise<Session> {
  const opened = await openCore(options);
  return { ...opened, call: async (name, message) => (await opened.ask(name, message))[0] ?? {} };
}

const state = (values: Value): Message => ({ msgpack: encodeObject(fields, values) });
const identity = (values: ValueObject): Message => ({
  identityData: {
    msgpack: encodeObject({ account: { attribute: { is: 'text' } }, id: { attribute: { is: 'text' } } }, values),
  },
});
const valueOf = (message: unknown): Value => {
  const { msgpack } = (message ?? {}) as { readonly msgpack?: Uint8Array };
  return msgpack === undefined ? null : decodeValue(msgpack);
};
const identityIn = (message: unknown): Value =>
  valueOf((message as { identityData?: unknown } | undefined)?.identityData);
const SHOP = { account: 'acc-acme', id: 'site-shop' };

describe('the identity of a resource', () => {
  it('has a schema for every type, and only the id is needed to import', async () => {
    const { call } = await open();
    const { identitySchemas } = await call('GetResourceIdentitySchemas', {});
    const schemas = identitySchemas as readonly { readonly key: string; readonly value: Message }[];
    expect(schemas.map(({ key }) => key)).toEqual(Object.keys(tables));
    for (const { value } of schemas)
      expect(value.identityAttributes).toMatchObject([
        { name: 'account', optionalForImport: true },
        { name: 'id', requiredForImport: true },
      ]);
  });

  it('is that of the object in an import by it, in each read, plan and apply', async () => {
    const { call } = await open();
    const { importedResources } = await call('ImportResourceState', { typeName: SITE, identity: identity(SHOP) });
    const [stub = {}] = importedResources as readonly Message[];
    expect(identityIn(stub.identity)).toEqual(SHOP);
    const read = await call('ReadResource', { typeName: SITE, currentState: stub.state, private: stub.private });
    expect(identityIn(read.newIdentity)).toEqual(SHOP);
    const now = valueOf(read.newState);
    if (!isObject(now)) throw new Error('it was not read');
    const generated = await call('GenerateResourceConfig', { typeName: SITE, state: read.newState });
    const config = valueOf(generated.config);
    expect(config).toMatchObject({ name: 'shop', id: null, status: null, php_version: now.php_version ?? null });
    const change = { typeName: SITE, priorState: read.newState, config: generated.config };
    const planned = await call('PlanResourceChange', {
      ...change,
      proposedNewState: state(now),
      priorPrivate: read.private,
      priorIdentity: read.newIdentity,
    });
    expect(valueOf(planned.plannedState)).toEqual(now);
    expect(identityIn(planned.plannedIdentity)).toEqual(SHOP);
    const applied = await call('ApplyResourceChange', {
      ...change,
      plannedState: planned.plannedState,
      plannedPrivate: planned.plannedPrivate,
      plannedIdentity: planned.plannedIdentity,
    });
    expect(applied.diagnostics ?? []).toEqual([]);
    expect(identityIn(applied.newIdentity)).toEqual(SHOP);
  });

  it('of another account is refused', async () => {
    const { call } = await open();
    const other = identity({ account: 'acc-other', id: 'site-shop' });
    const refused = await call('ImportResourceState', { typeName: SITE, identity: other });
    expect(JSON.stringify(refused)).toContain('HW7014');
    expect(refused.importedResources ?? []).toEqual([]);
  });

  it('is there once what was ordered has an id, and not before', async () => {
    const bought = {
      name: 'new',
      display_name: 'New',
      plan: 'pro',
      order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
    };
    const { call, plan, run, stored } = await open({ ledger: true, provider: { guards: { allow_charges: 1 } } });
    const planned = await plan(SITE, 'new', bought);
    const again = await call('PlanResourceChange', {
      typeName: SITE,
      priorState: state(null),
      proposedNewState: state(planned.planned),
      config: state(planned.config),
    });
    expect(again.plannedIdentity).toBeUndefined();
    await run(SITE, 'new', bought);
    const now = stored.get('new');
    const read = await call('ReadResource', {
      typeName: SITE,
      currentState: state(now?.state ?? null),
      private: now?.private ?? Buffer.alloc(0),
    });
    expect(identityIn(read.newIdentity)).toEqual({ account: 'acc-acme', id: now?.state.id });
  });

  it('that a state has is read as it was written', async () => {
    const { call } = await open();
    const rawIdentity = { json: Buffer.from(JSON.stringify(SHOP)) };
    const { upgradedIdentity } = await call('UpgradeResourceIdentity', { typeName: SITE, version: 0, rawIdentity });
    expect(identityIn(upgradedIdentity)).toEqual(SHOP);
  });
});

describe('a list resource', () => {
  it('gives each live object with its identity, as many as are wanted', async () => {
    const { ask } = await open();
    const found = await ask('ListResource', { typeName: SITE });
    expect(found.map((one) => [one.displayName, identityIn(one.identity)]).sort()).toEqual(
      ['blog', 'docs', 'shop'].map((name) => [name, { account: 'acc-acme', id: `site-${name}` }]),
    );
    expect(found.every(({ resourceObject }) => resourceObject === undefined)).toBe(true);
    expect(await ask('ListResource', { typeName: SITE, limit: 2 })).toHaveLength(2);
  });

  it('gives all of each object where that is asked for, which is what an import has', async () => {
    const { ask, import: imported, stored } = await open();
    const found = await ask('ListResource', { typeName: SITE, includeResourceObject: true });
    await imported(SITE, 'shop', 'site-shop');
    expect(found.map((one) => valueOf(one.resourceObject))).toContainEqual(stored.get('shop')?.state);
  });

  it('is an error where the list could not be read, and nothing where the feature is off', async () => {
    const { ask, harness, restart } = await open();
    expect(await ask('ListResource', { typeName: 'hostwright_panel_account' })).toEqual([]);
    harness.sandbox.setFaults([{ kind: 'status-before', status: 500, match: { method: 'GET', path: '/api/sites' } }]);
    await restart();
    const found = await ask('ListResource', { typeName: SITE });
    expect(JSON.stringify(found)).toContain('HW7026');
    harness.sandbox.setFaults([]);
    await restart();
    expect(await ask('ListResource', { typeName: SITE })).toHaveLength(3);
  });
});
