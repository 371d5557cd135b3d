// What a change costs, whatever else the account has: requests of one change and of fifty, and the CPU of a run that is
// about nothing.
import { execFileSync } from 'node:child_process';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { benchSites } from '../accounts.ts';
import type { Ground, Row, Section, Subject } from '../ground.ts';
import { each, inTurn } from '../ground.ts';
import type { Place } from '../ground.ts';

const FILES = 1_000;
/** What is the same for every size: lists of the account, one site, and the read back. */
const MOST_FOR_ONE = 20;
const MOST_EACH = 4;

/** Reads of a run that changes the caching of the first sites. */
async function readsOf(ground: Ground, subject: Subject, count: number, targets: readonly string[]): Promise<number> {
  const root = await ground.workspace(benchSites({ count, changed: 1 }));
  const server = await ground.serve({ account: 'bench', count, reads: true });
  const options = targets.flatMap((target) => ['--target', target]);
  await ground.run(subject, ['apply', '--yes', '--quiet', ...options], { cwd: root, url: server.url });
  return (await server.take()).requests.filter(({ method }) => method === 'GET').length;
}

const sites = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `Site/s${String(index + 1).padStart(5, '0')}/Caching`);

/** A workspace of one site a file, committed. */
async function repository(ground: Ground): Promise<string> {
  const root = await ground.workspace(benchSites({ count: FILES }), 1);
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '-q', '-m', 'base');
  return root;
}

export const scope: Section = {
  name: 'scope',
  title: 'A run is as large as its change',
  async run(ground) {
    const rows: Row[] = [];
    for (const count of [10, 100, 1_000, 10_000])
      rows.push({
        name: `reads of \`apply --target\` for one section, an account of ${count.toLocaleString('en')} sites`,
        against: 'the same for every size',
        unit: 'requests',
        aim: MOST_FOR_ONE,
        values: await each(ground, (subject) => readsOf(ground, subject, count, sites(1))),
      });
    rows.push({
      name: 'reads a changed site, 50 of 1,000 sites',
      against: 'a look and the read back; lists of the account beside',
      unit: 'requests',
      aim: MOST_EACH,
      values: await each(ground, async (subject) => (await readsOf(ground, subject, 1_000, sites(50))) / 50),
    });

    const root = await repository(ground);
    const server = await ground.serve({ account: 'bench', count: FILES, reads: true });
    const place: Place = { cwd: root, url: server.url };
    const since = async (subject: Subject, ...options: readonly string[]): Promise<number> =>
      (await ground.run(subject, ['plan', '--quiet', '--changed-since', 'HEAD', ...options], place)).cpuMs;
    rows.push({
      name: `CPU of \`plan --changed-since HEAD\` of ${FILES.toLocaleString('en')} files, nothing changed`,
      against: '`node -e 0` and `git diff --name-only`',
      aim: 1.5,
      values: await inTurn(
        ground,
        ground.rounds(7, 3),
        async () =>
          (await ground.nothing(process.execPath, {})).cpuMs + (await ground.git(root, 'diff', '--name-only')).cpuMs,
        (subject) => since(subject),
      ),
    });
    const [file = ''] = await readdir(join(root, 'sites'));
    await appendFile(join(root, 'sites', file), '  phpVersion: "8.3"\n');
    rows.push({
      name: 'the same where one file changed and nothing is remembered',
      against: 'CPU of `validate --no-cache`, which reads all files once',
      values: await inTurn(
        ground,
        ground.rounds(5, 3),
        async (subject) => (await ground.run(subject, ['validate', '--quiet', '--no-cache'], place)).cpuMs,
        (subject) => since(subject, '--no-cache'),
      ),
    });
    return rows;
  },
};
