// The same apply with its ledger in each store: what is written down must not cost more than what is done.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createDatabase, noPostgres } from '../../support/servers/postgres.ts';
import { benchSites, filesOf, WORKSPACE } from '../accounts.ts';
import type { Ground, Row, Section, Subject } from '../ground.ts';
import type { Ran } from '../measure.ts';
import { isBusy, median } from '../measure.ts';

const LATENCY_MS = 20;
const STORES = ['file', 'git', 'postgres'] as const;
type Store = (typeof STORES)[number];

/** A site each, whose cache setting changes, with a ledger that is begun already. */
async function applyWith(ground: Ground, subject: Subject, store: Store, changes: number): Promise<Ran> {
  const database = store === 'postgres' ? await createDatabase() : undefined;
  const place = {
    file: '{ file: ledger.jsonl }',
    git: '{ git: {} }',
    postgres: '{ postgres: {} }',
  }[store];
  const root = await ground.folder({
    'hostwright.yaml': WORKSPACE.replace('account:', `ledger: ${place}, account:`),
    ...filesOf(benchSites({ count: changes, changed: 1 })),
  });
  if (store === 'git') {
    const remote = join(await ground.emptyFolder(), 'remote.git');
    for (const args of [
      ['init', '-q', '--bare', remote],
      ['init', '-q'],
      ['remote', 'add', 'origin', `file://${remote}`],
    ])
      execFileSync('git', args, { cwd: root });
  }
  const server = await ground.serve({ account: 'bench', count: changes, latencyMs: LATENCY_MS });
  const where = {
    cwd: root,
    url: server.url,
    ...(database !== undefined && { env: { HOSTWRIGHT_DATABASE_URL: database } }),
  };
  await ground.run(subject, ['ledger', 'init'], where);
  return await ground.run(subject, ['apply', '--yes', '--quiet', '--parallelism', '16'], where);
}

export const ledgers: Section = {
  name: 'ledgers',
  title: 'Ledgers',
  async run(ground) {
    const changes = ground.quick ? 500 : 2_000;
    const busy = isBusy();
    const stores = STORES.filter((store) => store !== 'postgres' || noPostgres === undefined);
    const ratios = new Map<string, number[]>();
    const note = (key: string, ratio: number): void => void ratios.set(key, [...(ratios.get(key) ?? []), ratio]);
    for (let round = 0; round < ground.rounds(3, 1); round += 1)
      for (const subject of ground.subjects) {
        let file: Ran | undefined;
        for (const store of stores) {
          const ran = await applyWith(ground, subject, store, changes);
          ground.say(
            `${subject.label}, ${store}: ${(ran.wallMs / 1000).toFixed(1)} s, CPU ${(ran.cpuMs / 1000).toFixed(1)} s`,
          );
          file ??= ran;
          note(`${store} ${subject.label} time`, ran.wallMs / file.wallMs);
          note(`${store} ${subject.label} CPU`, ran.cpuMs / file.cpuMs);
        }
      }
    const valuesOf = (store: Store, what: 'time' | 'CPU'): Row['values'] =>
      Object.fromEntries(
        ground.subjects.map(({ label }) => [label, median(ratios.get(`${store} ${label} ${what}`) ?? [])]),
      );
    const many = `${changes.toLocaleString('en')} changes at ${LATENCY_MS} ms`;
    const against = 'the same with the ledger in a file';
    return stores.slice(1).flatMap((store): readonly Row[] => [
      {
        name: `${many}, ledger in ${NAMES[store]}`,
        against,
        aim: 1.5,
        values: busy ? {} : valuesOf(store, 'time'),
        ...(busy && { word: 'not measured: other programs ran' }),
      },
      // Git's own processes are in it.
      { name: `CPU of ${many}, ledger in ${NAMES[store]}`, against, aim: 1.5, values: valuesOf(store, 'CPU') },
    ]);
  },
};

const NAMES: Readonly<Record<Store, string>> = {
  file: 'a file',
  git: 'Git',
  postgres: 'PostgreSQL',
};
