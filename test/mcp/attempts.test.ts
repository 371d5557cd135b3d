// What an agent, or whoever speaks through it, must not bring about by `hostwright serve mcp`: a request that changes the account, a
// file outside of the manifests, a secret or a person in an answer. Each attempt is made, and then everything is looked at.
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../support/open-harness.ts';
import type { Agent } from './client.ts';
import { startAgent } from './client.ts';
import { openFolder } from '../support/closing.ts';

const TOKEN = 'sandbox-api-key';
const CANARY = 'canary-of-a-secret-7291';
const FILE_CANARY = 'canary-of-a-file-5510';
const site = (name: string, more = ''): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name}, id: site-${name === 'shop' ? 'shop' : 'docs'} }\nspec: { caching: { cacheExpiration: 61 } }\n${more}`;
const SHOP = site('shop').replace('61', '77');

/** A workspace with all that an agent might want, beside a folder that is none of its business. */
async function ground(hasLinks: boolean) {
  const harness = await openHarness({
    files: { 'work/placeholder.txt': '' },
    memoryLedger: false,
  });
  const root = join(harness.root, 'work');
  const outside = join(harness.root, 'outside');
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), text);
  };
  await mkdir(outside);
  await writeFile(join(outside, 'site.yaml'), SHOP);
  await put(
    'hostwright.yaml',
    `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: ${harness.sandbox.url}\n  manifests: [sites]\n  secrets: { env: [SMTP_PASSWORD], files: [sites/vault] }\n`,
  );
  await put('sites/shop.yaml', SHOP);
  await put('sites/compose.yaml', 'services: { web: { image: nginx } }\n');
  await put('sites/made.yaml', '# Made by hostwright synth from hosting.ts. Do not edit.\n');
  await put('sites/vault/smtp', FILE_CANARY);
  await put('.env', `HOSTWRIGHT_TOKEN=${CANARY}\n`);
  if (hasLinks) {
    await symlink(outside, join(root, 'sites/way-out'));
    await symlink(join(outside, 'site.yaml'), join(root, 'sites/linked.yaml'));
    await symlink(join(outside, 'nowhere.yaml'), join(root, 'sites/dangling.yaml'));
    await symlink(join(root, 'sites'), join(root, 'sites/inside'));
  }
  const env = { SMTP_PASSWORD: CANARY, GITHUB_TOKEN: CANARY, PATH: process.env.PATH };
  const agent = await startAgent({ account: { cwd: root, token: TOKEN, env } });
  return { agent, root, all: harness.root, sandbox: harness.sandbox };
}

/** Every file and link below a folder, with what is in it; the ledger is none of an agent's business either. */
async function treeOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    entries.flatMap(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) return [];
      return [[path, entry.isSymbolicLink() ? await readlink(path) : await readFile(path, 'utf8')] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

/** A mailbox whose password is said in this way. */
const mailbox = (password: string): string =>
  `apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: shop.example.com }\nspec: { package: mail_20, mailboxes: [{ address: ada@shop.example.com, displayName: Ada, quotaMb: 1024, password: ${password} }] }\n`;

const propose =
  (file: string, text = site('other')) =>
  (agent: Agent) =>
    agent.call('propose', { files: [{ file, text }] });
const call =
  (name: string, args: Readonly<Record<string, unknown>> = {}) =>
  (agent: Agent) =>
    agent.call(name, args);
const read = (uri: string) => async (agent: Agent) => ({ text: await agent.read(uri), isError: true });

const ATTEMPTS: Readonly<Record<string, (agent: Agent) => Promise<unknown>>> = {
  // Text that a reviewer sees otherwise than it is read.
  ...Object.fromEntries(
    ['\u202E', '\u2066', '\u200B', '\u00AD', '\u2028', '\u{E0041}'].map((character) => [
      `propose text with U+${character.codePointAt(0)?.toString(16)}`,
      propose('sites/new.yaml', `${site('other')}# ${character}\n`),
    ]),
  ),
  // To change the account.
  'apply, which is no tool here': call('apply', { digests: ['0'.repeat(64)] }),
  'apply without a digest': call('apply', { digests: [] }),
  'apply with --yes': call('apply', { yes: true }),
  'a command by its name': call('run purge', { address: 'Site/shop' }),
  'another method of the API': call('api', { method: 'DELETE', path: '/api/sites/site-shop' }),
  'a shell': call('shell', { command: 'hostwright apply --yes' }),
  'an argument that a plan does not take': call('plan', { apply: true }),
  'flags in the place of targets': call('plan', { targets: ['--yes', '--allow-deletes=99', '-o', 'x'] }),
  'a drift that is accepted': call('drift', { accept: ['Site/*'] }),
  'a drift that is told elsewhere': call('drift', { notify: ['http://127.0.0.1:1/hook'] }),
  'a path in the place of a kind': call('get', { kind: 'sites/../../orders?method=POST' }),
  'a path in the place of a name': call('get', { kind: 'sites', name: '../../orders?plan=pro' }),
  'a request in the place of a name': call('get', { kind: 'sites', name: 'x HTTP/1.1\r\nPOST /api/orders' }),
  'an address of the platform': call('get', { kind: 'sites', apiUrl: 'http://127.0.0.1:1' }),
  'a token of its own': call('plan', { token: 'another' }),
  'an export that writes': call('export', { out: '.' }),
  // To write elsewhere.
  'a file above': propose('../evil.yaml'),
  'a file above, by way of a folder that is there': propose('sites/../../evil.yaml'),
  'an absolute path': propose('/tmp/hostwright-evil.yaml'),
  'an address of a file': propose('file:///tmp/hostwright-evil.yaml'),
  backslashes: propose('sites\\..\\..\\evil.yaml'),
  'a character that ends a path': propose('sites/evil.yaml\u0000.txt'),
  'a link to a folder outside': propose('sites/way-out/evil.yaml'),
  'a link to a file outside': propose('sites/linked.yaml'),
  'a link to nothing': propose('sites/dangling.yaml'),
  'a link that stays inside': propose('sites/inside/evil.yaml'),
  'the home of the user': propose('~/.config/evil.yaml'),
  'a workflow': propose('.github/workflows/evil.yaml'),
  'the folder of Git': propose('.git/hooks.yaml'),
  'a package': propose('sites/node_modules/evil.yaml'),
  'the workspace file': propose(
    'hostwright.yaml',
    'apiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-acme }\n',
  ),
  'the workspace file in capitals': propose('sites/HOSTWRIGHT.yaml'),
  'a folder that is not read': propose('docs/evil.yaml'),
  'a script': propose('sites/evil.sh', '#!/bin/sh\n'),
  'a file of other programs, over one': propose('sites/compose.yaml'),
  'a file of other programs, new': propose('sites/pod.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: { name: evil }\n'),
  'a file that a program makes': propose('sites/made.yaml'),
  'the same file twice': call('propose', {
    files: ['sites/a.yaml', 'sites/A.yaml'].map((file) => ({ file, text: site('other') })),
  }),
  'a workspace among manifests': propose(
    'sites/evil.yaml',
    `${site('other')}---\napiVersion: hostwright/v1\nkind: Workspace\nspec: { account: acc-other }\n`,
  ),
  'a good file beside a bad one': call('propose', {
    files: [
      { file: 'sites/shop.yaml', text: SHOP.replace('77', '78') },
      { file: 'sites/bad.yaml', text: site('bad').replace('61', 'soon') },
    ],
  }),
  'half a file': propose('sites/evil.yaml', `${site('other')}  nonsense: [`),
  'a text without end': propose('sites/evil.yaml', 'x'.repeat(300_000)),
  nothing: propose('sites/shop.yaml', ''),
  // To read, or to write down, what is secret.
  'a secret in a place of secrets': propose('sites/vault/evil.yaml'),
  'a secret of this machine': propose('sites/evil.yaml', site('other', `# ${CANARY}\n`)),
  'a secret in the place of its name': propose('sites/mail.yaml', mailbox('hunter2-hunter2')),
  'a file of the machine as a secret': propose('sites/mail.yaml', mailbox('{ file: /etc/passwd }')),
  'a file above as a secret': propose('sites/mail.yaml', mailbox('{ file: ../outside/site.yaml }')),
  'a variable that is not listed as a secret': propose('sites/mail.yaml', mailbox('{ env: GITHUB_TOKEN }')),
  'a variable of ours as a secret': propose('sites/mail.yaml', mailbox('{ env: HOSTWRIGHT_TOKEN }')),
  'a file of the machine as a resource': read('file:///etc/passwd'),
  'a file of the package that is none': read('hostwright://docs/../package.json'),
  'a file of the workspace as a resource': read('hostwright://../../../../.env'),
  'a file in the place of a schema': call('schema', { kind: '../../../../etc/passwd' }),
  'a file in the place of a word': call('explain', { what: '../../.env' }),
  'who has users': call('get', { kind: 'users' }),
  'all manifests': call('show'),
  'what runs did': call('history'),
};

describe('an attempt through the server', () => {
  it.each(Object.keys(ATTEMPTS))('ends in nothing: %s', async (name) => {
    const { agent, all, sandbox } = await ground(name.startsWith('a link'));
    const before = await treeOf(all);
    const answer = JSON.stringify(await ATTEMPTS[name]?.(agent));
    expect(await treeOf(all)).toEqual(before);
    expect(answer).not.toMatch(new RegExp(`${CANARY}|${FILE_CANARY}|root:x:|ada@acme|Vries|"written\\\\":true`));
    expect(sandbox.requests.filter(({ method, path }) => method !== 'GET' || path.includes('..'))).toEqual([]);
  });

  it('writes down no token of the credentials file that the server has used', async () => {
    const { root } = await ground(false);
    const home = await openFolder();
    const credentialsFile = join(home, 'credentials.yaml');
    await writeFile(
      credentialsFile,
      'apiVersion: hostwright/v1\nkind: Credentials\nspec: { tokens: [{ name: clients, env: OF_CLIENTS }] }\n',
    );
    const file = join(root, 'hostwright.yaml');
    await writeFile(file, `${await readFile(file, 'utf8')}  credentialEntry: clients\n`);
    const agent = await startAgent({ account: { cwd: root, credentialsFile, env: { OF_CLIENTS: CANARY } } });
    const refused = await agent.call('trace', { url: 'https://shop.example.com/', live: true });
    expect(refused.text).toContain('HW3001');
    const files = [{ file: 'sites/new.yaml', text: `${site('docs')}# ${CANARY}\n` }];
    const answer = await agent.call('propose', { files });
    expect(answer.text).toContain('a credential of this machine stands in it');
    expect(refused.text + answer.text).not.toContain(CANARY);
  });

  it('was one of more than forty; what may be done is done in the same place', async () => {
    expect(Object.keys(ATTEMPTS).length).toBeGreaterThan(40);
    const { agent, all } = await ground(false);
    const before = await treeOf(all);
    expect(await agent.document('validate')).toMatchObject({ outcome: 'done' });
    const files = [
      { file: 'sites/shop.yaml', text: SHOP.replace('77', '78') },
      { file: 'sites/new/docs.yaml', text: site('docs') },
      { file: 'sites/mail.yaml', text: mailbox('{ env: SMTP_PASSWORD }') },
    ];
    expect(await agent.document('propose', { files })).toMatchObject({
      written: true,
      files: files.map(({ file }) => file),
    });
    const after = await treeOf(all);
    expect(Object.keys(after)).toHaveLength(Object.keys(before).length + 2);
    expect(Object.values(after)).toEqual(expect.arrayContaining(files.map(({ text }) => text)));
    expect(await agent.document('plan')).toMatchObject({ outcome: 'done', summary: { update: 2 } });
  });
});
