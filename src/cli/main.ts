#!/usr/bin/env node
// The start of the program: the version waits for nothing, everything else is loaded when it is needed.
import { version } from '../../package.json';

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.on('error', () => {
    process.exitCode = 1;
  });
  process.stdout.write(`${version}\n`);
} else {
  const { run } = await import('./run.ts');
  await run(argv, version);
}
