// What it costs to carry a plan out once on a copy of the account, against making it: the CPU, which other programs on
// the machine leave as it is.
import { benchSites } from '../accounts.ts';
import type { Row, Section } from '../ground.ts';
import { inTurn } from '../ground.ts';

/** Sites of which so many are changed. */
const SIZES = [
  [1_000, 0.1],
  [1_000, 0.01],
  [100, 1],
] as const;

export const rehearse: Section = {
  name: 'rehearse',
  title: 'A rehearsal',
  async run(ground) {
    const rows: Row[] = [];
    for (const [count, changed] of SIZES) {
      const cwd = await ground.workspace(benchSites({ count, changed }));
      const server = await ground.serve({ account: 'bench', count });
      const place = { cwd, url: server.url };
      rows.push({
        name: `CPU of \`plan --rehearse\` of ${count.toLocaleString('en')} sites, ${count * changed} of them changed`,
        against: '`plan` of the same',
        aim: 1.5,
        values: await inTurn(
          ground,
          ground.rounds(5, 3),
          async (subject) => (await ground.run(subject, ['plan', '--quiet'], place)).cpuMs,
          async (subject) => (await ground.run(subject, ['plan', '--quiet', '--rehearse'], place)).cpuMs,
        ),
      });
    }
    return rows;
  },
};
