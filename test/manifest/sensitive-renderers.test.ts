// Every field that is personal or a secret, malformed in every way, in every form that a diagnostic is rendered in. A
// secret is in none; a personal value is only in the text for the terminal of the user.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/areas/index.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { toShare } from '../../src/model/diagnostic.ts';
import { renderDiagnostics } from '../../src/report/text/diagnostics.ts';
import { validateWorkspace } from '../../src/usecases/validate.ts';
import { realClock } from '../../src/library/real-clock.ts';
import { openHarness } from '../support/open-harness.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { runHere } from '../support/processes/run-here.ts';
import { startAgent } from '../mcp/client.ts';

const SECRET = 'hunter3-secret canary';
const PERSON = 'hunter3-person canary';
/** Values of wrong types and forms around a text. */
const wrong = (text: string): readonly unknown[] => [
  text,
  [text],
  { x: text },
  { [text]: true },
  { ref: text },
  `${text}]`,
  `-${text}`,
  `${text};\u0007${'x'.repeat(5000)}`,
  { env: { nested: text } },
];

const schemaOf = (name: string): Readonly<Record<string, { readonly properties?: object }>> =>
  (
    JSON.parse(readFileSync(join(import.meta.dirname, `../../schemas/${name}.schema.json`), 'utf8')) as {
      readonly $defs: Readonly<Record<string, { readonly properties?: object }>>;
    }
  ).$defs;
const CONTACT = Object.keys(schemaOf('contact').contactSpec?.properties ?? {});

const contact = {
  ...{ firstName: 'Ada', lastName: 'Vries', streetAddress: 'Main 1', postCode: '1000AA', city: 'Amsterdam' },
  ...{ country: 'NL', email: 'legal@example.com', phone: '+31.201234567' },
};
const user = {
  ...{ fname: 'Jo', lname: 'Doe', email: 'jo@client-a.example', companyName: 'A', locale: 'en' },
  billingTerm: 'monthly',
};
const mailbox = (password: unknown): object => ({
  package: 'mail_20',
  mailboxes: [{ address: 'ada@example.com', displayName: 'Ada', quotaMb: 1024, password }],
});

interface Field {
  readonly kind: string;
  readonly name: string;
  readonly specOf: (value: unknown) => object;
}

/** The marked fields of every kind, by the name `Kind.field`; those of contacts and owners are written in a Contact. */
const PERSONAL: Readonly<Record<string, readonly Field[]>> = {
  User: ['fname', 'lname', 'email'].map((field) => ({
    kind: 'User',
    name: `u-${field}`,
    specOf: (value) => ({ ...user, [field]: value }),
  })),
  DomainRegistration: ['owner', 'admin', 'tech', 'billing'].flatMap((role, index) => [
    {
      kind: 'DomainRegistration',
      name: `role${index}.com`,
      specOf: (value) => ({ contacts: { [role]: value } }),
    },
    {
      kind: 'DomainRegistration',
      name: `inline${index}.com`,
      specOf: (value) => ({ contacts: { [role]: { firstName: value, email: value } } }),
    },
  ]),
  RegistrationOwner: CONTACT.map((field) => ({
    kind: 'Contact',
    name: `c-${field.toLowerCase()}`,
    specOf: (value) => ({ ...contact, [field]: value }),
  })),
  RegistrationContacts: [
    { kind: 'DomainRegistration', name: 'all.com', specOf: (value: unknown) => ({ contacts: value }) },
    { kind: 'DomainRegistration', name: 'change.com', specOf: (value: unknown) => ({ ownerChange: { to: value } }) },
  ],
};

const SECRETS: Readonly<Record<string, readonly Field[]>> = {
  Mailbox: ['', 'env', 'file', 'entry', 'value', 'rotate'].map((place, index) => ({
    kind: 'Mailspace',
    name: `m${index}.example.com`,
    specOf: (value) => mailbox(place === '' ? value : { [place]: value }),
  })),
  DomainRegistration: ['', 'env', 'file', 'entry', 'value'].map((place, index) => ({
    kind: 'DomainRegistration',
    name: `code${index}.com`,
    specOf: (value) => ({
      order: { action: 'transfer', authcode: place === '' ? value : { [place]: value } },
    }),
  })),
};

const kindsWith = (is: (field: { readonly personal?: unknown; readonly rule: string }) => boolean): readonly string[] =>
  [...registry.values()].filter(({ fields }) => Object.values(fields).some(is)).map(({ kind }) => kind);

const REPORTS = ['markdown', 'html', 'sarif', 'junit', 'codequality', 'json'] as const;

/** What every renderer makes of manifests with this value in these fields. */
async function rendered(fields: readonly Field[], value: unknown) {
  const files = Object.fromEntries(
    fields.map(({ kind, name, specOf }) => [
      `sites/${kind}-${name}.json`,
      `${JSON.stringify({ apiVersion: 'hostwright/v1', kind, metadata: { name }, spec: specOf(value) }, null, 2)}\n`,
    ]),
  );
  const one = await openHarness({ files });
  const { root, sandbox } = one;
  const own = {
    HOME: root,
    HOSTWRIGHT_CACHE: 'off',
    HOSTWRIGHT_API_URL: sandbox.url,
    HOSTWRIGHT_TOKEN: API_KEY,
    CI: 'true',
  };
  const reports = REPORTS.flatMap((form) => ['--report', `${form}=${form}.out`]);
  const texts: Record<string, string> = {};
  for (const [name, args, env] of [
    ['validate', ['validate', ...reports], {}],
    ['plan', ['plan'], {}],
    ['json', ['validate', '--format', 'json'], {}],
    ['markdown on stdout', ['validate', '--format', 'markdown'], {}],
    [
      'GitHub',
      ['validate', '--format', 'github'],
      { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(root, 'summary') },
    ],
    ['GitLab', ['validate'], { GITLAB_CI: 'true' }],
  ] as const) {
    const ended = await runHere([...args], { cwd: root, clock: sandbox.clock, env: { ...own, ...env } });
    texts[name] = ended.stdout + ended.stderr;
  }
  for (const file of readdirSync(root))
    if (/\.out$|^summary$/.test(file)) texts[file] = await readFile(join(root, file), 'utf8');
  const agent = await startAgent({
    account: { cwd: root, token: 'x', baseUrl: sandbox.url, clock: realClock } as never,
  });
  texts['MCP validate'] = (await agent.call('validate')).text;
  const [file = '', text = ''] = Object.entries(files)[0] ?? [];
  texts['MCP propose'] = (await agent.call('propose', { files: [{ file, text }] })).text;
  const { diagnostics } = await validateWorkspace(one.session());
  texts['library'] = JSON.stringify(diagnostics);
  texts['shared text'] = renderDiagnostics(diagnostics.map(toShare), { color: false });
  return { texts, diagnostics, terminal: renderDiagnostics(diagnostics, { color: false, isForOwner: true }) };
}

const leaking = (texts: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(texts).flatMap(([name, text]) => (text.includes('hunter3') ? [name] : []));
const addressesIn = (diagnostics: readonly Diagnostic[]): ReadonlySet<string> =>
  new Set(diagnostics.flatMap(({ address }) => address ?? []));

describe('every renderer', () => {
  it('is tried with each kind that has a personal field or a secret', () => {
    expect(Object.keys(PERSONAL).sort()).toEqual([...kindsWith(({ personal }) => personal !== undefined)].sort());
    expect(Object.keys(SECRETS).sort()).toEqual([...kindsWith(({ rule }) => rule === 'writeOnly')].sort());
    expect(CONTACT.length).toBeGreaterThan(8);
  });

  it('but the terminal of the user leaves out malformed personal values', async () => {
    const fields = Object.values(PERSONAL).flat();
    const found = new Set<string>();
    let isShown = false;
    for (const value of wrong(PERSON)) {
      const { texts, diagnostics, terminal } = await rendered(fields, value);
      expect([value, leaking(texts)]).toEqual([value, []]);
      addressesIn(diagnostics).forEach((address) => found.add(address));
      isShown ||= terminal.includes('hunter3');
    }
    expect(isShown).toBe(true);
    expect(fields.map(({ kind, name }) => `${kind}/${name}`).filter((address) => !found.has(address))).toEqual([]);
  });

  it('leaves out secrets in a wrong place', async () => {
    const fields = Object.values(SECRETS).flat();
    const found = new Set<string>();
    for (const value of wrong(SECRET)) {
      const { texts, diagnostics, terminal } = await rendered(fields, value);
      expect([value, leaking({ ...texts, terminal })]).toEqual([value, []]);
      addressesIn(diagnostics).forEach((address) => found.add(address));
    }
    expect(fields.map(({ kind, name }) => `${kind}/${name}`).filter((address) => !found.has(address))).toEqual([]);
  });
});

describe('what is neither', () => {
  it('is quoted: the name of an unknown field; a reference is advised without a name', async () => {
    const { diagnostics } = await rendered(
      [
        { kind: 'DomainRegistration', name: 'a.com', specOf: (value) => ({ contacts: { owner: value } }) },
        { kind: 'Mailspace', name: 'b.com', specOf: () => mailbox({ envv: 'ADA' }) },
      ],
      'acme',
    );
    const text = renderDiagnostics(diagnostics.map(toShare), { color: false });
    expect(text).toContain('`{ ref: Contact/NAME }`');
    expect(text).toContain('`envv`');
    expect(text).not.toContain('(personal)');
  });
});
