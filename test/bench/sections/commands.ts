import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKSPACE } from '../accounts.ts';
import type { Ground, Row, Section, Subject } from '../ground.ts';
import { inTurn } from '../ground.ts';

const LATENCY_MS = 20;

export const commands: Section = {
  name: 'commands',
  title: 'Export and drift',
  run: async (ground) => [
    ...(await rowsFor(ground, 'bench', 'sites')),
    ...(await rowsFor(ground, 'rich', 'rich sites')),
  ],
};

async function rowsFor(ground: Ground, account: 'bench' | 'rich', words: string): Promise<readonly Row[]> {
  const count = ground.quick ? 250 : 1_000;
  const server = await ground.serve({ account, count, latencyMs: LATENCY_MS, reads: true });
  const exported = async (subject: Subject): Promise<{ readonly cwd: string; readonly wallMs: number }> => {
    const cwd = await ground.emptyFolder();
    await writeFile(join(cwd, 'hostwright.yaml'), WORKSPACE);
    const { wallMs } = await ground.run(subject, ['export', 'Site', '--out', 'sites', '--quiet'], {
      cwd,
      url: server.url,
    });
    return { cwd, wallMs };
  };
  // What export wrote is what is planned.
  const homes = new Map<string, string>();
  for (const subject of ground.subjects) homes.set(subject.label, (await exported(subject)).cwd);
  const timeOf = (command: string) => async (subject: Subject) =>
    (await ground.run(subject, [command, '--quiet'], { cwd: homes.get(subject.label) ?? '', url: server.url })).wallMs;
  const rounds = ground.rounds(3, 1);
  const watched = async () => {
    const cwd = await ground.emptyFolder();
    await writeFile(join(cwd, 'hostwright.yaml'), WORKSPACE.replace(' }', ', observed: observed }'));
    await mkdir(join(cwd, 'sites'));
    await writeFile(
      join(cwd, 'sites/base.yaml'),
      'apiVersion: hostwright/v1\nkind: SiteProfile\nmetadata: { name: base }\nspec: {}\n',
    );
    const subjects = await Promise.all(
      ground.subjects.map(async (subject) => ((await ground.knows(subject, 'export', '--observed')) ? [subject] : [])),
    );
    for (const subject of subjects.flat())
      await ground.run(subject, ['export', '--observed', '--quiet'], { cwd, url: server.url });
    const cpuOf = async (subject: Subject, command: readonly string[], where: string): Promise<number> =>
      (await ground.run(subject, [...command, '--quiet'], { cwd: where, url: server.url, may: [2] })).cpuMs;
    return inTurn(
      { ...ground, subjects: subjects.flat() },
      rounds,
      async (subject) => {
        const empty = await ground.emptyFolder();
        await writeFile(join(empty, 'hostwright.yaml'), WORKSPACE);
        return cpuOf(subject, ['export', 'Site', '--out', 'sites'], empty);
      },
      (subject) => cpuOf(subject, ['drift'], cwd),
    );
  };
  const against = 'plan of the same sites';
  const sites = `${count.toLocaleString('en')} ${words} at ${LATENCY_MS} ms`;
  return [
    {
      name: `export of ${sites}`,
      against,
      aim: 1.3,
      values: await inTurn(ground, rounds, timeOf('plan'), async (subject) => (await exported(subject)).wallMs),
    },
    {
      name: `drift of ${sites}`,
      against,
      aim: 1.3,
      values: await inTurn(ground, rounds, timeOf('plan'), timeOf('drift')),
    },
    {
      name: `CPU of drift of ${sites}, nothing declared and all of it observed`,
      against: 'export of the same sites',
      aim: 1.3,
      values: await watched(),
    },
  ];
}
