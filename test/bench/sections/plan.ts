import { benchSites } from '../accounts.ts';
import type { Row, Section } from '../ground.ts';
import { inTurn } from '../ground.ts';

const SITES = 2000;
const LATENCY_MS = 20;

export const plan: Section = {
  name: 'plan',
  title: 'Plan over a network',
  async run(ground) {
    const root = await ground.workspace(benchSites({ count: SITES }));
    const server = await ground.serve({ account: 'bench', count: SITES, latencyMs: LATENCY_MS, reads: true });
    const rows: Row[] = [];
    const cpu: Record<string, number[]> = {};
    for (const [atOnce, aim] of [
      [16, 1.12],
      [64, 1.3],
    ] as const) {
      const args = ['plan', '--quiet', '--parallelism', String(atOnce)];
      const place = { cwd: root, url: server.url };
      const lists = new Map<string, Awaited<ReturnType<typeof server.take>>>();
      for (const subject of ground.subjects) {
        await server.take();
        await ground.run(subject, args, place);
        lists.set(subject.label, await server.take());
      }
      const values = await inTurn(
        ground,
        ground.rounds(5, 2),
        async ({ label }) => {
          const list = lists.get(label);
          if (list === undefined) throw new Error('no list of requests');
          const ran = await ground.undici(list, server.url, atOnce);
          (cpu[`undici ${label}`] ??= []).push(ran.cpuMs);
          return ran.wallMs;
        },
        async (subject) => {
          const ran = await ground.run(subject, args, place);
          (cpu[subject.label] ??= []).push(ran.cpuMs);
          return ran.wallMs;
        },
      );
      const requests = lists.get('now')?.requests.length ?? 0;
      rows.push({
        name: `plan of 2,000 sites at ${LATENCY_MS} ms, ${atOnce} requests at once`,
        against: `undici sending the same ${requests.toLocaleString('en')} requests`,
        aim,
        values,
      });
    }
    const sum = (values: readonly number[] = []): number => values.reduce((left, right) => left + right, 0);
    rows.push({
      name: 'CPU of plans of 2,000 sites',
      against: 'CPU of undici for the same requests',
      values: Object.fromEntries(
        ground.subjects.map(({ label }) => [label, sum(cpu[label]) / sum(cpu[`undici ${label}`])]),
      ),
    });
    return rows;
  },
};
