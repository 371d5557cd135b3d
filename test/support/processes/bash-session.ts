// One bash that lines are typed into, one after the other, as a person does at a terminal: what each prints, on both
// streams, and how it ended.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Typed {
  readonly printed: string;
  readonly code: number;
}

export interface BashSession {
  /**
   * Ends when the line has ended and `enough` is printed: what runs in the background goes on printing after its line.
   */
  readonly type: (line: string, enough: (printed: string) => boolean) => Promise<Typed>;
  readonly close: () => Promise<void>;
}

export function startBash(cwd: string, env: Readonly<Record<string, string>>): BashSession {
  // Its own group, so that whatever a line left in the background ends with it.
  const bash = spawn('bash', ['--norc', '--noprofile'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  let text = '';
  let changed = (): void => undefined;
  bash.stdout.on('data', (chunk) => {
    text += String(chunk);
    changed();
  });
  bash.stdin.write('exec 2>&1\n');
  let count = 0;
  const type: BashSession['type'] = async (line, enough) => {
    const end = new RegExp(`\\n?<<ended ${(count += 1)} (\\d+)>>\\n`);
    text = '';
    bash.stdin.write(`{ ${line}\n} < /dev/null\nprintf '\\n<<ended ${count} %s>>\\n' "$?"\n`);
    for (;;) {
      const ended = end.exec(text);
      const printed = text.replace(end, '').trimEnd();
      if (ended !== null && (enough(printed) || !line.endsWith('&'))) return { printed, code: Number(ended[1]) };
      await new Promise<void>((resolve) => (changed = resolve));
    }
  };
  const close = async (): Promise<void> => {
    if (bash.exitCode !== null || bash.pid === undefined) return;
    const closed = once(bash, 'close');
    process.kill(-bash.pid, 'SIGTERM');
    await closed;
  };
  return { type, close };
}
