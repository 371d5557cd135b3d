// How diagnostics read in a terminal: place first, as compilers print it, so that editors and CI make links of it.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { sortDiagnostics } from '../../model/diagnostic.ts';
import type { ValidationText } from '../view/document.ts';
import { severityWord, showSource, validationVerdict } from '../view/document.ts';
import { escapeBlock, escapeText } from '../view/escape.ts';
import { showAddress, showProse } from '../view/names.ts';
import type { Style } from './style.ts';
import { createStyle } from './style.ts';

/** All of them, sorted; '' when there are none. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], { color }: { readonly color: boolean }): string {
  const style = createStyle(color);
  return sortDiagnostics(diagnostics)
    .map((diagnostic) => renderDiagnostic(diagnostic, style))
    .join('\n\n');
}

export function renderValidation(
  { diagnostics, manifests, objects }: ValidationText,
  { color }: { readonly color: boolean },
): string {
  const verdict = validationVerdict({ diagnostics, manifests, objects }, createStyle(color));
  return diagnostics.length === 0 ? verdict : `${renderDiagnostics(diagnostics, { color })}\n\n${verdict}`;
}

function renderDiagnostic(
  { code, severity, summary, detail, address, pointer, source, frame }: Diagnostic,
  style: Style,
): string {
  const paint = { error: style.alarm, warning: style.careful, info: style.strong }[severity];
  const place = source === undefined ? '' : `${showSource(source)}: `;
  const subject = [
    ...(address === undefined || address === '' ? [] : [showAddress(address)]),
    ...(pointer === undefined || pointer === '' ? [] : [escapeText(pointer, 300)]),
  ].join(' ');
  return [
    `${place}${paint(`${severityWord(severity)} ${escapeText(code, 10)}`)}: ${style.strong(escapeText(summary))}`,
    ...(frame === undefined ? [] : escapeBlock(frame).map((line) => `  ${line}`)),
    `  ${showProse(detail, 4000)}`,
    ...(subject === '' ? [] : [style.faint(`  at ${subject}`)]),
  ].join('\n');
}
