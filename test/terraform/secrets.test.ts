// A secret that a configuration holds is sent to the platform, and is written down nowhere.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '../support/terraform-core.ts';
import { openCore } from '../support/terraform-core.ts';
import type { Started } from '../support/processes/terraform.ts';
import { childrenOf, noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';

const CANARY = 'c4nary-Passw0rd-nobody-may-see';
const NEXT = 'an0ther-Passw0rd-nobody-may-see';

function mailspace(value: string, rotate: string): Readonly<Record<string, unknown>> {
  return {
    name: 'shop.example.com',
    adopt: true,
    mailboxes: { 'office@shop.example.com': { display_name: 'Office', password: { value, rotate } } },
  };
}

/** The passwords that were sent, in order. */
function sentPasswords({ harness }: Core): readonly string[] {
  return harness.sandbox.requests.flatMap(
    ({ body }) => JSON.stringify(body ?? null).match(/[\w-]*-Passw0rd-nobody-may-see/g) ?? [],
  );
}

describe('a write-only secret', () => {
  it('MBX-22: reaches the platform once, again with another `rotate`, and is in no state and no private data', async () => {
    const core = await openCore({ scenario: 'mail' });
    const { run, plan, stored } = core;
    const type = 'hostwright_mailspace';
    const { failed, said } = await run(type, 'shop', mailspace(CANARY, 'one'));
    expect(failed, said.join('\n')).toBe(false);
    expect(sentPasswords(core)).toEqual([CANARY]);
    expect((await plan(type, 'shop', mailspace(NEXT, 'one'))).changes).toBe(false);
    const rotated = await run(type, 'shop', mailspace(NEXT, 'two'));
    expect(rotated.failed, rotated.said.join('\n')).toBe(false);
    expect(sentPasswords(core)).toEqual([CANARY, NEXT]);
    const written = JSON.stringify([...stored.values()].map((one) => one.state)) + said.join() + rotated.said.join();
    const kept = [...stored.values()].map((one) => Buffer.from(one.private).toString('latin1')).join();
    expect(written + kept).not.toContain('nobody-may-see');
  });
});

const CONFIGURATION = `variable "password" {
  type      = string
  sensitive = true
  ephemeral = true
}
resource "hostwright_mailspace" "shop" {
  name  = "shop.example.com"
  adopt = true
  mailboxes = {
    "office@shop.example.com" = { display_name = "Office", password = { value = var.password, rotate = "1" } }
  }
}
`;

describe.skipIf(noTerraform !== undefined)('with the real Terraform', () => {
  it('no state, saved plan, log or crash text holds it', async () => {
    const terraform = await openTerraform({ 'main.tf': CONFIGURATION }, { scenario: 'mail' });
    const env = { TF_VAR_password: CANARY, TF_LOG: 'TRACE', TF_LOG_PATH: join(terraform.folder, 'trace.log') };
    const planned = await terraform.run(['plan', '-input=false', '-out=saved.plan'], env);
    expect(planned.code, planned.printed).toBe(0);
    const applied = await terraform.run(['apply', '-input=false', 'saved.plan'], env);
    expect(applied.code, applied.printed).toBe(0);
    const again = await terraform.run(['plan', '-input=false', '-detailed-exitcode'], env);
    expect(again.code, again.printed).toBe(0);
    // The platform does not answer any more: what is printed then is of no secret either.
    const nowhere = { ...env, HOSTWRIGHT_API_URL: 'http://127.0.0.1:9' };
    const failed = await terraform.run(['apply', '-auto-approve', '-input=false'], nowhere);
    expect(failed.code).toBe(1);
    const files = (await readdir(terraform.folder)).filter((name) => /tfstate|plan$|log$/.test(name));
    expect(files).toEqual(expect.arrayContaining(['saved.plan', 'terraform.tfstate', 'trace.log']));
    for (const name of files) expect((await readFile(join(terraform.folder, name))).includes(CANARY), name).toBe(false);
    const shown = await terraform.run(['show', '-json', 'saved.plan']);
    expect([planned, applied, again, failed, shown].map(({ printed }) => printed).join()).not.toContain(CANARY);
  });

  it.skipIf(!isWhole)(
    'MBX-22: what is printed and logged when the provider dies with it in its hands does not hold it',
    async () => {
      const running: { apply?: Started } = {};
      let kills = 0;
      const die = ({ body }: { readonly body?: unknown }): void => {
        if (kills > 0 || !JSON.stringify(body ?? null).includes(CANARY)) return;
        for (const pid of childrenOf(running.apply?.child.pid ?? 0)) {
          process.kill(pid, 'SIGABRT');
          kills += 1;
        }
      };
      const terraform = await openTerraform({ 'main.tf': CONFIGURATION }, { scenario: 'mail', hooks: { before: die } });
      const env = { TF_VAR_password: CANARY, TF_LOG: 'TRACE', TF_LOG_PATH: join(terraform.folder, 'trace.log') };
      running.apply = terraform.start(['apply', '-auto-approve', '-input=false'], env);
      const { code, printed } = await running.apply.ended;
      expect([kills, code], printed).toEqual([1, 1]);
      expect(printed).toMatch(/Plugin did not respond|Request cancelled/);
      expect(printed).not.toContain(CANARY);
      for (const name of await readdir(terraform.folder, { withFileTypes: true }))
        if (name.isFile())
          expect((await readFile(join(terraform.folder, name.name))).includes(CANARY), name.name).toBe(false);
    },
  );
});
