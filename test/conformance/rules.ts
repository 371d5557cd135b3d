// `npm run rules`: what becomes of each rule of the platform. `-- --write` writes the committed table. Exits 1 where
// something is missing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases } from './cases.ts';
import {
  ROOT,
  RULES_FILE,
  missing,
  postponed,
  renderMarkdown,
  renderTerminal,
  reportRules,
  stale,
  unanswered,
  unplayed,
} from './report.ts';

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function check(): boolean {
  const reports = reportRules();
  say(renderTerminal(reports));
  const later = postponed(reports);
  const lacking = missing(reports);
  say(`${reports.length} rules, ${cases.length} cases`);
  say(`${later.length} rules come with later areas: ${later.map(({ entry }) => entry.id).join(', ')}`);
  for (const { entry } of lacking) say(`MISSING ${entry.id}: no case proves it (${entry.text})`);
  const unnamed = unplayed(reports);
  for (const { entry } of unnamed) say(`UNPLAYED ${entry.id}: nothing in the sandbox names it (${entry.text})`);
  const silent = unanswered(reports);
  for (const { entry } of silent)
    say(`UNANSWERED ${entry.id}: nothing in the engine honours it, and nothing says why (${entry.text})`);
  const excused = stale(reports);
  for (const id of excused) say(`STALE ${id}: informational.ts excuses it, and it is honoured or no rule`);
  return lacking.length + unnamed.length + silent.length + excused.length === 0;
}

function main(flags: readonly string[]): boolean {
  const unknown = flags.find((flag) => flag !== '--write');
  if (unknown !== undefined) {
    say(`no option '${unknown}'; there is: --write`);
    return false;
  }
  if (flags.includes('--write')) writeFileSync(join(ROOT, RULES_FILE), renderMarkdown(reportRules()));
  return check();
}

process.exitCode = main(process.argv.slice(2)) ? 0 : 1;
