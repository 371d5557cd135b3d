// A program in the process of its tests: what its app declares, checked as `validate` does it.
import { cwd } from 'node:process';
import type { Manifest } from '../model/desired.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { dataKinds, registry } from '../areas/index.ts';
import type { ProgramAccount } from '../manifest/program/documents.ts';
import { readSynthesis } from '../manifest/program/synthesis.ts';
import { foldRepeats, validateDocuments } from '../manifest/read/validate.ts';
import { renderDiagnostics } from '../report/text/diagnostics.ts';

/** What programs export: an `App` of `hostwright/constructs`. */
export interface Program {
  synth(): unknown;
}

/** What a program declares for one account; throws where that is not valid. */
export function readProgramHere(
  app: Program,
  account: string | undefined,
): ProgramAccount & { readonly manifests: readonly Manifest[] } {
  const read = readSynthesis(app.synth(), cwd());
  if (read === undefined) throw new Error('The first argument has to be an App of hostwright/constructs.');
  stopAtErrors([...read.diagnostics, ...read.accounts.flatMap(({ diagnostics }) => diagnostics)]);
  const chosen = choose(read.accounts, account);
  const { manifests, diagnostics } = validateDocuments(chosen.documents, registry, dataKinds);
  stopAtErrors(foldRepeats(diagnostics, chosen.documents));
  return { ...chosen, manifests };
}

function choose(accounts: readonly ProgramAccount[], account: string | undefined): ProgramAccount {
  const names = accounts.map(({ name }) => name ?? 'none').join(', ');
  const [first, ...others] = accounts;
  if (account === undefined) {
    if (first !== undefined && others.length === 0) return first;
    throw new Error(`The program has manifests for several accounts: name one of them by \`account\`: ${names}.`);
  }
  const found = accounts.find(({ name }) => name === account);
  // A program without accounts serves whichever workspace names it.
  const alone = first?.name === null && others.length === 0 ? first : undefined;
  if (found !== undefined || alone !== undefined) return (found ?? alone) as ProgramAccount;
  throw new Error(`The program has no account \`${account}\`; it has: ${names}.`);
}

/** Throws with the errors in words, each with its line. */
export function stopAtErrors(diagnostics: readonly Diagnostic[]): void {
  if (!hasErrors(diagnostics)) return;
  // No file was read, so there are no lines to show around a place.
  const bare = diagnostics.map(({ frame: _frame, ...diagnostic }) => diagnostic);
  throw new Error(`\n${renderDiagnostics(bare, { color: false })}`);
}
