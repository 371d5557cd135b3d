// Plans as a reviewer sees them, word for word. Read a changed file before you accept it: it is the product's face.
import { describe, expect, it } from 'vitest';
import { renderPlanJson } from '../../src/report/json/index.ts';
import { withoutPersonal } from '../../src/report/view/personal.ts';
import type { HarnessOptions } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { planCommands, planMarkdown, planText } from '../support/reports.ts';
import { findSchemaProblem } from '../support/written-schemas.ts';

/** Programs read JSON, and the schema says what they find there: one small plan shows people. */
const READ_AS_JSON = 'caching-only';
/** What `--verbose` adds is the same everywhere: these have every sort of step. */
const READ_VERBOSE = ['hardened-shop', 'moving-a-domain', 'a-registrar-clean-up', 'in-the-way'];
/** Other forms say what the text says, in another layout: these have every sort of block. */
const READ_IN_ALL_FORMS = [
  'hardened-shop',
  'shielded-shop',
  'sender-identity',
  'new-primary-domain',
  'a-registrar-clean-up',
  'in-the-way',
];

describe.each([
  ['small-agency'],
  ['new-primary-domain'],
  ['caching-only'],
  ['hardened-shop'],
  ['a-site-from-nothing'],
  ['sender-identity'],
  ['moving-a-domain'],
  ['shielded-shop', 'shield'],
  ['mail-for-a-company', 'mail'],
  ['a-panel-account', 'panel'],
  ['an-agency-onboarding-a-client', 'panel'],
  ['a-new-domain', 'registrar'],
  ['a-registrar-clean-up', 'registrar'],
])('the plan of %s', (example, scenario = 'small') => {
  it('reads as it did', () => expectFiles(example, { example, scenario }));
});

describe('the plan of sites that cannot all be changed', () => {
  const site = (name: string): string =>
    `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name}, id: site-${name} }\nspec:\n  phpVersion: "8.2"\n  caching: { cacheExpiration: 60 }\n`;
  const all = ['healthy', 'suspended', 'leaving', 'locked', 'view-only', 'no-cdn', 'cdn-off', 'cdn-down']
    .map(site)
    .join('---\n');
  it('reads as it did', () => expectFiles('in-the-way', { files: { 'sites/all.yaml': all }, scenario: 'guards' }));
});

async function expectFiles(name: string, options: HarnessOptions): Promise<void> {
  const harness = await openHarness(options);
  const plan = await harness.planned();
  await expect(`${planText(plan)}\n`).toMatchFileSnapshot(`${name}.txt`);
  if (READ_VERBOSE.includes(name))
    await expect(`${planText(plan, { verbose: true })}\n`).toMatchFileSnapshot(`${name}.verbose.txt`);
  const json = renderPlanJson(plan, { outcome: 'differences', diagnostics: [] });
  if (name === READ_AS_JSON) await expect(`${json}\n`).toMatchFileSnapshot(`${name}.json`);
  expect(findSchemaProblem(JSON.parse(json))).toBeUndefined();
  if (!READ_IN_ALL_FORMS.includes(name)) return;
  await expect(`${planText(plan, { concise: true })}\n`).toMatchFileSnapshot(`${name}.concise.txt`);
  const shared = withoutPersonal(plan);
  await expect(`${planMarkdown(shared)}\n`).toMatchFileSnapshot(`${name}.md`);
  await expect(`${planCommands(shared).join('\n')}\n`).toMatchFileSnapshot(`${name}.github.txt`);
}
