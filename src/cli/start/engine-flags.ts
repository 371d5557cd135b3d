// What V8 is told at the start of a run that is long enough. A stop-gap for V8 11 (Node.js 20) alone: it compiles a
// function again and again while objects of further shapes keep coming, which was a third of the CPU of a plan. Newer
// versions wait by themselves, and gained nothing. Without it `validate` of 1,000 files takes 14 % more CPU
// (docs/design/speed.md).

/** Commands that look at the whole account. */
const LONG = ['plan', 'apply', 'drift', 'export', 'fleet'];
/** How much a function runs before V8 optimises it, in bytes of its bytecode; that of V8 in Node.js 20 is 67,584. */
const LATER = '--interrupt-budget=1000000';

/** Flags for a run of this command; none where another version of V8 runs, or the user gave such a flag. */
export function engineFlags(
  command: string,
  argv: readonly string[],
  { versions, execArgv, env }: Pick<NodeJS.Process, 'versions' | 'execArgv' | 'env'>,
): readonly string[] {
  const isGiven = [...execArgv, env.NODE_OPTIONS ?? ''].some((text) => /interrupt[-_]budget/.test(text));
  if (!versions.v8.startsWith('11.') || isGiven) return [];
  // Named files are few, and whoever waits for them is an editor or a hook.
  const isLong = LONG.includes(command) || (command === 'validate' && namesNothing(command, argv));
  return isLong ? [LATER] : [];
}

function namesNothing(command: string, argv: readonly string[]): boolean {
  return argv.every((word) => word === command || word.startsWith('-'));
}
