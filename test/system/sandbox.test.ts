// The sandbox around programs that declare manifests: what its probe observes, and that it observes what is open. On
// machines with bwrap and unshare both are tried; `HOSTWRIGHT_TEST_BWRAP` names a bwrap elsewhere.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SystemSandbox } from '../../src/system/sandbox.ts';
import { probeSandbox, sandboxCommand, systemSandbox } from '../../src/system/sandbox.ts';
import { validateWorkspace } from '../../src/usecases/validate.ts';
import { openFolder } from '../support/closing.ts';
import { workspaceFile } from '../support/manifests.ts';
import { openHarness } from '../support/open-harness.ts';
import { programAccess } from '../support/processes/programs.ts';
import { runHere } from '../support/processes/run-here.ts';

const CANDIDATES: readonly SystemSandbox[] = [
  { name: 'bwrap', command: process.env.HOSTWRIGHT_TEST_BWRAP ?? '/usr/bin/bwrap' },
  { name: 'unshare', command: '/usr/bin/unshare' },
];
const node = programAccess();
const working: SystemSandbox[] = [];
for (const sandbox of CANDIDATES) {
  const isWorking =
    process.platform === 'linux' && existsSync(sandbox.command) && (await probeSandbox(sandbox, node)) !== undefined;
  if (isWorking) working.push(sandbox);
  else process.stderr.write(`the sandbox ${sandbox.name} is not tried: it does not work here\n`);
}

const SUBJECTS = ['network', 'Unix sockets', 'processes', 'files', 'environment'];

describe.each(working)('in $name', (sandbox) => {
  it('the probe reaches no port, socket, process, file and variable of this machine', async () => {
    const observations = (await probeSandbox(sandbox, node)) ?? [];
    expect(observations.map(({ subject }) => subject)).toEqual(SUBJECTS);
    expect(observations.filter(({ isClosed }) => !isClosed)).toEqual([]);
  });

  it('what is hidden cannot be uncovered, and no socket of this machine can be reached by any path', async () => {
    // Where sockets of daemons and agents are: outside of the operating system's own folders.
    const outside = await mkdtemp(join(tmpdir(), 'hostwright-sandbox-'));
    const shown = await openFolder({ 'file.txt': 'shown' });
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    await writeFile(join(outside, 'secret'), 'canary');
    const server = createServer((connection) => connection.end('canary')).listen(join(outside, 'socket'));
    onTestFinished(() => void server.close());
    const attack = `
for place in /tmp /run /dev/shm /var /home /root '${outside}'; do umount "$place"; umount -l "$place"; done
mount --bind / /mnt; mount -t proc proc /mnt
unshare --user --map-root-user --mount sh -c "umount -l /tmp; cat '${outside}/secret'"
nsenter --target 1 --mount cat '${outside}/secret'
cat '${outside}/secret' ../../../../..'${outside}/secret' /proc/1/root'${outside}/secret' /proc/1/cwd'${outside}/secret'
ls '${outside}' /run /dev/shm; echo ended; cat file.txt
echo written > file.txt
`;
    const [command, ...args] = sandboxCommand(sandbox, '/bin/sh', { folders: [shown], hidden: [], cwd: shown });
    const { stdout, stderr } = await promisify(execFile)(command, [...args, '-c', `(${attack}) 2>&1`], {
      env: {},
      cwd: '/',
    }).catch((error: unknown) => error as { stdout: string; stderr: string });
    expect(`${stdout}${stderr}`).not.toContain('canary');
    expect(stdout).toContain('ended\nshown');
  });
});

describe.skipIf(process.platform !== 'linux')('a sandbox that keeps nothing out', () => {
  it('is found out by the probe, subject by subject', async () => {
    const folder = await openFolder();
    const command = join(folder, 'bwrap');
    await writeFile(command, '#!/bin/sh\nexport LEFT=1\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n');
    await chmod(command, 0o755);
    const observations = (await probeSandbox({ name: 'bwrap', command }, node)) ?? [];
    expect(observations.filter(({ isClosed }) => !isClosed).map(({ subject }) => subject)).toEqual(SUBJECTS);
  });
});

describe('a program next to a variable that names a socket', () => {
  const validated = async (access: Parameters<typeof programAccess>[0]) => {
    const program =
      "import { App, Site } from 'hostwright/constructs';\nconst app = new App();\nnew Site(app, 'shop');\nexport default app;\n";
    const harness = await openHarness({ workspace: workspaceFile(''), files: { 'hosting.ts': program } });
    const programs = programAccess({ credentialPath: 'SSH_AUTH_SOCK', ...access });
    return (await validateWorkspace(harness.session({ programs }), ['hosting.ts'])).diagnostics.map(({ code }) => code);
  };

  it('is not run where no sandbox hides the socket, and is run in one', async () => {
    expect(await validated({ sandbox: 'none' })).toEqual(['HW1506']);
    for (const sandbox of working) expect(await validated({ sandbox })).toEqual([]);
  });
});

describe('doctor', () => {
  it('reports what the probe observed, or that no sandbox passed it', async () => {
    const cwd = await openFolder({ 'hostwright.yaml': workspaceFile('synth: { env: [STAGE] }') });
    const env = { PATH: process.env.PATH, HOME: cwd, HOSTWRIGHT_CACHE: 'off' };
    const text = (await runHere(['doctor'], { cwd, env })).stdout.replaceAll(/\s+/g, ' ');
    const found = await systemSandbox(node);
    if (found === undefined) expect(text).toContain('no sandbox (bwrap or unshare) passed its test here');
    for (const { subject, seen } of found?.observations ?? [])
      expect(text).toContain(`${subject} closed (${seen.replace(/tried: .*/, '')}`);
  });
});
