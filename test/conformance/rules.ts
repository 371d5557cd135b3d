// `npm run rules`: what becomes of each rule of the platform. `-- --prove` switches every behaviour of the sandbox off
// in turn and demands that a case notices; `-- --write` writes the committed table. Exits 1 where something is missing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import '../../src/sandbox/core/http/server.ts';
import { behaviours } from '../../src/sandbox/rules/rules.ts';
import { cases } from './cases.ts';
import { failingCases, prove } from './prove.ts';
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
} from './report.ts';

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function proveAll(): Promise<boolean> {
  const startedMs = performance.now();
  const failing = await failingCases();
  for (const title of failing) say(`FAILS ${title}`);
  const proofs = [];
  for (const behaviour of behaviours()) proofs.push(await prove(behaviour));
  const unnoticed = proofs.filter((proof) => proof.noticedBy === null);
  for (const { behaviour } of unnoticed)
    say(`UNPROVED ${behaviour.id}: switched off, and no case of ${behaviour.id} fails (${behaviour.statement})`);
  say(
    `${proofs.length - unnoticed.length} of ${proofs.length} behaviours are proved, in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`,
  );
  return unnoticed.length === 0 && failing.length === 0;
}

function check(): boolean {
  const reports = reportRules();
  say(renderTerminal(reports));
  const later = postponed(reports);
  const lacking = missing(reports);
  say(`${reports.length} rules, ${cases.length} cases, ${behaviours().length} behaviours`);
  say(`${later.length} rules come with later areas: ${later.map(({ entry }) => entry.id).join(', ')}`);
  for (const { entry } of lacking) say(`MISSING ${entry.id}: no case proves it (${entry.text})`);
  const silent = unanswered(reports);
  for (const { entry } of silent)
    say(`UNANSWERED ${entry.id}: nothing in the engine honours it, and nothing says why (${entry.text})`);
  const excused = stale(reports);
  for (const id of excused) say(`STALE ${id}: informational.ts excuses it, and it is honoured or no rule`);
  return lacking.length + silent.length + excused.length === 0;
}

async function main(flags: readonly string[]): Promise<boolean> {
  const unknown = flags.find((flag) => flag !== '--prove' && flag !== '--write');
  if (unknown !== undefined) {
    say(`no option '${unknown}'; there are: --prove, --write`);
    return false;
  }
  if (flags.includes('--write')) writeFileSync(join(ROOT, RULES_FILE), renderMarkdown(reportRules()));
  if (flags.includes('--prove')) return proveAll();
  return check();
}

void main(process.argv.slice(2)).then((good) => {
  process.exitCode = good ? 0 : 1;
});
