// What is said about each rule: where the engine honours it, where the sandbox plays it, which cases prove it, what is
// missing. The same facts become the report on the terminal (with line numbers) and the committed table (without, so
// that it ages slowly).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import type { CatalogueEntry } from './catalogue/entry.ts';
import { CATALOGUE } from './catalogue/catalogue.ts';
import { cases } from './cases.ts';
import { INFORMATIONAL } from './informational.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const RULES_FILE = 'test/conformance/RULES.md';

interface Place {
  readonly file: string;
  readonly line: number;
}

export interface RuleReport {
  readonly entry: CatalogueEntry;
  /** By the engine. */
  readonly honoured: readonly Place[];
  /** By the sandbox. */
  readonly played: readonly Place[];
  readonly provedBy: readonly string[];
}

export function reportRules(): readonly RuleReport[] {
  const places = findMentions();
  const inSandbox = ({ file }: Place): boolean => file.startsWith('src/sandbox/');
  return CATALOGUE.map((entry) => ({
    entry,
    honoured: (places.get(entry.id) ?? []).filter((place) => !inSandbox(place)),
    played: (places.get(entry.id) ?? []).filter(inSandbox),
    provedBy: cases.filter((one) => one.rule.split('/')[0] === entry.id).map((one) => one.title),
  }));
}

/** What the sandbox has to reproduce, and nothing proves. */
export function missing(reports: readonly RuleReport[]): readonly RuleReport[] {
  return reports.filter(({ entry, provedBy }) => owed(entry) && entry.from === undefined && provedBy.length === 0);
}

/** What the sandbox has to reproduce, and nothing in it names. */
export function unplayed(reports: readonly RuleReport[]): readonly RuleReport[] {
  return reports.filter(({ entry, played }) => owed(entry) && entry.from === undefined && played.length === 0);
}

/** What the engine has to honour, and nothing in it names, nor says why. */
export function unanswered(reports: readonly RuleReport[]): readonly RuleReport[] {
  return reports.filter(
    (report) =>
      ['R', 'I'].includes(report.entry.mark) &&
      report.entry.from === undefined &&
      report.honoured.length === 0 &&
      INFORMATIONAL[report.entry.id] === undefined,
  );
}

/** Excuses for what is honoured, or for no rule at all. */
export function stale(reports: readonly RuleReport[]): readonly string[] {
  return Object.keys(INFORMATIONAL).filter(
    (id) =>
      reports.every(({ entry }) => entry.id !== id) ||
      reports.some(({ entry, honoured }) => entry.id === id && honoured.length > 0),
  );
}

/** What comes with an area that is not here yet. */
export function postponed(reports: readonly RuleReport[]): readonly RuleReport[] {
  return reports.filter(({ entry }) => owed(entry) && entry.from !== undefined);
}

function owed(entry: CatalogueEntry): boolean {
  return entry.mark === 'E' || entry.mark === 'B';
}

/** Aspects of rules (`SIT-08/pending-delete`) that the sandbox names. */
export function aspects(): readonly string[] {
  return [...findMentions()].filter(([id, places]) => id.includes('/') && places.length > 0).map(([id]) => id);
}

/**
 * Rule id, or aspect of a rule -> where the sources name it. What `explain` tells of each rule does not count.
 */
function findMentions(): ReadonlyMap<string, readonly Place[]> {
  const mentions = new Map<string, Place[]>();
  const files = globSync('src/**/*.{ts,json}', {
    cwd: ROOT,
    ignore: ['src/usecases/explain/**', 'src/cli/commands/explain.ts', '**/generated/**'],
  }).sort();
  for (const file of files) {
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .forEach((text, index) => {
        const named = text.match(/\b(?:[A-Z]{3}|O)-\d{2}\b(?:\/[a-z][a-z-]*)?/g) ?? [];
        for (const id of new Set(named.flatMap((one) => [one, one.split('/')[0] ?? one]))) {
          mentions.set(id, [...(mentions.get(id) ?? []), { file, line: index + 1 }]);
        }
      });
  }
  return mentions;
}

export function renderTerminal(reports: readonly RuleReport[]): string {
  const lines = reports.flatMap(({ entry, honoured, played, provedBy }) => [
    `${entry.id} [${entry.mark}] ${entry.text}`,
    ...(entry.from === undefined ? [] : [`    comes with: ${entry.from}`]),
    ...honoured.map(({ file, line }) => `    honoured at ${file}:${line}`),
    ...played.map(({ file, line }) => `    played at   ${file}:${line}`),
    ...provedBy.map((title) => `    proved by   ${title}`),
    ...(INFORMATIONAL[entry.id] === undefined ? [] : [`    informational: ${INFORMATIONAL[entry.id] as string}`]),
  ]);
  return `${lines.join('\n')}\n`;
}

export function renderMarkdown(reports: readonly RuleReport[]): string {
  const areas = [...new Set(reports.map(({ entry }) => entry.area))];
  const sections = areas.map((area) => {
    const rows = reports.filter(({ entry }) => entry.area === area).map(markdownRow);
    return [
      `## ${area.charAt(0).toUpperCase()}${area.slice(1)}`,
      '',
      '| id | mark | rule | honoured in | played in | proved by |',
      '|---|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = `# Rules of the platform

Generated by \`npm run rules -- --write\` from \`test/conformance/catalogue/catalogue.ts\`, the sources and the conformance cases; do not edit.

Marks: **E** the sandbox must reproduce it, **R** the engine must honour it, **B** both, **I** good to know, **GAP** left open by the
platform's documents (an ambiguity of the sandbox where that can be seen from outside). *Honoured in* names files of the engine, and *played in* files of the sandbox, that name the rule; *proved by* names conformance cases. *Comes with* names the area with which a rule comes to the sandbox.`;

function markdownRow({ entry, honoured, played, provedBy }: RuleReport): string {
  const filesOf = (places: readonly Place[], root: string): readonly string[] => [
    ...new Set(places.map(({ file }) => `\`${file.replace(root, '')}\``)),
  ];
  const why = INFORMATIONAL[entry.id];
  const engine = [...filesOf(honoured, 'src/'), ...(why === undefined ? [] : [`*${why}*`])].join(', ');
  const sandbox = filesOf(played, 'src/sandbox/').join(', ');
  const proof = entry.from === undefined ? provedBy.join('; ') : `*comes with ${entry.from}*`;
  return `| ${[entry.id, entry.mark, entry.text, engine, sandbox, proof].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
