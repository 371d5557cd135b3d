// The pages on versions say what the sources say: which formats there are and who reads what, what is supported, and
// what an exit code means.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { EXIT_CODES } from '../../src/model/plan/outcome.ts';
import { parseLedger } from '../../src/ledger/ledger-text.ts';
import { readPlan } from '../../src/usecases/show.ts';
import { checkQueue } from '../../src/worker/queue.ts';

const root = join(import.meta.dirname, '../..');
const pageOf = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
/** The cells of the rows of a page that begin with a text. */
const row = (page: string, begin: string): readonly string[] =>
  page
    .split('\n')
    .find((line) => line.startsWith(`| ${begin} |`))
    ?.split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()) ?? [];

describe('what reads what', () => {
  const page = pageOf('upgrade.md');
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
    .join('\n');
  const formats = new Set([...sources.matchAll(/'(hostwright\.[a-z-]+\/\d+)'/g)].map(([, format = '']) => format));
  const named = [...page.matchAll(/^\| `(hostwright\.[a-z-]+\/\d+)` \|/gm)].map(([, format = '']) => format);

  it('names formats that the sources write, and any other has the number that the page says', () => {
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((format) => !formats.has(format))).toEqual([]);
    expect(page).toContain('| any other `hostwright.…/1` |');
    expect([...formats].filter((format) => !named.includes(format) && !format.endsWith('/1'))).toEqual([]);
    expect(row(page, '`hostwright/v1`')).not.toEqual([]);
    expect(sources).toContain("'hostwright/v1'");
  });

  it('says what a version does that meets a newer one', async () => {
    const header = '{"format":"hostwright.ledger/2","account":"acc","sequence":0}\n';
    expect(parseLedger(Buffer.from(header.replace('/2', '/3')))).toMatchObject({ state: 'newer' });
    expect(await readPlan({ format: 'hostwright.plan/2' }, 'it')).toMatchObject({ diagnostic: { code: 'HW6502' } });
    expect(row(page, '`hostwright.ledger/2`').at(-1)).toContain('HW5003');
    expect(row(page, '`hostwright.plan/1`').at(-1)).toContain('HW6502');
  });
});

describe('supported versions', () => {
  const page = pageOf('supported-versions.md');
  const ci = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  const tests = (
    parse(ci) as {
      readonly jobs: Readonly<
        Record<string, { readonly strategy?: { readonly matrix: { readonly node: readonly (string | number)[] } } }>
      >;
    }
  ).jobs.tests;

  it('of Node.js are those of package.json, of the queue and of CI', () => {
    const [, needed, tried] = row(page, 'Node.js, for the npm package');
    expect(`>=${needed}`).toBe(packageFile.engines.node);
    expect(tried?.split(', ')).toEqual(tests?.strategy?.matrix.node.map(String));
    const [, queue = ''] = row(page, 'Node.js, for a worker and `serve receiver --dispatch pg-boss`');
    const databaseUrl = 'postgres://me:secret@127.0.0.1/queue';
    const [major = 0, minor = 0] = queue.split('.').map(Number);
    expect(checkQueue({ databaseUrl, node: `${queue}.0` })).toBeUndefined();
    expect(checkQueue({ databaseUrl, node: `${major}.${minor - 1}.0` })).toMatchObject({ code: 'HW7131' });
  });

  it('of Terraform, OpenTofu, Open Policy Agent and the packages of a worker are those of CI and package.json', () => {
    expect(row(page, 'Terraform').at(-1)).toBe(/terraform_version: (\S+)/.exec(ci)?.[1]);
    expect(row(page, 'OpenTofu').at(-1)).toBe(/tofu_version: (\S+)/.exec(ci)?.[1]);
    expect(row(page, 'Open Policy Agent, for [policies](policies.md)').at(-1)).toBe(
      /version: (\d\S+)/.exec(ci.slice(ci.indexOf('setup-opa')))?.[1],
    );
    const { pg, 'pg-boss': boss } = packageFile.peerDependencies;
    expect(row(page, '`pg`, `pg-boss`')[1]).toBe(`${pg.slice(1, -2)}, ${/\d+/.exec(boss)?.[0]}`);
  });
});

it('the exit codes of the promise are those of the program', () => {
  const [, promise = ''] = row(pageOf('compatibility.md'), 'exit codes, and the words of `outcome`');
  const said = [...promise.matchAll(/`(\d+)` ([a-z-]+)/g)].map(([, code, word]) => [word, Number(code)]);
  expect(Object.fromEntries(said)).toEqual(EXIT_CODES);
});
