// `npm run simulate -- --seed N --trace` plays one seed; `--seeds 1..1000 --weather NAME` plays a range and prints the
// seeds that break a property.
import { stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { simulate } from './simulation.ts';
import { WEATHERS } from './weather.ts';
import { WORLDS } from './worlds.ts';

const print = (text: string): boolean => stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    weather: { type: 'string', default: 'swarm' },
    world: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});
const { weather, world } = values;
const [first, last] = (values.seeds ?? values.seed ?? '1..20').split('..').map(Number);
if (first === undefined || ![first, last ?? first].every(Number.isInteger))
  throw new Error('Write --seed 7 or --seeds 1..100');
if (!WEATHERS.includes(weather)) throw new Error(`--weather takes one of ${WEATHERS.join(', ')}`);
if (world !== undefined && !Object.hasOwn(WORLDS, world))
  throw new Error(`--world takes one of ${Object.keys(WORLDS).join(', ')}`);

const totals = { seeds: 0, broken: 0, crashes: 0, events: 0, virtualHours: 0, lateWrites: 0, questions: 0 };
for (let seed = first; seed <= (last ?? first); seed += 1) {
  const result = await simulate({ seed, weather, ...(world !== undefined && { world }) });
  if (values.trace) print(result.trace.join('\n'));
  for (const { property, what } of result.violations)
    print(`seed ${seed} (${weather}, ${result.world}) breaks ${property}: ${what}`);
  totals.seeds += 1;
  totals.broken += result.violations.length > 0 ? 1 : 0;
  totals.crashes += result.crashes;
  totals.events += result.events;
  totals.virtualHours += result.virtualMs / 3_600_000;
  totals.lateWrites += result.lateWrites;
  totals.questions += result.questions;
}
const cpuSeconds = process.cpuUsage().user / 1e6;
print(
  `${totals.seeds} seeds, ${totals.broken} broken; ${totals.crashes} crashes, ${totals.events} events, ` +
    `${totals.virtualHours.toFixed(1)} virtual hours, ${totals.lateWrites} late writes, ${totals.questions} questions; ` +
    `${cpuSeconds.toFixed(1)} CPU seconds`,
);
process.exitCode = totals.broken > 0 ? 1 : 0;
