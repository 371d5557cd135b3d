// How diagnostics read in a terminal: place first, as compilers print it, so that editors and CI make links of it.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { forOwner, sortDiagnostics } from '../../model/diagnostic.ts';
import type { Validation } from '../view/document.ts';
import { severityWord, showSource, validationVerdict } from '../view/document.ts';
import { escapeBlock, escapeText } from '../view/escape.ts';
import { showAddress, showProse } from '../view/names.ts';
import type { Sheet } from './prose.ts';
import { wrapProse } from './prose.ts';
import { createStyle } from './style.ts';

/** All of them, sorted; '' when there are none. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], sheet: Sheet): string {
  return sortDiagnostics(diagnostics)
    .map((diagnostic) => renderDiagnostic(sheet.isForOwner === true ? forOwner(diagnostic) : diagnostic, sheet))
    .join('\n\n');
}

/** Manifests that were checked. Few things are looked at so often: it needs no block, and loads none. */
export function renderValidation(result: Validation, sheet: Sheet): string {
  const verdict = validationVerdict(result, createStyle(sheet.color));
  return result.diagnostics.length === 0 ? verdict : `${renderDiagnostics(result.diagnostics, sheet)}\n\n${verdict}`;
}

function renderDiagnostic(
  { code, severity, summary, detail, address, pointer, source, frame }: Diagnostic,
  { color, wrapAt, rules = false }: Sheet,
): string {
  const style = createStyle(color);
  const paint = { error: style.alarm, warning: style.careful, info: style.strong }[severity];
  const place = source === undefined ? '' : `${showSource(source)}: `;
  const subject = [
    ...(address === undefined || address === '' ? [] : [showAddress(address)]),
    ...(pointer === undefined || pointer === '' ? [] : [escapeText(pointer, 300)]),
  ].join(' ');
  return [
    ...wrapProse(
      `${place}${paint(`${severityWord(severity)} ${escapeText(code, 10)}`)}: ${style.strong(escapeText(summary))}`,
      wrapAt,
      '',
      2,
    ),
    ...(frame === undefined ? [] : frameLines(frame, wrapAt)),
    ...wrapProse(showProse(detail, 4000, { rules }), wrapAt, '  '),
    ...(subject === '' ? [] : [style.faint(`  at ${subject}`)]),
  ].join('\n');
}

/** Lines of a file are cut where the terminal ends, not broken, unless that would hide where the caret stands. */
function frameLines(frame: string, width = Infinity): readonly string[] {
  const lines = escapeBlock(frame).map((line) => `  ${line}`);
  const caret = lines.find((line) => /^[ |]*\^+$/.test(line))?.indexOf('^') ?? 0;
  return caret + 1 >= width
    ? lines
    : lines.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line));
}
