import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeOf } from '../../../.ci/test-all.ts';
import { benchSites } from '../accounts.ts';
import type { Ground, Label, Row, Section } from '../ground.ts';
import { pairsInTurn } from '../ground.ts';
import type { Ran } from '../measure.ts';
import { median } from '../measure.ts';

interface Aims {
  readonly '--version'?: number;
  readonly '--help'?: number;
  readonly validate?: number;
}

/**
 * By version. Those of Node.js 20 were set where NODE_EXTRA_CA_CERTS is: it reads those certificates at each start,
 * also to run nothing, which more than doubles the floor. Newer ones read them when they are needed.
 */
const AIMS: Readonly<Record<string, Aims>> = {
  'Node.js 20 with extra certificates': { '--version': 1.2, '--help': 1.4, validate: 1.7 },
  'Node.js 24': { '--help': 1.5, validate: 2.4 },
};
const OTHERS = ['22', '24'];

async function rowsOf(
  ground: Ground,
  node: string,
  version: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Row[]> {
  const root = await ground.workspace(benchSites({ count: 1 }));
  const rows: Row[] = [];
  for (const [name, args] of [
    ['--version', ['--version']],
    ['--help', ['--help']],
    ['validate', ['validate', 'sites/s00001.yaml']],
  ] as const) {
    const place = { cwd: root, node, env };
    // What a build keeps for the next start is there from the first one on.
    for (const subject of ground.subjects) await ground.run(subject, args, place);
    const cpu: Record<string, number[]> = {};
    const note = (label: string, { cpuMs, wallMs }: Ran): number => {
      (cpu[label] ??= []).push(cpuMs);
      return wallMs;
    };
    const pairs = await pairsInTurn(
      ground,
      ground.rounds(25, 11),
      async () => note('nothing', await ground.nothing(node, env)),
      async (subject) => note(subject.label, await ground.run(subject, args, place)),
    );
    // What else the machine does can only add to a time, and of times this short it adds a lot: the best of each.
    const best = (label: Label, which: 0 | 1): number =>
      Math.min(...(pairs.get(label) ?? []).map((pair) => pair[which]));
    const least = Math.min(...ground.subjects.map(({ label }) => best(label, 0)));
    const values = Object.fromEntries(ground.subjects.map(({ label }) => [label, best(label, 1) / least]));
    const cpuOf = (label: string): string => `${(median(cpu[label] ?? []) / median(cpu.nothing ?? [])).toFixed(2)} x`;
    const word = `CPU: ${ground.subjects.map(({ label }) => `${label} ${cpuOf(label)}`).join(', ')}`;
    const aim = AIMS[version]?.[name];
    rows.push({
      name: `${name === 'validate' ? '`validate` of one file' : `\`${name}\``}, ${version}`,
      against: '`node -e 0`',
      values,
      word,
      ...(aim !== undefined && { aim }),
    });
  }
  return rows;
}

export const start: Section = {
  name: 'start',
  title: 'Start-up',
  async run(ground) {
    const own = process.versions.node.split('.')[0] as string;
    const certificates = process.env.NODE_EXTRA_CA_CERTS;
    const rows = [...(await rowsOf(ground, process.execPath, `Node.js ${own}`))];
    const withMore = `Node.js ${own} with extra certificates`;
    if (certificates !== undefined)
      rows.push(...(await rowsOf(ground, process.execPath, withMore, { NODE_EXTRA_CA_CERTS: certificates })));
    else if (AIMS[withMore] !== undefined)
      rows.push({
        name: `start-up on ${withMore}`,
        against: '`node -e 0`',
        values: {},
        word: 'NODE_EXTRA_CA_CERTS is not set',
      });
    for (const version of OTHERS.filter((one) => one !== own)) {
      const name = `start-up on Node.js ${version}`;
      if (ground.quick) {
        rows.push({ name, against: '`node -e 0`', values: {}, word: 'not with --quick' });
        continue;
      }
      const folder = await ground.emptyFolder();
      const found = await nodeOf(version, folder);
      if ('reason' in found) rows.push({ name, against: '`node -e 0`', values: {}, word: found.reason });
      else if (spawnSync(found.node, ['-e', '0']).status !== 0)
        rows.push({ name, against: '`node -e 0`', values: {}, word: 'its npm package does not run here' });
      else rows.push(...(await rowsOf(ground, found.node, `Node.js ${version}`)));
      await rm(join(folder, 'node_modules'), { recursive: true, force: true });
    }
    return rows;
  },
};
