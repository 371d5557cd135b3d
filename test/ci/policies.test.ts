// The policies of docs/policies.md rest on what plans say: every field that they read is in the schema, and real plans
// say there what they look for. Open Policy Agent judges real plans by them where it is on the path. npm has its runtime
// for compiled policies alone, which has no compiler and no function of time.
import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/model/plan/plan.ts';
import type { HarnessOptions } from '../support/harness.ts';
import { nodesOf } from '../support/markdown.ts';
import { openHarness } from '../support/open-harness.ts';
import { openFolder } from '../support/closing.ts';
import { containing } from '../support/matchers.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/policies.md'), 'utf8');
const policies = nodesOf(page).flatMap((node) => (node.type === 'code' && node.lang === 'rego' ? [node.value] : []));

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
}
const plan = JSON.parse(await readFile(join(root, 'schemas/plan.schema.json'), 'utf8')) as Schema;

function at(schema: Schema | undefined, path: readonly string[]): Schema | undefined {
  const { $ref } = schema ?? {};
  if ($ref !== undefined) return at(plan.$defs?.[$ref.replace('#/$defs/', '')], path);
  const [name, ...rest] = path;
  return name === undefined ? schema : at(schema?.items ?? schema?.properties?.[name], schema?.items ? path : rest);
}

/** Why no policy is judged here; undefined where Open Policy Agent is on the path. */
const noOpa: string | undefined = (() => {
  try {
    execFileSync('opa', ['version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'opa is not on the path';
  }
})();
if (noOpa !== undefined) process.stderr.write(`tests with the real Open Policy Agent are skipped: ${noOpa}\n`);

const DELETED = {
  'sites/docs.yaml':
    'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: docs, id: site-docs }\nlifecycle: { state: absent }\nspec: { caching: { cacheExpiration: 60 } }\n',
};
const BOUGHT = {
  'sites/shop/launch.yaml':
    'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: launch }\nspec: { plan: pro, order: { variant: vanilla, location: ams, term: monthly } }\n',
};

async function actionsOf(options: HarnessOptions): Promise<readonly Action[]> {
  const harness = await openHarness({ ...options, ledger: true });
  return (await harness.planned()).actions;
}

describe('the policies of the docs', () => {
  it('read nothing that a plan does not have', () => {
    expect(policies).toHaveLength(3);
    const starts: Readonly<Record<string, readonly string[]>> = {
      input: [],
      action: ['actions'],
      effect: ['actions', 'effects'],
    };
    const read = policies.flatMap((policy) => [...policy.matchAll(/\b(input|action|effect)((?:\.\w+)+)/g)]);
    expect(read.length).toBeGreaterThan(15);
    for (const [text, start = '', path = ''] of read)
      expect(at(plan, [...(starts[start] ?? []), ...path.slice(1).split('.')]), text).toBeDefined();
  });

  it('find a delete by its risk', async () => {
    const actions = await actionsOf({ files: DELETED });
    expect(actions.map(({ address, verb, risk }) => [address, verb, risk.includes('delete')])).toEqual([
      ['Site/docs', 'delete', true],
    ]);
  });

  it('find a hostname by the end of its address: where it goes, and where another takes its place', async () => {
    const actions = await actionsOf({ example: 'new-primary-domain' });
    const gone = actions.filter(({ verb }) => verb === 'delete');
    expect(gone.map(({ address, risk }) => [address, risk.includes('delete')])).toEqual([
      ['Site/shop/SiteDomain/shop.example.com', true],
      ['Site/shop/SiteDomain/www.shop.example.com', true],
    ]);
    expect(actions.flatMap(({ effects }) => effects)).toContainEqual(
      expect.objectContaining({ address: 'Site/shop/SiteDomain/shop.example.com', path: '/primary' }),
    );
  });

  it('find what costs money by its risk, with the price and the file', async () => {
    const [action] = (await actionsOf({ files: BOUGHT })).filter(({ risk }) => risk.includes('charge'));
    const [, team = ''] = /find_all_string_submatch_n\(`([^`]+)`/.exec(policies[1] ?? '') ?? [];
    expect(new RegExp(team).exec(action?.source?.file ?? '')?.[1]).toBe('shop');
    // Where `init` puts manifests; one that is in no folder belongs to nobody.
    expect(new RegExp(team).exec('manifests/sites/shop/launch.yaml')?.[1]).toBe('shop');
    expect(new RegExp(team).exec('manifests/sites/launch.yaml')).toBeNull();
    expect(action).not.toHaveProperty('cost');
  });
});

describe.skipIf(noOpa !== undefined)('the policies, judged by Open Policy Agent', () => {
  const [friday = '', ceilings = '', hostnames = ''] = policies;
  const FRIDAY = Date.UTC(2026, 10, 20, 12) * 1_000_000;
  const DAY = 86_400_000 * 1_000_000;

  /** What a policy denies of these actions, at a time in nanoseconds. */
  async function denied(policy: string, actions: readonly object[], now = FRIDAY): Promise<readonly string[]> {
    const folder = await openFolder({ 'policy.rego': policy, 'plan.json': JSON.stringify({ actions }) });
    const query = `data.main.deny with time.now_ns as ${now}`;
    const { stdout } = await promisify(execFile)('opa', [
      ...['eval', '--strict', '--format', 'json'],
      ...['--data', join(folder, 'policy.rego'), '--input', join(folder, 'plan.json'), query],
    ]);
    const { result } = JSON.parse(stdout) as { result: { expressions: { value: string[] }[] }[] };
    return result[0]?.expressions[0]?.value ?? [];
  }

  it('nothing is deleted on a Friday, and on a Saturday it is', async () => {
    const actions = await actionsOf({ files: DELETED });
    expect(await denied(friday, actions)).toEqual(['Site/docs: nothing is deleted on a Friday']);
    expect(await denied(friday, actions, FRIDAY + DAY)).toEqual([]);
  });

  it('a team spends what was quoted up to its ceiling', async () => {
    const actions = await actionsOf({ files: BOUGHT });
    expect(await denied(ceilings, actions)).toEqual([containing('costs money, and nobody quoted it in EUR')]);
    const quoted = (amountCents: number): readonly object[] =>
      actions.map((action) =>
        action.risk.includes('charge') ? { ...action, cost: { amountCents, currency: 'EUR' } } : action,
      );
    expect(await denied(ceilings, quoted(5000))).toEqual([]);
    expect(await denied(ceilings, quoted(5001))).toEqual(['team shop would spend 5001 cents, and may spend 5000']);
  });

  it('a hostname of production stays, and stays primary', async () => {
    const actions = await actionsOf({ example: 'new-primary-domain' });
    expect(await denied(hostnames, actions)).toEqual([
      'Site/shop/SiteDomain/shop.example.com is in production',
      'Site/shop/SiteDomain/winkel.example.com takes the place of a hostname in production',
    ]);
    expect(await denied(hostnames.replaceAll('example.com', 'example.net'), actions)).toEqual([]);
  });
});
