// The file that says where credentials come from: a command, a file or a variable for each name. It belongs to the user
// or the runner. A pull request must not be able to name a command that is run, so it is never part of a repository.
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { diagnose, hasErrors } from '../../model/diagnostic.ts';
import type { CredentialEntry, CredentialSink, CredentialsFile } from '../../model/generated/credentials.ts';
import { quote } from '../../model/format.ts';
import { isInsideAny } from '../../system/paths.ts';
import { untrusted, untrustedMessage } from '../../system/trusted-file.ts';
import { loadText, repositoryOf } from '../read/load.ts';
import { parseYaml, problemAt } from '../read/parse.ts';
import { syntaxAdvice } from '../read/slips/syntax-advice.ts';
import { checkDocument } from '../read/validate.ts';

export type { CredentialEntry, CredentialSink } from '../../model/generated/credentials.ts';

/** The lists of the file. An entry of one never serves as one of another: a mailbox is not given a token of an account. */
export type Purpose = 'tokens' | 'ledgers' | 'secrets' | 'sinks';

/** Where the file is looked for. */
export interface CredentialsPlace {
  readonly file: string;
  /** The variable that names it. Absent: it is where such files are by default, and need not be there. */
  readonly variable?: string;
  /** Folders whose files are used whoever owns them. Absent: none. */
  readonly trustedRoots?: readonly string[];
}

export interface LoadedCredentials {
  /** Absent when there are errors. */
  readonly spec?: CredentialsFile['spec'];
  readonly diagnostics: readonly Diagnostic[];
}

/** The folders that no credentials file, no command and no file of an entry may lie in, links followed. */
export function closedFolders(root: string): readonly string[] {
  return [...new Set([root, repositoryOf(root) ?? root].flatMap((folder) => [folder, realOf(folder)]))];
}

/** True when a file lies in one of the folders, by its name or where links lead. */
export const liesIn = isInsideAny;

/** What forbids to use the file for a workspace in this folder. */
export function credentialsPlaceProblem({ file, variable }: CredentialsPlace, root: string): Diagnostic | undefined {
  const named = variable === undefined ? '' : ` ${variable} names it.`;
  if (!path.isAbsolute(file)) return diagnose('HW6031', `${quote(file)} is no absolute path.${named}`);
  return liesIn(closedFolders(root), file)
    ? diagnose('HW6030', `${quote(file)} lies in the repository of the workspace ${quote(root)}.${named}`)
    : undefined;
}

/** Reads and checks the file. */
export async function loadCredentials({
  file,
  variable,
  trustedRoots: roots = [],
}: CredentialsPlace): Promise<LoadedCredentials> {
  if (statSync(file, { throwIfNoEntry: false }) === undefined && variable === undefined)
    return { diagnostics: [diagnose('HW6031', `There is no ${quote(file)}, where it is looked for.`)] };
  // A user who can write it chooses the commands that are run.
  const problem = untrusted(file, { use: 'input', roots });
  if (problem !== undefined) return { diagnostics: [diagnose('HW6031', untrustedMessage(problem))] };
  const { source, diagnostic } = await loadText(file, file);
  if (source === undefined) return { diagnostics: diagnostic === undefined ? [] : [diagnostic] };
  const { documents, diagnostics: ofYaml } = parseYaml(source, syntaxAdvice);
  const [document] = documents;
  if (hasErrors(ofYaml)) return { diagnostics: ofYaml };
  if (document === undefined || documents.length > 1)
    return {
      diagnostics: [diagnose('HW6031', `${quote(file)} holds ${documents.length} documents instead of one.`)],
    };
  const bySchema = checkDocument(document, ['Credentials']);
  if (hasErrors(bySchema)) return { diagnostics: bySchema };
  const { spec } = document.value as unknown as CredentialsFile;
  const wrong = (pointer: string, what: string): Diagnostic => problemAt(document, `/spec${pointer}`, 'HW6032', what);
  const diagnostics = (['tokens', 'ledgers', 'secrets', 'sinks'] as const).flatMap((purpose) =>
    (spec[purpose] ?? []).flatMap((entry: CredentialEntry | CredentialSink, index, all) => {
      const pointer = `/${purpose}/${index}`;
      const { name, command } = entry;
      const sources = 'env' in entry || 'file' in entry ? [entry.env, entry.file, command] : [command];
      const given = sources.filter((one) => one !== undefined).length;
      return [
        ...(all.findIndex((other) => other.name === name) < index
          ? [wrong(`${pointer}/name`, `There are two entries ${quote(name)} under \`${purpose}\`.`)]
          : []),
        ...(given === 1
          ? []
          : [
              wrong(
                pointer,
                given === 0
                  ? `The entry ${quote(name)} says no source. Give it \`env\`, \`file\` or \`command\`.`
                  : `The entry ${quote(name)} says several sources. Keep one of \`env\`, \`file\` and \`command\`.`,
              ),
            ]),
        ...(command === undefined || isProgramName(command[0] ?? '')
          ? []
          : [
              wrong(
                `${pointer}/command/0`,
                `The program ${quote(command[0] ?? '')} is neither an absolute path nor a name on the PATH.`,
              ),
            ]),
      ];
    }),
  );
  return { diagnostics, ...(diagnostics.length === 0 && { spec }) };
}

/** The entry of this name, or the longest pattern that it fits. */
export function entryNamed<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  name: string,
): Entry | undefined {
  const patterns = entries.filter((one) => one.name.endsWith('*') && name.startsWith(one.name.slice(0, -1)));
  return (
    entries.find((one) => one.name === name) ??
    patterns.toSorted((left, right) => right.name.length - left.name.length)[0]
  );
}

function isProgramName(program: string): boolean {
  return program !== '' && (path.isAbsolute(program) || !/[/\\]/.test(program));
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
