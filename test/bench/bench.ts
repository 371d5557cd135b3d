// `npm run bench`: runs the built command cold, as a process, against a server in another process, and tells each figure
// as a multiple of its floor from the same run. Times by themselves say nothing: they are of one machine on one day.
import { existsSync } from 'node:fs';
import { resolve, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Subject } from './ground.ts';
import { onGround } from './ground.ts';
import { isBusy } from './measure.ts';
import { writePage } from './page.ts';
import { QUICK_SECTIONS, SECTIONS } from './sections/index.ts';
import type { Found } from './table.ts';
import { labelsOf, terminalLines } from './table.ts';

const root = join(import.meta.dirname, '../..');

const HELP = `npm run bench -- [options] [section...]

Sections: ${SECTIONS.map(({ name }) => name).join(', ')}. Without one: all of them.

  --quick           Fewer rounds, smaller sizes. Without a section two minutes: ${QUICK_SECTIONS.map(({ name }) => name).join(', ')}.
  --full            Larger sizes too: apply of 10,000 changes, 150,000 objects.
  --before <file>   Measure this main.js beside the other one, in turn.
  --command <file>  Measure this main.js (default: dist/main.js; build it first).
  --write           Write docs/performance.md and its chart; sections that did not run stay as they are.
`;

function buildAt(path: string): string {
  if (!existsSync(path)) throw new Error(`${path} is not there: npm run build`);
  return resolve(path);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      before: { type: 'string' },
      command: { type: 'string', default: join(root, 'dist/main.js') },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const names = SECTIONS.map(({ name }) => name);
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no section ${unknown.join(', ')}; there are ${names.join(', ')}`);
  const subjects: readonly Subject[] = [
    ...(values.before === undefined ? [] : [{ label: 'before' as const, command: buildAt(values.before) }]),
    { label: 'now', command: buildAt(values.command) },
  ];
  const { quick, full } = values;
  const busy = isBusy();
  if (busy) process.stderr.write('Other programs are running: trust rows of CPU, not of time.\n');
  const day = new Date().toISOString().slice(0, 10);
  const kind = `${quick ? 'a quick run' : full ? 'a full run' : 'a usual run'}${busy ? ' on a machine that did other things too' : ''}`;
  const measured = `${day} with Node.js ${process.versions.node}, ${kind}`;
  const found: Found[] = [];
  const named = SECTIONS.filter(({ name }) => positionals.includes(name));
  for (const section of named.length > 0 ? named : quick ? QUICK_SECTIONS : SECTIONS) {
    process.stderr.write(`${section.title} ...\n`);
    const rows = await onGround({ subjects, quick, full }, section.run);
    found.push({ section: section.name, title: section.title, measured, rows });
  }
  const labels = labelsOf(found);
  for (const one of found) process.stdout.write(`${terminalLines(one, labels).join('\n')}\n`);
  if (values.write) await writePage({ found }, names);
}

await main();
