// `explain`, `explain --schema --out` and `plan --format mermaid` as users run them: nothing leaves the machine.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderSavedPlan } from '../../src/report/json/index.ts';
import { sealed, shopPlan } from '../report/samples.ts';
import { useProgram } from './program-under-test.ts';
import { containing, matching } from '../support/matchers.ts';

const { run, folder } = useProgram();

describe('explain', () => {
  it.each([
    ['lists the kinds', '', /^Contact .*\n[^]*\nSite .*\n {2}SiteDomain +Site\.domains\n/],
    [
      'explains a field, with a manifest that has it',
      'EdgeRule.triggers.header.name',
      /^Site\.edgeRules\[\]\.triggers\[\]\.header\.name {2}text, required\n[^]*In a manifest\n {4}apiVersion: hostwright\/v1/,
    ],
    ['explains a kind in Markdown', 'Site --format markdown', /^# Site\n/],
    ['lists the kinds in Markdown', '--format markdown', /^- `Contact`: /],
    [
      'explains a code',
      'HW2204',
      /^HW2204 {2}Plan exceeds the limit of charges\n\n {2}Why +[^]*What to do +[^]*Example\n {4}hostwright apply --allow-charges 1/,
    ],
    [
      'explains a rule',
      'O-18',
      /^O-18 {2}a rule of the platform\n\n {2}Rule +Hostnames are attached[^]*For you +[^]*What to do +/,
    ],
    ['takes a code in small letters', 'hw2204 -o markdown', /^# HW2204\n[^]*\*\*Why\*\*: /],
    ['takes a rule in small letters', 'o-18 -o markdown', /^# O-18\n[^]*\*\*Rule\*\*: /],
  ])('%s', async (_what, words, shown) => {
    expect(await run(['explain', ...words.split(' ').filter((word) => word !== '')])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: matching(shown),
    });
  });

  it.each([
    ['a field', ['Site.plan'], { page: { path: 'Site.plan', change: { risks: ['charge', 'restart'] } } }],
    ['the kinds', [], { kinds: expect.any(Array) as unknown }],
    ['a code', ['HW2204'], { code: { code: 'HW2204' } }],
    ['a rule', ['O-18'], { rule: { rule: 'O-18' } }],
  ])('says %s in JSON', async (_what, words, said) => {
    expect(JSON.parse((await run(['explain', ...words, '--format', 'json'])).stdout)).toMatchObject(said);
  });

  it.each([
    ['the nearest code to one that there is not', ['HW2299'], 'Did you mean HW2204'],
    ['the nearest field to one that there is not', ['Site.cachin'], 'Did you mean `caching`?'],
    ['that it has no annotations', ['Site', '--format', 'github'], '--format github'],
  ])('names %s', async (_what, words, said) => {
    expect(await run(['explain', ...words])).toMatchObject({ code: 1, stdout: '', stderr: containing(said) });
  });
});

describe('explain --schema --out', () => {
  it('writes every schema for editors, again too, and leaves alone what is something else', async () => {
    const { stdout, code } = await run(['explain', '--schema', '--out', 'editor/schemas']);
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
    expect((await run(['explain', '--schema', '--out', 'editor/schemas'])).code).toBe(0);
    await writeFile(join(folder(), 'editor/schemas/site.schema.json'), 'mine');
    expect(await run(['explain', '--schema', '--out', 'editor/schemas'])).toMatchObject({
      code: 1,
      stderr: matching(/HW6543[^]*site\.schema\.json` exists and is not a JSON Schema/),
    });
    expect(await readFile(join(folder(), 'editor/schemas/site.schema.json'), 'utf8')).toBe('mine');
    expect(await run(['explain', '--schema', '--out', 'editor/schemas/site.schema.json'])).toMatchObject({
      code: 1,
      stderr: containing('HW6543'),
    });
    expect(await run(['explain', '--schema', 'Site', '--out', 'x'])).toMatchObject({
      code: 1,
      stderr: containing('--out requires --schema and no kind'),
    });
  });
});

describe('plan --format mermaid and dot', () => {
  const plan = sealed(shopPlan);
  beforeEach(async () => {
    await writeFile(join(folder(), 'plan.json'), renderSavedPlan(plan));
    await writeFile(join(folder(), 'changed.json'), renderSavedPlan({ ...plan, account: 'other' }));
    await writeFile(
      join(folder(), 'hostwright.yaml'),
      'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acme, baseUrl: "http://127.0.0.1:9", manifests: [sites] }\n',
    );
  });

  it.each([
    ['Mermaid', ['--format', 'mermaid'], /^flowchart TD\n/],
    ['DOT', ['--format', 'dot'], /^digraph plan \{\n[^]*\}\n$/],
  ])('draws a saved plan as %s', async (_form, more, shown) => {
    expect(await run(['plan', '--saved', 'plan.json', ...more])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: matching(shown),
    });
  });

  it.each([
    ['a plan that was changed', ['plan', '--saved', 'changed.json', '--format', 'dot'], 'HW'],
    ['no token', ['plan', '--format', 'dot'], 'HW'],
    ['a target of a saved plan', ['plan', '--saved', 'plan.json', '--target', 'Site/shop'], 'cannot be used with'],
    ['its form for others', ['drift', '--format', 'dot'], '--format dot is for plan'],
  ])('refuses %s', async (_what, words, said) => {
    expect(await run(words)).toMatchObject({ code: 1, stdout: '', stderr: containing(said) });
  });
});
