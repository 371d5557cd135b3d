// Manifests of names, and what the sandbox counted of their purchases.
import type { Registration } from '../../src/sandbox/registration/state.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import type { Harness, HarnessOptions } from './harness.ts';
import { openHarness } from './open-harness.ts';

/** Somebody who holds names of the sandbox's account. */
export const ADA = {
  firstName: 'Ada',
  lastName: 'Vries',
  streetAddress: 'Main Street 1',
  postCode: '1000 AA',
  city: 'Amsterdam',
  country: 'NL',
  email: 'ada@acme.example',
  phone: '+31.201234567',
};
/** A key of DNSSEC. */
export const KEY = { flags: 257, algorithm: 13, publicKey: 'c2FuZGJveA==' };

export const CODE = 'a-code-that-nobody-may-see';

const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [domains]\n  guards: { allowCharges: 3 }\n  secrets: { env: [CODE] }\n';

/** A contact that manifests can name. */
function contact(of: string): string {
  return `apiVersion: hostwright/v1\nkind: Contact\nmetadata: { name: ${of} }\nspec: { firstName: ${of}, lastName: Vries, streetAddress: Main 1, postCode: 1000AA, city: Amsterdam, country: NL, email: ${of}@acme.example, phone: "+31.201234567" }\n`;
}

/** A manifest of a name; `spec` is its lines, and the contacts of an owner come with an order. */
export function name(of: string, spec: string, lifecycle = ''): string {
  const owner =
    spec.includes('order:') && !spec.includes('contacts:') ? '\n  contacts: { owner: { ref: Contact/ada } }' : '';
  return `apiVersion: hostwright/v1\nkind: DomainRegistration\nmetadata: { name: ${of} }\n${lifecycle === '' ? '' : `lifecycle: { ${lifecycle} }\n`}spec: ${spec === '' ? '{}' : `\n  ${spec}${owner}`}\n`;
}

/** A workspace of these manifests, with the contacts that they name. */
export function namesWorkspace(documents: readonly string[]): HarnessOptions {
  // Only those that are named: the others would be remarked on.
  const contacts = ['ada', 'otto']
    .filter((of) => documents.some((document) => document.includes(`Contact/${of}`)))
    .map(contact);
  return {
    scenario: 'registrar',
    workspace: WORKSPACE,
    files: { 'domains/all.yaml': [...contacts, ...documents].join('---\n') },
    ledger: true,
  };
}

export async function startNames(
  documents: readonly string[],
  options: Omit<HarnessOptions, 'files' | 'workspace'> = {},
): Promise<Harness> {
  return openHarness({ ...namesWorkspace(documents), ...options });
}

export const withCode = { env: (key: string) => (key === 'CODE' ? CODE : undefined) };

/** How often a name was bought. */
export function bought({ creations }: Sandbox): readonly (readonly [string, number])[] {
  return [...creations].filter(([what]) => what.startsWith('domain order'));
}

export function registration({ state }: Sandbox, of: string): Registration | undefined {
  return [...state.registrar.registrations.values()].find((one) => one.name === of);
}

/** A registration that is there. */
export function there(sandbox: Sandbox, of: string): Registration {
  const found = registration(sandbox, of);
  if (found === undefined) throw new Error(`there is no ${of}`);
  return found;
}
