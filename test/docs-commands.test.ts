// Every `hostwright` command that can be copied from the README, docs/ and the examples: it is one that the program
// knows, and run in a workspace that is ready for it, it ends as its page says.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tellStory } from '../.ci/pictures/story.ts';
import { buildProgram } from '../src/cli/program.ts';
import type { Sandbox } from '../src/sandbox/server.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { runCommand } from './support/processes/command.ts';
import { nodesOf } from './support/markdown.ts';
import { memoryFolder } from './support/memory-folder.ts';

const root = join(import.meta.dirname, '..');

/** `hostwright plan --out plan.json`, without the shell around it. */
interface Shown {
  readonly page: string;
  readonly command: string;
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'schemas/README.md',
  'llms.txt',
  'skills/AGENTS.md',
  'skills/hostwright/SKILL.md',
  ...(await filesOf('docs')),
  ...(await filesOf('docs/manifests')),
  ...(await filesOf('docs/design')),
  ...(await filesOf('docs/terraform')),
  ...(await readdir(join(root, 'examples'))).map((name) => `examples/${name}/README.md`),
  ...(await readdir(join(root, 'examples/constructs'))).map((name) => `examples/constructs/${name}/README.md`),
];

async function filesOf(folder: string): Promise<readonly string[]> {
  return (await readdir(join(root, folder))).filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

async function commandsOf(page: string, places: readonly ('inlineCode' | 'code')[]): Promise<readonly Shown[]> {
  const text = await readFile(join(root, page), 'utf8').catch(() => '');
  const lines = nodesOf(text).flatMap((node) =>
    (node.type === 'inlineCode' || (node.type === 'code' && ['sh', 'console'].includes(node.lang ?? ''))) &&
    places.includes(node.type)
      ? node.value.replaceAll('\\\n', ' ').split('\n')
      : [],
  );
  return lines.flatMap((line) => {
    const [, command] = /^(?:\$ )?(?:npx )?(hostwright(?: (?:[^#|>&<]|(?<! )#)+)?)/.exec(line) ?? [];
    return command === undefined ? [] : [{ page, command: command.trim() }];
  });
}

const DIAGNOSTICS = 'docs/diagnostics.md';
/** Not run here: they are for an account of which the diagnostic is told, as in test/sessions/commands/advice.test.ts. */
const examples = await commandsOf(DIAGNOSTICS, ['code']);
const found = await Promise.all(
  pages.map((page) => commandsOf(page, page === DIAGNOSTICS ? ['inlineCode'] : ['inlineCode', 'code'])),
);
const shown = [...new Map(found.flat().map((one) => [one.command, one])).values()];

function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
    .map(([, single, double, plain]) => single ?? double ?? plain ?? '')
    .slice(1);
}

/** What a reader puts in the place of a word in capitals. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  ACCOUNT: 'acc-acme',
  ADDRESS: 'Site/shop/Caching',
  COMMAND: 'plan',
  FILE: 'plan.json',
  ID: 'site-shop',
  N: '1',
  SITE: 'shop',
  'Site/NAME': 'Site/shop',
  'DomainRegistration/NAME': 'DomainRegistration/example.com',
  NAME: 'example.com',
  URL: 'https://shop.example.com/',
  USERNAME: 'brochure1',
  // The other version is this one, as it was built.
  '0.1.0': root,
  './hostwright-0.1.0.tgz': root,
  'sites/': 'manifests/',
  'sites/shop.yaml': 'manifests/sites/shop.yaml',
};

/** What the program says of the command line by itself: '' where it would run. */
async function parsed(command: string): Promise<{ readonly code: string; readonly said: string }> {
  const said: string[] = [];
  const program = buildProgram('0', { raw: (text: string) => said.push(text) } as never, () => Promise.resolve());
  const all = (one: Command): readonly Command[] => [one, ...one.commands.flatMap(all)];
  for (const one of all(program))
    one.exitOverride().configureOutput({ writeErr: (text) => said.push(text), writeOut: () => undefined });
  const words = wordsOf(command).map((word) => PLACEHOLDERS[word] ?? word);
  const code = await program.parseAsync([...words], { from: 'user' }).then(
    () => '',
    ({ code: failure = 'an error of another kind' }: { readonly code?: string }) => failure,
  );
  return { code, said: said.join('') };
}

const answered = (commands: readonly Shown[]) =>
  Promise.all(commands.map(async (one) => ({ ...one, ...(await parsed(one.command)) })));
const lines = await answered(shown);
const exampleLines = await answered(examples);

describe('commands in the docs', () => {
  it.each([...lines, ...exampleLines].map(({ command, page, code, said }) => [command, page, code, said]))(
    '%s (%s): the program knows it',
    (_command, _page, code, said) => {
      // A group of commands prints its help. A sentence that only names a command leaves out what it is given.
      expect(code, said).toMatch(
        /^(?:commander\.(?:help\w*|version|missingArgument|optionMissingArgument|missingMandatoryOptionValue))?$/,
      );
    },
  );
});

// Files that run commands: their arguments hold variables of a shell, so that commands and option names alone are checked.
const scripts = [
  'action.yml',
  'install.sh',
  'Dockerfile',
  ...(await filesBelow('examples', /\.(?:ya?ml|sh|service|json)$/)),
  ...(await filesBelow('.github', /\.ya?ml$/)),
];

async function filesBelow(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`);
}

/** The commands of a file: words after `hostwright`, or after the variable that holds the program in `action.yml`. */
async function callsIn(file: string): Promise<readonly Shown[]> {
  const text = (await readFile(join(root, file), 'utf8')).replaceAll('\\\n', ' ');
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#') || line.includes('`hostwright '));
  return lines.flatMap((line) =>
    [...line.matchAll(/(?:(?<![\w/-])(?:node_modules\/\.bin\/)?hostwright|"\$PROGRAM") ([a-z][^`|;&<>]*)/g)].flatMap(
      // The name of a job or the beginning of a message has a colon.
      ([, words = '']) =>
        /^(?:\S+ ){0,2}\S+:/.test(words) ? [] : [{ page: file, command: `hostwright ${words.trim()}` }],
    ),
  );
}

/** Returns the first word of a command line that the program does not know; undefined if it knows all. */
function unknownWord(command: string): string | undefined {
  let found: Command = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());
  const chain = [found];
  const words = wordsOf(command);
  for (const word of words) {
    const below = found.commands.find((one) => one.name() === word);
    if (below === undefined) break;
    found = below;
    chain.push(found);
  }
  const next = words[chain.length - 1];
  if (chain.length === 1 || (found.commands.length > 0 && found.registeredArguments.length === 0 && next !== undefined))
    return next;
  const known = chain.flatMap(({ options }) => options.map(({ long }) => long));
  return words.find((word) => /^--[a-z]/.test(word) && !known.includes(word.split('=')[0]));
}

describe('commands in CI files, units and scripts', async () => {
  const calls = (await Promise.all(scripts.map(callsIn))).flat();

  it('are found in the files of every forge and of the worker', () => {
    for (const file of [
      'action.yml',
      'examples/ci/gitlab/hostwright.gitlab-ci.yml',
      'examples/ci/github-fleet/merge.yml',
    ])
      expect(calls.map(({ page }) => page)).toContain(file);
  });

  it.each(calls.map(({ command, page }) => [command, page]))('%s (%s): the program knows its words', (command) => {
    expect(unknownWord(command)).toBeUndefined();
  });
});

/** Whether a reader at a terminal is asked before it runs. */
function asks(words: readonly string[]): boolean {
  if (
    words.includes('--yes') ||
    words.includes('--approve') ||
    words.includes('--list') ||
    (words[0] === 'dns' && !words.includes('--check'))
  )
    return false;
  let command: Command = buildProgram('0', { raw: () => undefined } as never, () => Promise.resolve());
  const chain = [command];
  for (const word of words) {
    command = command.commands.find((one) => one.name() === word) ?? command;
    chain.push(command);
  }
  return chain.some(({ options }) => options.some(({ long }) => long === '--yes'));
}

/** Commands that cannot be run here, and what runs them instead. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [
    /^hostwright(?: ledger| ci| ci github| ci gitlab| serve| fleet)?$/,
    'the name of the program, or of a group of commands',
  ],
  [/^hostwright sandbox/, 'a server: the tutorial starts it'],
  [/^hostwright ci (?:github|gitlab)/, 'a job on GitHub or GitLab: test/ci, test/forge'],
  [/^hostwright fleet (?:report|.*--expect)/, 'parts of a run and its review: test/ci/fleet.test.ts'],
  [/^hostwright ledger list --all/, 'a database: test/sessions/faults/postgres-ledger.test.ts'],
  [/^hostwright init/, 'a new repository: the tutorial, test/sessions/commands/init.test.ts'],
  [/^hostwright completion --trust/, 'a person at a terminal: test/cli/completion.test.ts'],
  [/get logs .*--watch/, 'ends with Ctrl-C: test/sessions/commands/recipes.test.ts'],
  [/--notify/, 'a receiver: test/sessions/commands/notify.test.ts'],
  [/^hostwright ci notify/, 'a receiver: test/sessions/commands/notify-state.test.ts'],
  [/^hostwright dns(?! --zone)/, 'asks the DNS: test/cli'],
];

/** What this account does not have, and the exit code that says so. */
const NOT_HERE: readonly (readonly [RegExp, number])[] = [
  [/^hostwright explain BKM-01/, 1], // a rule of the recipe alone
  [/^hostwright ledger confirm/, 1], // nothing is in flight
  [/^hostwright fleet ledger unlock/, 1], // nobody holds a lock
  [/Mailspace\/example\.com/, 1],
  [/^hostwright export (?:Site\/shop|ADDRESS) --id/, 1], // it is in a manifest already
  [/--layer redis/, 3], // the plan of the site has no such layer
  [/^hostwright run \S+ (?:DomainRegistration|DomainContact|Order)\//, 1], // the account has none
  [/^hostwright run restore Site\/shop --volume content(?: --archive (?:17|ID).*)?$/, 1], // it does not name an archive
  [/^hostwright run (?:learn|stop-learning)/, 1], // Shield is not active
  [/^hostwright serve receiver/, 1], // it has no secret here
  [/^hostwright history (?:show|undo)/, 1], // there is no such run
  [/^hostwright serve worker /, 1], // no database is named
  [/^hostwright ledger move/, 1], // the other stores do not exist here
  [/^hostwright ledger abandon/, 1], // no purchase is in flight
  [/^hostwright get order ID/, 1], // the account has no order of this id
];

/** A program that declares what nothing on the platform is made for. */
const PROGRAM = `import { App, Contact } from 'hostwright/constructs';
const app = new App();
new Contact(app, 'made', { firstName: 'A', lastName: 'B', streetAddress: 'C 1', postCode: '1', city: 'D', country: 'DE', email: 'a@example.com', phone: '+49.1234567' });
export default app;
`;

// In the order of the pages, which is a story: what one command makes another one deletes.
describe('commands in the docs, run in a workspace', { shuffle: false }, () => {
  let folder = '';
  let sandbox: Sandbox;
  /** What anything in this process connected with: options, alone or in a list, or a port and a host. */
  const reached: unknown[] = [];
  const connect = Reflect.get(Socket.prototype, 'connect') as (...args: readonly unknown[]) => Socket;
  const connectWith = (value: unknown): unknown =>
    Object.defineProperty(Socket.prototype, 'connect', { value, writable: true, configurable: true });
  const run = (line: string) => runCommand(wordsOf(line), { cwd: folder, url: sandbox.url });

  beforeAll(async () => {
    folder = await mkdtemp(join(memoryFolder, 'hostwright-docs-'));
    // A minute passes with each request, so that nothing has to be waited for.
    sandbox = await startSandbox({ hooks: { before: () => sandbox.clock.advance(60_000) } });
    const made = await run(`hostwright init --account acc-acme --api-url ${sandbox.url} --start export --yes`);
    expect(made.code, made.stderr).toBe(0);
    const git = (...words: readonly string[]) => execFileSync('git', [...words], { cwd: folder, stdio: 'pipe' });
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'all of it');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const manifest = join(folder, 'manifests/sites/shop.yaml');
    await writeFile(
      manifest,
      (await readFile(manifest, 'utf8')).replace('cacheExpiration: 3600', 'cacheExpiration: 60'),
    );
    await writeFile(join(folder, 'hosting.ts'), PROGRAM);
    await writeFile(join(folder, 'clients.ts'), PROGRAM.replace("'made'", "'client'"));
    await writeFile(
      join(folder, 'manifests/mail.yaml'),
      'apiVersion: hostwright/v1\nkind: SiteProfile\nmetadata: { name: office }\nspec: {}\n',
    );
    await mkdir(join(folder, 'accounts/acme/manifests'), { recursive: true });
    await writeFile(
      join(folder, 'accounts/acme/hostwright.yaml'),
      `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: ${sandbox.url}\n`,
    );
    await writeFile(
      join(folder, 'accounts/acme/manifests/base.yaml'),
      'apiVersion: hostwright/v1\nkind: SiteProfile\nmetadata: { name: base }\nspec: {}\n',
    );
    const file = join(folder, 'hostwright.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('\nspec:\n', '\nspec:\n  observed: observed\n'));
    connectWith(function connectAndTell(this: Socket, ...args: readonly unknown[]) {
      reached.push(...args.flat());
      return Reflect.apply(connect, this, args);
    });
    await run('hostwright plan --out plan.json --report markdown=comment.md');
  });
  afterAll(async () => {
    connectWith(connect);
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  const here = lines.filter(
    ({ command, code }) => !code.includes('issingArgument') && !ELSEWHERE.some(([pattern]) => pattern.test(command)),
  );

  it.each(here.map(({ command, page }) => [command, page]))('%s (%s)', async (command) => {
    // The URL of `test --url` is one of the site. Any other URL is that of the platform.
    const words = wordsOf(command).map(
      (word, index, all) =>
        PLACEHOLDERS[word] ?? (all[index - 1] === '--url' ? word : word.replace(/^https:\/\/.*/, sandbox.url)),
    );
    const { code, stdout, stderr } = await runCommand(asks(words) ? [...words, '--yes'] : words, {
      cwd: folder,
      url: sandbox.url,
      // Who reads of a program sits at a terminal: in CI it is not run beside a token.
      ...(/^hostwright synth|hosting\.ts/.test(command) && { env: { CI: '' } }),
    });
    const [, refused] = NOT_HERE.find(([pattern]) => pattern.test(command)) ?? [];
    expect(refused === undefined ? [0, 2, 3] : [refused], `${stdout}${stderr}`).toContain(code);
  });

  it('and none of them connected anywhere but to the platform, which is on this machine', () => {
    const hosts = reached.flatMap((given) => {
      const { host, path } = (typeof given === 'object' && given !== null ? given : {}) as Readonly<
        Record<string, unknown>
      >;
      return host ?? path ?? (typeof given === 'string' ? given : []);
    });
    expect([...new Set(hosts)]).toEqual(['127.0.0.1']);
  });
});

describe('the pictures of the README', () => {
  it('are of what is printed today; `npm run pictures` makes them anew', async () => {
    const { terminal, comment } = await tellStory();
    const image = (name: string) => readFile(join(root, 'docs/images', name), 'utf8');
    expect(terminal).toBe(await image('terminal.svg'));
    expect(comment).toBe(await image('plan-comment.md'));
  });
});
