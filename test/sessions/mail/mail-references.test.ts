// Names of other objects in the manifest of a mailspace: what they name must exist after the run.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { runCommand } from '../../support/processes/command.ts';
import { closing, openFolder } from '../../support/closing.ts';
import { workspaceFile } from '../../support/manifests.ts';

let root: string;
let sandbox: Sandbox;

beforeEach(async () => {
  root = await openFolder({
    'mail/shop.yaml': '',
    'hostwright.yaml': workspaceFile('manifests: [mail], secrets: { env: [MAIL_PASSWORD] }'),
  });
  sandbox = closing(await startSandbox({ scenario: 'mail' }));
});

const at = (name: string): string => `${name}@shop.example.com`;
const declare = (spec: readonly string[], name = 'shop.example.com'): Promise<void> =>
  writeFile(
    join(root, 'mail', 'shop.yaml'),
    `apiVersion: hostwright/v1\nkind: Mailspace\nmetadata: { name: ${name} }\nspec:\n${spec.map((line) => `  ${line}\n`).join('')}`,
  );
const hostwright = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runCommand(args, { cwd: root, url: sandbox.url, clock: sandbox.clock });
  return { code, text: `${stdout}${stderr}`.replaceAll(/\s+/g, ' ') };
};
const writes = (): readonly string[] =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

const MAILBOXES = ['anna', 'ben', 'cleo'].map((name) => `{ address: ${at(name)} }`);
const mailboxes = (...without: readonly string[]): string =>
  `mailboxes: [${MAILBOXES.filter((line) => !without.some((name) => line.includes(at(name)))).join(', ')}]`;
const REMOVE = 'unlisted: { mailboxes: remove }';

describe('an object that the plan deletes', () => {
  it('is not named by an alias or a group of the same plan [ALS-03, GRP-06]', async () => {
    const lists = (target: string, ...members: readonly string[]): readonly string[] => [
      `groups: [{ email: ${at('team')}, name: Team, members: [${members.map(at).join(', ')}] }]`,
      `aliases: [{ address: ${at('sales')}, target: ${at(target)} }]`,
    ];
    await declare([mailboxes(), ...lists('anna', 'anna', 'ben')]);
    expect((await hostwright('apply', '--yes')).code).toBe(0);
    await declare([mailboxes('cleo'), ...lists('cleo', 'anna', 'ben', 'cleo')]);
    const { text } = await hostwright('plan');
    expect(text).toContain(`${at('sales')} still points at ${at('cleo')}, which this plan deletes`);
    expect(text).toContain(`${at('team')} still has the member ${at('cleo')}, which this plan deletes`);
    await hostwright('apply', '--yes', '--allow-deletes', '9');
    expect(writes()).toEqual([]);
  });

  it('is not deleted while a declared alias or group names it, whether or not those change [ALS-03, GRP-06]', async () => {
    await declare([mailboxes(), `aliases: [{ address: ${at('sales')}, target: ${at('anna')} }]`]);
    expect((await hostwright('apply', '--yes')).code).toBe(0);
    await declare([mailboxes('anna'), `aliases: [{ address: ${at('sales')}, target: ${at('anna')} }]`, REMOVE]);
    const { text } = await hostwright('plan');
    expect(text).toContain(`${at('sales')} still points at ${at('anna')}, which this plan deletes`);
    const before = writes().length;
    await hostwright('apply', '--yes', '--allow-deletes', '9');
    expect(writes()).toHaveLength(before);
  });

  it.each([
    ['a mailbox', 'mailboxes: [{ address: eva@shop.example.net, password: { env: MAIL_PASSWORD } }]', 'eva'],
    ['a group', 'groups: [{ email: all@shop.example.net, name: All }]', 'all'],
    ['an alias', `aliases: [{ address: info@shop.example.net, target: ${at('anna')} }]`, 'info'],
  ])('is no domain that %s is still on [O-48]', async (_what, line, name) => {
    await declare(['domains: [{ name: shop.example.net }]']);
    expect((await hostwright('apply', '--yes')).code).toBe(0);
    await declare(['domains: []', line]);
    const { text } = await hostwright('plan');
    expect(text).toContain(`${name}@shop.example.net still is on shop.example.net, which this plan deletes`);
    await hostwright('apply', '--yes', '--allow-deletes', '9');
    expect(writes()).toEqual([]);
  });

  it('is reported when the dashboard scheduled its deletion, and the plan is not empty [MBX-05]', async () => {
    await declare(
      [
        'mailboxes: [{ address: dora@docs.example.com }]',
        'aliases: [{ address: gone@docs.example.com, target: left@docs.example.com }]',
      ],
      'docs.example.com',
    );
    const { code, text } = await hostwright('plan', '--detailed-exitcode');
    expect(code).not.toBe(0);
    expect(text).toMatch(
      /gone@docs\.example\.com points at left@docs\.example\.com, which is scheduled for deletion on \d{4}-/,
    );
  });
});

describe('a mailspace that its manifest orders', () => {
  const ordered = (...lines: readonly string[]) =>
    declare(
      [
        'package: mail_5',
        'order: {}',
        'mailboxes: [{ address: anna@acme.example, password: { env: MAIL_PASSWORD } }]',
        ...lines,
      ],
      'acme.example',
    );

  it.each([
    [
      'an alias with a mistyped target',
      'aliases: [{ address: info@acme.example, target: ana@acme.example }]',
      'Did you mean anna@acme.example?',
    ],
    [
      'an alias to another domain',
      'aliases: [{ address: info@acme.example, target: x@gmail.com }]',
      'The target x@gmail.com does not exist',
    ],
    [
      'a group with an unknown member',
      'groups: [{ email: all@acme.example, name: All, members: [ben@acme.example] }]',
      'The member ben@acme.example does not exist',
    ],
    [
      'a group with a group as a member',
      'groups: [{ email: all@acme.example, name: All, members: [all@acme.example] }]',
      'is a group, and only mailboxes can be members',
    ],
    [
      'an address on another domain',
      'groups: [{ email: all@acme.test, name: All, members: [anna@acme.example] }]',
      'The domain acme.test of all@acme.test does not exist',
    ],
  ])('is refused by validate and not bought with %s', async (_what, line, message) => {
    await ordered(line);
    const { code, text } = await hostwright('validate');
    expect(code).not.toBe(0);
    expect(text).toContain('HW1340');
    expect(text).toContain(message);
    expect((await hostwright('apply', '--yes', '--allow-charges', '1')).code).not.toBe(0);
    expect(writes()).toEqual([]);
  });
});

describe('an alias with another target', () => {
  it('is counted as deleted and created again by every form and ceiling [O-44]', async () => {
    await declare([`aliases: [{ address: ${at('sales')}, target: ${at('ben')} }]`]);
    const { text } = await hostwright('plan');
    expect(text).toContain('1 to change (1 deleted and created again), 0 to delete');
    expect(text).toContain('does not exist for a moment');
    expect((await hostwright('plan', '--format', 'markdown')).text).toContain('does not exist for a moment');
    await hostwright('plan', '--report', `html=${join(root, 'plan.html')}`);
    expect(await readFile(join(root, 'plan.html'), 'utf8')).toContain('does not exist for a moment');
    expect((await hostwright('plan', '--format', 'json')).text).toMatch(/"replace": ?1/);
    const refused = await hostwright('apply', '--yes');
    expect(refused.text).toContain('HW2202');
    expect(refused.text).toContain('--allow-deletes 1');
    expect((await hostwright('apply', '--approve', 'update')).text).toContain('HW2210');
    expect(writes()).toEqual([]);
    expect((await hostwright('apply', '--yes', '--allow-deletes', '1')).code).toBe(0);
  });
});

it('says until when a deleted mailbox can be restored, and that the date is not known [MBX-23]', async () => {
  await declare([mailboxes('cleo'), REMOVE]);
  const { text } = await hostwright('plan');
  expect(text).toContain('can be restored by declaring it again until the platform erases it (the date is not known');
});
