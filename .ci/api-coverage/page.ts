// What `docs/coverage.md` says.
import type { Reach, Row } from './table.ts';
import { ENDPOINTS, FIELDS } from './table.ts';

const WORDS: Readonly<Record<Reach, string>> = {
  manifest: 'by a manifest',
  command: 'by a command',
  read: 'read by plan, export or a wait',
  same: 'another call does the same',
  no: 'not reached',
};

export function coveragePage(): string {
  return `# Coverage of the platform's API

Every documented endpoint and every documented field of a request, how Hostwright reaches it, or why not. What is not documented in full is not called.

${countsOf('endpoints', ENDPOINTS)}
${countsOf('fields', FIELDS)}

${sections(ENDPOINTS, 'endpoint')}
## Fields of requests

${sections(FIELDS, 'field', '###')}`.replace(/\n+$/, '\n');
}

function countsOf(what: string, table: typeof ENDPOINTS): string {
  const rows = Object.values(table).flat();
  const counts = (Object.keys(WORDS) as Reach[]).map(
    (reach) => `${rows.filter((row) => row[1] === reach).length} ${WORDS[reach]}`,
  );
  return `- ${rows.length} ${what}: ${counts.join(', ')}.`;
}

function sections(table: typeof ENDPOINTS, first: string, mark = '##'): string {
  return Object.entries(table)
    .map(
      ([title, rows]) =>
        `${mark} ${title}\n\n| ${first} | reached | how |\n|---|---|---|\n${rows.map(rowOf).join('\n')}\n`,
    )
    .join('\n');
}

function rowOf([name, reach, how]: Row): string {
  return `| \`${name}\` | ${WORDS[reach]} | ${how} |`;
}
