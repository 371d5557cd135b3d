// Each example, said as a configuration of Terraform: it ends with the same account, and then nothing is left to plan.
import { describe, expect, it } from 'vitest';
import { addressOf } from '../../src/model/address.ts';
import { fromManifest } from '../../src/terraform/value/convert.ts';
import { openWorkspace } from '../../src/usecases/workspace.ts';
import { openHarness } from '../support/open-harness.ts';
import { openCore, tables } from '../support/terraform-core.ts';

const TYPES = Object.entries(tables).filter(([, { part }]) => part === undefined);
const GUARDS = { allow_deletes: 50, allow_charges: 50 };

describe.each([
  ['small-agency', 'small'],
  ['new-primary-domain', 'small'],
  ['caching-only', 'small'],
  ['hardened-shop', 'small'],
  ['a-site-from-nothing', 'small'],
  ['sender-identity', 'small'],
  ['shielded-shop', 'shield'],
  ['mail-for-a-company', 'mail'],
  ['a-panel-account', 'panel'],
  ['an-agency-onboarding-a-client', 'panel'],
  ['a-new-domain', 'registrar'],
])('%s', (example, scenario) => {
  it('comes to what its manifests come to', async () => {
    const yaml = await openHarness({ example, scenario, ledger: true });
    const env = (name: string): string => `value of ${name}`;
    const { outcome } = await yaml.apply({ allowDeletes: 50, allowCharges: 50 }, { env });
    const { manifests, workspace } = await openWorkspace(yaml.session(), []);
    const secrets = { env: workspace?.secrets.env ?? [], files: workspace?.secrets.files ?? [] };
    const core = await openCore({
      example,
      scenario,
      ledger: true,
      provider: { guards: GUARDS, secrets: { ...secrets, keep: workspace?.secrets.keep ?? [] } },
      session: { env },
    });
    const resources = TYPES.flatMap(([type, table]) =>
      manifests
        .filter(({ kind }) => kind === table.kind)
        .map(({ kind, name, id, spec, lifecycle }) => ({
          type,
          id,
          isGone: lifecycle.state === 'absent',
          address: addressOf(null, kind, name),
          config: { ...fromManifest(table.fields, spec, null), name, adopt: true },
        })),
    );
    for (const { type, address, config, id, isGone } of resources) {
      if (id !== undefined) await core.import(type, address, id);
      const wanted = isGone ? { name: config.name, deletion: 'delete' } : config;
      expect(await core.validate(type, wanted)).toEqual([]);
      const { failed, said } = await core.run(type, address, wanted);
      expect(failed, said.join('\n')).toBe(false);
      if (isGone) expect(await core.run(type, address, null)).toMatchObject({ failed: false });
    }
    expect(core.harness.sandbox.snapshot()).toEqual(yaml.sandbox.snapshot());
    for (const { type, address, config } of resources.filter(({ isGone }) => !isGone)) {
      const { changes, said, failed, planned } = await core.plan(type, address, config);
      expect(failed, said.join('\n')).toBe(false);
      if (outcome.outcome === 'done')
        expect(changes, JSON.stringify([planned, core.stored.get(address)?.state])).toBe(false);
    }
  });
});
