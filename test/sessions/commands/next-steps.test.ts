// After every outcome the command that is printed is the one that helps: each row makes an outcome, takes the command
// from what was printed, plays the outside where a person would have to, runs the command, and looks whether it helped.
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../../src/sandbox/core/http/recording.ts';
import type { HarnessOptions } from '../../support/harness.ts';
import { CONTACT, manifest, workspaceFile } from '../../support/manifests.ts';
import type { CommandLine, Told } from '../../support/command-line.ts';
import { openCommandLine } from '../../support/command-line.ts';
import type { Ended } from '../../support/processes/run-here.ts';
import { hold, release } from './advice-lines.ts';

/** The commands that the end of the output names. */
function printed({ stderr }: Ended): readonly string[] {
  return [...stderr.matchAll(/^(?:Next|Look .*, then): (hostwright .*?) {3}\(/gm)].map(([, command = '']) => command);
}

interface Row {
  readonly reason: string;
  readonly of: HarnessOptions;
  /** What is typed before, and what happens then. */
  readonly first?: readonly string[];
  readonly meanwhile?: (one: CommandLine) => unknown;
  /** What happens after each request of the command. */
  readonly during?: (request: RecordedRequest, one: CommandLine) => unknown;
  /** The command of which the end is looked at. */
  readonly told: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly code: number;
  /** All commands that it names as the next. */
  readonly next: readonly string[];
  /** A command that tells more, whatever it ends with. */
  readonly also?: string;
  /** What else the output has to say, and what it must never say. */
  readonly says?: string | RegExp;
  readonly neverSays?: RegExp;
  /** What somebody outside does before the command is run. */
  readonly outside?: (one: CommandLine) => unknown;
  /** What the command ends with. Absent: 0. */
  readonly ends?: number;
  readonly answers?: RegExp;
  /** A person finds something out and fills it in. */
  readonly typed?: (command: string) => string;
}

const site = (spec: string, name = 'shop'): string =>
  `apiVersion: hostwright/v1\nkind: Site\nmetadata: { name: ${name}, id: site-${name} }\nspec: ${spec}\n`;
const shop = (spec: string): HarnessOptions => ({ files: { 'sites/shop.yaml': site(spec) } });
const caching = (seconds: number): HarnessOptions => shop(`{ caching: { cacheExpiration: ${seconds} } }`);
const deleting = shop('{ domains: [shop.example.com], unlisted: { domains: remove } }');
/** Buys a site. */
const buying = { example: 'a-site-from-nothing' };
const unread: HarnessOptions = {
  ...caching(600),
  faults: [
    { kind: 'status-before', status: 500, match: { method: 'GET', path: '/api/sites/site-shop/cdn*' }, times: 9 },
  ],
};
/** The connection breaks with the order: whether it arrived nobody can tell. */
const orderLost: HarnessOptions = {
  ...buying,
  faults: [{ kind: 'reset-before', match: { method: 'POST', path: '/api/orders' }, times: 1 }],
};

const expire =
  (seconds: number) =>
  ({ sandbox }: CommandLine): void => {
    sandbox.state.sites.get('site-shop')!.cdn.caching.cache_expiration = seconds;
  };
const outside =
  (path: string, body: object) =>
  ({ sandbox }: CommandLine): Promise<Response> =>
    fetch(`${sandbox.url}/_sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
const pay = outside('carts/all/payment', { outcome: 'complete' });
const mend = ({ sandbox }: CommandLine): void => sandbox.setFaults([]);
/** Somebody presses Ctrl-C while the command runs. */
const interrupt = (): void => (process.listeners('SIGINT').at(-1) as () => void)();

const UNREACHABLE = 'The platform at http://127.0.0.1:1 cannot be reached: connection refused by http://127.0.0.1:1.';
const PLAN_AGAIN = 'hostwright plan --out plan.json';

const rows: readonly Row[] = [
  {
    reason: 'the platform cannot be reached',
    of: caching(600),
    told: 'plan',
    env: { HOSTWRIGHT_API_URL: 'http://127.0.0.1:1' },
    code: 1,
    says: UNREACHABLE,
    neverSays: /matches? (its|their) manifest/,
    next: ['hostwright doctor'],
  },
  {
    reason: 'the platform cannot be reached by apply',
    of: caching(600),
    told: 'apply --yes',
    env: { HOSTWRIGHT_API_URL: 'http://127.0.0.1:1' },
    code: 1,
    says: UNREACHABLE,
    next: ['hostwright doctor'],
  },
  {
    reason: 'the credential is refused',
    of: caching(600),
    told: 'apply --yes',
    env: { HOSTWRIGHT_TOKEN: 'nobody' },
    code: 1,
    next: ['hostwright doctor'],
    answers: /token/,
  },
  {
    reason: 'another run holds the lock',
    of: caching(600),
    meanwhile: hold,
    told: 'apply --yes',
    code: 1,
    says: /alice/,
    next: ['hostwright apply --yes --lock-timeout 10m'],
    // It ends while the next one waits for it.
    outside: (one) => {
      const { clock } = one.sandbox;
      const wait = clock.sleep.bind(clock);
      clock.sleep = async (...waiting) => {
        await release(one);
        await wait(...waiting);
      };
    },
  },
  {
    reason: 'more deletes than the guard allows',
    of: deleting,
    told: 'apply --yes',
    code: 5,
    next: ['hostwright apply --yes --allow-deletes 1'],
  },
  {
    reason: 'the guard of deletes, and an option that was too low',
    of: deleting,
    told: 'apply --allow-deletes 0 --yes',
    code: 5,
    next: ['hostwright apply --yes --allow-deletes 1'],
  },
  {
    reason: 'a saved plan that the guard of deletes refuses',
    of: deleting,
    first: ['plan --out plan.json'],
    told: 'apply plan.json',
    code: 5,
    next: ['hostwright apply plan.json --allow-deletes 1'],
  },
  {
    reason: 'a verb that --approve does not name',
    of: caching(600),
    told: 'apply --approve create',
    code: 5,
    next: ['hostwright apply --approve create,update'],
  },
  {
    reason: 'more charges than the guard allows',
    of: buying,
    first: ['ledger init'],
    told: 'apply --yes --allow-charges 0',
    code: 5,
    next: ['hostwright apply --yes --allow-charges 1'],
  },
  {
    reason: 'a purchase that costs more than the ceiling',
    of: buying,
    first: ['ledger init'],
    told: 'apply --yes --max-spend 1.00EUR',
    code: 5,
    next: [],
  },
  {
    reason: 'a purchase without a complete ledger',
    of: buying,
    told: 'apply --yes',
    code: 5,
    next: ['hostwright ledger init'],
  },
  {
    reason: 'a protected object',
    of: { files: { 'sites/shop.yaml': `lifecycle: { protect: true }\n${site('{ plan: mini }')}` } },
    told: 'apply --yes --allow-charges 1',
    code: 5,
    says: 'lifecycle.protect',
    next: [],
  },
  {
    reason: 'the live side changed since the review',
    of: caching(600),
    first: ['plan --out plan.json'],
    meanwhile: expire(4711),
    told: 'apply plan.json',
    code: 4,
    next: [PLAN_AGAIN],
    answers: /Next: hostwright apply plan\.json/,
  },
  {
    reason: 'a saved plan that was carried out before',
    of: caching(600),
    first: ['plan --out plan.json', 'apply plan.json'],
    meanwhile: expire(3600),
    told: 'apply plan.json',
    code: 4,
    next: [PLAN_AGAIN],
    answers: /Next: hostwright apply plan\.json/,
  },
  {
    reason: 'a purchase whose answer was lost',
    of: orderLost,
    first: ['ledger init'],
    told: 'apply --yes',
    code: 3,
    says: 'Look whether Site/launch was carried out',
    next: ['hostwright ledger confirm Site/launch --id ID'],
    typed: (command) => command.replace('--id ID', '--not-made'),
  },
  {
    reason: 'a purchase that waits for a person who pays',
    of: { ...buying, scenario: 'billing-3ds' },
    first: ['ledger init'],
    told: 'apply --yes',
    code: 3,
    says: /open https:\/\//,
    next: ['hostwright apply --resume'],
    outside: pay,
    answers: /done/,
  },
  {
    reason: 'a purchase whose card was declined',
    of: { ...buying, scenario: 'billing-declined' },
    first: ['ledger init'],
    told: 'apply --yes',
    code: 3,
    says: /open https:\/\//,
    next: ['hostwright apply --resume'],
    outside: pay,
    answers: /done/,
  },
  {
    reason: 'ORD-12: a cart that nobody paid has expired',
    of: { ...buying, scenario: 'billing-3ds' },
    first: ['ledger init', 'apply --yes'],
    meanwhile: outside('carts/all/payment', { outcome: 'decline' }),
    told: 'apply --resume --yes',
    code: 1,
    next: ['hostwright apply --yes'],
    outside: ({ sandbox }) => {
      sandbox.state.accounts.get('acc-acme')!.billing = { outcome: 'succeeded' };
    },
  },
  {
    reason: 'it was interrupted with a purchase in flight',
    of: { ...buying, scenario: 'billing-3ds' },
    first: ['ledger init'],
    during: ({ method, path }) => method === 'POST' && path === '/api/orders' && interrupt(),
    told: 'apply --yes',
    code: 130,
    next: ['hostwright apply --yes'],
    outside: pay,
    answers: /done/,
  },
  {
    reason: 'nothing in stock, and nothing in flight',
    of: buying,
    first: ['ledger init'],
    meanwhile: ({ sandbox }) => {
      sandbox.state.locations.find(({ shortName }) => shortName === 'ams')!.soldOutFor = 1;
    },
    told: 'apply --yes',
    code: 3,
    next: ['hostwright plan'],
    answers: /Next: hostwright apply/,
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
    told: 'apply --yes',
    code: 3,
    says: /Publish the TXT record _mailspace-verify\.fresh\.example\.org with the value /,
    next: ['hostwright plan'],
    outside: outside('mailspaces/shop.example.com/domains/verify', { name: 'fresh.example.org' }),
    answers: /No changes|no changes/,
  },
  {
    reason: 'an update that shows only when the site is there, and that nobody approved',
    of: buying,
    first: ['ledger init'],
    told: 'apply --approve create',
    code: 3,
    next: ['hostwright plan'],
    also: 'hostwright dns',
    answers: /Next: hostwright apply/,
  },
  {
    reason: 'one of several changes failed',
    of: {
      ...shop('{ phpVersion: "8.3", caching: { cacheExpiration: 600 } }'),
      faults: [
        { kind: 'status-before', status: 422, match: { method: 'PATCH', path: '/api/sites/site-shop/cdn*' }, times: 1 },
      ],
    },
    told: 'apply --yes',
    code: 6,
    next: ['hostwright apply --yes'],
  },
  {
    reason: 'a section could not be read',
    of: unread,
    told: 'apply --yes',
    code: 1,
    next: ['hostwright apply --yes'],
    outside: mend,
  },
  {
    reason: 'a plan of which a section could not be read',
    of: unread,
    told: 'plan',
    code: 1,
    next: ['hostwright plan'],
    outside: mend,
    answers: /Next: hostwright apply/,
  },
  {
    reason: 'it was interrupted',
    of: caching(600),
    during: ({ method }) => method === 'PATCH' && interrupt(),
    told: 'apply --yes',
    code: 130,
    next: ['hostwright apply --yes'],
  },
  {
    reason: 'the deadline was too near to begin anything',
    of: caching(600),
    // The first read takes long.
    during: ({ n }, { sandbox }) => n === 1 && sandbox.clock.advance(50_000),
    told: 'apply --yes --deadline 1m',
    code: 3,
    next: ['hostwright apply --yes --deadline 1m'],
  },
  {
    reason: 'drift: the account was changed behind the back',
    of: caching(600),
    first: ['apply --yes'],
    meanwhile: expire(4711),
    told: 'drift',
    code: 2,
    next: ['hostwright apply', 'hostwright drift --accept Site/shop/Caching'],
    typed: (command) => (command === 'hostwright apply' ? `${command} --yes` : command),
  },
  {
    reason: 'a plan with something to do',
    of: caching(600),
    told: 'plan --out plan.json',
    code: 0,
    next: ['hostwright apply plan.json'],
  },
  {
    reason: 'a plan with a purchase in flight',
    of: { ...buying, scenario: 'billing-3ds' },
    first: ['ledger init', 'apply --yes'],
    told: 'plan',
    code: 0,
    next: ['hostwright apply --resume'],
    outside: pay,
  },
  {
    reason: 'ORD-44: a plan while nobody knows what became of a purchase',
    of: orderLost,
    first: ['ledger init', 'apply --yes'],
    told: 'plan',
    code: 0,
    says: /hostwright ledger confirm Site\/launch/,
    next: ['hostwright apply --resume'],
    ends: 3,
    answers: /Look whether Site\/launch was carried out, then: hostwright ledger confirm Site\/launch --id ID/,
  },
  { reason: 'nothing differs', of: caching(3600), told: 'plan', code: 0, next: [] },
];

describe('the command that is printed helps', () => {
  it.each(rows)('$reason', async (row) => {
    const { of, first = [], meanwhile, told, env, says, neverSays, also, next, outside: played, typed } = row;
    const one: CommandLine = await openCommandLine({
      ...of,
      hooks: { after: (request) => void row.during?.(request, one) },
    });
    const make = async (): Promise<Told> => {
      for (const line of first) await one.run(line);
      await meanwhile?.(one);
      return one.run(told, { ...(env !== undefined && { env }) });
    };
    const ended = await make();
    const { all } = ended;
    expect(ended.code, all).toBe(row.code);
    if (says !== undefined) expect(all).toMatch(says);
    if (neverSays !== undefined) expect(all).not.toMatch(neverSays);
    if (also !== undefined) expect(printed(ended)).toContain(also);
    const commands = printed(ended).filter((command) => command !== also);
    expect(commands, all).toEqual(next);
    await played?.(one);
    // Where there is a choice, each of them helps; what the first one did is done again before the second.
    for (const [index, command] of commands.entries()) {
      if (index > 0) await make();
      const helped = await one.run(typed?.(command) ?? command);
      const answer = `${command}\n${helped.all}`;
      expect(helped.code, answer).toBe(row.ends ?? 0);
      if (row.answers !== undefined) expect(answer).toMatch(row.answers);
    }
  });
});

/** The lines of what a command said that are commands by themselves, or stand in backticks. */
function commandsIn({ all }: Told): readonly string[] {
  return [...all.matchAll(/^ +(hostwright .+)$|`(hostwright [^`]+)`/gm)].map(([, line, code]) => line ?? code ?? '');
}

async function answered(one: CommandLine, line: string, code = 0): Promise<Told> {
  const told = await one.run(line);
  expect(told.code, `${line}\n${told.all}`).toBe(code);
  return told;
}

/** As `init` lays it out. */
const LAID_OUT = { 'hostwright.yaml': workspaceFile('manifests: [manifests]') };
const REGISTRATION = (spec: string): string =>
  `apiVersion: hostwright/v1\nkind: DomainRegistration\nmetadata: { name: paid.shop }\nspec: ${spec}\n`;
const ACME = { 'sites/acme.yaml': manifest('Contact', 'acme', CONTACT) };

describe('advice that is followed literally helps', () => {
  it('what is live and named by no manifest is added to the list that is there', async () => {
    const one = await openCommandLine({ files: { 'sites/shop.yaml': site('{ domains: [shop.example.com] }') } });
    const plan = await answered(one, 'plan');
    const [accept = ''] = commandsIn(plan);
    expect(accept).toBe('hostwright drift --accept Site/shop/SiteDomain/www.shop.example.com');
    await answered(one, accept);
    expect((await answered(one, 'plan')).all).not.toContain('Unmanaged');
    expect((await readFile(join(one.root, 'sites/shop.yaml'), 'utf8')).match(/domains/g)).toHaveLength(1);
  });

  it('what is orphaned is kept by a manifest where the workspace reads it', async () => {
    const docs = site('{ caching: { cacheExpiration: 60 } }', 'docs');
    const one = await openCommandLine({
      files: {
        ...LAID_OUT,
        'manifests/sites/shop.yaml': site('{ plan: pro, name: Shop }'),
        'manifests/sites/docs.yaml': docs,
      },
    });
    await answered(one, 'apply --yes');
    await rm(join(one.root, 'manifests/sites/shop.yaml'));
    const plan = await answered(one, 'plan');
    const keep = commandsIn(plan).find((line) => line.startsWith('hostwright export')) ?? plan.all;
    expect(keep).toBe('hostwright export Site/shop --out manifests');
    await answered(one, keep);
    const after = await answered(one, 'plan');
    expect(after.all).not.toContain('Orphaned');
    expect(after.all).not.toContain('HW6670');
  });

  it('files that were exported where no plan reads them are told, with the place where it does', async () => {
    const one = await openCommandLine({ files: { ...LAID_OUT, 'manifests/docs.yaml': site('{}', 'docs') } });
    const exported = await answered(one, 'export Site/shop --out .');
    const [, from = '', to = ''] = /HW6670[^]*`(sites\/shop\.yaml)`[^]*Move it below `(\w+)`/.exec(exported.all) ?? [];
    await rename(join(one.root, from), join(one.root, to, 'shop.yaml'));
    expect((await answered(one, 'export Site/shop --out .')).all).not.toContain('HW6670');
    expect((await answered(one, 'plan manifests/shop.yaml')).all).toContain('no changes');
  });

  it('a contact that is named by its bare name', async () => {
    const one = await openCommandLine({
      files: { ...ACME, 'sites/reg.yaml': REGISTRATION('{ contacts: { owner: acme } }') },
    });
    const [, written = ''] = /Name a Contact as `([^`]+)`/.exec((await answered(one, 'validate', 1)).all) ?? [];
    await one.write('sites/reg.yaml', REGISTRATION(`{ contacts: { owner: ${written.replace('NAME', 'acme')} } }`));
    await answered(one, 'validate');
  });

  it('REG-25: another holder is consented to with the line that the plan has', async () => {
    const one = await openCommandLine({
      scenario: 'registrar',
      files: { ...ACME, 'sites/reg.yaml': REGISTRATION('{ contacts: { owner: { ref: Contact/acme } } }') },
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
    const one = await openCommandLine({
      files: { 'sites/docs.yaml': site('{ domains: [help.example.com], primaryDomain: help.example.com }', 'docs') },
    });
    for (const form of ['', ' --format markdown'])
      expect((await answered(one, `plan${form}`)).all).toMatch(
        /help\.example\.com becomes the primary hostname and leads nowhere until its DNS records are published\. After apply, `hostwright dns` lists the records to publish for help\.example\.com\./,
      );
    const applied = await one.run('apply --yes --allow-deletes 1');
    const [next = applied.all] = printed(applied);
    expect(next).toBe('hostwright dns');
    expect((await one.run(`${next} --no-lookup`)).stdout).toContain('help.example.com');
  });
});

describe('what says nothing, or the wrong thing, says it now', () => {
  it('a report that cannot be written ends a command as an error, and the rest of it is done', async () => {
    const one = await openCommandLine(caching(600));
    const plan = await answered(one, 'plan --report html=nosuch/x.html', 1);
    expect(plan.all).toContain('HW6601');
    expect(plan.all).toContain('cacheExpiration');
    await answered(one, 'apply --yes --report json=nosuch/x.json', 1);
    expect((await answered(one, 'plan')).all).toContain('no changes');
  });

  it('no workspace: no account is named, and what begins one is', async () => {
    const one = await openCommandLine();
    await rm(join(one.root, 'hostwright.yaml'));
    const ended = await answered(one, 'apply --yes', 1);
    expect(ended.all).not.toContain('Account :');
    expect(ended.all).toContain('Run `hostwright init`');
  });

  it('a log without entries', async () => {
    const one = await openCommandLine(caching(600));
    expect((await answered(one, 'get logs --site shop --filter status=499')).stderr).toContain('No entries');
  });

  it('BKP-04: a restore without a backup', async () => {
    const one = await openCommandLine(caching(600));
    const restored = await answered(one, 'run restore Site/shop --volume content --archive nightly --yes');
    expect(restored.all).toContain('No backup of what was there before was made; `--backup` makes one.');
  });

  it('a feature that is off is no note of an export', async () => {
    const one = await openCommandLine(caching(600));
    expect((await answered(one, 'export')).all).not.toContain('HW6707');
    expect((await answered(one, 'export PanelAccount')).all).toContain('HW6707');
  });
});
