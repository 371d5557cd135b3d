// What the pictures of the README show: the example of a hardened shop, planned and applied against the sandbox.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { API_KEY } from '../../src/sandbox/core/http/credentials.ts';
import { runHere } from '../../test/support/processes/run-here.ts';
import { terminalSvg } from './terminal.ts';

const root = join(import.meta.dirname, '../..');

/** Marks a command whose output is printed in colour. */
const COLORED = 'colored';

export interface Story {
  /** docs/images/terminal.svg */
  readonly terminal: string;
  /** docs/images/plan-comment.md, of which docs/images/plan-comment.png is the picture. */
  readonly comment: string;
}

/** The same bytes each time. */
export async function tellStory(): Promise<Story> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-story-'));
  // A restart takes minutes on the platform. Here a minute passes with each request.
  const sandbox: Sandbox = await startSandbox({ hooks: { before: () => sandbox.clock.advance(60_000) } });
  try {
    await cp(join(root, 'examples/hardened-shop'), folder, { recursive: true });
    const env = { PATH: process.env.PATH, HOME: folder, HOSTWRIGHT_API_URL: sandbox.url, HOSTWRIGHT_TOKEN: API_KEY };
    const run = async (line: string, ...hidden: readonly string[]) => {
      const isColored = hidden.includes(COLORED);
      const { stdout, stderr } = await runHere(
        [...line.split(' ').slice(1), ...hidden.filter((word) => word !== COLORED)],
        { cwd: folder, env: { ...env, ...(isColored && { FORCE_COLOR: '1' }) } },
      );
      if (stdout === '') throw new Error(`${line}: ${stderr}`);
      // How often it looks depends on the machine.
      return { command: line, printed: stdout.replace(/\(\d+ reads, \d+ writes\)/, '') };
    };
    await run('hostwright plan', '--rehearse', '--report', 'markdown=comment.md');
    const plan = await run('hostwright plan --concise', COLORED);
    const apply = await run('hostwright apply --concise', COLORED, '--yes');
    const again = await run('hostwright plan --concise', COLORED);
    return {
      terminal: terminalSvg([plan, apply, again]),
      comment: await readFile(join(folder, 'comment.md'), 'utf8'),
    };
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}
