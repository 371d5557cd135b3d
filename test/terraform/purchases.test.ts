// Several purchases in one apply, and one whose proof another resource publishes: what has to wait for what, and what not.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../src/sandbox/core/http/recording.ts';
import { newLedger, noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { isWhole } from '../support/whole.ts';

const APPLY = ['apply', '-input=false', '-auto-approve'];
const PLAN = ['plan', '-input=false', '-detailed-exitcode'];
const PROVIDER = `provider "hostwright" {
  guards = { allow_charges = 9 }
  ledger = { file = "ledger" }
}
`;

const site = (name: string, rest = ''): string => `resource "hostwright_site" "${name}" {
  name = "${name}"
  display_name = "${name}"
  plan = "pro"
  order = { variant = "vanilla", location = "ams", term = "monthly" }
  ${rest}
}
`;

function isOrder({ method, path }: Pick<RecordedRequest, 'method' | 'path'>): boolean {
  return method === 'POST' && path === '/api/orders';
}

describe.skipIf(noTerraform !== undefined)('with the real Terraform', () => {
  it('O-02: a site is planned while another one is being bought, and bought while that one is being set up', async () => {
    const seen: { ordered: number; sitesAtSecond?: number; isSecondBegun: Promise<void> } = {
      ordered: 0,
      isSecondBegun: Promise.resolve(),
    };
    const sitesNow = (): number => folder?.sandbox.state.sites.size ?? 0;
    const folder = await openTerraform(
      {
        'main.tf': `${PROVIDER}${site('first')}
resource "terraform_data" "later" {
  provisioner "local-exec" {
    command = "until [ -e ordered ]; do sleep 0.05; done"
  }
}
${site('second', 'depends_on = [terraform_data.later]')}`,
        ledger: await newLedger(),
      },
      {
        hooks: {
          before: async (request) => {
            if (isOrder(request)) seen.ordered += 1;
            if (isOrder(request) && seen.ordered === 1) {
              await writeFile(join(folder?.folder ?? '', 'ordered'), '');
              // The answer comes when the other one was planned.
              await seen.isSecondBegun;
            }
            if (isOrder(request) && seen.ordered === 2) seen.sitesAtSecond = sitesNow();
            // Nothing is set up before both are ordered.
            if (seen.ordered !== 1) folder?.sandbox.clock.advance(3000);
          },
        },
      },
    );
    const before = sitesNow();
    const started = folder.start(APPLY);
    seen.isSecondBegun = new Promise((resolve) => {
      let printed = '';
      started.child.stdout?.on('data', (text: string) => {
        printed += text;
        if (printed.includes('hostwright_site.second: Creating')) resolve();
      });
    });
    const { code, printed } = await started.ended;
    expect(code, printed).toBe(0);
    expect(seen).toMatchObject({ ordered: 2, sitesAtSecond: before });
    expect((await folder.run(PLAN)).code).toBe(0);
  });

  it.skipIf(!isWhole).each([false, true])(
    'MSP-04: the proof of a new mailspace is published in the same apply; waited for: %s',
    async (isWaitedFor) => {
      const proof = 'hostwright_mailspace.it.verification';
      let polls = 0;
      const prove = (): void => {
        for (const space of folder?.sandbox.state.mail.spaces.values() ?? []) space.verified = true;
        folder?.sandbox.clock.advance(600_000);
      };
      const folder = await openTerraform(
        {
          'main.tf': `${PROVIDER}resource "hostwright_mailspace" "it" {
  name = "elsewhere.example"
  order = {}
  ${isWaitedFor ? 'wait_for_proof = true' : ''}
}
resource "terraform_data" "record" {
  input = "\${try(${proof}.name, "none")} \${try(${proof}.value, "none")}"
}
`,
          ledger: await newLedger(),
        },
        {
          scenario: 'mail',
          hooks: {
            before: ({ method, path }) => {
              folder?.sandbox.clock.advance(3000);
              // Somebody outside publishes the record while the apply waits for that.
              if (isWaitedFor && polls > 5) prove();
              if (polls > 0 || (method === 'POST' && path === '/api/mailspace')) polls += 1;
            },
          },
        },
      );
      const { run } = folder;
      const applied = await run(APPLY);
      expect(applied.code, applied.printed).toBe(0);
      const shown = (await run(['state', 'show', 'hostwright_mailspace.it'])).printed;
      expect(shown).toMatch(isWaitedFor ? /status +=\s+"ready"/ : /status +=\s+"waiting"/);
      if (isWaitedFor) return;
      expect(applied.printed).toContain('_mailspace-verify.elsewhere.example');
      const record = (await run(['state', 'show', 'terraform_data.record'])).printed;
      expect(record).toMatch(/_mailspace-verify\.elsewhere\.example [0-9a-f]{32}/);
      prove();
      const proven = await run(PLAN);
      expect(proven.code, proven.printed).toBe(0);
    },
  );
});
