// After every outcome the command that is printed is the one that helps: each row makes an outcome, takes the command
// from what was printed, plays the outside where a person would have to, runs the command, and looks whether it helped.
import { cp, mkdtemp, readFile, rename, rm, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { realClock } from '../../../src/library/real-clock.ts';
import { API_KEY } from '../../../src/sandbox/core/http/credentials.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { runHere } from '../../support/processes/run-here.ts';

const real = { ...realClock };
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  Object.assign(realClock, real);
  for (const close of open.splice(0).reverse()) await close();
});

interface Scene {
  readonly sandbox: Sandbox;
  readonly folder: string;
  /** As it would be typed, with or without `hostwright`. */
  readonly run: (line: string, env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly write: (file: string, text: string) => Promise<void>;
}

interface SceneOptions extends SandboxOptions {
  readonly example?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const WORKSPACE =
  'apiVersion: hostwright/v1\nkind: Workspace\nspec:\n  account: acc-acme\n  baseUrl: http://127.0.0.1:1\n  manifests: [sites]\n';

/** A workspace, a sandbox, and the command line between them, by a clock that takes no time. */
async function scene({ example, files = {}, ...options }: SceneOptions): Promise<Scene> {
  const sandbox = await startSandbox(options);
  const folder = await mkdtemp(join(memoryFolder, 'hostwright-'));
  open.push(
    () => sandbox.close(),
    () => rm(folder, { recursive: true, force: true }),
  );
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  if (example === undefined) await write('hostwright.yaml', WORKSPACE);
  else await cp(join(import.meta.dirname, '../../../examples', example), folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) await write(file, text);
  Object.assign(realClock, {
    now: () => sandbox.clock.now(),
    sleep: (ms: number, signal?: AbortSignal) => sandbox.clock.sleep(ms, signal),
  });
  const env = { HOSTWRIGHT_TOKEN: API_KEY, HOSTWRIGHT_API_URL: sandbox.url, DAAN_PASSWORD: 'a-long-pass-word' };
  return {
    sandbox,
    folder,
    write,
    run: (line, more) => runHere(words(line), { cwd: folder, env: { ...env, ...more } }),
  };
}

/** The words of a line, as a shell splits them. */
function words(line: string): readonly string[] {
  return [...line.replace(/^hostwright /, '').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

/** The commands that the end of the output names. */
function printed({ stderr }: Ended): readonly string[] {
  return [...stderr.matchAll(/^(?:Next|Look .*, then): (hostwright .*?) {3}\(/gm)].map(([, command = '']) => command);
}

interface Row {
  readonly reason: string;
  readonly of: SceneOptions;
  /** What happens before; the command of which the end is looked at is the last. */
  readonly make: (scene: Scene) => Promise<Ended>;
  readonly code: number;
  readonly next: readonly (string | RegExp)[];
  /** A command that tells more, whatever it ends with. */
  readonly also?: string;
  /** What else the output has to say, and what it must never say. */
  readonly says?: string | RegExp;
  readonly neverSays?: RegExp;
  /** What somebody outside does before the command is run. */
  readonly outside?: (scene: Scene) => unknown;
  /** What the command answers. */
  readonly helps: { readonly code: number; readonly says?: RegExp };
  /** A person finds something out and fills it in. */
  readonly typed?: (command: string) => string;
}

const site = (spec: string, name = 'shop'): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name}, id: site-${name} }\nspec: ${spec}\n`;
const caching = (seconds: number): Readonly<Record<string, string>> => ({
  'sites/shop.yaml': site(`{ caching: { cacheExpiration: ${seconds} } }`),
});
const LOCK = {
  hostname: 'runner-7',
  pid: 4711,
  user: 'alice',
  runId: 'run-other',
  token: 'abc-1',
  since: '2026-01-15T09:00:00.000Z',
  started: '',
  space: '',
};
const WITHOUT_PURCHASE = /Next: hostwright apply --resume/;

/** The connection breaks with the order: whether it arrived nobody can tell. */
const orderLost = { kind: 'reset-before', match: { method: 'POST', path: '/api/orders' }, times: 1 } as const;

const rows: readonly Row[] = [
  {
    reason: 'the platform cannot be reached',
    of: { files: caching(600) },
    make: async ({ run }) => run('plan', { HOSTWRIGHT_API_URL: 'http://127.0.0.1:1' }),
    code: 1,
    says: 'The platform cannot be reached: connection refused at http://127.0.0.1:1.',
    neverSays: /matches? (its|their) manifest/,
    next: ['hostwright doctor'],
    helps: { code: 0 },
  },
  {
    reason: 'the platform cannot be reached by apply',
    of: { files: caching(600) },
    make: async ({ run }) => run('apply --yes', { HOSTWRIGHT_API_URL: 'http://127.0.0.1:1' }),
    code: 1,
    says: 'The platform cannot be reached: connection refused at http://127.0.0.1:1.',
    next: ['hostwright doctor'],
    helps: { code: 0 },
  },
  {
    reason: 'the credential is refused',
    of: { files: caching(600) },
    make: async ({ run }) => run('apply --yes', { HOSTWRIGHT_TOKEN: 'nobody' }),
    code: 1,
    next: ['hostwright doctor'],
    helps: { code: 0, says: /token/ },
  },
  {
    reason: 'another run holds the lock',
    of: { files: caching(600) },
    make: async ({ run, write }) => {
      await write('.hostwright/ledger.jsonl.lock', JSON.stringify(LOCK));
      return run('apply --yes');
    },
    code: 1,
    says: /alice/,
    next: ['hostwright apply --yes --lock-timeout 10m'],
    outside: ({ folder, sandbox }) =>
      Object.assign(realClock, {
        sleep: async (ms: number, signal?: AbortSignal) => {
          await rm(join(folder, '.hostwright/ledger.jsonl.lock'), { force: true });
          await sandbox.clock.sleep(ms, signal);
        },
      }),
    helps: { code: 0 },
  },
  {
    reason: 'more deletes than the guard allows',
    of: { files: { 'sites/shop.yaml': site('{ domains: [shop.example.com], unlisted: { domains: remove } }') } },
    make: async ({ run }) => run('apply --yes'),
    code: 5,
    next: ['hostwright apply --yes --allow-deletes 1'],
    helps: { code: 0 },
  },
  {
    reason: 'the guard of deletes, and an option that was too low',
    of: { files: { 'sites/shop.yaml': site('{ domains: [shop.example.com], unlisted: { domains: remove } }') } },
    make: async ({ run }) => run('apply --allow-deletes 0 --yes'),
    code: 5,
    next: ['hostwright apply --yes --allow-deletes 1'],
    helps: { code: 0 },
  },
  {
    reason: 'a saved plan that the guard of deletes refuses',
    of: { files: { 'sites/shop.yaml': site('{ domains: [shop.example.com], unlisted: { domains: remove } }') } },
    make: async ({ run }) => {
      await run('plan --out plan.json');
      return run('apply plan.json');
    },
    code: 5,
    next: ['hostwright apply plan.json --allow-deletes 1'],
    helps: { code: 0 },
  },
  {
    reason: 'a verb that --approve does not name',
    of: { files: caching(600) },
    make: async ({ run }) => run('apply --approve create'),
    code: 5,
    next: ['hostwright apply --approve create,update'],
    helps: { code: 0 },
  },
  {
    reason: 'more charges than the guard allows',
    of: { example: 'a-site-from-nothing' },
    make: async ({ run }) => {
      await run('ledger init');
      return run('apply --yes --allow-charges 0');
    },
    code: 5,
    next: ['hostwright apply --yes --allow-charges 1'],
    helps: { code: 0 },
  },
  {
    reason: 'a purchase that costs more than the ceiling',
    of: { example: 'a-site-from-nothing' },
    make: async ({ run }) => {
      await run('ledger init');
      return run('apply --yes --max-spend 1.00EUR');
    },
    code: 5,
    next: [],
    helps: { code: 0 },
  },
  {
    reason: 'a purchase without a complete ledger',
    of: { example: 'a-site-from-nothing' },
    make: async ({ run }) => run('apply --yes'),
    code: 5,
    next: ['hostwright ledger init'],
    helps: { code: 0 },
  },
  {
    reason: 'a protected object',
    of: {
      files: {
        'sites/shop.yaml': site('{ plan: mini }').replace('spec:', 'lifecycle: { protect: true }\nspec:'),
      },
    },
    make: async ({ run }) => run('apply --yes --allow-charges 1'),
    code: 5,
    says: 'lifecycle.protect',
    next: [],
    helps: { code: 0 },
  },
  {
    reason: 'the live side changed since the review',
    of: { files: caching(600) },
    make: async ({ run, sandbox }) => {
      await run('plan --out plan.json');
      sandbox.state.sites.get('site-shop')!.cdn.caching.cache_expiration = 4711;
      return run('apply plan.json');
    },
    code: 4,
    next: ['hostwright plan --out plan.json'],
    neverSays: WITHOUT_PURCHASE,
    helps: { code: 0, says: /Next: hostwright apply plan\.json/ },
  },
  {
    reason: 'a saved plan that was carried out before',
    of: { files: caching(600) },
    make: async ({ run, sandbox }) => {
      await run('plan --out plan.json');
      await run('apply plan.json');
      sandbox.state.sites.get('site-shop')!.cdn.caching.cache_expiration = 3600;
      return run('apply plan.json');
    },
    code: 4,
    next: ['hostwright plan --out plan.json'],
    helps: { code: 0, says: /Next: hostwright apply plan\.json/ },
  },
  {
    reason: 'a purchase whose answer was lost',
    of: { example: 'a-site-from-nothing', faults: [orderLost] },
    make: async ({ run }) => {
      await run('ledger init');
      return run('apply --yes');
    },
    code: 1,
    says: 'Look whether Site/launch was carried out',
    neverSays: WITHOUT_PURCHASE,
    next: ['hostwright ledger confirm Site/launch --id ID'],
    typed: (command) => command.replace('--id ID', '--not-made'),
    helps: { code: 0, says: /apply --resume/ },
  },
  {
    reason: 'a purchase that waits for a person who pays',
    of: { example: 'a-site-from-nothing', scenario: 'billing-3ds' },
    make: async ({ run }) => {
      await run('ledger init');
      return run('apply --yes');
    },
    code: 3,
    says: /open https:\/\//,
    next: ['hostwright apply --resume'],
    outside: ({ sandbox }) =>
      fetch(`${sandbox.url}/_sandbox/carts/all/payment`, { method: 'POST', body: '{"outcome":"complete"}' }),
    helps: { code: 0, says: /done/ },
  },
  {
    reason: 'a purchase whose card was declined',
    of: { example: 'a-site-from-nothing', scenario: 'billing-declined' },
    make: async ({ run }) => {
      await run('ledger init');
      return run('apply --yes');
    },
    code: 3,
    says: /open https:\/\//,
    next: ['hostwright apply --resume'],
    outside: ({ sandbox }) =>
      fetch(`${sandbox.url}/_sandbox/carts/all/payment`, { method: 'POST', body: '{"outcome":"complete"}' }),
    helps: { code: 0, says: /done/ },
  },
  {
    reason: 'ORD-12: a cart that nobody paid has expired',
    of: { example: 'a-site-from-nothing', scenario: 'billing-3ds' },
    make: async ({ run, sandbox }) => {
      await run('ledger init');
      await run('apply --yes');
      await fetch(`${sandbox.url}/_sandbox/carts/all/payment`, { method: 'POST', body: '{"outcome":"decline"}' });
      return run('apply --resume --yes');
    },
    code: 1,
    neverSays: WITHOUT_PURCHASE,
    next: ['hostwright apply --yes'],
    outside: ({ sandbox }) => {
      sandbox.state.accounts.get('acc-acme')!.billing = { outcome: 'succeeded' };
    },
    helps: { code: 0 },
  },
  {
    reason: 'it was interrupted with a purchase in flight',
    of: {
      example: 'a-site-from-nothing',
      scenario: 'billing-3ds',
      hooks: {
        after: ({ method, path }) => {
          if (method === 'POST' && path === '/api/orders') (process.listeners('SIGINT').at(-1) as () => void)();
        },
      },
    },
    make: async ({ run }) => {
      await run('ledger init');
      return run('apply --yes');
    },
    code: 130,
    next: ['hostwright apply --yes'],
    outside: ({ sandbox }) =>
      fetch(`${sandbox.url}/_sandbox/carts/all/payment`, { method: 'POST', body: '{"outcome":"complete"}' }),
    helps: { code: 0, says: /done/ },
  },
  {
    reason: 'nothing in stock, and nothing in flight',
    of: { example: 'a-site-from-nothing' },
    make: async ({ run, sandbox }) => {
      await run('ledger init');
      sandbox.state.locations.find(({ shortName }) => shortName === 'ams')!.soldOutFor = 1;
      return run('apply --yes');
    },
    code: 3,
    neverSays: WITHOUT_PURCHASE,
    next: ['hostwright plan'],
    helps: { code: 0, says: /Next: hostwright apply/ },
  },
  {
    reason: 'MDM-07: a mail domain that waits for its TXT record',
    of: {
      scenario: 'mail',
      files: {
        'sites/mail.yaml':
          'apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: shop.example.com }\nspec: { domains: [{ name: fresh.example.org }] }\n',
      },
    },
    make: async ({ run }) => run('apply --yes'),
    code: 3,
    says: /Publish the TXT record _mailspace-verify\.fresh\.example\.org with the value /,
    neverSays: WITHOUT_PURCHASE,
    next: ['hostwright plan'],
    outside: ({ sandbox }) =>
      fetch(`${sandbox.url}/_sandbox/mailspaces/shop.example.com/domains/verify`, {
        method: 'POST',
        body: '{"name":"fresh.example.org"}',
      }),
    helps: { code: 0, says: /No changes|no changes/ },
  },
  {
    reason: 'an update that shows only when the site is there, and that nobody approved',
    of: { example: 'a-site-from-nothing' },
    make: async ({ run }) => {
      await run('ledger init');
      return run('apply --approve create');
    },
    code: 3,
    neverSays: WITHOUT_PURCHASE,
    next: ['hostwright plan'],
    also: 'hostwright dns',
    helps: { code: 0, says: /Next: hostwright apply/ },
  },
  {
    reason: 'one of several changes failed',
    of: {
      files: { 'sites/shop.yaml': site('{ phpVersion: "8.3", caching: { cacheExpiration: 600 } }') },
      faults: [
        { kind: 'status-before', status: 422, match: { method: 'PATCH', path: '/api/sites/site-shop/cdn*' }, times: 1 },
      ],
    },
    make: async ({ run }) => run('apply --yes'),
    code: 6,
    neverSays: WITHOUT_PURCHASE,
    next: ['hostwright apply --yes'],
    helps: { code: 0 },
  },
  {
    reason: 'a section could not be read',
    of: {
      files: caching(600),
      faults: [
        { kind: 'status-before', status: 500, match: { method: 'GET', path: '/api/sites/site-shop/cdn*' }, times: 9 },
      ],
    },
    make: async ({ run }) => run('apply --yes'),
    code: 1,
    next: ['hostwright apply --yes'],
    outside: ({ sandbox }) => sandbox.setFaults([]),
    helps: { code: 0 },
  },
  {
    reason: 'a plan of which a section could not be read',
    of: {
      files: caching(600),
      faults: [
        { kind: 'status-before', status: 500, match: { method: 'GET', path: '/api/sites/site-shop/cdn*' }, times: 9 },
      ],
    },
    make: async ({ run }) => run('plan'),
    code: 1,
    next: ['hostwright plan'],
    outside: ({ sandbox }) => sandbox.setFaults([]),
    helps: { code: 0, says: /Next: hostwright apply/ },
  },
  {
    reason: 'it was interrupted',
    of: {
      files: caching(600),
      hooks: {
        after: ({ method }) => {
          if (method === 'PATCH') (process.listeners('SIGINT').at(-1) as () => void)();
        },
      },
    },
    make: async ({ run }) => run('apply --yes'),
    code: 130,
    next: ['hostwright apply --yes'],
    helps: { code: 0 },
  },
  {
    reason: 'the deadline was too near to begin anything',
    of: {
      files: caching(600),
      // The first read takes long.
      hooks: { before: ({ n }) => (n === 1 ? realClock.sleep(50_000) : undefined) },
    },
    make: async ({ run }) => run('apply --yes --deadline 1m'),
    code: 3,
    neverSays: WITHOUT_PURCHASE,
    next: ['hostwright apply --yes --deadline 1m'],
    helps: { code: 0 },
  },
  {
    reason: 'drift: the account was changed behind the back',
    of: { files: caching(600) },
    make: async ({ run, sandbox }) => {
      await run('apply --yes');
      sandbox.state.sites.get('site-shop')!.cdn.caching.cache_expiration = 4711;
      return run('drift');
    },
    code: 2,
    next: ['hostwright apply', 'hostwright drift --accept Site/shop/Caching'],
    typed: (command) => (command === 'hostwright apply' ? `${command} --yes` : command),
    helps: { code: 0 },
  },
  {
    reason: 'a plan with something to do',
    of: { files: caching(600) },
    make: async ({ run }) => run('plan --out plan.json'),
    code: 0,
    next: ['hostwright apply plan.json'],
    helps: { code: 0 },
  },
  {
    reason: 'a plan with a purchase in flight',
    of: { example: 'a-site-from-nothing', scenario: 'billing-3ds' },
    make: async ({ run }) => {
      await run('ledger init');
      await run('apply --yes');
      return run('plan');
    },
    code: 0,
    next: ['hostwright apply --resume'],
    outside: ({ sandbox }) =>
      fetch(`${sandbox.url}/_sandbox/carts/all/payment`, { method: 'POST', body: '{"outcome":"complete"}' }),
    helps: { code: 0 },
  },
  {
    reason: 'ORD-44: a plan while nobody knows what became of a purchase',
    of: { example: 'a-site-from-nothing', faults: [orderLost] },
    make: async ({ run }) => {
      await run('ledger init');
      await run('apply --yes');
      return run('plan');
    },
    code: 0,
    says: /hostwright ledger confirm Site\/launch/,
    next: ['hostwright apply --resume'],
    helps: {
      code: 1,
      says: /Look whether Site\/launch was carried out, then: hostwright ledger confirm Site\/launch --id ID/,
    },
  },
  {
    reason: 'nothing differs',
    of: { files: caching(3600) },
    make: async ({ run }) => run('plan'),
    code: 0,
    next: [],
    helps: { code: 0 },
  },
];

describe('the command that is printed helps', () => {
  it.each(rows)('$reason', async ({ of, make, code, next, also, says, neverSays, outside, helps, typed }) => {
    const one = await scene(of);
    const ended = await make(one);
    const all = `${ended.stdout}\n${ended.stderr}`;
    expect(ended.code, all).toBe(code);
    if (says !== undefined) expect(all).toMatch(says);
    if (neverSays !== undefined) expect(all).not.toMatch(neverSays);
    const commands = printed(ended).filter((command) => command !== also);
    if (also !== undefined) expect(printed(ended)).toContain(also);
    expect(commands, all).toHaveLength(next.length);
    next.forEach((wanted, index) =>
      typeof wanted === 'string' ? expect(commands[index]).toBe(wanted) : expect(commands[index]).toMatch(wanted),
    );
    await outside?.(one);
    // Where there is a choice, each of them helps; what the first one did is done again before the second.
    for (const [index, command] of commands.entries()) {
      if (index > 0) await make(one);
      const helped = await one.run(typed?.(command) ?? command);
      const answer = `${command}\n${helped.stdout}\n${helped.stderr}`;
      expect(helped.code, answer).toBe(helps.code);
      if (helps.says !== undefined) expect(answer).toMatch(helps.says);
    }
  });
});

/** The lines of what a command said that are commands by themselves, or stand in backticks. */
function commandsIn({ stdout, stderr }: Ended): readonly string[] {
  const all = `${stdout}\n${stderr}`;
  return [...all.matchAll(/^ +(hostwright .+)$|`(hostwright [^`]+)`/gm)].map(([, line, code]) => line ?? code ?? '');
}

async function answered(one: Scene, line: string, code = 0): Promise<Ended & { readonly all: string }> {
  const ended = await one.run(line);
  const all = `${ended.stdout}\n${ended.stderr}`;
  expect(ended.code, `${line}\n${all}`).toBe(code);
  return { ...ended, all };
}

/** As `init` lays it out. */
const LAID_OUT = { 'hostwright.yaml': WORKSPACE.replace('[sites]', '[manifests]') };
const REGISTRATION = (spec: string): string =>
  `apiVersion: hostwright/v1\nkind: DomainRegistration\nmetadata: { name: paid.shop }\nspec: ${spec}\n`;
const CONTACT =
  'apiVersion: hostwright/v1\nkind: Contact\nmetadata: { name: acme }\nspec: { firstName: Jo, lastName: New, streetAddress: Main Street 1, postCode: "1000", city: Town, country: DE, email: jo@example.com, phone: "+49.301234567" }\n';

describe('advice that is followed literally helps', () => {
  it('what is live and named by no manifest is added to the list that is there', async () => {
    const one = await scene({ files: { 'sites/shop.yaml': site('{ domains: [shop.example.com] }') } });
    const plan = await answered(one, 'plan');
    const [accept = ''] = commandsIn(plan);
    expect(accept).toBe('hostwright drift --accept Site/shop/SiteDomain/www.shop.example.com');
    await answered(one, accept);
    expect((await answered(one, 'plan')).all).not.toContain('Unmanaged');
    expect((await readFile(join(one.folder, 'sites/shop.yaml'), 'utf8')).match(/domains/g)).toHaveLength(1);
  });

  it('what is orphaned is kept by a manifest where the workspace reads it', async () => {
    const docs = site('{ caching: { cacheExpiration: 60 } }', 'docs');
    const one = await scene({
      files: {
        ...LAID_OUT,
        'manifests/sites/shop.yaml': site('{ plan: pro, name: Shop }'),
        'manifests/sites/docs.yaml': docs,
      },
    });
    await answered(one, 'apply --yes');
    await rm(join(one.folder, 'manifests/sites/shop.yaml'));
    const plan = await answered(one, 'plan');
    const keep = commandsIn(plan).find((line) => line.startsWith('hostwright export')) ?? plan.all;
    expect(keep).toBe('hostwright export Site/shop --out manifests');
    await answered(one, keep);
    const after = await answered(one, 'plan');
    expect(after.all).not.toContain('Orphaned');
    expect(after.all).not.toContain('HW6670');
  });

  it('files that were exported where no plan reads them are told, with the place where it does', async () => {
    const one = await scene({ files: { ...LAID_OUT, 'manifests/docs.yaml': site('{}', 'docs') } });
    const exported = await answered(one, 'export Site/shop --out .');
    const [, from = '', to = ''] = /HW6670[^]*`(sites\/shop\.yaml)`[^]*Move it below `(\w+)`/.exec(exported.all) ?? [];
    await rename(join(one.folder, from), join(one.folder, to, 'shop.yaml'));
    expect((await answered(one, 'export Site/shop --out .')).all).not.toContain('HW6670');
    expect((await answered(one, 'plan manifests/shop.yaml')).all).toContain('no changes');
  });

  it('a contact that is named by its bare name', async () => {
    const one = await scene({
      files: { 'sites/reg.yaml': REGISTRATION('{ contacts: { owner: acme } }'), 'sites/acme.yaml': CONTACT },
    });
    const [, written = ''] = /Name a Contact as `([^`]+)`/.exec((await answered(one, 'validate', 1)).all) ?? [];
    await one.write('sites/reg.yaml', REGISTRATION(`{ contacts: { owner: ${written} } }`));
    await answered(one, 'validate');
  });

  it('REG-25: another holder is consented to with the line that the plan has', async () => {
    const one = await scene({
      scenario: 'registrar',
      files: {
        'sites/reg.yaml': REGISTRATION('{ contacts: { owner: { ref: Contact/acme } } }'),
        'sites/acme.yaml': CONTACT,
      },
    });
    const plan = await answered(one, 'plan', 0);
    const [, line = plan.all] = /`(ownerChange: [^`]+)`/.exec(plan.all) ?? [];
    const said = line.replace('Contact/NAME', 'Contact/acme');
    await one.write('sites/reg.yaml', REGISTRATION(`{ contacts: { owner: { ref: Contact/acme } }, ${said} }`));
    const again = await answered(one, 'plan');
    expect(again.all).toContain('15.00 EUR');
    expect(again.all).not.toContain('Blocked');
  });

  it('after a new hostname the records to publish are named, in the plan, the comment and the end', async () => {
    const one = await scene({
      files: { 'sites/docs.yaml': site('{ domains: [help.example.com], primaryDomain: help.example.com }', 'docs') },
    });
    for (const form of ['', ' --format markdown'])
      expect((await answered(one, `plan${form}`)).all).toMatch(
        /help\.example\.com becomes the primary hostname and leads nowhere until its DNS records are published\. After apply, `hostwright dns` lists the records to publish for help\.example\.com\./,
      );
    const applied = await one.run('apply --yes --allow-deletes 1');
    const [next = `${applied.stdout}\n${applied.stderr}`] = printed(applied);
    expect(next).toBe('hostwright dns');
    expect((await one.run(`${next} --no-lookup`)).stdout).toContain('help.example.com');
  });
});

describe('what says nothing, or the wrong thing, says it now', () => {
  it('a report that cannot be written ends a command as an error, and the rest of it is done', async () => {
    const one = await scene({ files: caching(600) });
    const plan = await answered(one, 'plan --report html=nosuch/x.html', 1);
    expect(plan.all).toContain('HW6601');
    expect(plan.all).toContain('cacheExpiration');
    await answered(one, 'apply --yes --report json=nosuch/x.json', 1);
    expect((await answered(one, 'plan')).all).toContain('no changes');
  });

  it('no workspace: no account is named, and what begins one is', async () => {
    const one = await scene({});
    await rm(join(one.folder, 'hostwright.yaml'));
    const ended = await answered(one, 'apply --yes', 1);
    expect(ended.all).not.toContain('Account :');
    expect(ended.all).toContain('Run `hostwright init`');
  });

  it('a log without entries', async () => {
    const one = await scene({ files: caching(600) });
    expect((await answered(one, 'site logs shop --filter status=499')).stderr).toContain('No entries');
  });

  it('BKP-04: a restore without a backup', async () => {
    const one = await scene({ files: caching(600) });
    const restored = await answered(one, 'site restore shop --volume content --archive nightly --yes');
    expect(restored.all).toContain('No backup of what was there before was made; `--backup` makes one.');
  });

  it('a feature that is off is no note of an export', async () => {
    const one = await scene({ files: caching(600) });
    expect((await answered(one, 'export')).all).not.toContain('HW6707');
    expect((await answered(one, 'export PanelAccount')).all).toContain('HW6707');
  });
});
