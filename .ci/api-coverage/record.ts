// Runs the sessions of the tests and writes down which endpoints and fields they really sent: `npm run coverage`. The
// page of coverage is made from that.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SENT_FILE, sentIn } from './sent.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostwright-sent-'));
const { status } = spawnSync('npx', ['vitest', 'run', 'test/sessions'], {
  stdio: 'inherit',
  env: { ...process.env, HOSTWRIGHT_SENT: folder },
});
if (status === 0) writeFileSync(SENT_FILE, `${sentIn(folder).join('\n')}\n`);
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
