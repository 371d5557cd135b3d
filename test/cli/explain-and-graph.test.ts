// `explain`, `schema --out` and `graph` as users run them: nothing leaves the machine.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderSavedPlan } from '../../src/report/json/index.ts';
import { sealed, shopPlan } from '../report/samples.ts';
import { useProgram } from './program-under-test.ts';

const { run, folder } = useProgram();

describe('explain', () => {
  it('lists the kinds, explains one field in every form, and names the nearest to a wrong one', async () => {
    expect((await run(['explain'])).stdout).toMatch(
      /^ {2}Contact .*\n[^]* {2}Site .*\n {4}SiteDomain +Site\.domains\n/,
    );
    const human = await run(['explain', 'EdgeRule.triggers.header.name']);
    expect(human).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^Site\.edgeRules\[\]\.triggers\[\]\.header\.name {2}text, required\n[^]*In a manifest\n {2}apiVersion: hostwright\/v1/,
      ) as string,
    });
    expect((await run(['explain', 'Site', '--format', 'markdown'])).stdout).toMatch(/^# `Site`\n/);
    expect((await run(['explain', '--format', 'markdown'])).stdout).toMatch(/^- `Contact`: /);
    expect(JSON.parse((await run(['explain', 'Site.plan', '--format', 'json'])).stdout)).toMatchObject({
      page: { path: 'Site.plan', change: { risks: ['charge', 'restart'] } },
    });
    expect(JSON.parse((await run(['explain', '--format', 'json'])).stdout)).toMatchObject({
      kinds: expect.any(Array) as unknown,
    });
    const code = await run(['explain', 'HW2204']);
    expect(code.stdout).toMatch(
      /^HW2204 {2}The plan charges more often than is allowed\n\n {2}Why +[^]*What to do +[^]*Example\n {2}hostwright apply --allow-charges 1/,
    );
    expect((await run(['explain', 'O-18'])).stdout).toMatch(
      /^O-18 {2}a rule of the platform\n\n {2}Rule +Hostnames are attached[^]*For you +[^]*What to do +/,
    );
    expect((await run(['explain', 'hw2204', '-o', 'markdown'])).stdout).toMatch(/^# `HW2204`\n[^]*\*\*Why\*\*: /);
    expect((await run(['explain', 'o-18', '-o', 'markdown'])).stdout).toMatch(/^# `O-18`\n[^]*\*\*Rule\*\*: /);
    expect(JSON.parse((await run(['explain', 'HW2204', '-o', 'json'])).stdout)).toMatchObject({
      code: { code: 'HW2204' },
    });
    expect(JSON.parse((await run(['explain', 'O-18', '-o', 'json'])).stdout)).toMatchObject({ rule: { rule: 'O-18' } });
    const unknown = await run(['explain', 'HW2299']);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/HW2210\? `hostwright explain` lists the kinds of manifests\.\n$/),
    ]);
    expect(await run(['explain', 'Site.cachin'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Did you mean `caching`?') as string,
    });
    expect(await run(['explain', 'Site', '--format', 'github'])).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('schema --out', () => {
  it('writes every schema for editors, again too, and leaves alone what is something else', async () => {
    const { stdout, code } = await run(['schema', '--out', 'editor/schemas']);
    expect(code).toBe(0);
    const written = await readdir(join(folder(), 'editor/schemas'));
    expect(
      stdout
        .trim()
        .split('\n')
        .map((file) => file.split('/').at(-1)),
    ).toEqual(written.sort());
    expect(JSON.parse(await readFile(join(folder(), 'editor/schemas/hostwright.schema.json'), 'utf8'))).toHaveProperty(
      '$defs',
    );
    expect((await run(['schema', '--out', 'editor/schemas'])).code).toBe(0);
    await writeFile(join(folder(), 'editor/schemas/site.schema.json'), 'mine');
    expect(await run(['schema', '--out', 'editor/schemas'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/HW6543[^]*site\.schema\.json` is there and is no JSON Schema/) as string,
    });
    expect(await readFile(join(folder(), 'editor/schemas/site.schema.json'), 'utf8')).toBe('mine');
    expect(await run(['schema', '--out', 'editor/schemas/site.schema.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('HW6543') as string,
    });
    expect(await run(['schema', 'Site', '--out', 'x'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('name a kind or a folder') as string,
    });
  });
});

describe('graph', () => {
  it('draws a saved plan in each form; another form, a changed plan and no token are refused', async () => {
    const plan = sealed(shopPlan);
    await writeFile(join(folder(), 'plan.json'), renderSavedPlan(plan));
    await writeFile(join(folder(), 'changed.json'), renderSavedPlan({ ...plan, account: 'other' }));
    await writeFile(
      join(folder(), 'hostwright.yaml'),
      'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acme, baseUrl: "http://127.0.0.1:9", manifests: [sites] }\n',
    );
    const [plain, mermaid, dot, json] = [
      await run(['graph', 'plan.json']),
      await run(['graph', 'plan.json', '--format', 'mermaid']),
      await run(['graph', 'plan.json', '--format', 'dot']),
      await run(['graph', 'plan.json', '--format', 'json']),
    ];
    expect(plain).toEqual(mermaid);
    expect(plain).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^flowchart TD\n/) as string });
    expect(dot.stdout).toMatch(/^digraph plan \{\n[^]*\}\n$/);
    expect(JSON.parse(json.stdout)).toMatchObject({
      format: 'hostwright.graph/1',
      nodes: { length: plan.actions.length },
    });
    expect(await run(['graph', 'changed.json', '--format', 'dot'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('HW') as string,
    });
    expect(await run(['graph', '--format', 'dot'])).toMatchObject({ code: 1, stdout: '' });
    expect(await run(['graph', 'plan.json', '--target', 'Site/shop'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('HW6513') as string,
    });
    expect(await run(['graph', '--format', 'markdown'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--format markdown is for') as string,
    });
    expect(await run(['plan', '--format', 'dot'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--format dot is for graph') as string,
    });
  });
});
