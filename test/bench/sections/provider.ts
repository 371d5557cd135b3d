// The Terraform provider, driven by the real Terraform. What its parts take is told as multiples of Terraform's own start:
// a plan of one resource that is built in.
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { inflateRawSync } from 'node:zlib';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { TABLES } from '../../../src/terraform/generated/schema.ts';
import type { ResourceTable } from '../../../src/terraform/value/attribute.ts';
import { fromManifest } from '../../../src/terraform/value/convert.ts';
import { largeSites } from '../accounts.ts';
import type { Ground, Row, Section, Subject } from '../ground.ts';
import { each } from '../ground.ts';
import type { Ran } from '../measure.ts';
import { median, runProgram } from '../measure.ts';
import { writeResources } from './terraform.ts';

const OBJECTS_OF_A_SITE = 20;
const PROVIDER = 'terraform-provider-hostwright';
const COOKIE = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';

/** What a provider says of its memory when it ends: a file for `--require`. */
const MEMORY = `if (process.argv[1]?.includes('terraform-provider'))
  process.on('exit', () => {
    require('node:fs').writeFileSync(process.env.MEMORY_FOLDER + '/' + process.pid, String(process.resourceUsage().maxRSS / 1024));
  });
`;

export const provider: Section = {
  name: 'provider',
  title: 'The Terraform provider',
  async run(ground) {
    const count = ground.quick ? 20 : 200;
    const objects = (count * OBJECTS_OF_A_SITE).toLocaleString('en');
    const start = "Terraform's own start";
    const rows = {
      handshake: { name: 'start of the provider, until it says where it listens', against: start, aim: 2.5 },
      one: { name: 'plan of one site', against: start, aim: 15 },
      cpu: {
        name: `CPU of a plan of ${count} sites, with Terraform's own`,
        against: 'the same with a provider that answers with what it is asked with',
        aim: 1.3,
      },
      many: { name: `plan of ${count} sites, ${objects} objects`, against: start },
      state: { name: 'their state', against: 'nothing', unit: 'MB', aim: 2.5 },
      memory: { name: 'memory of the provider in that plan', against: 'nothing', unit: 'MB', aim: 200 },
      data: {
        name: `plan of ${objects} objects, times as fast`,
        against: '`terraform plan` of as many `terraform_data`',
        moreIsBetter: true,
        // Few of them are quick for Terraform: it is their number that it suffers from.
        ...(!ground.quick && { aim: 4 }),
      },
    } as const satisfies Readonly<Record<string, Omit<Row, 'values'>>>;
    if (spawnSync('terraform', ['version'], { stdio: 'ignore' }).status !== 0)
      return Object.values(rows).map((row) => ({ ...row, values: {}, word: 'terraform is not installed' }));
    const found = new Map<Subject, Found>();
    const of = (part: keyof Found) => (subject: Subject) => found.get(subject)?.[part];
    for (const subject of ground.subjects)
      if (await ground.knows(subject, 'terraform', 'Terraform provider'))
        found.set(subject, await measure(ground, subject, count));
    return Promise.all(
      (Object.keys(rows) as (keyof Found)[]).map(async (part) => ({
        ...rows[part],
        values: await each(ground, (subject) => Promise.resolve(of(part)(subject))),
      })),
    );
  },
};

type Found = Readonly<Record<'handshake' | 'one' | 'cpu' | 'many' | 'state' | 'memory' | 'data', number>>;

async function measure(ground: Ground, subject: Subject, count: number): Promise<Found> {
  const rounds = ground.rounds(5, 3);
  const often = async (work: () => Promise<number>): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await work());
    return median(times);
  };
  const builtIn = async (number: number): Promise<() => Promise<number>> => {
    const cwd = await ground.emptyFolder();
    await writeResources(cwd, number);
    await terraform(['init', '-input=false'], cwd);
    return async () => (await terraform(PLAN, cwd)).wallMs;
  };
  const startMs = await often(await builtIn(1));
  const one = await planOf(ground, subject, 1);
  const many = await planOf(ground, subject, count);
  const oneMs = await often(async () => (await one.plan()).wallMs);
  const manyMs = await often(async () => (await many.plan()).wallMs);
  // One after the other, so that what else the machine does strikes both.
  const cpu = await often(async () => (await many.plan()).cpuMs / (await many.echo()).cpuMs);
  const dataMs = await often(await builtIn(count * OBJECTS_OF_A_SITE));
  return {
    handshake: (await often(() => handshake(subject))) / startMs,
    one: oneMs / startMs,
    cpu,
    many: manyMs / startMs,
    state: many.stateMb,
    memory: await many.memoryMb(),
    data: dataMs / manyMs,
  };
}

async function terraform(
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const env = { TF_CLI_CONFIG_FILE: '', CHECKPOINT_DISABLE: '1', HOME: cwd, ...more };
  const ran = await runProgram({ file: 'terraform', args, cwd, env });
  if (ran.code !== 0) throw new Error(`terraform ${args.join(' ')} ended with ${String(ran.code)}: ${ran.stderr}`);
  return ran;
}

const PLAN = ['plan', '-input=false', '-detailed-exitcode'];

function handshake({ command }: Subject): Promise<number> {
  const started = performance.now();
  const env = { PATH: process.env.PATH, TF_PLUGIN_MAGIC_COOKIE: COOKIE, PLUGIN_PROTOCOL_VERSIONS: '6' };
  const child = spawn(join(dirname(command), PROVIDER), { env, stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', () => {
      resolve(performance.now() - started);
      child.kill('SIGKILL');
    });
  });
}

interface Planned {
  readonly plan: () => Promise<Ran>;
  /** The same by a provider that knows nothing. */
  readonly echo: () => Promise<Ran>;
  readonly stateMb: number;
  readonly memoryMb: () => Promise<number>;
}

/** Sites that are there and in the state, as their configuration says. */
async function planOf(ground: Ground, subject: Subject, count: number): Promise<Planned> {
  const cwd = await ground.emptyFolder();
  const memory = join(cwd, 'memory');
  await mkdir(memory);
  const { url } = await ground.serve({ account: 'large', count, reads: true });
  await ground.run(subject, ['terraform', 'install'], { cwd });
  await writeFile(join(cwd, 'memory.cjs'), MEMORY);
  await writeFile(join(cwd, 'main.tf'), configuration(count));
  const env = {
    HOSTWRIGHT_API_URL: url,
    HOSTWRIGHT_TOKEN: API_KEY,
    HOSTWRIGHT_ACCOUNT: 'acc-acme',
    NODE_OPTIONS: `--require=${join(cwd, 'memory.cjs')}`,
    MEMORY_FOLDER: memory,
  };
  await terraform(['init', '-input=false'], cwd, env);
  await terraform(['apply', '-input=false', '-auto-approve'], cwd, env);
  await rm(memory, { recursive: true });
  await mkdir(memory);
  return {
    plan: () => terraform(PLAN, cwd, env),
    echo: () => terraform(PLAN, cwd, { ...env, NODE_OPTIONS: `--require=${ground.echoProvider}` }),
    stateMb: (await stat(join(cwd, 'terraform.tfstate'))).size / 1_000_000,
    memoryMb: async () => {
      const told = await Promise.all((await readdir(memory)).map((file) => readFile(join(memory, file), 'utf8')));
      return Math.max(...told.map(Number));
    },
  };
}

/** As people write it: in the language of Terraform, and only what is managed. */
function configuration(count: number): string {
  const tables = JSON.parse(inflateRawSync(Buffer.from(TABLES, 'base64')).toString('utf8')) as Readonly<
    Record<string, ResourceTable>
  >;
  const fields = tables.hostwright_site?.fields ?? {};
  const sites = largeSites({ count }).manifests.map((text) => {
    const { metadata, spec } = JSON.parse(text) as {
      readonly metadata: { readonly name: string };
      readonly spec: JsonObject;
    };
    const values = { ...fromManifest(fields, spec, null), name: metadata.name, adopt: true };
    const lines = Object.entries(values).map(([name, value]) => (value === null ? '' : `  ${name} = ${said(value)}\n`));
    return `resource "hostwright_site" "${metadata.name}" {\n${lines.join('')}}\n`;
  });
  return `terraform {\n  required_providers {\n    hostwright = { source = "hostwright/hostwright" }\n  }\n}\n${sites.join('')}`;
}

/** JSON is an expression of Terraform, but for its templates. */
function said(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) => (one === null ? undefined : one)).replace(
    /[$%](?=\{)/g,
    '$&$&',
  );
}
