import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MOST_ATTEMPTS } from '../../../src/platform/retry.ts';
import { richSites } from '../accounts.ts';
import type { Row, Section } from '../ground.ts';
import { each } from '../ground.ts';

const MAX_RPS = 30;

export const limits: Section = {
  name: 'limits',
  title: 'A platform that says no',
  async run(ground) {
    const count = ground.quick ? 30 : 110;
    const root = await ground.workspace(richSites({ count }));
    const refused: Record<string, number> = {};
    let requests = 0;
    const values = await each(ground, async (subject) => {
      const server = await ground.serve({ account: 'rich', count, reads: true, maxRps: MAX_RPS });
      const { wallMs } = await ground.run(subject, ['plan', '--quiet'], { cwd: root, url: server.url });
      const asked = (await server.take()).requests;
      requests = asked.filter(({ status }) => status !== 429).length;
      refused[subject.label] = (100 * (asked.length - requests)) / asked.length;
      return wallMs / ((requests / MAX_RPS) * 1000);
    });
    const limit = `a limit of ${MAX_RPS} requests a second`;
    const rows: Row[] = [
      {
        name: `plan of ${requests.toLocaleString('en')} requests under ${limit}`,
        against: 'what the limit allows',
        aim: 1.2,
        values,
      },
      {
        name: 'requests that were refused (429) in it',
        against: 'all that were sent',
        unit: '%',
        aim: 5,
        values: refused,
      },
    ];
    const examples = join(import.meta.dirname, '../../../examples');
    const mail =
      'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: s00001 }\nspec: { name: s00001, mail: { fromLocalPart: shop } }\n';
    // A 503 of which the documents say that it lasts is asked for once. Of another one nobody knows, and it may pass.
    for (const [what, served, folder, aim] of [
      ['registrations', { closed: { path: '/api/', code: 'feature_disabled' } }, 'a-registrar-clean-up/names', 1],
      [
        'a code that no document names',
        { closed: { path: '/api/', code: 'disabled' } },
        'a-registrar-clean-up/names',
        MOST_ATTEMPTS,
      ],
      ['mail of sites', { account: 'mail-down' }, undefined, 1],
    ] as const) {
      const files: readonly (readonly [string, string])[] =
        folder === undefined
          ? [['mail.yaml', mail]]
          : await Promise.all(
              (await readdir(join(examples, folder))).map(
                async (name) => [name, await readFile(join(examples, folder, name), 'utf8')] as const,
              ),
            );
      const cwd = await ground.workspace({ manifests: [] });
      await mkdir(join(cwd, 'sites'));
      for (const [name, text] of files) await writeFile(join(cwd, 'sites', name), text);
      rows.push({
        name: `${what}: an area that answers 503 \`${'closed' in served ? served.closed.code : 'mailprovider_unavailable'}\``,
        against: 'asking once',
        unit: 'requests',
        aim,
        values: await each(ground, async (subject) => {
          const server = await ground.serve({ account: 'registrar', count: 1, ...served });
          // Something could not be read: exit code 1.
          await ground.run(subject, ['plan', '--quiet'], { cwd, url: server.url, may: [1] });
          return (await server.take()).requests.filter(({ status }) => status === 503).length;
        }),
        ...(aim === MOST_ATTEMPTS && {
          word: `it may pass, so it is asked for ${MOST_ATTEMPTS} times, like any such answer`,
        }),
      });
    }
    return rows;
  },
};
