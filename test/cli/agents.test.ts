// What coding agents are told: the skill, AGENTS.md and llms.txt. The commands in them are run by test/docs-commands.test.ts.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../package.json';
import { useProgram } from './program-under-test.ts';

const root = join(import.meta.dirname, '../..');
const text = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
const SKILLS = ['.claude/skills/hostwright/SKILL.md', '.agents/skills/hostwright/SKILL.md'];

describe('hostwright skills install', () => {
  const { folder, run } = useProgram();

  it('writes the skill of this version where agents look, and over that of an older one', async () => {
    await mkdir(join(folder(), '.git'));
    await mkdir(join(folder(), 'accounts/acme'), { recursive: true });
    const skill = await text('skills/hostwright/SKILL.md');
    expect((await run(['skills', 'install'])).stdout).toBe(SKILLS.map((file) => `Written: ${file}\n`).join(''));
    for (const file of SKILLS) expect(await readFile(join(folder(), file), 'utf8')).toBe(skill);
    expect((await run(['skills', 'install'])).stdout).toBe(SKILLS.map((file) => `As it was: ${file}\n`).join(''));
    const [first = ''] = SKILLS;
    await writeFile(join(folder(), first), skill.replace(/version: .*/, 'version: "0.0.1"'));
    const { stdout } = await run(['skills', 'install', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'done', files: [{ file: first, after: skill }] });
    const { name, description, metadata } = parse(skill.split('---\n')[1] ?? '') as Record<string, unknown>;
    expect([name, metadata]).toEqual(['hostwright', { version, 'made-by': 'hostwright skills install' }]);
    expect(String(description).length).toBeLessThan(1_024);
  });

  it('leaves what somebody else wrote, and follows no link', async () => {
    const [first = '', second = ''] = SKILLS.map((file) => join(folder(), file));
    await writeFile(first, 'my own\n');
    await rm(second);
    const refused = await run(['skills', 'install']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/HW6732[^]*somebody else wrote/)]);
    expect([await readFile(first, 'utf8'), existsSync(second)]).toEqual(['my own\n', false]);
    // The advice: moved away, it is written.
    await rm(first);
    expect((await run(['skills', 'install'])).code).toBe(0);
    await rm(join(folder(), '.agents'), { recursive: true });
    await symlink(root, join(folder(), '.agents'));
    expect((await run(['skills', 'install'])).stderr).toMatch(/HW6732[^]*link that leads out/);
  });
});

describe('AGENTS.md', () => {
  const { folder, run } = useProgram();

  it('has ten lines at most, and is written by init where it is wanted and none is there', async () => {
    const lines = await text('skills/AGENTS.md');
    expect(lines.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
    const init = ['init', '--account', 'acc-acme', '--api-url', 'http://127.0.0.1:1', '--yes'];
    expect((await run(init)).stdout).not.toContain('AGENTS.md');
    expect((await run(['init', '--agents'])).stdout).toContain('Written:\n  AGENTS.md');
    expect(await readFile(join(folder(), 'AGENTS.md'), 'utf8')).toBe(lines);
    await writeFile(join(folder(), 'AGENTS.md'), 'my own\n');
    expect((await run(['init', '--agents'])).stdout).toMatch(/left as they are:[^]*AGENTS\.md/);
    expect(await readFile(join(folder(), 'AGENTS.md'), 'utf8')).toBe('my own\n');
  });
});

it('llms.txt links the list of all pages, and nothing that is not in the package', async () => {
  const links = [...(await text('llms.txt')).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const { files } = JSON.parse(await text('package.json')) as { readonly files: readonly string[] };
  expect(links.filter((link) => !existsSync(join(root, link)) || !files.includes(link.split('/')[0] ?? ''))).toEqual(
    [],
  );
  expect(links).toContain('docs/README.md');
});
