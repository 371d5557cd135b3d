// The accounts that simulations play in, and the manifests that processes apply to them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParsedDocument } from '../../src/manifest/read/parse.ts';
import { parseYaml } from '../../src/manifest/read/parse.ts';
import { SourceText } from '../../src/manifest/read/source-text.ts';

export interface SimulatedWorld {
  /** A scenario of the sandbox. */
  readonly scenario: string;
  readonly documents: () => readonly ParsedDocument[];
  /** How many paid requests the manifests ask for in all. */
  readonly charges: number;
  /** What a colleague may change in the dashboard meanwhile. */
  readonly edits: readonly { readonly method: 'PATCH' | 'POST'; readonly path: string; readonly body: object }[];
  /** The value of every secret that the manifests name. It must not appear in any output. */
  readonly secret: string;
}

const EXAMPLES = join(import.meta.dirname, '../../examples');

const RULES = `apiVersion: hostwright/v1
kind: Site
metadata: { name: shop, id: site-shop }
spec:
  caching: { cacheExpiration: 4712, varyCookie: true }
  edgeRules:
    - { name: rule a, action: { block: {} }, triggers: [{ url: ["*/a/*"] }] }
    - { name: rule b, action: { block: {} }, triggers: [{ url: ["*/b/*"] }] }
    - { name: rule c, action: { redirect: { to: "https://shop.example.com/new", status: 301 } }, triggers: [{ url: ["*/c/*"] }] }
`;

const SECRET = 'Sim-7-secret-of-a-mailbox';

export const WORLDS: Readonly<Record<string, SimulatedWorld>> = {
  'rules and a purchase': {
    scenario: 'small',
    documents: () => [...documentsIn('rules.yaml', RULES), ...documentsOf('a-site-from-nothing')],
    charges: 1,
    edits: [
      { method: 'PATCH', path: '/api/sites/site-shop/cdn/caching', body: { cache_expiration: 99 } },
      { method: 'PATCH', path: '/api/sites/site-shop/cdn/caching', body: { vary_cookie: false } },
    ],
    secret: SECRET,
  },
  'a Shield zone': {
    scenario: 'shield',
    documents: () => documentsOf('shielded-shop'),
    charges: 1,
    edits: [],
    secret: SECRET,
  },
  'a domain and mail': {
    scenario: 'registrar',
    documents: () => documentsOf('mail-for-a-new-company'),
    charges: 2,
    edits: [],
    secret: SECRET,
  },
};

/** Returns the documents of every manifest of an example. */
function documentsOf(example: string): readonly ParsedDocument[] {
  return readdirSync(join(EXAMPLES, example), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && file !== 'hostwright.yaml')
    .sort()
    .flatMap((file) => documentsIn(file, readFileSync(join(EXAMPLES, example, file), 'utf8')));
}

function documentsIn(name: string, text: string): readonly ParsedDocument[] {
  const { documents, diagnostics } = parseYaml(new SourceText(name, text));
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return documents;
}
