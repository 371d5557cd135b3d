import { fleetFiles } from '../accounts.ts';
import type { Row, Section } from '../ground.ts';
import { median } from '../measure.ts';

const LATENCY_MS = 20;
/** As many at once as a fleet has when nothing else is said. */
const AT_ONCE = 16;
const GOAL_S = 40;
const GOAL_MB = 350;

/** One token for all accounts, the slowest case: lists that show all that a token reaches are read by each of them. */
export const fleet: Section = {
  name: 'fleet',
  title: 'A fleet',
  async run(ground) {
    const count = ground.quick ? 100 : 500;
    const cwd = await ground.folder(fleetFiles(count));
    const server = await ground.serve({ account: 'fleet', count, latencyMs: LATENCY_MS, reads: true });
    const args = ['fleet', 'plan', 'accounts/*', '--quiet', '--detailed-exitcode'];
    const found = new Map<string, { times: number[]; cpu: number[]; seconds: number[]; peak: number[] }>();
    let requests = 0;
    for (const subject of ground.subjects) {
      if (!(await ground.knows(subject, 'fleet', 'fleet'))) continue;
      const place = { cwd, url: server.url, memory: true } as const;
      const own = { times: [], cpu: [], seconds: [], peak: [] } as {
        [name in 'times' | 'cpu' | 'seconds' | 'peak']: number[];
      };
      found.set(subject.label, own);
      await server.take();
      await ground.run(subject, args, place);
      const taken = await server.take();
      requests = taken.requests.length;
      for (let round = 0; round < ground.rounds(3, 2); round += 1) {
        const floor = await ground.undici(taken, server.url, AT_ONCE);
        const ran = await ground.run(subject, args, place);
        own.times.push(ran.wallMs / floor.wallMs);
        own.cpu.push(ran.cpuMs / floor.cpuMs);
        own.seconds.push(ran.wallMs / 1000);
        own.peak.push(ran.peakMb);
      }
    }
    const values = (of: 'times' | 'cpu' | 'seconds' | 'peak', scale = 1): Row['values'] =>
      Object.fromEntries([...found].map(([label, own]) => [label, median(own[of]) * scale]));
    const what = `plan of ${count} accounts of 3 sites at ${LATENCY_MS} ms, ${AT_ONCE} requests at once`;
    const against = `undici sending the same ${requests.toLocaleString('en')} requests`;
    return [
      { name: what, against, values: values('times') },
      { name: `CPU of ${count} accounts`, against: `CPU of undici for the same requests`, values: values('cpu') },
      {
        name: `time of ${count} accounts`,
        against: `the goal for 500: ${GOAL_S} s`,
        unit: '%',
        aim: 100,
        values: values('seconds', 100 / GOAL_S),
      },
      {
        name: `memory of ${count} accounts`,
        against: 'the goal for 500',
        unit: 'MB',
        aim: GOAL_MB,
        values: values('peak'),
      },
    ];
  },
};
