import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchSites } from '../accounts.ts';
import type { Row, Section } from '../ground.ts';
import { inTurn } from '../ground.ts';
import { runProgram } from '../measure.ts';

const OBJECTS_OF_A_SITE = 4;

/** As many resources that exist and are as they should be; the state is written as an apply would have left it. */
export async function writeResources(folder: string, count: number): Promise<void> {
  const blocks: string[] = [];
  const resources: object[] = [];
  for (let number = 1; number <= count; number += 1) {
    const value = { name: `o${number}`, hostname: `o${number}.example.com`, expiration: number * 60 };
    blocks.push(
      `resource "terraform_data" "o${number}" {\n  input = { name = "${value.name}", hostname = "${value.hostname}", expiration = ${value.expiration} }\n}\n`,
    );
    const typed = { value, type: ['object', { expiration: 'number', hostname: 'string', name: 'string' }] };
    resources.push({
      mode: 'managed',
      type: 'terraform_data',
      name: `o${number}`,
      provider: 'provider["terraform.io/builtin/terraform"]',
      instances: [
        {
          schema_version: 0,
          attributes: { id: `id-${number}`, input: typed, output: typed, triggers_replace: null },
          sensitive_attributes: [],
        },
      ],
    });
  }
  const state = { version: 4, terraform_version: '1.5.0', serial: 1, lineage: 'bench', outputs: {}, resources };
  await writeFile(join(folder, 'main.tf'), blocks.join(''));
  await writeFile(join(folder, 'terraform.tfstate'), JSON.stringify(state));
}

const sizes = (quick: boolean): readonly (readonly [number, number])[] => [
  [1_000, 5],
  ...(quick ? [] : [[10_000, 10] as const]),
];

export const terraform: Section = {
  name: 'terraform',
  title: 'Beside Terraform',
  async run(ground) {
    const env = { TF_CLI_CONFIG_FILE: '', CHECKPOINT_DISABLE: '1', HOME: await ground.emptyFolder() };
    const against = '`terraform plan` of as many `terraform_data`';
    const isThere = spawnSync('terraform', ['version'], { stdio: 'ignore' }).status === 0;
    const rows: Row[] = [];
    for (const [objects, aim] of sizes(ground.quick)) {
      const row = {
        name: `plan of ${objects.toLocaleString('en')} objects, times as fast`,
        against,
        aim,
        moreIsBetter: true,
      } as const;
      if (!isThere) {
        rows.push({ ...row, values: {}, word: 'terraform is not installed' });
        continue;
      }
      const folder = await ground.emptyFolder();
      await writeResources(folder, objects);
      const run = async (args: readonly string[]): Promise<number> => {
        const { code, wallMs, stderr } = await runProgram({ file: 'terraform', args, cwd: folder, env });
        if (code !== 0) throw new Error(`terraform ${args.join(' ')} ended with ${String(code)}: ${stderr}`);
        return wallMs;
      };
      await run(['init', '-input=false']);
      const count = objects / OBJECTS_OF_A_SITE;
      const root = await ground.workspace(benchSites({ count }));
      const server = await ground.serve({ account: 'bench', count, reads: true });
      const plan = async (subject: Parameters<typeof ground.run>[0]): Promise<number> =>
        (await ground.run(subject, ['plan', '--quiet'], { cwd: root, url: server.url })).wallMs;
      for (const subject of ground.subjects) await plan(subject);
      const rounds = objects > 1_000 ? 1 : ground.rounds(3, 1);
      // With -detailed-exitcode a difference would be the exit code 2, and a failure here.
      rows.push({
        ...row,
        values: await inTurn(ground, rounds, plan, () => run(['plan', '-input=false', '-detailed-exitcode'])),
      });
    }
    return rows;
  },
};
