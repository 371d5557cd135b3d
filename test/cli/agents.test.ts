// What coding agents are told: the skill, AGENTS.md and llms.txt. The commands in them are run by test/docs-commands.test.ts.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { version } from '../../package.json';
import { agentIn } from '../../src/cli/agent.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { openHarness } from '../support/open-harness.ts';
import { runHere } from '../support/processes/run-here.ts';
import { useProgram } from './program-under-test.ts';
import { matching } from '../support/matchers.ts';

const root = join(import.meta.dirname, '../..');
const text = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
const SKILLS = ['.claude/skills/hostwright/SKILL.md', '.agents/skills/hostwright/SKILL.md'];

describe('hostwright init --agents', () => {
  const { folder, run } = useProgram();
  beforeEach(async () => {
    for (const name of ['.claude', '.agents']) await rm(join(folder(), name), { recursive: true, force: true });
    await mkdir(join(folder(), '.git'), { recursive: true });
  });

  interface Installed {
    readonly outcome: string;
    readonly written: readonly string[];
    readonly left: readonly string[];
  }
  const install = async (): Promise<Installed> =>
    JSON.parse((await run(['init', '--agents', '--format', 'json'])).stdout) as Installed;
  const isSkill = (file: string): boolean => SKILLS.includes(file);
  beforeEach(async () => {
    await rm(join(folder(), 'hostwright.yaml'), { force: true });
    await run(['init', '--account', 'acc-acme', '--api-url', 'http://127.0.0.1:1', '--yes']);
  });

  it('installs the skill of this version and replaces an older one', async () => {
    const skill = await text('skills/hostwright/SKILL.md');
    expect((await install()).written.filter(isSkill)).toEqual(SKILLS);
    for (const file of SKILLS) expect(await readFile(join(folder(), file), 'utf8')).toBe(skill);
    expect((await install()).left.filter(isSkill)).toEqual(SKILLS);
    const [first = ''] = SKILLS;
    await writeFile(join(folder(), first), skill.replace(/version: .*/, 'version: "0.0.1"'));
    expect(await install()).toMatchObject({ outcome: 'done', written: [first] });
    expect(await readFile(join(folder(), first), 'utf8')).toBe(skill);
    const { name, description, metadata } = parse(skill.split('---\n')[1] ?? '') as Record<string, unknown>;
    expect([name, metadata]).toEqual(['hostwright', { version, 'made-by': 'hostwright init --agents' }]);
    expect(String(description).length).toBeLessThan(1_024);
  });

  it('keeps a file that it did not write, and follows no link', async () => {
    const [first = '', second = ''] = SKILLS.map((file) => join(folder(), file));
    await install();
    await writeFile(first, 'my own\n');
    await rm(second);
    const refused = await run(['init', '--agents']);
    expect([refused.code, refused.stderr]).toEqual([1, matching(/HW6732[^]*Hostwright did not write/)]);
    expect([await readFile(first, 'utf8'), existsSync(second)]).toEqual(['my own\n', false]);
    // The advice: after the file is moved away, the skill is installed.
    await rm(first);
    expect((await run(['init', '--agents'])).code).toBe(0);
    await rm(join(folder(), '.agents'), { recursive: true });
    await symlink(root, join(folder(), '.agents'));
    expect((await run(['init', '--agents'])).stderr).toMatch(/HW6732[^]*link that leads out/);
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

describe('a question that an agent would be asked', () => {
  const schema = JSON.parse(readFileSync(join(root, 'schemas/question.schema.json'), 'utf8')) as {
    readonly examples: readonly unknown[];
  };
  const isQuestion = new Ajv2020({ strict: true }).compile(schema);
  /** The document, which its schema takes. */
  const documentIn = (text: string): Readonly<Record<string, unknown>> => {
    const document = JSON.parse(text) as Readonly<Record<string, unknown>>;
    expect(isQuestion(document), JSON.stringify(isQuestion.errors)).toBe(true);
    return document;
  };

  const start = async (files: Readonly<Record<string, string>> = {}) => {
    const harness = await openHarness({ example: 'small-agency', files });
    const { root: cwd, sandbox } = harness;
    const env = { PATH: process.env.PATH, HOME: cwd, HOSTWRIGHT_API_URL: sandbox.url, HOSTWRIGHT_TOKEN: API_KEY };
    return {
      ...harness,
      text: (file: string) => readFile(join(cwd, file), 'utf8'),
      agent: (...argv: readonly string[]) => runHere(argv, { cwd, env: { ...env, CLAUDECODE: '1' } }),
      writes: () => sandbox.requests.filter(({ method }) => method !== 'GET'),
    };
  };

  it('is one document with the plan, what is dangerous and the command of a person; nothing is sent', async () => {
    const { agent, writes } = await start();
    const plan = JSON.parse((await agent('plan', '--format', 'json')).stdout) as Record<string, unknown>;
    for (const form of [[], ['--format', 'json'], ['--format', 'markdown', '--quiet']]) {
      const { code, stdout } = await agent('apply', '--allow-charges', '2', ...form);
      expect([code, documentIn(stdout)]).toMatchObject([
        5,
        {
          format: 'hostwright.question/1',
          outcome: 'refused',
          exitCode: 5,
          agent: 'claude-code',
          account: 'acc-acme',
          planId: plan.planId,
          digest: plan.digest,
          question: matching(/^Run this on account acc-acme: 4 to create, .*\?$/),
          dangerous: expect.any(Array) as string[],
          command: ['hostwright apply --allow-charges 2', ...form].join(' '),
        },
      ]);
    }
    expect(writes()).toEqual([]);
  });

  it('has the form of its schema, as the page and the examples of the schema do', async () => {
    const [, shown = ''] = /^```json\n(.*?)^```/ms.exec(await text('docs/agents.md')) ?? [];
    for (const one of [JSON.parse(shown), ...schema.examples]) documentIn(JSON.stringify(one));
    const { command: _command, ...rest } = JSON.parse(shown) as Record<string, unknown>;
    expect([isQuestion(rest), isQuestion({ ...rest, outcome: 'done' })]).toEqual([false, false]);
  });

  it('names what is dangerous in words', async () => {
    const { agent, write, text, apply } = await start();
    await apply();
    const manifest = await text('sites/docs-and-blog.yaml');
    await write(
      'sites/docs-and-blog.yaml',
      manifest.replace(', www.blog.example.com]', ']\n  unlisted: { domains: remove }'),
    );
    const { dangerous } = documentIn((await agent('apply', '--allow-deletes', '1')).stdout);
    expect(dangerous).toEqual([matching(/^Delete hostname www\.blog\.example\.com/)]);
  });

  it('is the same where `--yes` is no answer, and says the command without it', async () => {
    const { agent, write, text, writes } = await start();
    await write('hostwright.yaml', `${(await text('hostwright.yaml')).trimEnd()}\n  guards: { unreviewed: refuse }\n`);
    const { code, stdout } = await agent('apply', '--yes');
    expect([code, documentIn(stdout)]).toMatchObject([
      5,
      { format: 'hostwright.question/1', command: 'hostwright apply' },
    ]);
    expect(writes()).toEqual([]);
  });

  it.each([
    [['run', 'restart', 'Site/shop'], /shop/],
    [['run', 'purge', 'Site/shop'], /shop/],
    [['run', 'cancel', 'Order/nothing'], /./],
  ])('of a command beside plans: %s', async (argv, words) => {
    const { agent, writes } = await start();
    const { code, stdout, stderr } = await agent(...argv);
    if (argv[1] === 'cancel') expect([code, stdout, stderr.includes('nothing')]).toEqual([1, '', true]);
    else
      expect([code, documentIn(stdout)]).toMatchObject([
        5,
        { question: matching(words), command: ['hostwright', ...argv].join(' ') },
      ]);
    expect(writes()).toEqual([]);
  });

  it.each([
    [{ AI_AGENT: 'my-agent' }, 'my-agent'],
    [{ CLAUDECODE: '1' }, 'claude-code'],
    [{ CURSOR_AGENT: '1' }, 'cursor'],
    [{ GEMINI_CLI: '1' }, 'gemini-cli'],
    [{ CODEX_SANDBOX: 'seatbelt' }, 'codex'],
    [{ OPENCODE: '1' }, 'opencode'],
    [{ CLAUDECODE: '0' }, undefined],
    // Of the terminal of a person.
    [{ CURSOR_TRACE_ID: 'a', REPL_ID: 'b', TERM_PROGRAM: 'vscode' }, undefined],
  ])('is known to be one by what agents set: %o', (env, name) => {
    expect(agentIn(env)).toBe(name);
  });
});
