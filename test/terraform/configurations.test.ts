// Each configuration of examples/terraform with the real Terraform: applied, and then nothing is left to plan. Those that
// wait for the platform are planned only, and applied in the exhaustive run.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';

const folder = join(import.meta.dirname, '../../examples/terraform');
const SCENARIOS: Readonly<Record<string, string>> = {
  '.': 'small',
  'dns-elsewhere': 'small',
  'domain-and-site': 'registrar',
  mail: 'mail',
  'many-sites': isWhole ? 'sites:200' : 'sites:3',
};
/** Of each sort one: what they hold is planned without Terraform in `examples.test.ts`. */
const QUICK = ['.', 'domain-and-site', 'mail'];
const SLOW = ['dns-elsewhere', 'domain-and-site'];

async function textsOf(name: string): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(join(folder, name))).filter((file) => file.endsWith('.tf'));
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(join(folder, name, file), 'utf8')]));
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}

describe('examples/terraform', () => {
  it('has these', async () => {
    const found = (await readdir(folder, { withFileTypes: true })).filter((one) => one.isDirectory());
    expect(['.', ...found.map(({ name }) => name).sort()]).toEqual(Object.keys(SCENARIOS));
  });

  it
    .skipIf(noTerraform !== undefined)
    .each(Object.entries(SCENARIOS).filter(([name]) => isWhole || QUICK.includes(name)))(
    '%s is applied, and plans to nothing then',
    async (name, scenario) => {
      const terraform = await openTerraform(
        { 'versions.tf': '', ...(await textsOf(name)) },
        // The platform's time goes on with each request: an order is there after some.
        { scenario, hooks: { before: () => terraform.sandbox.clock.advance(3000) } },
      );
      const env = { TF_VAR_info_password: 'not-a-Secret-1' };
      const isOnlyPlanned = SLOW.includes(name) && !isWhole;
      const args = isOnlyPlanned ? ['plan', '-input=false'] : ['apply', '-input=false', '-auto-approve'];
      const done = await terraform.run(args, env);
      expect(done.code, done.printed).toBe(0);
      if (isOnlyPlanned) return;
      const again = await terraform.run(['plan', '-input=false', '-detailed-exitcode'], env);
      expect(again.code, again.printed).toBe(0);
    },
  );
});
