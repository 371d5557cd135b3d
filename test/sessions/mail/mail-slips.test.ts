// A slip in the target of an alias or in a member of a group: it is found before anything is sent. And where a move
// breaks all the same, the alias comes back, or the outcome says that it is gone.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Hooks } from '../../../src/sandbox/core/http/app.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import type { Running } from '../../support/processes/command.ts';
import { runCommand, start } from '../../support/processes/command.ts';
import { spaceOf } from '../../support/live.ts';
import { closing, openFolder } from '../../support/closing.ts';
import { workspaceFile } from '../../support/manifests.ts';

let root: string;
let sandbox: Sandbox;
/** What happens around a request to the sandbox. */
let hooks: { -readonly [When in keyof Hooks]: Hooks[When] };

beforeEach(async () => {
  hooks = {};
  root = await openFolder({ 'mail/shop.yaml': '', 'hostwright.yaml': workspaceFile('manifests: [mail]') });
  sandbox = closing(
    await startSandbox({
      scenario: 'mail',
      hooks: { before: (request) => hooks.before?.(request), after: (request) => hooks.after?.(request) },
    }),
  );
});

const declare = (spec: string): Promise<void> =>
  writeFile(
    join(root, 'mail', 'shop.yaml'),
    `apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: shop.example.com }\nspec:\n${spec}`,
  );
const hostwright = (...args: readonly string[]) =>
  runCommand(args, { cwd: root, url: sandbox.url, clock: sandbox.clock });
const aliasTo = (target: string): Promise<void> =>
  declare(`  aliases:\n    - address: sales@shop.example.com\n      target: ${target}\n`);

const holderOf = (alias: string): string | undefined =>
  [...spaceOf(sandbox).mailboxes, ...spaceOf(sandbox).groups].find(({ aliases }) => aliases.includes(alias))?.email;
const membersOf = (group: string): readonly string[] =>
  spaceOf(sandbox).groups.find(({ email }) => email === group)?.members ?? [];
const writes = (): readonly string[] =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
/** Somebody else deletes a mailbox. */
const lose = (...addresses: readonly string[]): void => {
  const { mailboxes } = spaceOf(sandbox);
  for (const address of addresses) {
    const at = mailboxes.findIndex(({ email }) => email === address);
    if (at >= 0) mailboxes.splice(at, 1);
  }
};
const isCreate = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'POST' && path.endsWith('/aliases');

describe('a slip in the target of an alias', () => {
  it('ALS-03: is blocked by the plan with what was meant, and the alias that works stays', async () => {
    await aliasTo('ana@shop.example.com');
    expect((await hostwright('validate')).code).toBe(0);
    const plan = await hostwright('plan');
    expect(plan.stdout).toContain('its target ana@shop.example.com does not exist');
    expect(plan.stdout).toContain('Did you mean anna@shop.example.com?');
    const apply = await hostwright('apply', '--approve', 'update');
    expect(apply.stdout + apply.stderr).toContain('Did you mean anna@shop.example.com?');
    expect(writes()).toEqual([]);
    expect(holderOf('sales@shop.example.com')).toBe('anna@shop.example.com');
    await aliasTo('anna@shop.example.com');
    expect((await hostwright('plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('ALS-03: of a new alias, and in a secondary domain of the mailspace', async () => {
    await declare(
      '  aliases:\n    - { address: new@shop.example.com, target: cloe@shop.example.com }\n    - { address: info@shop.example.net, target: xx@shop.example.net }\n',
    );
    const { stdout } = await hostwright('plan');
    expect(stdout).toContain('Did you mean cleo@shop.example.com?');
    expect(stdout).toContain('its target xx@shop.example.net does not exist');
    expect(stdout).toContain('nothing to run');
  });

  it.each([
    ['a mailing list, which no list shows', 'news@shop.example.com'],
    ['a group', 'team@shop.example.com'],
  ])('is none where the target is %s', async (_what, target) => {
    await aliasTo(target);
    expect((await hostwright('apply', '--yes', '--allow-deletes', '1')).code).toBe(0);
    expect(holderOf('sales@shop.example.com')).toBe(target);
  });

  it('is none where this very manifest declares the target', async () => {
    await declare(
      '  groups: [{ email: ana@shop.example.com, name: Ana }]\n  aliases: [{ address: sales@shop.example.com, target: ana@shop.example.com }]\n',
    );
    expect((await hostwright('apply', '--yes', '--allow-deletes', '1')).code).toBe(0);
    expect(holderOf('sales@shop.example.com')).toBe('ana@shop.example.com');
  });

  it('MBX-08: is not concluded where nobody can tell', async () => {
    spaceOf(sandbox).troubles = [{ part: 'check', times: null }];
    await aliasTo('ana@shop.example.com');
    expect((await hostwright('plan')).stdout).toContain('1 to change');
  });

  it('ALS-03: an alias as the target is refused: a declared one by validate, a live one by the plan', async () => {
    await declare(
      '  aliases:\n    - { address: a@shop.example.com, target: anna@shop.example.com }\n    - { address: b@shop.example.com, target: A@shop.example.com }\n',
    );
    const { code, stdout, stderr } = await hostwright('validate');
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(
      /a@shop\.example\.com is an alias itself.*\s*Point it at\s+anna@shop\.example\.com/,
    );
    await aliasTo('crew@shop.example.com');
    expect((await hostwright('plan')).stdout).toContain('its target crew@shop.example.com is an alias');
  });
});

describe('a slip in a member of a group', () => {
  const members = (...names: readonly string[]): Promise<void> =>
    declare(
      `  groups:\n    - email: team@shop.example.com\n      name: Team\n      members: [${names.map((name) => `${name}@shop.example.com`).join(', ')}]\n`,
    );

  it('GRP-06: is blocked by the plan with what was meant, and nobody is removed', async () => {
    await members('anna', 'bem');
    const plan = await hostwright('plan');
    expect(plan.stdout).toContain('its member bem@shop.example.com is no mailbox of this mailspace');
    expect(plan.stdout).toContain('Did you mean ben@shop.example.com?');
    await hostwright('apply', '--yes', '--allow-deletes', '1');
    expect(writes()).toEqual([]);
    expect(membersOf('team@shop.example.com')).toEqual(['anna@shop.example.com', 'ben@shop.example.com']);
  });

  it('GRP-06: of a new group, and a group as a member', async () => {
    await declare(
      '  groups:\n    - { email: new@shop.example.com, name: New, members: [cloe@shop.example.com] }\n    - { email: all@shop.example.com, name: All, members: [team@shop.example.com] }\n',
    );
    const { stdout } = await hostwright('plan');
    expect(stdout).toContain('Did you mean cleo@shop.example.com?');
    expect(stdout).toContain('its member team@shop.example.com is a group, and only mailboxes are members');
    expect(stdout).toContain('nothing to run');
  });

  it('GRP-10: all are looked up before the first write, and who joins comes before who leaves', async () => {
    await members('cleo');
    await writeFile(join(root, 'plan.json'), (await hostwright('plan', '-o', 'json')).stdout);
    // Anna leaves and stands before Cleo in the alphabet; by now Cleo is gone.
    const cleo = spaceOf(sandbox).mailboxes.find(({ email }) => email === 'cleo@shop.example.com');
    lose('cleo@shop.example.com');
    expect((await hostwright('apply', 'plan.json')).code).not.toBe(0);
    expect(writes()).toEqual([]);
    expect(membersOf('team@shop.example.com')).toEqual(['anna@shop.example.com', 'ben@shop.example.com']);
    if (cleo !== undefined) spaceOf(sandbox).mailboxes.push(cleo);
    expect((await hostwright('apply', '--yes', '--allow-deletes', '1')).code).toBe(0);
    expect(writes()[0]).toMatch(/mbx-cleo$/);
    expect(membersOf('team@shop.example.com')).toEqual(['cleo@shop.example.com']);
  });
});

describe('a move that breaks in the midst', () => {
  beforeEach(() => aliasTo('cleo@shop.example.com'));

  it('counts as a delete for --approve and --allow-deletes', async () => {
    const { code, stderr } = await hostwright('apply', '--approve', 'update');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/deletes it and\s+creates it again/);
    expect(stderr).toContain('--approve update,delete');
    expect(writes()).toEqual([]);
    expect((await hostwright('apply', '--approve', 'update,delete', '--allow-deletes', '1')).code).toBe(0);
    expect(holderOf('sales@shop.example.com')).toBe('cleo@shop.example.com');
  });

  it('O-44: the new target is gone after the review: nothing is sent', async () => {
    hooks.before = ({ path }) => {
      if (path.includes('/mailboxes/check')) lose('cleo@shop.example.com');
    };
    const { stdout } = await hostwright('apply', '--yes', '--allow-deletes', '1');
    expect(stdout).toContain('nothing has the address cleo@shop.example.com; nothing was sent');
    expect(holderOf('sales@shop.example.com')).toBe('anna@shop.example.com');
  });

  it('ALS-05: the new target is gone after the delete: the old one gets the alias back', async () => {
    hooks.before = (request) => {
      if (isCreate(request)) lose('cleo@shop.example.com');
    };
    const { code, stdout } = await hostwright('apply', '--yes', '--allow-deletes', '1');
    expect(code).not.toBe(0);
    expect(stdout).toContain('422 invalid_alias');
    expect(stdout).toContain('sales@shop.example.com is as it was before');
    expect(holderOf('sales@shop.example.com')).toBe('anna@shop.example.com');
    await aliasTo('anna@shop.example.com');
    expect((await hostwright('plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('what cannot be put back is said to be gone', async () => {
    hooks.before = (request) => {
      if (isCreate(request)) lose('cleo@shop.example.com', 'anna@shop.example.com');
    };
    const { stdout } = await hostwright('apply', '--yes', '--allow-deletes', '1');
    expect(stdout).toContain('sales@shop.example.com does not exist now');
    expect(holderOf('sales@shop.example.com')).toBeUndefined();
  });

  it.each([
    ['after the delete', 'DELETE', 'cleo@shop.example.com'],
    ['after the delete, and the new target is gone by then', 'DELETE', 'anna@shop.example.com'],
    ['before the old target gets it back', 'POST', 'anna@shop.example.com'],
  ] as const)('SIGKILL %s: the next run ends it', async (_when, last, holder) => {
    let running: Running | undefined;
    hooks.before = (request) => {
      if (isCreate(request) && holder === 'anna@shop.example.com') lose('cleo@shop.example.com');
    };
    hooks.after = async ({ method }) => {
      if (method !== last || running === undefined) return;
      const { child } = running;
      running = undefined;
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    const started = start(['apply', '--yes', '--allow-deletes', '1'], { cwd: root, url: sandbox.url });
    running = started;
    await started.ended;
    expect(running).toBeUndefined();
    expect(holderOf('sales@shop.example.com')).toBeUndefined();
    const { stdout, stderr } = await hostwright('apply', '--yes', '--allow-deletes', '1');
    if (holder === 'cleo@shop.example.com') expect(holderOf('sales@shop.example.com'), stdout).toBe(holder);
    else {
      // The new target does not exist, and nothing is written from the ledger: it only says where the alias pointed.
      expect(holderOf('sales@shop.example.com'), stdout).toBeUndefined();
      expect(stdout + stderr).toMatch(/HW5031[^]*sales@shop\.example\.com[^]*target: anna@shop\.example\.com/);
    }
  });
});
