// Checks the lines that commits add for phrases that are always wrong in this repository (see "Text" in CONTRIBUTING.md). Old
// lines are not checked. Usage: `tsx .ci/added-text.ts [RANGE]`, by default the commits since the merge base with origin/main.
import { execFileSync } from 'node:child_process';

/** The phrases, with what to write instead. */
const PHRASES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bbeside\b/i, 'next to, or in addition to'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\bside by side\b/i, 'in parallel, or concurrently'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:is|are|was|were) told\b/i, 'is reported, is returned'],
  [/\b(?:goes|went|going) on\b/i, 'continues'],
  [/\banew\b/i, 'again'],
  [/\bsomebody\b/i, 'a person, or another user'],
  [/\bby hand\b/, 'manually'],
  [/\b(?:is|are) no longer there\b/i, 'no longer exists'],
  [/\bbegins? (?:a|the) (?:run|ledger|action)\b/i, 'starts, creates'],
  [/\bnothing says\b/i, 'name what is missing'],
];

/** Files that are generated, or that list these phrases. */
const EXCLUDED = [
  '.ci/added-text.ts',
  'docs/commands.md',
  'docs/terraform',
  'package-lock.json',
  'schemas/README.md',
  'test/golden',
].map((path) => `:!${path}`);

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });

/** Returns the default range. A clone without origin/main checks the last commit. */
function defaultRange(): string {
  try {
    return `${git('merge-base', 'origin/main', 'HEAD').trim()}..HEAD`;
  } catch {
    return 'HEAD~1..HEAD';
  }
}

const found: string[] = [];
let file = '';
for (const line of git('diff', '-U0', '--no-color', process.argv[2] ?? defaultRange(), '--', '.', ...EXCLUDED).split(
  '\n',
)) {
  if (line.startsWith('+++ ')) file = line.slice('+++ b/'.length);
  else if (line.startsWith('+'))
    for (const [pattern, instead] of PHRASES)
      if (pattern.test(line)) found.push(`${file}: ${line.slice(1).trim()}\n  ${pattern.source} -> ${instead}`);
}
if (found.length > 0) {
  process.stderr.write(`${found.join('\n')}\n\n${found.length} lines to reword.\n`);
  process.exitCode = 1;
}
