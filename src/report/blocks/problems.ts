// Problems alone as blocks, of a command that had no more to tell, and manifests that were checked.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { OutcomeWord } from '../../model/plan/outcome.ts';
import { EXIT_CODES } from '../../model/plan/outcome.ts';
import type { Validation } from '../view/document.ts';
import { countDiagnostics, OUTCOME_SENTENCES, validationVerdict } from '../view/document.ts';
import type { Report } from './block.ts';
import { diagnosticsOf, marked, paragraph } from './block.ts';
import type { Reported } from './mark.ts';
import { plainMark } from './mark.ts';

export interface Problems {
  readonly diagnostics: readonly Diagnostic[];
  readonly outcome: OutcomeWord;
  readonly what: Reported;
}

export function problemsReport(problems: Problems): Report {
  return reportOf(problems, `${OUTCOME_SENTENCES[problems.outcome]} ${countDiagnostics(problems.diagnostics)}`);
}

export function validationReport(result: Validation, outcome: OutcomeWord): Report {
  const { diagnostics } = result;
  return reportOf({ diagnostics, outcome, what: 'validate' }, validationVerdict(result));
}

function reportOf({ diagnostics, outcome, what }: Problems, verdict: string): Report {
  return {
    what,
    title: `Hostwright ${what}: ${verdict}`,
    mark: () => plainMark(what),
    blocks: [
      { is: 'heading', line: [`Hostwright ${what}`] },
      paragraph(marked('strong', verdict)),
      ...diagnosticsOf(diagnostics),
      paragraph(`Exit code ${EXIT_CODES[outcome]} (${outcome}).`),
    ],
  };
}
