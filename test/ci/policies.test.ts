// The policies of docs/policies.md rest on what plans say. No engine for Rego can be installed from npm, so what is held
// here is the other side: every field that they read is in the schema, and real plans say there what they look for.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Action } from '../../src/model/plan/plan.ts';
import type { Harness, HarnessOptions } from '../support/harness.ts';
import { startHarness } from '../support/harness.ts';
import { nodesOf } from '../support/markdown.ts';

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

let harness: Harness | undefined;
afterEach(() => harness?.close());

async function actionsOf(options: HarnessOptions): Promise<readonly Action[]> {
  harness = await startHarness({ ...options, ledger: true, inProcess: true });
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
    const actions = await actionsOf({
      files: {
        'sites/docs.yaml':
          'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: docs, id: site-docs }\nlifecycle: { state: absent }\nspec: { caching: { cacheExpiration: 60 } }\n',
      },
    });
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
    const [action] = (
      await actionsOf({
        files: {
          'sites/shop/launch.yaml':
            'apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: launch }\nspec: { plan: pro, order: { variant: vanilla, location: ams, term: monthly } }\n',
        },
      })
    ).filter(({ risk }) => risk.includes('charge'));
    expect(action?.source?.file.split('/')[1]).toBe('shop');
    expect(action).not.toHaveProperty('cost');
  });
});
