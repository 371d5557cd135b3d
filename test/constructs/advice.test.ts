// What is advised on each code of programs, done to the letter: then nothing is wrong.
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProgramAccess } from '../../src/manifest/program/run-program.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { SynthOptions } from '../../src/usecases/synth.ts';
import { synthWorkspace } from '../../src/usecases/synth.ts';
import { validateWorkspace } from '../../src/usecases/validate.ts';
import type { Harness } from '../support/harness.ts';
import { programAccess } from '../support/processes/programs.ts';
import { openHarness } from '../support/open-harness.ts';
import { inTurn } from '../support/whole.ts';

const HEAD =
  "import { Account, App, Contact, DomainRegistration, Mailspace, Site } from 'hostwright/constructs';\nconst app = new App();\n";
const TAIL = '\nexport default app;\n';
const SHOP = "new Site(app, 'shop');";
const CONTACT =
  "{ firstName: 'A', lastName: 'B', streetAddress: 'C 1', postCode: '1', city: 'D', country: 'DE', email: 'a@example.com', phone: '+49.1234567' }";
const spec = (text: string): string =>
  `apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n${text}`;

type Ask = (at: Harness) => Promise<readonly Diagnostic[]>;
type Step = (at: Harness) => Promise<unknown>;

const validate =
  (paths: readonly string[] = ['hosting.ts'], access: Partial<ProgramAccess> = {}): Ask =>
  async (at) =>
    (await validateWorkspace(at.session({ programs: programAccess(access) }), paths)).diagnostics;
const synth =
  (options: SynthOptions = {}): Ask =>
  async (at) =>
    (await synthWorkspace(at.session({ programs: programAccess() }), options)).diagnostics;
const planned: Ask = async (at) => (await at.plan({}, { sources: 'sources.json' })).diagnostics;
const write =
  (body: string): Step =>
  (at) =>
    at.write('hosting.ts', `${HEAD}${body}${TAIL}`);

interface Trial {
  /** The program between its imports and its export. */
  readonly body?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly before?: Step;
  /** What says the code. */
  readonly ask?: Ask;
  /** What the advice says. */
  readonly follow: Step;
  /** What is asked afterwards; absent: the same again. */
  readonly again?: Ask;
}

const COMMIT: Step = synth();
const TRIALS: Readonly<Record<string, Trial>> = {
  HW1501: { files: { 'hosting.ts': 'export default {};\n' }, follow: write(SHOP) },
  HW1502: { body: 'enum Plan { Pro }', follow: write(SHOP) },
  HW1503: { body: "throw new Error('no');", follow: write(SHOP) },
  HW1504: {
    body: 'for (;;);',
    ask: validate(['hosting.ts'], { limits: { timeMs: 1_500 } }),
    follow: write(SHOP),
    again: validate(),
  },
  HW1505: {
    body: "new Site(app, 'shop', { phpVersion: (() => '8.3') as never });",
    follow: write("new Site(app, 'shop', { phpVersion: '8.3' });"),
  },
  HW1507: {
    body: "new Site(app, 'shop', { caching: { cacheExpiration: Number(process.hrtime.bigint() % 10_000n) } });",
    ask: synth({ check: true }),
    follow: async (at) => [await write(SHOP)(at), await COMMIT(at)],
  },
  HW1508: { body: SHOP, ask: synth({ check: true }), follow: COMMIT },
  HW1509: {
    body: "for (const name of ['acc-acme', 'acc-acme']) new Site(new Account(app, name), 'shop');",
    follow: write("new Site(new Account(app, 'acc-acme'), 'shop');"),
  },
  HW1510: {
    body: `const [a, b] = ['acc-acme', 'acc-b'].map((name) => new Account(app, name)) as [Account, Account];\nnew DomainRegistration(b, 'example.com', { contacts: { owner: new Contact(a, 'acme', ${CONTACT}) } });`,
    follow: write(
      `const b = new Account(app, 'acc-acme');\nnew DomainRegistration(b, 'example.com', { contacts: { owner: new Contact(b, 'acme', ${CONTACT}) } });`,
    ),
  },
  HW1511: {
    body: SHOP,
    files: { 'manifests/sites/shop.yaml': 'mine: true\n' },
    ask: synth(),
    follow: ({ root }) => rename(join(root, 'manifests/sites/shop.yaml'), join(root, 'mine.yaml')),
  },
  HW1512: {
    body: "new Site(new Account(app, 'acc-b'), 'shop');",
    follow: write("new Site(new Account(app, 'acc-acme'), 'shop');"),
  },
  HW1513: {
    body: SHOP,
    files: { 'hostwright.yaml': spec('  manifests: [hosting.ts]\n') },
    ask: validate([]),
    follow: () => Promise.resolve(),
    again: validate(),
  },
  HW1514: {
    body: SHOP,
    files: { 'sources.json': '{}' },
    before: COMMIT,
    ask: planned,
    follow: async (at) => [
      await rm(join(at.root, 'sources.json')),
      await synth({ check: true, sources: 'sources.json' })(at),
    ],
  },
  HW1520: {
    body: `app.check(Site, ({ props }) => (props.phpVersion === undefined ? 'which PHP?' : undefined));\n${SHOP}`,
    follow: write(
      "app.check(Site, ({ props }) => (props.phpVersion === undefined ? 'which PHP?' : undefined));\nnew Site(app, 'shop', { phpVersion: '8.3' });",
    ),
  },
  HW1521: {
    body: SHOP,
    before: ({ root }) => symlink(dirname(root), join(root, 'out')),
    follow: ({ root }) => rm(join(root, 'out')),
  },
  HW1522: {
    body: SHOP,
    files: { 'many/1': '', 'many/2': '', 'many/3': '', 'many/4': '' },
    ask: validate(['hosting.ts'], { limits: { entries: 5 } }),
    follow: async (at) => {
      await mkdir(join(at.root, 'own'));
      await at.write('own/hostwright.yaml', spec('  manifests: [manifests]\n'));
      await rename(join(at.root, 'hosting.ts'), join(at.root, 'own/hosting.ts'));
    },
    again: async (at) =>
      (
        await validateWorkspace(
          { ...at.session({ programs: programAccess({ limits: { entries: 5 } }) }), cwd: join(at.root, 'own') },
          ['hosting.ts'],
        )
      ).diagnostics,
  },
  HW1523: {
    body: "const mailboxes: { address: string }[] = [];\nnew Mailspace(app, 'example.com', { package: 'mail_5', mailboxes });\nmailboxes.push({ address: 'a@example.com' });",
    follow: write(
      "const mailboxes: { address: string }[] = [];\nmailboxes.push({ address: 'a@example.com' });\nnew Mailspace(app, 'example.com', { package: 'mail_5', mailboxes });",
    ),
  },
  HW1524: {
    body: SHOP,
    before: async (at) => [await COMMIT(at), await write('')(at)],
    ask: synth(),
    follow: () => Promise.resolve(),
    again: synth({ confirm: () => Promise.resolve(true) }),
  },
  HW1525: {
    body: `app.check(Site, ({ name }) => (name === 'shop' ? [{ message: 'no', severity: 'warning' }] : []));\n${SHOP}`,
    follow: write(
      "app.check(Site, ({ name }) => (name === 'shop' ? [{ message: 'no', severity: 'warning' }] : []));\nnew Site(app, 'store');",
    ),
  },
  HW6022: {
    body: SHOP,
    files: { 'hostwright.yaml': spec('  secrets: { env: [MAIL] }\n  synth: { env: [MAIL] }\n') },
    follow: (at) => at.write('hostwright.yaml', spec('  secrets: { env: [MAIL] }\n')),
  },
};

describe('the advice on a code of programs', () => {
  it.each(inTurn(Object.entries(TRIALS), 0, 3))(
    '%s helps',
    async (code, { body = '', files, before, ask = validate(), follow, again = ask }) => {
      const harness = await openHarness({
        workspace: spec('  manifests: [manifests]\n'),
        files: { 'hosting.ts': `${HEAD}${body}${TAIL}`, ...files },
      });
      await before?.(harness);
      expect((await ask(harness)).map((one) => one.code)).toContain(code);
      await follow(harness);
      expect(await again(harness)).toEqual([]);
    },
  );
});
