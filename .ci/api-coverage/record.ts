// Runs the sessions of the tests and writes down which endpoints and fields they really sent: `npm run coverage`. The
// page of coverage is made from that.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'hostwright-sent-'));
const { status } = spawnSync('npx', ['vitest', 'run', 'test/sessions'], {
  stdio: 'inherit',
  env: { ...process.env, HOSTWRIGHT_SENT: folder },
});
if (status === 0) {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  const text = [...new Set(lines)].sort().join('\n');
  writeFileSync(join(import.meta.dirname, 'sent.txt'), `${text}\n`);
}
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
