// Whoever can read a repository can take the artifacts of its jobs: nothing that the example workflows upload is about a
// person.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { openHarness } from '../support/open-harness.ts';
import { root } from './workflows.ts';

const examples = join(root, 'examples');
const ci = join(examples, 'ci');
const PEOPLE = /Canal 12|301234567|Utrecht|fay@|ben@|Vries|Main Street|201234569|accounts@|jo@client-a|Doe/;

/** Where in a document somebody stands. */
function peopleIn(value: unknown, place = ''): readonly string[] {
  if (typeof value === 'string') return PEOPLE.test(value) ? [`${place}: ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...peopleIn(key, `${place} (key)`),
    ...peopleIn(item, `${place}/${key}`),
  ]);
}

describe('the parts of a fleet run', () => {
  it('have plans, outcomes and digests in them, and nobody', async () => {
    const read = (name: string): string => readFileSync(join(examples, name), 'utf8');
    const one = await openHarness({
      scenario: 'registrar',
      files: {
        'accounts/acme/hostwright.yaml': read('a-registrar-clean-up/hostwright.yaml'),
        ...Object.fromEntries(
          readdirSync(join(examples, 'a-registrar-clean-up/names')).map((name) => [
            `accounts/acme/names/${name}`,
            read(`a-registrar-clean-up/names/${name}`),
          ]),
        ),
        'accounts/acme/names/user.yaml': read('an-agency-onboarding-a-client/users/client-a.yaml').replace(
          /\n.*credentialsTo.*/,
          '',
        ),
      },
    });
    await mkdir(join(one.root, 'parts'));
    const part = async (name: string, ...argv: readonly string[]): Promise<string> => {
      const env = {
        PATH: process.env.PATH,
        HOME: one.root,
        HOSTWRIGHT_TOKEN: API_KEY,
        HOSTWRIGHT_API_URL: one.sandbox.url,
      };
      const command = [join(root, 'dist/main.js'), 'fleet', ...argv, 'accounts/*', '--report', `json=parts/${name}`];
      await promisify(execFile)(process.execPath, command, { cwd: one.root, env }).catch(() => undefined);
      return readFile(join(one.root, 'parts', name), 'utf8');
    };
    const plan = await part('plan.json', 'plan');
    expect(JSON.parse(plan)).toMatchObject({ accounts: [{ plan: { actions: expect.anything() as object } }] });
    expect(plan).toContain('(personal)');
    expect(peopleIn(JSON.parse(plan))).toEqual([]);
    expect(peopleIn(JSON.parse(await part('drift.json', 'drift')))).toEqual([]);
    const applied = await part('apply.json', 'apply', '--yes', '--allow-deletes', '99', '--allow-charges', '99');
    expect(JSON.parse(applied)).toMatchObject({ accounts: [{ result: expect.anything() as object }] });
    expect(peopleIn(JSON.parse(applied))).toEqual([]);
  });
});

interface Upload {
  readonly job: string;
  /** Files and folders that leave. */
  readonly paths: readonly string[];
  /** Everything that the job runs. */
  readonly script: string;
}

interface GithubJob {
  readonly steps?: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: { readonly path?: string };
  }[];
}

interface GitlabJob {
  readonly script?: readonly string[];
  readonly after_script?: readonly string[];
  readonly artifacts?: {
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string | readonly string[]>>;
  };
}

const list = (value: string | readonly string[] = []): readonly string[] =>
  typeof value === 'string' ? [value] : value;

/** Every upload in a file of workflows. */
function uploadsIn(file: string): readonly Upload[] {
  // A file of GitLab may begin with a document of its inputs.
  const document = parseAllDocuments(readFileSync(join(ci, file), 'utf8'))
    .at(-1)
    ?.toJS() as {
    readonly jobs?: Readonly<Record<string, GithubJob>>;
  };
  if (document.jobs !== undefined)
    return Object.entries(document.jobs).flatMap(([job, { steps = [] }]) => {
      const paths = steps.flatMap(({ uses = '', with: given }) =>
        uses.startsWith('actions/upload-artifact@') ? (given?.path ?? '').split(/\s+/) : [],
      );
      return paths.length === 0 ? [] : [{ job, paths, script: steps.map(({ run = '' }) => run).join('\n') }];
    });
  return Object.entries(document as Readonly<Record<string, GitlabJob>>).flatMap(
    ([job, { script = [], after_script: after = [], artifacts }]) => {
      const reports = Object.values(artifacts?.reports ?? {}).flatMap(list);
      const paths = [...(artifacts?.paths ?? []), ...reports];
      return paths.length === 0 ? [] : [{ job, paths, script: [...script, ...after].join('\n') }];
    },
  );
}

/** Forms without anything about a person; JSON only of a fleet, whose parts have nobody in them. */
const SAFE = ['markdown', 'outputs', 'codequality', 'junit', 'terraform', 'html'];

/** What a script writes to a place that leaves, in a form that may show people. */
function unsafeIn({ paths, script }: Upload): readonly string[] {
  const leaves = (file: string): boolean =>
    paths.some((path) => file === path || file.startsWith(`${path.replace(/\/+$/, '')}/`));
  return script
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => [
      ...[...line.matchAll(/--report[ =]["']?(\w+)=([^"'\s]+|[^"']*)/g)].flatMap(([, form = '', file = '']) => {
        const isSafe = SAFE.includes(form) || (form === 'json' && /hostwright fleet \w+/.test(line));
        return leaves(file) && !isSafe ? [`${form}=${file}`] : [];
      }),
      ...[...line.matchAll(/--out[ =]["']?([^"'\s]+)/g)].flatMap(([, file = '']) =>
        leaves(file) && !/ approved /.test(line) ? [`--out ${file}`] : [],
      ),
      ...(line.includes('--show-personal') ? ['--show-personal'] : []),
    ]);
}

describe('the example workflows', () => {
  const files = readdirSync(ci, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name));
  const uploads = files.flatMap((file) => uploadsIn(file).map((upload) => ({ file, ...upload })));

  it.each(uploads)('upload in $file, job $job, nothing about a person', (upload) => {
    expect(unsafeIn(upload)).toEqual([]);
  });

  it('upload what this test finds', () => {
    expect(new Set(uploads.map(({ file }) => file)).size).toBeGreaterThan(4);
    const job = { job: 'plan', paths: ['plans'], script: 'hostwright plan --report json=plans/1.json --out plans/2' };
    expect(unsafeIn(job)).toEqual(['json=plans/1.json', '--out plans/2']);
    expect(unsafeIn({ ...job, script: 'hostwright fleet plan --report "json=plans/${SHARD%/*}.json"' })).toEqual([]);
  });
});
