// The programs of examples/constructs: the YAML beside each is what `synth` makes of it, and the sandbox has no objection
// to what they declare. The other examples, which are YAML, are written as programs here, and plan to the same digest.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import agency from '../../examples/constructs/agency/hosting.ts';
import mail from '../../examples/constructs/company-mail/hosting.ts';
import stages from '../../examples/constructs/staging-and-production/hosting.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { parseYaml } from '../../src/manifest/read/parse.ts';
import { SourceText } from '../../src/manifest/read/source-text.ts';
import { applyInSandbox, planInSandbox, Template } from '../../src/testing/index.ts';
import { synthWorkspace } from '../../src/usecases/synth.ts';
import { openHarness } from '../support/open-harness.ts';
import { programTextOf } from '../support/program-text.ts';
import { programAccess } from '../support/processes/programs.ts';
import { isWhole } from '../support/whole.ts';

const examples = join(import.meta.dirname, '../../examples');

/** Returns a program that declares every manifest in a folder. */
function programOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  const parts = files.flatMap((file) =>
    parseYaml(new SourceText(file, readFileSync(join(folder, file), 'utf8'))).documents.flatMap(({ value }) => {
      const { kind, metadata, lifecycle, spec } = value as {
        readonly kind: string;
        readonly metadata: JsonObject & { readonly name: string };
        readonly lifecycle?: JsonObject;
        readonly spec: JsonObject;
      };
      if (kind === 'Workspace') return [];
      const { name, ...otherMetadata } = metadata ?? {};
      return [{ kind, name, props: { ...otherMetadata, ...(lifecycle && { lifecycle }), ...spec } }];
    }),
  );
  return programTextOf(parts);
}

/** What the sandbox has when an example begins, where its README does not say the usual one. */
const SCENARIOS: Readonly<Record<string, string>> = {
  'a-new-domain': 'registrar',
  'a-panel-account': 'panel',
  'a-registrar-clean-up': 'registrar',
  'a-shop-moving-its-domain': 'registrar',
  'an-agency-onboarding-a-client': 'panel',
  'fifty-sites-two-profiles': 'sites:50',
  'mail-for-a-company': 'mail',
  'mail-for-a-new-company': 'registrar',
  'shielded-shop': 'shield',
};
const inYaml = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['ci', 'constructs', 'terraform', 'worker'].includes(entry.name))
  .map(({ name }) => name)
  // Nothing differs from its manifests, so there is nothing to plan.
  .filter((name) => name !== 'what-nobody-declared');
// Each takes a process: two of them are enough for every day, one with profiles and one with references.
const planned = isWhole ? inYaml : ['fifty-sites-two-profiles', 'mail-for-a-new-company'];

describe('the examples in YAML', () => {
  it.each(planned)('%s plans to the same digest as a program', async (example) => {
    const scenario = SCENARIOS[example] ?? 'small';
    const harness = await openHarness({ example, scenario, ledger: true });
    const env = () => 'a-Secret-1-of-the-example';
    const yaml = await harness.plan({}, { env });
    expect(yaml.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(yaml.plan?.actions.length).toBeGreaterThan(0);
    await harness.write('hosting.ts', programOf(join(examples, example)));
    const program = await harness.plan({ paths: ['hosting.ts'] }, { env, programs: programAccess() });
    expect(program.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(program.plan?.digest).toBe(yaml.plan?.digest);
    // Each line of the plan leads to a line of the program.
    const placed = program.plan?.actions.filter(({ source }) => source !== undefined) ?? [];
    expect(new Set(placed.map(({ source }) => source?.file))).toEqual(new Set(['hosting.ts']));
  });
});

describe('the examples in TypeScript', () => {
  it.each(['agency', 'staging-and-production', 'company-mail'])('%s has the YAML that synth makes', async (name) => {
    const harness = await openHarness({ example: join('constructs', name) });
    const { changes, files, diagnostics } = await synthWorkspace(harness.session({ programs: programAccess() }), {
      check: true,
    });
    expect([changes, diagnostics]).toEqual([[], []]);
    expect(files).toBeGreaterThan(0);
  });

  it('an agency: clients get what they have in common, and nothing is left to do after an apply', async () => {
    const template = Template.fromApp(agency);
    template.count('Site', 3);
    template.has('Site', 'shop', { lifecycle: { protect: true }, caching: { cacheExpiration: 600, smartCache: true } });
    const { outcome, again } = await applyInSandbox(agency, { scenario: 'small', faults: ['429@4', 'reset-before@9'] });
    expect([outcome.outcome, again.actions]).toEqual(['done', []]);
  });

  it('a staging and a production account: only production is protected', async () => {
    Template.fromApp(stages, { account: 'acc-production' }).has('Site', 'shop', { lifecycle: { protect: true } });
    Template.fromApp(stages, { account: 'acc-staging' }).has('Site', 'shop', { lifecycle: undefined });
    for (const [account, isNew] of [
      ['acc-staging', true],
      // The sandbox's shop is in production.
      ['acc-production', false],
    ] as const) {
      const plan = await planInSandbox(stages, { account, scenario: 'small' });
      expect([plan.blocked, plan.unknown, plan.actions.length > 0]).toEqual([[], [], isNew]);
    }
  });

  it("a company's mailboxes: a new one is made with its first password", async () => {
    const { outcome, again } = await applyInSandbox(mail, { scenario: 'mail' });
    expect([outcome.outcome, again.actions]).toEqual(['done', []]);
  });
});
