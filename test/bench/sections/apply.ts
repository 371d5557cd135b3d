import { benchSites } from '../accounts.ts';
import type { Ground, Row, Section, Subject, Values } from '../ground.ts';
import { each } from '../ground.ts';
import type { Ran } from '../measure.ts';
import { median } from '../measure.ts';
import type { Taken } from '../server.ts';

const LATENCY_MS = 20;
/** Above this many changes a build that is not linear takes too long to wait for. */
const MOST_BEFORE = 2_000;

interface Applied {
  readonly ran: Ran;
  readonly taken: Taken;
  /** What the plan of the same manifests asked. */
  readonly reads: number;
  /** The same requests from undici, in the same minute. */
  readonly floor?: Ran;
}

/** A site each, whose cache setting changes: the smallest change there is. */
async function applyOf(ground: Ground, subject: Subject, changes: number, latencyMs: number): Promise<Applied> {
  const root = await ground.workspace(benchSites({ count: changes, changed: 1 }));
  const server = await ground.serve({ account: 'bench', count: changes, latencyMs });
  const place = { cwd: root, url: server.url };
  await ground.run(subject, ['plan', '--quiet', '--parallelism', '16'], place);
  const reads = (await server.take()).requests.length;
  const ran = await ground.run(
    subject,
    ['apply', '--yes', '--quiet', '--parallelism', '16', '--format', 'json'],
    place,
  );
  const taken = await server.take();
  if (latencyMs === 0) return { ran, taken, reads };
  await server.reset();
  return { ran, taken, reads, floor: await ground.undici(taken, server.url, 16) };
}

/** From one size to the next: 1 is linear, 2 is quadratic. */
const exponent = (small: number, large: number, growth: number): number => Math.log(large / small) / Math.log(growth);

export const apply: Section = {
  name: 'apply',
  title: 'Apply',
  async run(ground) {
    const sizes = [250, 500, 1_000, ...(ground.quick ? [] : [2_000]), ...(ground.full ? [5_000, 10_000] : [])];
    const cpu = new Map<string, number>();
    const requests: Record<string, number> = {};
    const rows: Row[] = [];
    for (const changes of sizes)
      for (const subject of ground.subjects) {
        if (subject.label === 'before' && changes > MOST_BEFORE) continue;
        const { ran, taken, reads } = await applyOf(ground, subject, changes, 0);
        cpu.set(`${subject.label} ${changes}`, ran.cpuMs);
        requests[subject.label] = (taken.requests.length - reads) / changes;
        ground.say(
          `${subject.label}, ${changes} changes: ${(ran.cpuMs / 1000).toFixed(2)} s CPU, ${taken.requests.length} requests`,
        );
      }
    const of = (label: string, changes: number): number => cpu.get(`${label} ${changes}`) ?? Number.NaN;
    const pairs = sizes.slice(1).map((large, index) => [sizes[index] as number, large] as const);
    for (const [small, large] of pairs)
      rows.push({
        name: `growth of CPU from ${small.toLocaleString('en')} to ${large.toLocaleString('en')} changes`,
        against: 'the exponent: 1 is linear',
        unit: 'exponent',
        aim: 1.1,
        values: await each(ground, ({ label }) => {
          const value = exponent(of(label, small), of(label, large), large / small);
          return Promise.resolve(Number.isNaN(value) ? undefined : value);
        }),
        ...(large > MOST_BEFORE && { word: `before: up to ${MOST_BEFORE.toLocaleString('en')} changes only` }),
      });
    rows.push({
      name: "requests a change, beside the plan's own",
      against: 'a look, the write, and the read back',
      unit: 'requests',
      aim: 3,
      values: requests,
    });
    const changes = ground.quick ? 500 : 1_000;
    const times: Record<string, number[]> = {};
    const ownCpu: Record<string, number[]> = {};
    for (let round = 0; round < ground.rounds(3, 1); round += 1)
      for (const subject of ground.subjects) {
        const { ran, floor } = await applyOf(ground, subject, changes, LATENCY_MS);
        if (floor === undefined) continue;
        (times[subject.label] ??= []).push(ran.wallMs / floor.wallMs);
        (ownCpu[subject.label] ??= []).push(ran.cpuMs / floor.cpuMs);
      }
    const against = 'undici sending the same requests';
    const medians = (all: Readonly<Record<string, readonly number[]>>): Values =>
      Object.fromEntries(Object.entries(all).map(([label, values]) => [label, median(values)]));
    rows.push(
      {
        name: `${changes.toLocaleString('en')} changes at ${LATENCY_MS} ms, 16 at once`,
        against,
        aim: 1.25,
        values: medians(times),
      },
      { name: `CPU of ${changes.toLocaleString('en')} changes`, against: `CPU of ${against}`, values: medians(ownCpu) },
    );
    return rows;
  },
};
