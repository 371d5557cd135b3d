import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ground, Row, Section, Subject } from '../ground.ts';
import { each } from '../ground.ts';
import { median, runProgram } from '../measure.ts';

const root = join(import.meta.dirname, '../../..');

/** A program of so many sites that share a profile, as somebody with a list of them writes it. */
const programOf = (sites: number): string => `// hosting.ts
import { App, Site, type SiteProps } from 'hostwright/constructs';

const cached = (seconds: number): SiteProps => ({ caching: { smartCache: true, cacheExpiration: seconds } });
const app = new App();
for (let number = 1; number <= ${sites}; number += 1) {
  const name = \`s\${String(number).padStart(5, '0')}\`;
  new Site(app, name, Site.merge(cached(number * 60), {
    primaryDomain: \`\${name}.example.com\`,
    domains: [\`\${name}.example.com\`, \`www.\${name}.example.com\`],
    edgeRules: [{ name: 'old', action: { redirect: { to: \`https://\${name}.example.com/new\` } }, triggers: [{ url: ['*/old/*'] }] }],
  }));
}
export default app;
`;

/** As `init --lang ts` writes it. */
const COMPILER = {
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noEmit: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  skipLibCheck: true,
};

/** How much CPU something takes, in multiples of that of a Node.js that does nothing. */
async function timesNothing(ground: Ground, rounds: number, one: () => Promise<number>): Promise<number> {
  const [nothing, took]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    nothing.push((await ground.nothing(process.execPath, {})).cpuMs);
    took.push(await one());
  }
  return median(took) / median(nothing);
}

export const programs: Section = {
  name: 'programs',
  title: 'Programs in TypeScript',
  async run(ground) {
    const against = 'CPU of `node -e 0`';
    const rows: Row[] = [];
    const knows = (subject: Subject): Promise<boolean> => ground.knows(subject, 'synth', '--sources');
    // Aims are seconds of CPU, 0.35, 1.2 and 7, where running nothing takes 0.025.
    for (const [sites, aim, rounds] of [
      [0, 14, ground.rounds(15, 5)],
      [1_000, 48, ground.rounds(5, 2)],
      [10_000, 280, ground.rounds(3, 1)],
    ] as const) {
      const cwd = await ground.workspace({ manifests: [] });
      await writeFile(join(cwd, 'hosting.ts'), programOf(sites));
      const peaks: Record<string, number> = {};
      const what = sites === 0 ? 'an empty program' : `a program of ${sites.toLocaleString('en')} sites`;
      const values = await each(ground, async (subject) =>
        (await knows(subject))
          ? timesNothing(ground, rounds, async () => {
              await rm(join(cwd, 'manifests'), { recursive: true, force: true });
              const ran = await ground.run(subject, ['synth', '--quiet'], { cwd, memory: true });
              peaks[subject.label] = Math.max(peaks[subject.label] ?? 0, ran.peakMb);
              return ran.cpuMs;
            })
          : undefined,
      );
      rows.push({ name: `\`synth\` of ${what}`, against, aim, values });
      if (sites === 10_000)
        rows.push({
          name: `peak memory, \`synth\` of ${what}`,
          against: 'the process',
          unit: 'MB',
          aim: 600,
          values: peaks,
        });
    }
    const cwd = await ground.emptyFolder();
    await mkdir(join(cwd, 'node_modules'));
    await writeFile(join(cwd, 'package.json'), '{ "type": "module" }');
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, files: ['hosting.ts'] }));
    await writeFile(join(cwd, 'hosting.ts'), programOf(50));
    rows.push({
      name: '`tsc` over a program of fifty sites',
      against,
      // 2.5 seconds of the same.
      aim: 100,
      values: await each(ground, async (subject) => {
        if (!(await knows(subject))) return undefined;
        await rm(join(cwd, 'node_modules/hostwright'), { force: true });
        await symlink(dirname(dirname(subject.command)), join(cwd, 'node_modules/hostwright'));
        return timesNothing(ground, ground.rounds(5, 2), async () => {
          const tsc = join(root, 'node_modules/typescript/bin/tsc');
          const { code, cpuMs, stderr } = await runProgram({ file: process.execPath, args: [tsc], cwd });
          if (code !== 0) throw new Error(`tsc ended with ${String(code)}: ${stderr}`);
          return cpuMs;
        });
      }),
    });
    return rows;
  },
};
