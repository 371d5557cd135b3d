// Whether the secrets that manifests name may be taken from where they name them: only places that the workspace lists,
// so that a reviewer of one file sees them all. Must never read a secret: that is for apply, right before the first
// write.
import path from 'node:path';
import { groupBy } from '../../model/common/lists.ts';
import type { Code, Diagnostic } from '../../model/diagnostic.ts';
import { escapePointer } from '../../model/json.ts';
import { secretDestinationOf } from '../../model/secret-sink.ts';
import type { Registry } from '../../model/kind/kind.ts';
import { declaredKinds } from '../../model/kind/declared.ts';
import { isSectionWhole, itemsOf } from '../../model/kind/section.ts';
import type { SecretDestination } from '../../model/plan/step.ts';
import type { SecretPlace } from '../../model/secret.ts';
import { secretsOf } from '../../model/secret.ts';
import type { Workspace } from '../../model/workspace.ts';
import { secretPlaceProblem } from '../read/load-secret.ts';
import type { ParsedDocument } from '../read/parse.ts';
import { problemAt } from '../read/parse.ts';
import { isPathLike } from '../read/sensitive-values.ts';
import type { Checked } from '../read/semantic-checks.ts';
import { didYouMean, listOf, quote } from '../../model/format.ts';

/** A secret that a sound manifest names. */
export interface SecretUse {
  readonly document: ParsedDocument;
  /** Of the field, into the document. */
  readonly pointer: string;
  readonly address?: string;
  readonly source: SecretPlace | SecretDestination;
  /** It is no source but where something is to be written. */
  readonly written?: true;
}

/** What the workspace lists; undefined where manifests are looked at without one. */
export type SecretPlaces = Pick<Workspace, 'root' | 'secrets'> | undefined;

/** Every secret in these manifests, found by the kinds' own fields. */
export function secretUses(
  checked: readonly Pick<Checked, 'document' | 'manifest' | 'address'>[],
  registry: Registry,
): readonly SecretUse[] {
  const holders = new Set(
    [...registry.values()].filter(({ fields }) =>
      Object.values(fields).some((field) => field.rule === 'writeOnly' || 'secretFile' in field),
    ),
  );
  return checked.flatMap(({ document, manifest, address }) => {
    if (manifest === undefined) return [];
    const root = registry.get(manifest.kind);
    const own = declaredKinds(manifest, registry).filter((kind) => holders.has(kind) && isSectionWhole(kind, manifest));
    if (root !== undefined && holders.has(root)) own.unshift(root);
    return own.flatMap((kind) =>
      itemsOf(kind, manifest).flatMap((item) => {
        const kept = secretDestinationOf(kind, item.spec);
        const written = kept === undefined ? [] : [{ field: kept.field, source: kept.to, written: true as const }];
        return [...secretsOf(kind, item.spec), ...written].map(({ field, ...use }): SecretUse => {
          const pointer = item.pointers?.[field] ?? `${item.pointer}/${escapePointer(field)}`;
          return { document, pointer: `/spec${pointer}`, ...use, ...(address !== undefined && { address }) };
        });
      }),
    );
  });
}

/** What forbids these secrets. Without a workspace only what no workspace could allow. */
export async function secretProblems(uses: readonly SecretUse[], places: SecretPlaces): Promise<readonly Diagnostic[]> {
  const found = await Promise.all(
    uses.map(async (use) => {
      const { source } = use;
      if ('env' in source) return envProblem(use, source.env, places);
      if ('file' in source) return fileProblem(use, source.file, places);
      if (places === undefined) return undefined;
      return 'entry' in source
        ? unlisted(use, 'HW1410', ['entry', source.entry], places.secrets.entries)
        : unlisted(use, 'HW1411', ['sink', source.sink], places.secrets.sinks);
    }),
  );
  return oncePerCause(found.filter((diagnostic) => diagnostic !== undefined));
}

/** Returns one diagnostic for each cause, at its first field, with the number of fields that it concerns. */
function oncePerCause(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byCause = groupBy(diagnostics, ({ code, detail }) => `${code} ${detail}`);
  return [...byCause.values()].map((all) => {
    const first = all[0] as Diagnostic;
    return all.length === 1 ? first : { ...first, detail: `${all.length} fields refer to it. ${first.detail}` };
  });
}

/** True for the program's own variables; names are the same in any letter case on some systems. */
export function isReservedName(name: string): boolean {
  return /^HOSTWRIGHT_/i.test(name);
}

function envProblem(use: SecretUse, name: string, places: SecretPlaces): Diagnostic | undefined {
  if (isReservedName(name))
    return reported(use, 'HW1402', 'env', `The environment variable ${quote(name)} belongs to Hostwright.`);
  if (places === undefined || places.secrets.env.includes(name)) return undefined;
  return reported(
    use,
    'HW1401',
    'env',
    `The environment variable ${quote(name)} is not listed.${hintOf(name, places.secrets.env)}`,
  );
}

function unlisted(
  use: SecretUse,
  code: Code,
  [key, name]: readonly ['entry' | 'sink', string],
  listed: readonly string[] = [],
): Diagnostic | undefined {
  if (listed.includes(name)) return undefined;
  return reported(use, code, key, `The ${key} ${quote(name)} is not listed.${hintOf(name, listed)}`);
}

function hintOf(name: string, listed: readonly string[]): string {
  if (listed.length === 0) return ' No name is listed.';
  const more = listed.length > 10 ? ' and more' : '';
  return didYouMean(name, listed) || ` Listed: ${listOf(listed.slice(0, 10).map(quote), 'and')}${more}.`;
}

async function fileProblem(use: SecretUse, file: string, places: SecretPlaces): Promise<Diagnostic | undefined> {
  const [outside, link]: readonly [Code, Code] = use.written === true ? ['HW1405', 'HW1406'] : ['HW1403', 'HW1404'];
  // What is not a path may be the secret itself.
  const shown = use.written === true || isPathLike(file) ? quote(file) : '(secret)';
  if (path.isAbsolute(file))
    return reported(use, outside, 'file', `The path ${shown} is not relative to the folder of the workspace file.`);
  if (places === undefined) return undefined;
  const listed = use.written === true ? places.secrets.keep : places.secrets.files;
  const problem = await secretPlaceProblem(file, places.root, listed);
  if (problem === undefined) return undefined;
  if (problem === 'link')
    return reported(
      use,
      link,
      'file',
      `The path ${shown} is a link, or goes through one, that leads out of every listed place.`,
    );
  // The same file in each of the listed folders: a slip in the name of the folder is the likely one.
  const meant = listed.map((root) =>
    path.posix.join(root, ...file.split('/').slice(root.split('/').filter((part) => part !== '').length)),
  );
  const hint =
    didYouMean(file, meant) ||
    (listed.length === 0 ? ' No place is listed.' : ` Listed: ${listOf(listed.slice(0, 10).map(quote), 'and')}.`);
  return reported(use, outside, 'file', `The path ${shown} is in none of the listed places.${hint}`);
}

function reported(
  { document, pointer, address }: SecretUse,
  code: Code,
  key: 'env' | 'file' | 'entry' | 'sink',
  what: string,
): Diagnostic {
  return problemAt(document, `${pointer}/${key}`, code, what, address);
}
