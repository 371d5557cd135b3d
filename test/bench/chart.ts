// The chart of docs/performance.md: what has a floor or an aim, as bars in multiples of the floor.
import type { Label, Row } from './ground.ts';
import type { Results } from './table.ts';
import { labelsOf, reaches, valueText } from './table.ts';

const WIDTH = 960;
const LEFT = 430;
const RIGHT = 70;
const BAR = 11;
const GAP = 9;
const HEAD = 34;
/** Longer bars are cut off; their numbers are not. */
const MOST = 6;
const COLORS: Readonly<Record<Label, string>> = { before: '#a3acb5', now: '#1f6feb' };
const MISSED = '#bc4c00';
const FONT = '-apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
/** Numbers in a picture need no more than this, and must not change with the machine's last bit. */
const at = (value: number): string => String(Math.round(value * 10) / 10);

/** What is a multiple of a floor, less being better. */
const hasBar = (row: Row): boolean =>
  row.unit === undefined && row.moreIsBetter !== true && Object.keys(row.values).length > 0;

/** Behind the bar, and behind the line of the aim where that would run through the number. */
function textAt(end: number, aim: number | undefined): number {
  return aim !== undefined && aim > end - 2 && aim < end + 44 ? aim + 6 : end + 6;
}

export function chartOf(results: Results): string {
  const labels = labelsOf(results.found);
  const scale = (WIDTH - LEFT - RIGHT) / MOST;
  const x = (value: number): number => LEFT + Math.min(value, MOST) * scale;
  const parts: string[] = [];
  let y = 64;
  for (const { title, rows } of results.found) {
    const shown = rows.filter(hasBar);
    if (shown.length === 0) continue;
    y += HEAD - 12;
    parts.push(`<text x="16" y="${at(y)}" class="title">${escape(title)}</text>`);
    y += 14;
    for (const row of shown) {
      const height = labels.length * (BAR + 2);
      parts.push(
        `<text x="${LEFT - 12}" y="${at(y + height / 2 + 3)}" class="name">${escape(row.name.replaceAll('`', ''))}</text>`,
      );
      labels.forEach((label, index) => {
        const value = row.values[label];
        if (value === undefined) return;
        const top = y + index * (BAR + 2);
        const color = label === 'now' && reaches(row, value) === false ? MISSED : COLORS[label];
        parts.push(
          `<rect x="${LEFT}" y="${at(top)}" width="${at(x(value) - LEFT)}" height="${BAR}" fill="${color}"/>`,
          `<text x="${at(textAt(x(value), row.aim === undefined ? undefined : x(row.aim)))}" y="${at(top + BAR - 2)}" class="value">${escape(valueText(row, value))}</text>`,
        );
      });
      if (row.aim !== undefined)
        parts.push(
          `<line x1="${at(x(row.aim))}" y1="${at(y - 3)}" x2="${at(x(row.aim))}" y2="${at(y + height + 1)}" class="aim"/>`,
        );
      y += height + GAP;
    }
  }
  const height = y + 16;
  const grid = Array.from({ length: MOST + 1 }, (_, value) => {
    const line = `<line x1="${at(x(value))}" y1="56" x2="${at(x(value))}" y2="${at(height - 10)}" class="${value === 1 ? 'floor' : 'grid'}"/>`;
    return `${line}<text x="${at(x(value))}" y="48" class="axis">${value === 1 ? 'floor' : value === MOST ? `${value} x or more` : `${value} x`}</text>`;
  });
  const keys = [...labels.map((label) => [COLORS[label], label] as const), [MISSED, 'now, aim missed'] as const].map(
    ([color, text], index) =>
      `<rect x="${16 + index * 90}" y="17" width="11" height="11" fill="${color}"/><text x="${32 + index * 90}" y="27" class="key">${text}</text>`,
  );
  const aimAt = 16 + (keys.length - 1) * 90 + 140;
  keys.push(
    `<line x1="${aimAt}" y1="15" x2="${aimAt}" y2="30" class="aim"/><text x="${aimAt + 8}" y="27" class="key">aim</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${at(height)}" width="${WIDTH}" height="${at(height)}" role="img" aria-label="Each figure as a multiple of its floor; the table has the numbers">
<style>
text { font: 12px ${FONT}; fill: #1f2328; }
.title { font-weight: 600; font-size: 13px; }
.name { text-anchor: end; }
.value, .key { font-size: 11px; }
.axis { text-anchor: middle; font-size: 11px; fill: #59636e; }
.grid { stroke: #e4e8ec; }
.floor { stroke: #59636e; stroke-dasharray: 3 3; }
.aim { stroke: #1a7f37; stroke-width: 2; }
</style>
<rect width="100%" height="100%" fill="#ffffff"/>
${[...grid, ...keys, ...parts].join('\n')}
</svg>
`;
}

/** Of a row of one change, how many sites the account has. */
const ACCOUNT = /an account of ([\d,]+) sites/;

/** What one change costs against the size of the account: reads, over sizes that grow tenfold. */
export function scopeChartOf({ found }: Results): string {
  const rows = found.flatMap(({ rows: all }) => all).filter(({ name }) => ACCOUNT.test(name));
  const points = rows.map(({ name, values }) => ({
    sites: Number((ACCOUNT.exec(name)?.[1] ?? '').replaceAll(',', '')),
    reads: values.now ?? Number.NaN,
  }));
  const [width, height, left, bottom] = [640, 260, 60, 210];
  const most = Math.max(...rows.map(({ aim = 0 }) => aim));
  const x = ({ sites }: { readonly sites: number }): string => at(left + 50 + (Math.log10(sites) - 1) * 150);
  const y = (reads: number): string => at(bottom - (reads / most) * 150);
  const line = (reads: number, of: string): string =>
    `<line x1="${left}" y1="${y(reads)}" x2="${width - 20}" y2="${y(reads)}" class="${of}"/><text x="${left - 8}" y="${y(reads)}" dy="4" class="left">${reads}</text>`;
  const parts = points.flatMap((point) => [
    `<circle cx="${x(point)}" cy="${y(point.reads)}" r="4"/>`,
    `<text x="${x(point)}" y="${y(point.reads)}" dy="-10" class="middle">${point.reads}</text>`,
    `<text x="${x(point)}" y="${bottom + 20}" class="middle">${point.sites.toLocaleString('en')}</text>`,
  ]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Reads of one changed section against the size of the account: a flat line">
<style>
text { font: 12px ${FONT}; fill: #1f2328; }
.left { text-anchor: end; fill: #59636e; }
.middle { text-anchor: middle; }
.grid { stroke: #e4e8ec; }
.aim { stroke: #1a7f37; stroke-width: 2; }
polyline { fill: none; stroke: ${COLORS.now}; stroke-width: 2; }
circle { fill: ${COLORS.now}; }
</style>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="16" y="24" font-weight="600">Reads of \`apply --target\` for one section; green: the aim, at most ${most}</text>
${[0, most / 2].map((reads) => line(reads, 'grid')).join('\n')}
${line(most, 'aim')}
<polyline points="${points.map((point) => `${x(point)},${y(point.reads)}`).join(' ')}"/>
${parts.join('\n')}
<text x="${at(width / 2)}" y="${bottom + 42}" class="middle">sites in the account</text>
</svg>
`;
}
