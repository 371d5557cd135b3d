// What Terraform is told that a user has to mend: our diagnostics with their codes, at the attribute that they are about.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Message } from './wire/protobuf.ts';
import type { PathStep } from './value/convert.ts';

const ERROR = 1;
const WARNING = 2;

/** A diagnostic as a message; what is only worth knowing is not told: Terraform has no word for it. */
export function toMessages(
  diagnostics: readonly Diagnostic[],
  pathOf: (diagnostic: Diagnostic) => readonly PathStep[] = () => [],
): readonly Message[] {
  return diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map((diagnostic): Message => {
      const { code, severity, summary, detail } = diagnostic;
      const steps = pathOf(diagnostic);
      return {
        severity: severity === 'error' ? ERROR : WARNING,
        summary: `${code} ${summary}`,
        detail,
        ...(steps.length > 0 && { attribute: { steps } }),
      };
    });
}

export function problem(code: Diagnostic['code'], summary: string, detail: string): Diagnostic {
  return { code, severity: 'error', summary, detail };
}

export function warning(code: Diagnostic['code'], summary: string, detail: string): Diagnostic {
  return { code, severity: 'warning', summary, detail };
}
