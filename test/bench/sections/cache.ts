import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { benchSites } from '../accounts.ts';
import type { Row, Section, Subject } from '../ground.ts';
import { each, inTurn } from '../ground.ts';

const FILES = 1_000;

export const cache: Section = {
  name: 'cache',
  title: 'A repository of 1,000 files where one changed',
  async run(ground) {
    const server = await ground.serve({ account: 'bench', count: FILES, reads: true });
    const rows: Row[] = [];
    for (const { command, until, ms } of MEASURES) {
      const root = await ground.workspace(benchSites({ count: FILES }), 1);
      const place = { cwd: root, url: server.url };
      const [file = ''] = await readdir(join(root, 'sites'));
      const knowing: Subject[] = [];
      for (const subject of ground.subjects)
        if (await ground.knows(subject, command, '--no-cache')) {
          knowing.push(subject);
          await ground.run(subject, [command, '--quiet'], place);
        }
      const measured = async (subject: Subject, ...options: readonly string[]): Promise<number> => {
        await server.take();
        const begunMs = Date.now();
        const { wallMs } = await ground.run(subject, [command, '--quiet', ...options], place);
        return ms(wallMs, (await server.take()).firstAtMs, begunMs);
      };
      rows.push({
        name: `\`${command}\` after one file of 1,000 changed${until}`,
        against: 'the same with nothing remembered',
        aim: 1 / 3,
        values: {
          // A build that remembers nothing reads everything each time, and is its own floor.
          ...(await each(ground, (subject) => Promise.resolve(knowing.includes(subject) ? undefined : 1))),
          ...(knowing.length > 0 &&
            (await inTurn(
              { ...ground, subjects: knowing },
              ground.rounds(5, 3),
              (subject) => measured(subject, '--no-cache'),
              async (subject) => {
                await appendFile(join(root, 'sites', file), '# once more\n');
                return measured(subject);
              },
            ))),
        },
        ...(knowing.length < ground.subjects.length && {
          word: '1: a build without a cache reads everything each time',
        }),
      });
    }
    return rows;
  },
};

interface Measure {
  readonly command: 'validate' | 'plan';
  /** What of the run is measured, for the name of the row. */
  readonly until: string;
  readonly ms: (wallMs: number, firstAtMs: number | undefined, begunMs: number) => number;
}

const MEASURES: readonly Measure[] = [
  { command: 'validate', until: '', ms: (wallMs) => wallMs },
  {
    command: 'plan',
    until: ', until its first request',
    ms: (wallMs, firstAtMs = NaN, begunMs) => firstAtMs - begunMs,
  },
  { command: 'plan', until: '', ms: (wallMs) => wallMs },
];
