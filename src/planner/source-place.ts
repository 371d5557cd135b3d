// Where in a manifest something stands, in the form that diagnostics and actions have it; nothing where nobody knows.
import type { Diagnostic, SourcePosition } from '../model/diagnostic.ts';
import type { Action } from '../model/plan/plan.ts';

export function diagnosticSource(place: SourcePosition | undefined): Pick<Diagnostic, 'source'> {
  return place === undefined ? {} : { source: { ...place, endLine: place.line, endColumn: place.column } };
}

export function actionSource(place: SourcePosition | undefined): Pick<Action, 'source'> {
  return place === undefined ? {} : { source: { file: place.file, line: place.line, column: place.column } };
}
