// The whole life of each resource: applied, nothing left to plan, the same account as by a manifest, changed behind the
// back, seen by a refresh, healed, imported to nothing, destroyed as `deletion` says. In one process always, with the real
// Terraform where everything is played.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { fromManifest } from '../../src/terraform/value/convert.ts';
import type { ValueObject } from '../../src/terraform/value/cty.ts';
import { manifest } from '../support/manifests.ts';
import { openHarness } from '../support/open-harness.ts';
import { openCore, tables } from '../support/terraform-core.ts';
import { newLedger, noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';

interface Life {
  readonly type: string;
  readonly scenario: string;
  /** `metadata.name` of the manifest, and what an import finds it by. */
  readonly name: string;
  readonly id: string;
  readonly spec: JsonObject;
  /** Somebody else changes what the configuration says. */
  readonly change: (state: Sandbox['state']) => void;
  /** What a refresh sees then. */
  readonly seen: ValueObject;
  /** The platform has no call that changes it: it is seen, and stays. */
  readonly stays?: true;
  readonly deletion: 'delete' | 'abandon';
  /** It has no natural key: it is imported, and not adopted. */
  readonly isImported?: true;
}

const LIVES: readonly Life[] = [
  {
    type: 'hostwright_site',
    scenario: 'small',
    name: 'shop',
    id: 'site-shop',
    spec: { domains: ['shop.example.com'], caching: { cacheExpiration: 7200 } },
    change: ({ sites }) => {
      const site = sites.get('site-shop');
      if (site !== undefined) site.cdn.caching.cache_expiration = 5;
    },
    seen: { caching: { cache_expiration: 5 } },
    deletion: 'delete',
  },
  {
    type: 'hostwright_mailspace',
    scenario: 'mail',
    name: 'shop.example.com',
    id: 'mail-shop',
    spec: { mailboxes: [{ address: 'cleo@shop.example.com', displayName: 'Cleo V' }] },
    change: ({ mail }) => {
      for (const space of mail.spaces.values())
        for (const one of space.mailboxes) if (one.email === 'cleo@shop.example.com') one.displayName = 'Somebody';
    },
    seen: { mailboxes: { 'cleo@shop.example.com': { display_name: 'Somebody' } } },
    deletion: 'abandon',
  },
  {
    type: 'hostwright_domain_registration',
    scenario: 'registrar',
    name: 'plain.com',
    id: 'plain.com',
    spec: { autoRenew: false },
    change: ({ registrar }) => {
      for (const one of registrar.registrations.values()) if (one.name === 'plain.com') one.autoRenew = true;
    },
    seen: { auto_renew: true },
    deletion: 'abandon',
  },
  {
    type: 'hostwright_nameservers',
    scenario: 'registrar',
    name: 'plain.com',
    id: 'plain.com',
    spec: { nameservers: ['ns1.elsewhere.example', 'ns2.elsewhere.example'] },
    change: ({ registrar }) => {
      for (const one of registrar.registrations.values())
        if (one.name === 'plain.com') one.nameservers = ['ns1.other.example', 'ns2.other.example'];
    },
    seen: { nameservers: ['ns1.other.example', 'ns2.other.example'] },
    deletion: 'abandon',
  },
  {
    type: 'hostwright_panel_account',
    scenario: 'panel',
    name: 'shop',
    id: 'acmeshop',
    spec: { package: 'pro' },
    change: ({ panel }) => {
      const account = panel.accounts.get('acmeshop');
      for (const one of [account?.local, account?.mirror]) if (one) one.packageCode = 'M';
    },
    seen: { package: 'basic' },
    deletion: 'delete',
    isImported: true,
  },
  {
    type: 'hostwright_user',
    scenario: 'small',
    name: 'rob',
    id: 'user-rob',
    spec: { email: 'rob@acme.example', fname: 'Rob', lname: 'Reader' },
    change: ({ users }) => {
      const rob = users.get('user-rob');
      if (rob !== undefined) rob.lastName = 'Writer';
    },
    // No call changes a user (USR-05).
    seen: { lname: 'Writer' },
    stays: true,
    deletion: 'abandon',
  },
];

const GUARDS = { allow_deletes: 50, allow_charges: 50 };

/** The resource with what its manifest says, and nothing else. */
function configOf({ type, name, spec, isImported }: Life): Readonly<Record<string, unknown>> {
  const table = tables[type];
  if (table === undefined) throw new Error(`no resource ${type}`);
  const values = fromManifest(table.fields, spec, null);
  const said = Object.entries(values).filter(([, value]) => value !== null);
  return {
    ...withoutNulls(Object.fromEntries(said)),
    [table.part?.name ?? 'name']: name,
    ...(table.part === undefined && isImported === undefined && { adopt: true }),
  };
}

function withoutNulls(values: object): object {
  return JSON.parse(JSON.stringify(values), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))
      : value,
  ) as object;
}

/** What is there; not how often something was done to get there. */
function accountOf({ snapshot }: Pick<Sandbox, 'snapshot'>): object {
  const { tasks: _tasks, ...account } = snapshot() as { readonly tasks: unknown };
  return account;
}

/** The account after an apply of the manifest. */
async function byManifest({ type, scenario, name, id, spec }: Life): Promise<unknown> {
  const kind = tables[type]?.kind ?? '';
  const yaml = await openHarness({
    scenario,
    ledger: true,
    files: { 'sites/it.yaml': manifest(kind, name, spec, name === id ? {} : { id }) },
  });
  const { outcome } = await yaml.apply({ allowDeletes: 50, allowCharges: 50 });
  expect(['done', 'waiting'], JSON.stringify(outcome.diagnostics)).toContain(outcome.outcome);
  return accountOf(yaml.sandbox);
}

describe.each(LIVES)('$type', (life) => {
  const { type, scenario, id, change, seen, stays, deletion, isImported } = life;
  const config = configOf(life);
  const isPart = tables[type]?.part !== undefined;

  it('lives as its configuration says', async () => {
    const core = await openCore({ scenario, ledger: true, provider: { guards: GUARDS } });
    const { run, plan, refresh, stored, harness } = core;
    if (isImported) await core.import(type, 'it', id);
    const applied = await run(type, 'it', config);
    expect(applied.failed, applied.said.join('\n')).toBe(false);
    expect((await plan(type, 'it', config)).changes).toBe(false);
    const wanted = await byManifest(life);
    expect(accountOf(harness.sandbox)).toEqual(wanted);

    change(harness.sandbox.state);
    await refresh(type, 'it');
    expect(stored.get('it')?.state).toMatchObject(seen);
    const healed = await run(type, 'it', config);
    expect(healed.failed, healed.said.join('\n')).toBe(stays !== undefined);
    if (stays === undefined) {
      expect(healed.changes).toBe(true);
      expect(accountOf(harness.sandbox)).toEqual(wanted);
      expect((await plan(type, 'it', config)).changes).toBe(false);
    }

    stored.delete('it');
    await core.import(type, 'it', id);
    const imported = stored.get('it')?.state as ValueObject;
    expect((await plan(type, 'it', imported)).changes).toBe(false);
    // The words of the configuration are taken over, though nothing can be done about what differs.
    if (stays) {
      expect((await run(type, 'it', { ...config, on_blocked: 'warn' })).failed).toBe(false);
      expect(stored.get('it')?.state.status).toBe('incomplete');
    }

    if (deletion === 'delete') {
      expect((await run(type, 'it', null)).said.join()).toContain('! HW7004');
      expect((await run(type, 'it', { ...config, deletion })).failed).toBe(false);
    }
    const before = harness.sandbox.snapshot();
    const gone = await run(type, 'it', null);
    expect(gone.failed, gone.said.join('\n')).toBe(false);
    expect(stored.has('it')).toBe(false);
    if (deletion === 'abandon') expect(harness.sandbox.snapshot()).toEqual(before);
    else expect(harness.sandbox.snapshot()).not.toEqual(before);
  });

  it.skipIf(noTerraform !== undefined || !isWhole)(
    'lives as its configuration says, with the real Terraform',
    async () => {
      const provider = { hostwright: { guards: GUARDS, ledger: { file: 'ledger' } } };
      const file = (more: object, values: object | undefined): Readonly<Record<string, string>> => ({
        'main.tf.json': JSON.stringify({
          provider,
          ...(values !== undefined && { resource: { [type]: { it: values } } }),
          ...more,
        }),
      });
      const block = { import: { to: `${type}.it`, id } };
      const folder = await openTerraform(
        { ...file(isImported ? block : {}, config), ledger: await newLedger() },
        { scenario, hooks: { before: () => goOn() } },
      );
      // What takes the platform time is done after some requests: the panel takes minutes.
      const goOn = () => folder.sandbox.clock.advance(type === 'hostwright_panel_account' ? 60_000 : 3000);
      const { run, write, sandbox } = folder;
      const APPLY = ['apply', '-input=false', '-auto-approve'];
      const PLAN = ['plan', '-input=false', '-detailed-exitcode'];
      const ends = async (code: number, args: readonly string[]): Promise<string> => {
        const ran = await run(args);
        expect(ran.code, ran.printed).toBe(code);
        return ran.printed;
      };
      await ends(0, APPLY);
      await write(file({}, config));
      await ends(0, PLAN);
      const wanted = await byManifest(life);
      expect(accountOf(sandbox)).toEqual(wanted);

      change(sandbox.state);
      const [field = ''] = Object.keys(seen);
      expect(await ends(2, ['plan', '-input=false', '-refresh-only', '-detailed-exitcode'])).toContain(field);
      await ends(stays === undefined ? 0 : 1, APPLY);
      if (stays === undefined) {
        expect(accountOf(sandbox)).toEqual(wanted);
        await ends(0, PLAN);
      }

      await ends(0, ['state', 'rm', `${type}.it`]);
      await write(file(block, undefined));
      await ends(2, [...PLAN, '-generate-config-out=generated.tf']);
      await ends(0, APPLY);
      await ends(0, PLAN);

      // What was imported whole would lose what the configuration does not name: it begins anew.
      await ends(0, ['state', 'rm', `${type}.it`]);
      await rm(join(folder.folder, 'generated.tf'));
      await write(file(isImported ? block : {}, { ...config, ...(stays && { on_blocked: 'warn' }) }));
      await ends(0, APPLY);
      if (deletion === 'delete') {
        expect(await ends(1, ['destroy', '-input=false', '-auto-approve'])).toContain('HW7004');
        await write(file({}, { ...config, deletion }));
        await ends(0, APPLY);
      }
      const before = sandbox.snapshot();
      await ends(0, ['destroy', '-input=false', '-auto-approve']);
      if (deletion === 'abandon' || isPart) expect(sandbox.snapshot()).toEqual(before);
      else expect(sandbox.snapshot()).not.toEqual(before);
    },
  );
});
