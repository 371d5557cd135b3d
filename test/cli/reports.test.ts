// `--report`: the same result in other forms, each in its file.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { manifest, workspaceFile } from '../support/manifests.ts';
import { useProgram } from './program-under-test.ts';
import { containing, matching } from '../support/matchers.ts';

const { run, folder } = useProgram();
const file = (name: string): string => join(folder(), name);
const read = (name: string): Promise<string> => readFile(file(name), 'utf8');
beforeAll(async () => {
  await writeFile(file('hostwright.yaml'), workspaceFile('manifests: [shop.yaml]'));
  await writeFile(file('shop.yaml'), manifest('Site', 'shop', { name: 'Shop' }));
  await writeFile(
    file('broken.yaml'),
    'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: shop }\nspec:\n  colour: red\n',
  );
});

/** Runs a command with these reports. */
const reporting = (words: readonly string[], reports: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run([...words, ...reports.flatMap((report) => ['--report', report])], { env });

describe('--report', () => {
  it('writes the result in other forms too: JSON for its owner only, outputs at the end of what is there', async () => {
    await writeFile(file('job.env'), 'before=1\n');
    const reports = ['json=result.json', 'markdown=result.md', 'outputs=job.env', 'html=result.html'];
    const { code, stdout } = await reporting(['validate'], reports);
    expect([code, stdout]).toEqual([0, containing('1 manifest')]);
    expect(JSON.parse(await read('result.json'))).toMatchObject({ format: 'hostwright.validation/1', outcome: 'done' });
    expect((await stat(file('result.json'))).mode & 0o777).toBe(0o600);
    expect(await read('result.md')).toMatch(/^<!-- hostwright: validate - -->\n/);
    expect(await read('job.env')).toBe('before=1\noutcome=done\nexit_code=0\n');
    expect(await read('result.html')).toMatch(/^<!doctype html>\n[^]*>Valid: 1 manifest/);
  });

  it('also of a plan that could not be made', async () => {
    const reports = ['markdown=problems.md', 'html=problems.html', 'outputs=problems.env'];
    expect(await reporting(['plan'], reports)).toMatchObject({ code: 1 });
    expect(await read('problems.html')).toContain('<h1>Hostwright plan</h1>');
    expect(await read('problems.md')).toMatch(/^<!-- hostwright: plan - -->/);
    expect(await read('problems.env')).toBe('outcome=error\nexit_code=1\n');
  });

  it('for GitLab names a problem at its line, seen from the root of the repository, and counts no plan that there is none of', async () => {
    const reports = ['codequality=quality.json', 'junit=junit.xml', 'terraform=numbers.json'];
    const ended = await reporting(['validate', 'broken.yaml'], reports, { CI_PROJECT_DIR: join(folder(), '..') });
    expect(ended).toMatchObject({ code: 1, stderr: matching(/HW6601[^]*no plan/) });
    expect(JSON.parse(await read('quality.json'))).toMatchObject([
      { severity: 'critical', location: { path: matching(/^[^/]+\/broken\.yaml$/), lines: { begin: 5 } } },
    ]);
    expect(await read('junit.xml')).toContain('failures="1"');
    await expect(read('numbers.json')).rejects.toThrow('ENOENT');
  });

  it('has every diagnostic in SARIF, with its code as the rule', async () => {
    await reporting(['validate', 'broken.yaml'], ['sarif=out.sarif'], { CI_PROJECT_DIR: join(folder(), '..') });
    const { version, runs } = JSON.parse(await read('out.sarif')) as {
      version: string;
      runs: readonly {
        tool: { driver: { rules: readonly { id: string; help: { text: string } }[] } };
        results: readonly object[];
      }[];
    };
    const [{ tool, results } = { tool: { driver: { rules: [] } }, results: [] }] = runs;
    const [rule] = tool.driver.rules;
    expect([version, results.length, tool.driver.rules.length]).toEqual(['2.1.0', 1, 1]);
    expect(rule?.help.text).toContain(`hostwright explain ${rule?.id}`);
    expect(results[0]).toMatchObject({
      ruleId: rule?.id,
      ruleIndex: 0,
      level: 'error',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: matching(/^[^/]+\/broken\.yaml$/) }, region: { startLine: 5 } },
        },
      ],
    });
  });

  it.each<[readonly string[], string]>([
    [['validate', '--report', 'json=missing/result.json'], 'HW6601'],
    [['validate', '--report', 'pdf=x'], 'Forms: json, markdown, html, outputs, codequality, junit, terraform, sarif.'],
    [['validate', '--report', 'json='], 'a form and a file'],
    [['ledger', 'list', '--report', 'json=x'], '--report is for'],
  ])('is an error as %j', async (args, said) =>
    expect(await run(args)).toMatchObject({ code: 1, stderr: containing(said) }),
  );
});
