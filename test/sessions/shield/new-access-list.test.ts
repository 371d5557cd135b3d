// A new access list needs a person: what it does is set in the dashboard. Plan, outcome and the chapter say so, and the
// chapter's way to block a country needs nobody.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../support/processes/command.ts';
import { openHarness } from '../../support/open-harness.ts';

async function start(name: string, id: string, spec: string) {
  const site = `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name}, id: ${id} }\nspec:\n${spec}`;
  const one = await openHarness({
    scenario: name === 'shop' ? 'small' : 'shield',
    files: { 'sites/one.yaml': site },
  });
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { cwd: one.root, url: one.sandbox.url });
    return { code, text: stdout + stderr };
  };
  return { one, run };
}

const TOLD = 'HW2046: The action of an access list is set in the dashboard';

it('SHD-21: is said by the plan and by the outcome of each new list, and not of one that is there', async () => {
  const { run } = await start(
    'premium',
    'site-premium',
    '  shield:\n    accessLists: [ { name: Blocked countries, type: country, content: [KP] } ]\n',
  );
  const plan = await run('plan');
  expect(plan.text).toContain(TOLD);
  const applied = await run('apply', '--yes', '--allow-deletes', '9');
  expect(applied.code, applied.text).toBe(0);
  // Once in the plan that it shows, and once where it has ended.
  expect(applied.text.split(TOLD)).toHaveLength(3);
  expect((await run('plan')).text).not.toContain('HW2046');
});

it('is not needed for what the chapter writes to block a country', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/manifests/shield.md'), 'utf8');
  const [, lines] = /To block a country[^]*?```yaml\n([^]*?) *```/.exec(page) as unknown as [string, string];
  const { one, run } = await start('shop', 'site-shop', lines);
  const applied = await run('apply', '--yes', '--allow-deletes', '9');
  expect(applied.code, applied.text).toBe(0);
  expect(applied.text).not.toContain('HW2046');
  const rule = one.sandbox.state.sites
    .get('site-shop')
    ?.edgeRules.find(({ Description }) => Description === 'Blocked countries');
  expect(rule).toMatchObject({ ActionType: 4, Enabled: true, Triggers: [{ Type: 4, PatternMatches: ['KP'] }] });
});
