// Three workspaces that together touch every kind, each made of stories of examples/ that have nothing to do with each
// other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HarnessOptions } from './harness.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');

const WORKSPACE = `apiVersion: hostwright/v1
kind: Workspace
spec:
  account: acc-acme
  baseUrl: http://127.0.0.1:1
  manifests: [all]
  dismissed: [site-down, site-no-cdn, site-resting, site-intricate, site-basic, site-bare, site-learning]
  guards: { allowCharges: 9, allowDeletes: 9 }
  secrets: { env: [ADA_PASSWORD], keep: [credentials] }
`;

/** The manifests of some examples, side by side. */
function manifestsOf(...examples: readonly string[]): Readonly<Record<string, string>> {
  const files = examples.flatMap((example) =>
    readdirSync(join(EXAMPLES, example), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml') && file !== 'hostwright.yaml')
      .map(
        (file) =>
          [`all/${example}-${file.replaceAll('/', '-')}`, readFileSync(join(EXAMPLES, example, file), 'utf8')] as const,
      ),
  );
  return Object.fromEntries(files);
}

/** The company serves a second name, which the account has. */
function withSecondDomain(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => [
      file,
      text.includes('kind: Mailspace')
        ? `${text.trimEnd()}\n  domains: [{ name: plain.com, description: The old name }]\n`
        : text,
    ]),
  );
}

const world = (scenario: string, files: Readonly<Record<string, string>>): HarnessOptions => ({
  scenario,
  workspace: WORKSPACE,
  files,
  ledger: true,
});

export const WORLDS = {
  'a site from nothing, and shops with Shield': world('shield', manifestsOf('a-site-from-nothing', 'shielded-shop')),
  'names put in order, one bought, mail for it, and a sender': world(
    'registrar',
    withSecondDomain(manifestsOf('a-registrar-clean-up', 'mail-for-a-new-company', 'sender-identity')),
  ),
  'a reseller with a client, panel accounts, and a hostname that moves': world(
    'panel',
    manifestsOf('an-agency-onboarding-a-client', 'a-panel-account', 'moving-a-domain'),
  ),
} as const satisfies Readonly<Record<string, HarnessOptions>>;
