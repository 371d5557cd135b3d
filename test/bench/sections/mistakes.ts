// A file in which very many documents are wrong: what it costs to be told so grows with the file, and no faster.
import type { Section, Subject } from '../ground.ts';
import { inTurn } from '../ground.ts';
import { WORKSPACE } from '../accounts.ts';

const FEW = 2_000;
const TIMES = 10;

/** One wrong profile a site, and as many profiles that may be meant. */
function documents(count: number): string {
  return Array.from({ length: count }, (_, index) => [
    `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: s${index} }\nspec: { profiles: [wrong${index}] }\n`,
    `apiVersion: hostwright/v1\nkind: SiteProfile\nmetadata: { name: right${index} }\nspec: {}\n`,
  ])
    .flat()
    .join('---\n');
}

export const mistakes: Section = {
  name: 'mistakes',
  title: 'Many mistakes',
  async run(ground) {
    const folders = await Promise.all(
      [FEW, FEW * TIMES].map((count) =>
        ground.folder({ 'hostwright.yaml': WORKSPACE, 'sites/all.yaml': documents(count / 2) }),
      ),
    );
    const [few = '', many = ''] = folders;
    const validate = async (subject: Subject, cwd: string): Promise<number> =>
      (await ground.run(subject, ['validate', '--quiet', '--no-cache'], { cwd, may: [1] })).cpuMs;
    return [
      {
        name: `growth of the CPU of \`validate\` from ${FEW.toLocaleString('en')} to ${(FEW * TIMES).toLocaleString('en')} documents, half of them wrong`,
        against: `${TIMES} times the CPU of ${FEW.toLocaleString('en')}`,
        aim: 1,
        values: await inTurn(
          ground,
          ground.rounds(3, 1),
          async (subject) => TIMES * (await validate(subject, few)),
          (subject) => validate(subject, many),
        ),
      },
    ];
  },
};
