// Folders of accounts for tests of workers: each has a site whose caching differs, and may want to buy another.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { dismissedOf, manifest } from '../support/manifests.ts';

export function accountIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `acc-${String(index + 1).padStart(5, '0')}`);
}

interface Wants {
  /** A site that has to be bought. */
  readonly buys?: boolean;
  /** In a file when nothing is said. */
  readonly ledger?: 'postgres';
  /** Lines of the workspace file. */
  readonly notify?: string;
}

/** Writes `accounts/<id>` with a workspace and its manifests. */
export async function writeAccount(
  root: string,
  account: string,
  baseUrl: string,
  { buys = false, ledger, notify = '' }: Wants = {},
): Promise<void> {
  const site = (name: string, spec: object): string => manifest('Site', name, spec);
  const files = {
    'hostwright.yaml': `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: ${account}\n  baseUrl: ${baseUrl}\n  manifests: [sites]\n  guards: { allowCharges: 1 }\n${buys ? `  ${dismissedOf(account)}\n` : ''}${ledger === undefined ? '' : '  ledger: { postgres: {} }\n'}${notify}`,
    'sites/shop.json': site('shop', { domains: [`shop.${account}.example.com`], caching: { cacheExpiration: 77 } }),
    ...(buys && {
      'sites/launch.json': site('launch', {
        name: 'launch',
        plan: 'pro',
        order: { variant: 'vanilla', location: 'ams', term: 'monthly' },
      }),
    }),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, 'accounts', account, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
