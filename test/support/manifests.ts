// Manifests and workspace files, as tests write them.

interface Rest {
  readonly id?: string | undefined;
  readonly renamedFrom?: string;
  readonly lifecycle?: object | undefined;
}

/** A manifest as the text of a file; `rest` stands beside its spec, but for what belongs into its metadata. */
export function manifest(
  kind: string,
  name: string,
  spec: object = {},
  { id, renamedFrom, ...rest }: Rest = {},
): string {
  const metadata = { name, ...(id !== undefined && { id }), ...(renamedFrom !== undefined && { renamedFrom }) };
  return JSON.stringify({ apiVersion: 'hostwright/v1', kind, metadata, ...rest, spec });
}

/** A manifest of a site of the sandbox: what is called `shop` there has the id `site-shop`. */
export function siteManifest(name: string, spec: object = {}, rest: Rest = {}): string {
  return manifest('Site', name, spec, { id: `site-${name}`, ...rest });
}

/** The sites that every scenario of the sandbox has: a test that buys another one is not about them. */
export const DISMISSED = 'dismissed: [site-shop, site-blog, site-docs]';

/**
 * Returns the workspace file of an account that dismisses the sites of the scenarios, `accounts:N` included. `spec`: its
 * other fields, such as `manifests: [sites]`.
 */
export function workspaceFile(spec: string, account = 'acc-acme'): string {
  const dismissed = account === 'acc-acme' ? DISMISSED : dismissedOf(account);
  return `apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: ${account}, baseUrl: "http://127.0.0.1:1", ${dismissed}, ${spec} }\n`;
}

/** Returns the line that dismisses the sites of an account of the scenario `accounts:N`. */
export function dismissedOf(account: string): string {
  return `dismissed: [${['shop', 'blog', 'docs'].map((name) => `site-${account}-${name}`).join(', ')}]`;
}

/** What a Contact needs. */
export const CONTACT = {
  firstName: 'Jo',
  lastName: 'New',
  streetAddress: 'Main Street 1',
  postCode: '1000',
  city: 'Town',
  country: 'DE',
  email: 'jo@example.com',
  phone: '+49.301234567',
};

/** Shield of a site as its manifest says it, with every field that can be changed. */
export const WHOLE_SHIELD = {
  enabled: true,
  plan: 'advanced',
  whitelabelResponsePages: true,
  waf: { enabled: true, executionMode: 'block', disabledRules: ['942100'], logOnlyRules: ['941160'] },
  ddos: { sensitivity: 'high', executionMode: 'block', challengeWindow: 900 },
  botDetection: {
    executionMode: 'challenge',
    requestIntegritySensitivity: 'low',
    ipAddressSensitivity: 'medium',
    browserFingerprintSensitivity: 'high',
    browserFingerprintAggression: 'high',
    browserFingerprintComplexEnabled: true,
  },
  customRules: [
    {
      name: 'one',
      description: 'a remark',
      action: 'block',
      variable: 'REQUEST_URI',
      subselector: 'x',
      operator: 'contains',
      severity: 'warning',
      value: '/one',
    },
  ],
  rateLimits: [
    {
      name: 'Login',
      description: 'a remark',
      action: 'rateLimit',
      requestCount: 5,
      timeframe: 10,
      blockTime: 60,
      countBy: 'host',
      severity: 'critical',
      conditions: [{ variable: 'REQUEST_URI', operator: 'contains', value: '/login' }],
      transformations: ['lowercase'],
    },
  ],
  accessLists: [{ name: 'Office', description: 'ours', type: 'ip', content: ['192.0.2.1'] }],
};
