// Credentials from commands and files, as a user or a runner has them: with the built command, against a sandbox. Their
// values and what the commands print are in nothing that it writes.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { armor, Decrypter, generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { start } from '../support/processes/command.ts';
import { noTerraform, openTerraform } from '../support/processes/terraform.ts';
import { createDatabase, noPostgres } from '../support/servers/postgres.ts';
import { openFolder, writeFiles } from '../support/closing.ts';
import { manifest } from '../support/manifests.ts';
import { containing } from '../support/matchers.ts';

let root: string;
let home: string;
let sandbox: Sandbox;

beforeEach(async () => {
  root = await openFolder();
  home = await openFolder();
  execFileSync('git', ['init', '--quiet', root]);
});
afterEach(() => sandbox.close());

/** A program of the user that says what is in a file of JSON, and notes each time that it runs. */
async function writeVault(answer: unknown, more = ''): Promise<readonly string[]> {
  await writeFiles(home, {
    'vault.mjs': `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(join(home, 'runs'))}, process.argv.slice(2).join(' ') + '\\n');
${more}
process.stdout.write(readFileSync(${JSON.stringify(join(home, 'answer'))}));`,
    answer: typeof answer === 'string' ? answer : JSON.stringify(answer),
    runs: '',
  });
  return [process.execPath, join(home, 'vault.mjs')];
}

const runs = async (): Promise<readonly string[]> =>
  (await readFile(join(home, 'runs'), 'utf8')).split('\n').slice(0, -1);

const writeCredentials = async (spec: object, file = join(home, 'credentials.yaml')): Promise<void> =>
  writeFiles(dirname(file), {
    'credentials.yaml': JSON.stringify({ apiVersion: 'hostwright/v1', kind: 'Credentials', spec }),
  });

const run = (args: readonly string[], { cwd = root, env = {} }: Partial<Parameters<typeof start>[1]> = {}) =>
  start(args, {
    cwd,
    url: sandbox.url,
    env: { HOME: home, HOSTWRIGHT_TOKEN: '', HOSTWRIGHT_CREDENTIALS: join(home, 'credentials.yaml'), CI: '', ...env },
  }).ended;

const workspaceOf = (account: string, more = ''): string =>
  `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: ${account}\n  baseUrl: ${sandbox.url}\n  manifests: [manifests]\n${more}`;
const siteOf = (account: string): string =>
  manifest('Site', 'shop', { domains: [`shop.${account}.example.com`], caching: { cacheExpiration: 77 } });

describe('the token of an account', () => {
  it('of a hundred accounts is asked for once, when they share one answer', async () => {
    sandbox = await startSandbox({ scenario: 'accounts:100' });
    const ids = Array.from({ length: 100 }, (_, index) => `acc-${String(index + 1).padStart(5, '0')}`);
    for (const id of ids)
      await writeFiles(join(root, 'accounts', id), {
        'hostwright.yaml': workspaceOf(id, '  credentialEntry: clients\n'),
        'manifests/shop.json': siteOf(id),
      });
    const command = await writeVault({ data: Object.fromEntries(ids.map((id) => [id, API_KEY])) });
    await writeCredentials({ tokens: [{ name: 'clients', command, json: '/data/{account}' }] });
    const planned = await run(['fleet', 'plan', 'accounts/*']);
    expect(planned.stdout + planned.stderr).toContain('100 accounts');
    expect(planned.code, planned.stdout + planned.stderr).toBe(0);
    expect(await runs()).toHaveLength(1);
  });

  it('serves plan, apply, drift, get and doctor, and is in no text', async () => {
    sandbox = await startSandbox({ scenario: 'accounts:2' });
    await writeFiles(root, {
      'hostwright.yaml': workspaceOf('acc-00001', '  credentialEntry: client-1\n'),
      'manifests/shop.json': siteOf('acc-00001'),
    });
    const command = await writeVault(`${API_KEY}\n`);
    await writeCredentials({ tokens: [{ name: 'client-*', command: [...command, '{entry}', '{account}'] }] });
    let text = '';
    for (const args of [
      ['plan'],
      ['apply', '--yes'],
      ['drift'],
      ['get', 'sites'],
      ['doctor', '--verbose'],
      ['doctor', '--format', 'json'],
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect(code, args.join(' ') + stdout + stderr).toBe(0);
      text += stdout + stderr;
    }
    expect(new Set(await runs())).toEqual(new Set(['client-1 acc-00001']));
    expect(text).toContain('`client-1`');
    expect(text).toContain(process.execPath);
    expect(text).not.toContain(API_KEY);
  });

  it('of many accounts has a place in what init writes and says', async () => {
    sandbox = await startSandbox({ scenario: 'accounts:2' });
    await mkdir(join(root, 'accounts/one'), { recursive: true });
    const place = ['--api-url', sandbox.url, '--account', 'acc-00001'];
    const { code, stdout, stderr } = await run(
      ['init', ...place, '--start', 'example', '--ci', 'github', '--ledger', 'file', '--yes'],
      { cwd: join(root, 'accounts/one') },
    );
    expect(code, stdout + stderr).toBe(0);
    expect(stdout + stderr).toContain('`credentialEntry` in hostwright.yaml');
    expect(await readFile(join(root, 'accounts/one/hostwright.yaml'), 'utf8')).toContain('# credentialEntry: clients');
  });

  it('comes from a file of the user, in XDG_CONFIG_HOME too', async () => {
    sandbox = await startSandbox({ scenario: 'accounts:2' });
    await writeFiles(root, {
      'hostwright.yaml': workspaceOf('acc-00002', '  credentialEntry: clients\n'),
      'manifests/shop.json': siteOf('acc-00002'),
    });
    await writeFiles(home, { 'tokens/acc-00002': `${API_KEY}\n` });
    await writeCredentials(
      { tokens: [{ name: 'clients', file: '~/tokens/{account}' }] },
      join(home, 'xdg/hostwright/credentials.yaml'),
    );
    const env = { HOSTWRIGHT_CREDENTIALS: '', XDG_CONFIG_HOME: join(home, 'xdg') };
    expect(await run(['plan'], { env })).toMatchObject({ code: 0 });
    const none = await run(['plan'], { env: { HOSTWRIGHT_CREDENTIALS: '' } });
    expect([none.code, none.stderr]).toEqual([1, containing('HW6031')]);
    const named = { HOSTWRIGHT_CREDENTIALS: join(home, 'xdg/hostwright/credentials.yaml') };
    expect(await run(['plan'], { env: named })).toMatchObject({ code: 0 });
  });

  it('that cannot be got is said without a word of what the command printed', async () => {
    sandbox = await startSandbox({ scenario: 'accounts:2' });
    await writeFiles(root, {
      'hostwright.yaml': workspaceOf('acc-00001', '  credentialEntry: clients\n'),
      'manifests/shop.json': siteOf('acc-00001'),
    });
    const cases = [
      ['process.stderr.write("hidden"); process.stdout.write("hidden"); process.exit(7);', {}, 'exit code 7'],
      ['await new Promise((resolve) => setTimeout(resolve, 60_000));', { timeoutSeconds: 1 }, 'longer than 1 second'],
      ['process.stdout.write("hidden".repeat(1_000_000));', {}, 'more than 1024 KiB'],
      ['process.stdout.write("hidden not JSON");', { json: '/a' }, 'no JSON'],
      ['', { json: '/b' }, 'no text at `/b`'],
      ['process.exit(0);', {}, 'empty'],
    ] as const;
    for (const [more, entry, reason] of cases) {
      const command = await writeVault({ a: 'hidden' }, more);
      await writeCredentials({ tokens: [{ name: 'clients', command, ...entry }] });
      const { code, stdout, stderr } = await run(['plan']);
      expect([code, stderr], reason).toEqual([1, containing(reason)]);
      expect(stderr).toContain('HW6034');
      expect(stdout + stderr).not.toContain('hidden');
    }
    await writeCredentials({ tokens: [{ name: 'clients', command: ['no-such-program'] }] });
    expect((await run(['plan'])).stderr).toContain('in no folder of the PATH');
    await writeCredentials({
      tokens: [{ name: 'other', command: ['true'] }],
      secrets: [{ name: 'clients', env: 'A' }],
    });
    expect((await run(['plan'])).stderr).toMatch(/HW6033[^]*It has `other`/);
    expect(sandbox.requests).toEqual([]);
    // What is advised: the entry is added, and then one that works.
    await writeCredentials({ tokens: [{ name: 'clients', command: await writeVault(`${API_KEY}\n`) }] });
    expect(await run(['plan'])).toMatchObject({ code: 0 });
  });

  it('is never a matter of the repository: not the file, not a program, not a path', async () => {
    sandbox = await startSandbox({ scenario: 'accounts:2' });
    await writeFiles(root, {
      'accounts/one/hostwright.yaml': workspaceOf('acc-00001', '  credentialEntry: clients\n'),
      'accounts/one/manifests/shop.json': siteOf('acc-00001'),
      'bin/steal': `#!/bin/sh\ntouch ${join(home, 'stolen')}\n`,
      token: API_KEY,
    });
    await chmod(join(root, 'bin/steal'), 0o755);
    const cwd = join(root, 'accounts/one');
    await symlink(join(root, 'bin/steal'), join(home, 'linked'));
    for (const [entry, reason] of [
      [{ command: [join(root, 'bin/steal')] }, 'is in the repository'],
      [{ command: [join(home, 'linked')] }, 'is in the repository'],
      [{ command: ['steal'] }, 'in no folder of the PATH outside of the repository'],
      [{ file: join(root, 'token') }, 'is in the repository'],
    ] as const) {
      await writeCredentials({ tokens: [{ name: 'clients', ...entry }] });
      const env = { PATH: `${join(root, 'bin')}:${process.env.PATH}` };
      expect((await run(['plan'], { cwd, env })).stderr, reason).toContain(reason);
    }
    await writeCredentials({ tokens: [{ name: 'clients', env: 'T' }] }, join(root, 'credentials.yaml'));
    await symlink(join(root, 'credentials.yaml'), join(home, 'link.yaml'));
    for (const file of [join(root, 'credentials.yaml'), join(home, 'link.yaml')])
      expect((await run(['plan'], { cwd, env: { HOSTWRIGHT_CREDENTIALS: file, T: API_KEY } })).stderr).toContain(
        'HW6030',
      );
    expect(
      (await run(['plan'], { cwd, env: { HOSTWRIGHT_CREDENTIALS: '../../credentials.yaml', T: API_KEY } })).stderr,
    ).toContain('no absolute path');
    await writeCredentials({ tokens: [{ name: 'clients', env: 'T' }] });
    await chmod(join(home, 'credentials.yaml'), 0o666);
    expect((await run(['plan'], { cwd, env: { T: API_KEY } })).stderr).toContain('chmod');
    expect(existsSync(join(home, 'stolen'))).toBe(false);
    expect(sandbox.requests).toEqual([]);
    // What is advised: a file out of the repository that nobody else can write.
    await chmod(join(home, 'credentials.yaml'), 0o600);
    expect(await run(['plan'], { cwd, env: { T: API_KEY } })).toMatchObject({ code: 0 });
  });

  it('HW6032: has an entry that makes sense', async () => {
    sandbox = await startSandbox({ scenario: 'accounts:2' });
    await writeFiles(root, {
      'hostwright.yaml': workspaceOf('acc-00001', '  credentialEntry: clients\n'),
      'manifests/shop.json': siteOf('acc-00001'),
    });
    for (const [tokens, found] of [
      [[{ name: 'clients' }], 'says no source'],
      [[{ name: 'clients', env: 'A', file: 'b' }], 'several sources'],
      [[{ name: 'clients', command: ['./vault'] }], 'neither an absolute path nor a name on the PATH'],
      // A field below `tokens` that no schema names may be a token that was written in the wrong place.
      [[{ name: 'clients', env: 'A', username: 'ci' }], 'There is no field `username` in `tokens[0]`'],
      [
        [
          { name: 'clients', env: 'A' },
          { name: 'clients', env: 'B' },
        ],
        'two entries',
      ],
      [[{ name: 'clients', command: 'vault read' }], 'HW1203'],
      [[{ name: 'clients', comand: ['a'] }], 'HW1201'],
    ] as const) {
      await writeCredentials({ tokens });
      expect((await run(['plan'])).stderr, JSON.stringify(tokens)).toContain(found);
    }
    await writeCredentials({ tokens: [{ name: 'clients', env: 'T' }] });
    expect(await run(['plan'], { env: { T: API_KEY } })).toMatchObject({ code: 0 });
    await writeFiles(root, {
      'hostwright.yaml': workspaceOf('acc-00001', '  credentialEntry: a\n  credentialEnv: HOSTWRIGHT_TOKEN_A\n'),
    });
    expect((await run(['plan'])).stderr).toContain('HW6035');
    await writeFiles(root, { 'hostwright.yaml': workspaceOf('acc-00001', '  credentialEnv: HOSTWRIGHT_TOKEN_A\n') });
    expect(await run(['plan'], { env: { HOSTWRIGHT_TOKEN_A: API_KEY } })).toMatchObject({ code: 0 });
  });
});

describe('a secret of a manifest', () => {
  it('comes from an entry that the workspace lists, and never from one for something else', async () => {
    sandbox = await startSandbox({ scenario: 'mail' });
    const mailbox = (entry: string, address = 'new@shop.example.com') => ({
      address,
      displayName: 'New',
      quotaMb: 1024,
      password: { entry },
    });
    const mailspace = (...mailboxes: readonly object[]): string =>
      manifest('Mailspace', 'shop.example.com', { mailboxes });
    await writeFiles(root, {
      'hostwright.yaml': workspaceOf('acc-acme', '  secrets: { entries: [box-new, account-token] }\n'),
      'manifests/mail.json': mailspace(mailbox('box-new')),
    });
    const command = await writeVault('a-long-pass-word-of-the-vault');
    await writeCredentials({
      tokens: [{ name: 'account-token', command }],
      secrets: [{ name: 'box-*', command: [...command, '{entry}'] }],
    });
    const env = { HOSTWRIGHT_TOKEN: API_KEY };
    const planned = await run(['plan'], { env });
    expect(planned.code, planned.stdout + planned.stderr).toBe(0);
    expect(planned.stdout).toContain('box-new');
    expect(await runs()).toEqual([]); // a plan reads no secret
    const applied = await run(['apply', '--yes', '--format', 'json'], { env });
    expect(await runs(), applied.stdout + applied.stderr).toEqual(['box-new']);
    const boxes = [...sandbox.state.mail.spaces.values()].flatMap(({ mailboxes }) => mailboxes);
    expect(boxes.find(({ email }) => email === 'new@shop.example.com')?.password).toBe('a-long-pass-word-of-the-vault');
    expect(applied.stdout + applied.stderr).not.toContain('of-the-vault');

    await writeFiles(root, {
      'manifests/mail.json': mailspace(mailbox('box-new'), mailbox('account-token', 'other@shop.example.com')),
    });
    const wrong = await run(['apply', '--yes'], { env });
    expect([wrong.code, wrong.stdout + wrong.stderr]).toEqual([
      1,
      containing('There is no entry `account-token` under `secrets`'),
    ]);
    await writeFiles(root, { 'manifests/mail.json': mailspace(mailbox('box-old')) });
    const unlisted = await run(['plan'], { env });
    expect(unlisted.stderr).toMatch(/HW1410[^]*Listed: `box-new`/);
    expect(await runs()).toEqual(['box-new']);
  });
});

describe('the credentials of a new user, in CI', () => {
  const FILE = 'credentials/client-a.age';
  const user = (credentialsTo: object): string =>
    manifest('User', 'client-a', { fname: 'Jo', lname: 'Doe', email: 'jo@client-a.example', credentialsTo });
  const begin = async (secrets: string, credentialsTo: object): Promise<void> => {
    sandbox = await startSandbox({ scenario: 'panel' });
    await writeFiles(root, {
      'hostwright.yaml': workspaceOf('acc-acme', `  secrets: ${secrets}\n`),
      'manifests/user.json': user(credentialsTo),
    });
    expect(await inCi('ledger', 'init')).toMatchObject({ code: 0 });
  };
  const inCi = (...args: readonly string[]) => run(args, { env: { CI: 'true', HOSTWRIGHT_TOKEN: API_KEY } });
  const posts = (): number => sandbox.requests.filter(({ method }) => method === 'POST').length;
  const made = () => [...sandbox.state.users.values()].find(({ email }) => email === 'jo@client-a.example');
  const told = () => ({
    for: 'User/client-a',
    id: made()?.id,
    accountId: made()?.accountIds[0],
    password: `sandbox-password-${made()?.id.slice(0, 8)}`,
    apiToken: made()?.apiToken,
  });

  it('are not lost with the disk of the job: the plan is blocked until the workspace says where they go', async () => {
    await begin('{ keep: [credentials] }', { file: FILE });
    const planned = await inCi('plan');
    expect(planned.stdout).toContain('secrets.recipients');
    const applied = await inCi('apply', '--yes');
    expect([applied.code, posts(), made()]).toEqual([3, 0, undefined]);
    // At a desk the file stays.
    const env = { HOSTWRIGHT_TOKEN: API_KEY };
    expect(await run(['apply', '--yes'], { env })).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(join(root, FILE), 'utf8'))).toEqual(told());
  });

  it('are encrypted to the public keys of the workspace, for each of their owners alone', async () => {
    const identities = await Promise.all([generateX25519Identity(), generateHybridIdentity()]);
    const recipients = await Promise.all(identities.map(identityToRecipient));
    await begin(`{ keep: [credentials], recipients: [${recipients.join(', ')}] }`, { file: FILE });
    const { code, stdout, stderr } = await inCi('apply', '--yes');
    expect(code, stdout + stderr).toBe(0);
    const text = await readFile(join(root, FILE), 'utf8');
    expect((await stat(join(root, FILE))).mode.toString(8)).toBe('100600');
    for (const identity of identities) {
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      expect(JSON.parse(await decrypter.decrypt(armor.decode(text), 'text'))).toEqual(told());
    }
    const header = Buffer.from(armor.decode(text)).toString('latin1');
    expect(stdout + stderr + text + header).not.toMatch(/sandbox-password|sandbox-user-token/);
    const again = await inCi('plan', '--detailed-exitcode');
    expect([again.code, again.stdout.includes('lost')]).toEqual([0, false]);
  });

  it('that were kept by a job which died before its ledger knew are not called lost', async () => {
    const recipient = await identityToRecipient(await generateX25519Identity());
    await begin(`{ keep: [credentials], recipients: [${recipient}] }`, { file: FILE });
    expect(await inCi('apply', '--yes')).toMatchObject({ code: 0 });
    const ledger = join(root, '.hostwright/ledger.jsonl');
    const lines = (await readFile(ledger, 'utf8')).trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('"type":"answered"'));
    expect(at).toBeGreaterThan(0);
    await writeFile(ledger, `${lines.slice(0, at).join('\n')}\n`);
    const resumed = await inCi('apply', '--yes', '--format', 'json');
    expect(resumed.code, resumed.stdout + resumed.stderr).toBe(0);
    expect(resumed.stdout).toContain('"kept": "whole"');
    expect(posts()).toBe(1);
  });

  it('are not asked for where a key is none', async () => {
    const recipient = await identityToRecipient(await generateX25519Identity());
    const wrong = recipient.slice(0, -1) + (recipient.endsWith('q') ? 'p' : 'q');
    await begin(`{ keep: [credentials], recipients: [${wrong}] }`, { file: FILE });
    const planned = await inCi('plan');
    expect(planned.stdout).toContain('is no public key of age');
    expect([(await inCi('apply', '--yes')).code, posts()]).toEqual([3, 0]);
    await writeFiles(root, {
      'hostwright.yaml': workspaceOf('acc-acme', '  secrets: { recipients: [ssh-ed25519] }\n'),
    });
    expect((await inCi('plan')).stderr).toContain('a public key of age, such as age1');
  });

  it('go to the standard input of a command, which is looked for first', async () => {
    await begin('{ sinks: [agency-vault] }', { sink: 'agency-vault' });
    await writeCredentials({ sinks: [{ name: 'agency-vault', command: ['no-such-vault'] }] });
    const blocked = await inCi('plan');
    expect(blocked.stdout).toContain('no-such-vault');
    expect([(await inCi('apply', '--yes')).code, posts()]).toEqual([3, 0]);

    const keep = `writeFileSync(${JSON.stringify(join(home, 'kept'))}, readFileSync(0)); process.stdout.write('hidden');`;
    const command = await writeVault('', keep.replace(/^/, "const { writeFileSync } = await import('node:fs');"));
    await writeCredentials({ sinks: [{ name: 'agency-*', command: [...command, 'users/{account}/{object}'] }] });
    const planned = await inCi('plan', '--verbose');
    expect(planned.stdout).toContain('goes to the sink agency-vault');
    expect(await runs()).toEqual([]);
    const applied = await inCi('apply', '--yes', '--format', 'json');
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect(JSON.parse(await readFile(join(home, 'kept'), 'utf8'))).toEqual(told());
    expect(await runs()).toEqual(['users/acc-acme/client-a']);
    expect(applied.stdout + applied.stderr).not.toMatch(/sandbox-password|sandbox-user-token|hidden/);
    expect((await inCi('plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('that the command did not take are lost, which is said, and nothing is made twice', async () => {
    await begin('{ sinks: [agency-vault] }', { sink: 'agency-vault' });
    const command = await writeVault('', 'process.exit(4);');
    await writeCredentials({ sinks: [{ name: 'agency-vault', command }] });
    const applied = await inCi('apply', '--yes');
    expect([applied.code, applied.stdout]).toEqual([3, containing('the sink agency-vault')]);
    expect((await inCi('plan')).stdout).toContain('HW2009');
    expect([(await inCi('apply', '--yes')).code, posts()]).toEqual([0, 1]);
    await writeFiles(root, { 'hostwright.yaml': workspaceOf('acc-acme', '  secrets: { sinks: [other] }\n') });
    expect((await inCi('plan')).stderr).toContain('HW1411');
    await writeFiles(root, { 'hostwright.yaml': workspaceOf('acc-acme', '  secrets: { sinks: [agency-vault] }\n') });
    expect((await inCi('plan')).stderr).not.toContain('HW1411');
  });
});

describe('the credentials of a ledger', () => {
  const begin = async (ledger: string): Promise<void> => {
    sandbox = await startSandbox();
    await writeFiles(root, { 'hostwright.yaml': workspaceOf('acc-acme', `  ledger: ${ledger}\n`) });
  };

  it.skipIf(noPostgres !== undefined)('in PostgreSQL come from an entry', async () => {
    await begin('{ postgres: { entry: database } }');
    const command = await writeVault(`${await createDatabase()}\n`);
    await writeCredentials({ ledgers: [{ name: 'database', command }] });
    for (const args of [
      ['ledger', 'init'],
      ['ledger', 'list'],
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect(code, stdout + stderr).toBe(0);
    }
    await writeCredentials({ ledgers: [{ name: 'database', env: 'NO_DATABASE' }] });
    expect((await run(['ledger', 'list'], { env: { NO_DATABASE: 'mysql://x' } })).stderr).toContain(
      'the entry database of the credentials file holds no address of a database',
    );
  });
});

describe.skipIf(noTerraform !== undefined)('the Terraform provider', () => {
  it('takes its token from the entry that the provider block names', async () => {
    sandbox = await startSandbox({ scenario: 'small' });
    const command = await writeVault({ 'acc-acme': API_KEY });
    await writeCredentials({ tokens: [{ name: 'clients', command, json: '/{account}' }] });
    const terraform = await openTerraform(
      {
        'main.tf':
          'provider "hostwright" {\n  credential_entry = "clients"\n}\nimport {\n  to = hostwright_site.shop\n  id = "site-shop"\n}\nresource "hostwright_site" "shop" {\n  name = "shop"\n  caching = { cache_expiration = 7200 }\n}\n',
      },
      { account: sandbox },
    );
    try {
      const env = { HOSTWRIGHT_TOKEN: '', HOSTWRIGHT_CREDENTIALS: join(home, 'credentials.yaml') };
      const { code, printed } = await terraform.run(['plan', '-input=false'], env);
      expect(code, printed).toBe(0);
      expect(sandbox.requests.filter(({ status }) => status === 401)).toEqual([]);
      expect(await runs()).not.toEqual([]);
      const none = await terraform.run(['plan', '-input=false'], { HOSTWRIGHT_TOKEN: '', HOSTWRIGHT_CREDENTIALS: '' });
      expect([none.code, none.printed]).toEqual([1, containing('credentials.yaml')]);
    } finally {
      await terraform.close();
    }
  });
});
