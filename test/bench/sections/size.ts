import type { Account } from '../accounts.ts';
import { benchSites, richSites } from '../accounts.ts';
import type { Ground, Row, Section, Subject } from '../ground.ts';
import { each } from '../ground.ts';
import type { Ran } from '../measure.ts';
import { median } from '../measure.ts';

/** Objects of a site. */
const OBJECTS = { bench: 4, rich: 15 } as const;
type Kind = keyof typeof OBJECTS;

const accountOf = (kind: Kind, objects: number, changed = 0): Account & { readonly count: number } => {
  const count = Math.round(objects / OBJECTS[kind]);
  return { count, ...(kind === 'bench' ? benchSites : richSites)({ count, changed }) };
};

/** How a build plans an account of this size, a few times. */
async function planner(
  ground: Ground,
  kind: Kind,
  objects: number,
  { changed = 0, args = [] }: { readonly changed?: number; readonly args?: readonly string[] } = {},
) {
  const account = accountOf(kind, objects, changed);
  const root = await ground.workspace(account);
  const server = await ground.serve({ account: kind, count: account.count, reads: true });
  const run = (subject: Subject): Promise<Ran> =>
    ground.run(subject, ['plan', '--quiet', ...args], { cwd: root, url: server.url, memory: true });
  return { root, run };
}

export const size: Section = {
  name: 'size',
  title: 'CPU and memory by size',
  async run(ground) {
    const rows: Row[] = [];
    const rounds = ground.rounds(5, 2);
    let yamlMs = 0;
    for (const kind of ['bench', 'rich'] as const) {
      const small = await planner(ground, kind, 3_333);
      const large = await planner(ground, kind, 10_000);
      const yaml: number[] = [];
      const taken = new Map<string, { readonly small: number[]; readonly large: number[]; readonly peak: number[] }>();
      for (const { label } of ground.subjects) taken.set(label, { small: [], large: [], peak: [] });
      for (const subject of ground.subjects) await large.run(subject);
      for (let round = 0; round < rounds; round += 1) {
        yaml.push((await ground.yaml(large.root)).cpuMs);
        for (const subject of ground.subjects) {
          const own = taken.get(subject.label);
          own?.small.push((await small.run(subject)).cpuMs);
          const ran = await large.run(subject);
          own?.large.push(ran.cpuMs);
          own?.peak.push(ran.peakMb);
        }
      }
      const ownYamlMs = median(yaml);
      if (kind === 'bench') yamlMs = ownYamlMs;
      const of = (label: string, what: 'small' | 'large' | 'peak'): number => median(taken.get(label)?.[what] ?? []);
      const values = (one: (label: string) => number) =>
        Object.fromEntries(ground.subjects.map(({ label }) => [label, one(label)]));
      for (const { label } of ground.subjects)
        ground.say(
          `${label}, ${kind}: ${(of(label, 'large') / 1000).toFixed(2)} s CPU for 10,000 objects, YAML alone ${(ownYamlMs / 1000).toFixed(2)} s`,
        );
      rows.push(
        {
          name: `CPU of a plan of 10,000 objects in ${kind} sites, without what YAML takes`,
          against: 'CPU of the `yaml` package alone for the files of bench sites',
          aim: 2.2,
          values: values((label) => (of(label, 'large') - ownYamlMs) / yamlMs),
        },
        {
          name: `growth of CPU from 3,333 to 10,000 objects in ${kind} sites`,
          against: 'three times the CPU of 3,333',
          aim: 1,
          values: values((label) => of(label, 'large') / (3 * of(label, 'small'))),
        },
      );
      if (kind === 'bench')
        rows.push({
          name: 'peak memory, 10,000 objects',
          against: 'the process',
          unit: 'MB',
          values: values((label) => of(label, 'peak')),
        });
    }
    if (!ground.quick) {
      const { run } = await planner(ground, 'bench', 40_000);
      rows.push({
        name: 'peak memory, 40,000 objects',
        against: 'the process',
        unit: 'MB',
        values: await each(ground, async (subject) => (await run(subject)).peakMb),
      });
    }
    const all = await planner(ground, 'bench', 40_000, { changed: 1, args: ['--format', 'json'] });
    rows.push({
      name: 'peak memory, 40,000 objects in sites that all change, as JSON',
      against: 'the process',
      unit: 'MB',
      aim: 400,
      values: await each(ground, async (subject) => (await all.run(subject)).peakMb),
    });
    if (ground.full) {
      const [small, large] = [await planner(ground, 'rich', 50_000), await planner(ground, 'rich', 150_000)];
      rows.push({
        name: 'growth of CPU from 3,333 to 10,000 rich sites (150,000 objects)',
        against: 'three times the CPU of 3,333 rich sites',
        aim: 1,
        values: await each(
          ground,
          async (subject) => (await large.run(subject)).cpuMs / (3 * (await small.run(subject)).cpuMs),
        ),
      });
    }
    return rows;
  },
};
