// A recording of a terminal as an SVG: what is typed appears letter by letter, what is printed line by line.
import wrapAnsi from 'wrap-ansi';

export interface Typed {
  readonly command: string;
  /** With its colours, as SGR escapes. */
  readonly printed: string;
}

const COLOURS: Readonly<Record<number, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  90: '#8b949e',
};
const [FONT_SIZE, LINE_HEIGHT, LETTER_WIDTH, MARGIN] = [14, 20, 8.43, 20];
const [TYPING_S, READING_S] = [1, 0.08];
/** Longer lines are broken between words: wider letters can be read in a README. */
const COLUMNS = 100;

/** The picture. It moves once and then stands still; it does not move for those who ask for less motion. */
export function terminalSvg(typed: readonly Typed[]): string {
  const lines: { readonly spans: string; readonly startS: number }[] = [];
  let atS = 0;
  typed.forEach(({ command, printed }, index) => {
    // What was typed first is there from the beginning: the picture is never empty.
    const [typingS, readingS] = index === 0 ? [0, 0] : [TYPING_S, READING_S];
    lines.push({
      spans: `<tspan class="prompt">$ </tspan>${escapeXml(command)}`,
      startS: atS,
    });
    atS += typingS;
    for (const line of wrapAnsi(printed.trimEnd(), COLUMNS, { trim: false }).split('\n')) {
      lines.push({ spans: spansOf(line), startS: atS });
      atS += readingS;
    }
    lines.push({ spans: '', startS: atS });
    atS += 1.5;
  });
  lines.pop();
  const width = Math.ceil(COLUMNS * LETTER_WIDTH + 2 * MARGIN);
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  const texts = lines
    .map(({ spans, startS }, index) =>
      spans === ''
        ? ''
        : `<text x="${MARGIN}" y="${MARGIN + (index + 0.75) * LINE_HEIGHT}" ${startS === 0 ? 'class="there"' : `style="animation-delay:${startS.toFixed(2)}s"`}>${spans}</text>\n`,
    )
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A recording of a terminal">
<style>
text { font: ${FONT_SIZE}px ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #e6edf3; white-space: pre; }
.prompt { fill: #7ee787; }
.bold { font-weight: bold; }
.dim { fill: #8b949e; }
@media (prefers-reduced-motion: no-preference) {
  text:not(.there) { opacity: 0; animation: appear 0.01s forwards; }
  @keyframes appear { to { opacity: 1; } }
}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${texts}</svg>
`;
}

/** One line with its colours as spans. */
function spansOf(line: string): string {
  let [colour, bold, dim] = ['', false, false];
  return line
    .split(/(\u{1b}\[[\d;]*m)/u)
    .map((part) => {
      const codes = /^\u{1b}\[([\d;]*)m$/u.exec(part)?.[1];
      if (codes === undefined) {
        const classes = [...(bold ? ['bold'] : []), ...(dim ? ['dim'] : [])].join(' ');
        const marks = `${colour === '' ? '' : ` fill="${colour}"`}${classes === '' ? '' : ` class="${classes}"`}`;
        return part === '' || marks === '' ? escapeXml(part) : `<tspan${marks}>${escapeXml(part)}</tspan>`;
      }
      for (const code of codes.split(';').map(Number)) {
        if (code === 0) [colour, bold, dim] = ['', false, false];
        else if (code === 1) bold = true;
        else if (code === 2) dim = true;
        else if (code === 22) [bold, dim] = [false, false];
        else if (code === 39) colour = '';
        else colour = COLOURS[code] ?? colour;
      }
      return '';
    })
    .join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
