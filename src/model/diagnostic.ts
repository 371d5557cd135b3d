// The shape of everything that a user can be told to mend. A diagnostic is a value: collected, sorted, shown all at
// once.
import type { Address } from './address.ts';
import { compareText } from './address.ts';
import type { Code, Entry } from './codes.ts';
import { CODES } from './codes.ts';
import { groupBy } from './common/lists.ts';

export type { Code };

/** 1-based, as editors count. `file` is as the user named it; `-` is standard input. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface SourceRange extends SourcePosition {
  readonly endLine: number;
  readonly endColumn: number;
}

export type Severity = (typeof CODES)[Code]['severity'];

/**
 * The key of what only the terminal of the user shows. It is a symbol, so that no document that is made of a diagnostic
 * contains it.
 */
export const UNREDACTED: unique symbol = Symbol('unredacted');

export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  /** Constant for a code: no names in it. */
  readonly summary: string;
  /** What, why, and what to do: full sentences. */
  readonly detail: string;
  readonly address?: Address;
  /** JSON pointer into the manifest. */
  readonly pointer?: string;
  readonly source?: SourceRange;
  /** When the command can be run again, in UTC, if the platform asks for a pause. */
  readonly retryAt?: string;
  /** The lines around `source` with a caret under it, without colour. */
  readonly frame?: string;
  /** Git tracks the file of `source`: readers of a report can read its lines anyway. */
  readonly isTracked?: true;
  /** `detail` and `frame` with the personal values that they quote. Absent: they quote none, or secrets. */
  readonly [UNREDACTED]?: Pick<Diagnostic, 'detail' | 'frame'>;
}

/** Where `detail` says what to write, a general remedy would only repeat it. */
const SAYS_WHAT_TO_WRITE = /[.:] (?:Write|Put|Remove|Name|Start|give|There is no)\b/;

/**
 * A diagnostic of the table of codes. `detail`: what and why, in full sentences; and what to do, where the table does not
 * say it. It has passed the redactor where it quotes an answer. `severity`: where it is not that of the table.
 */
export function diagnose(code: Code, detail: string, { address, ...rest }: Where = {}): Diagnostic {
  const { severity, summary, remedy, isGeneral }: Entry = CODES[code];
  const isSaid = isGeneral === true && SAYS_WHAT_TO_WRITE.test(detail);
  const advice = isSaid ? remedy?.replace(/^[^.]*\. ?/, '') : remedy;
  return {
    code,
    severity,
    summary,
    detail: advice === undefined ? detail : `${detail} ${advice}`.trimEnd(),
    ...(address !== undefined && { address }),
    ...rest,
  };
}

/** An object that a diagnostic is about, and where its manifest declares it. */
export interface Affected extends Pick<Diagnostic, 'source'> {
  readonly address: Address;
  readonly detail: string;
}

/** As many objects as a diagnostic of several objects names. */
const NAMED_OBJECTS = 3;

/**
 * Returns one diagnostic for each different detail, with the number of objects that it is about. The objects are named by
 * the actions or blockers of the same report.
 */
export function diagnoseAlike(code: Code, affected: readonly Affected[]): readonly Diagnostic[] {
  return [...groupBy(affected, ({ detail }) => detail).values()].map((alike) => {
    const { address, detail, source } = alike[0] as Affected;
    if (alike.length === 1) return diagnose(code, detail, { address, ...(source !== undefined && { source }) });
    const names = alike.slice(0, NAMED_OBJECTS).map((one) => one.address);
    const more = alike.length > names.length ? ` and ${alike.length - names.length} more` : '';
    return diagnose(code, `${alike.length} objects: ${names.join(', ')}${more}. ${detail}`);
  });
}

/** The members of a diagnostic that the caller may set. */
type Where = Omit<Partial<Diagnostic>, 'code' | 'summary' | 'detail' | 'address'> & {
  readonly address?: Address | undefined;
};

/** Returns the diagnostic as the terminal of the user shows it: with the personal values that it quotes. */
export function forOwner(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, ...diagnostic[UNREDACTED] };
}

/** Returns the diagnostic with another detail, also where it quotes personal values. */
export function withDetail(diagnostic: Diagnostic, change: (detail: string) => string): Diagnostic {
  const own = diagnostic[UNREDACTED];
  return {
    ...diagnostic,
    detail: change(diagnostic.detail),
    ...(own !== undefined && { [UNREDACTED]: { ...own, detail: change(own.detail) } }),
  };
}

/**
 * A diagnostic where others read along, in a comment, a report or the log of a job: lines of a file that Git does not
 * track stay with whoever has the file.
 */
export function toShare(diagnostic: Diagnostic): Diagnostic {
  const { frame, isTracked, ...rest } = diagnostic;
  return isTracked === true && frame !== undefined ? { ...rest, frame } : rest;
}

/** A diagnostic that was made by {@link toShare}, in a plan or in a part of a report: what it still shows may be shown. */
export function asShared(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.frame === undefined ? diagnostic : { ...diagnostic, isTracked: true };
}

/** File, line, column, code: the order in which they are shown. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const keyed = diagnostics.map((diagnostic) => ({
    diagnostic,
    place: placeOf(diagnostic),
    text: `${diagnostic.code} ${diagnostic.address ?? ''} ${diagnostic.detail}`,
  }));
  return keyed
    .sort(
      (left, right) =>
        compareText(left.place.file, right.place.file) ||
        left.place.line - right.place.line ||
        left.place.column - right.place.column ||
        compareText(left.text, right.text),
    )
    .map(({ diagnostic }) => diagnostic);
}

/** Without what was said before in the same words. */
export function saidOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [`${one.code} ${one.detail}`, one])).values()];
}

// What has no place comes first: it concerns the whole run.
function placeOf({ source }: Diagnostic): SourcePosition {
  return source ?? { file: '', line: 0, column: 0 };
}

/** Codes of commands that ended because the time was not right. */
const LATER: readonly Code[] = ['HW3052', 'HW4012'];

/** Returns the outcome of a command that ended with these diagnostics in place of a result. */
export function failureWord(diagnostics: readonly Diagnostic[]): 'error' | 'waiting' {
  return !hasErrors(diagnostics) && diagnostics.some(({ code }) => LATER.includes(code)) ? 'waiting' : 'error';
}

/** True when one of them is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** The place of a diagnostic; nothing where nobody knows it. */
export function diagnosticSource(place: SourcePosition | undefined): Pick<Diagnostic, 'source'> {
  return place === undefined ? {} : { source: { ...place, endLine: place.line, endColumn: place.column } };
}

/** The place of an action; nothing where nobody knows it. */
export function actionSource(place: SourcePosition | undefined): { readonly source?: SourcePosition } {
  return place === undefined ? {} : { source: { file: place.file, line: place.line, column: place.column } };
}

/** Ids of rules behind what is said, as in `It is not bound to scopes (CNV-06).` */
const RULE_IDS = / \((?:O|[A-Z]{3})-\d{1,3}(?:, (?:O|[A-Z]{3})-\d{1,3})*\)(?=[\s.,:;]|$)/g;

/** Without the ids of rules, which stand in `explain`, `--verbose` and JSON. */
export function withoutRules(text: string): string {
  return text.replace(RULE_IDS, '');
}
