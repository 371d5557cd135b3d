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
    for (const command of ['validate', 'plan']) {
      const root = await ground.workspace(benchSites({ count: FILES }), 1);
      const place = { cwd: root, url: server.url };
      const [file = ''] = await readdir(join(root, 'sites'));
      const knowing: Subject[] = [];
      for (const subject of ground.subjects)
        if (await ground.knows(subject, command, '--no-cache')) {
          knowing.push(subject);
          await ground.run(subject, [command, '--quiet'], place);
        }
      // A build that remembers nothing reads everything each time, and is its own floor.
      const cold = async (subject: Subject): Promise<number> =>
        (await ground.run(subject, [command, '--quiet', ...(knowing.includes(subject) ? ['--no-cache'] : [])], place))
          .wallMs;
      rows.push({
        name: `\`${command}\` after one file of 1,000 changed`,
        against: 'the same with nothing remembered',
        aim: 1 / 3,
        values: {
          ...(await each(ground, (subject) => Promise.resolve(knowing.includes(subject) ? undefined : 1))),
          ...(knowing.length > 0 &&
            (await inTurn({ ...ground, subjects: knowing }, ground.rounds(5, 3), cold, async (subject) => {
              await appendFile(join(root, 'sites', file), '# once more\n');
              return (await ground.run(subject, [command, '--quiet'], place)).wallMs;
            }))),
        },
        ...(knowing.length < ground.subjects.length && {
          word: '1: a build without a cache reads everything each time',
        }),
      });
    }
    return rows;
  },
};
