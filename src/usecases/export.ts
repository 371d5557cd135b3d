// The use case `export`: manifests for what is live and no manifest names, proven to plan to nothing before anything is
// written. Sends nothing but reads, and overwrites no file.
import path from 'node:path';
import type { Address } from '../model/address.ts';
import { addressOf, kindOf, parentOf, parseAddress } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnose, hasErrors, sortDiagnostics } from '../model/diagnostic.ts';
import type { Exported, NotExported } from '../model/exported.ts';
import { isInState } from '../model/kind/kind.ts';
import type { OutcomeWord } from '../model/plan/outcome.ts';
import { decideOutcome } from '../model/plan/outcome.ts';
import type { FileEdit } from '../manifest/edit/write-edited.ts';
import { writeEditedFiles } from '../manifest/edit/write-edited.ts';
import { firstOf, quote } from '../model/format.ts';
import { andMore } from '../model/common/count.ts';
import { isRead, manifestFolder } from '../manifest/write/manifest-folder.ts';
import type { TakenNames } from '../manifest/write/name-manifests.ts';
import type { NewFile } from '../manifest/write/new-files.ts';
import { writeNewFiles } from '../manifest/write/new-files.ts';
import type { Session } from './session.ts';
import type { OpenedWorkspace } from './workspace.ts';
import { openWorkspace } from './workspace.ts';
import type { Account, WithRequests } from './account.ts';
import { withAccount } from './account.ts';
import { Stopped, stopAtErrors } from './client.ts';
import type { Baseline } from './write/baseline.ts';
import { recordBaseline } from './write/baseline.ts';
import type { ExportDocument, NamedRoot } from './write/documents.ts';
import { nameLiveRoots, newManifests, takenBy, textOf, withIdsWhereNeeded } from './write/documents.ts';
import type { LiveRoots } from './write/live.ts';
import { readRoots, ROOT_KINDS, whyIdle } from './write/live.ts';
import { findMissing } from './write/missing.ts';
import { withProfiles } from './write/profiles.ts';
import { provePlansToNothing } from './write/proof.ts';

export type { NewFile } from '../manifest/write/new-files.ts';
export { writeNewFiles } from '../manifest/write/new-files.ts';

export interface ExportOptions {
  /** Kinds, and addresses of roots; empty: everything. */
  readonly targets: readonly string[];
  /** The folder to write to. Absent: nothing is written. */
  readonly out?: string;
  /** Settings that several share become profiles. */
  readonly profiles?: boolean;
}

interface Found {
  /** Absent when there are errors. */
  readonly manifests?: readonly Exported[];
  readonly leftOut: readonly NotExported[];
  /** Manifests that were there and got what they lacked; only where a folder is named. */
  readonly edited?: readonly FileEdit[];
  /** Live roots of the kinds asked for that manifests name already. */
  readonly named: number;
  /** What was proven to be equal. */
  readonly baseline?: Baseline;
}

export type ExportResult = Found & WithRequests;

/** Reads the account, composes manifests, proves them, and writes them where a folder is named. */
export async function exportAccount(session: Session, options: ExportOptions): Promise<ExportResult> {
  const opened = await openWorkspace(session, [], { mayBeEmpty: true });
  const result = await exportInto(session, opened, options);
  const { baseline } = result;
  // What only stands on stdout is no manifest of the workspace yet.
  if (options.out === undefined || baseline === undefined || opened.workspace === undefined) return result;
  const recorded = await recordBaseline(session, opened.workspace, baseline);
  return { ...result, diagnostics: sortDiagnostics([...result.diagnostics, ...recorded]) };
}

/** The same for a workspace that is open, or of which nothing is written yet. */
export async function exportInto(
  session: Session,
  opened: OpenedWorkspace,
  options: ExportOptions,
): Promise<ExportResult> {
  const diagnostics = sortDiagnostics([...opened.diagnostics, ...checkTargets(options.targets)]);
  const result = await withAccount(session, { ...opened, diagnostics }, (account) => exportLive(account, options), {
    tellAll: true,
  });
  return { leftOut: [], named: 0, ...result };
}

async function exportLive(
  account: Account,
  { targets, out, profiles = false }: ExportOptions,
): Promise<Found & { readonly diagnostics: readonly Diagnostic[] }> {
  const { session, workspace, opened } = account;
  const folder = path.resolve(session.cwd, out ?? workspace.root);
  const taken = takenBy(opened, folder);
  const asked = new Set(targets.map(kindOf));
  const kinds = ROOT_KINDS.filter(({ kind }) => targets.length === 0 || asked.has(kind));
  const live = await Promise.all(kinds.map((kind) => readRoots(account, kind)));
  stopAtErrors(live.flatMap(({ diagnostics }) => diagnostics));
  const { roots, idle } = choose(account, live, targets, taken);
  const { documents: parts, unrepresentable } = await newManifests(account, roots, taken);
  const bound = withIdsWhereNeeded(parts, live);
  const documents = profiles ? withProfiles(bound, taken) : bound;
  const files = documents.map((document) => ({ file: document.file, text: textOf(document) }));
  const proven = await provePlansToNothing(account, documents, files);
  const missing = await findMissing(account, out === undefined ? [] : namedRoots(live, targets));
  if (session.stop.aborted) throw new Stopped([]);
  if (out !== undefined) stopAtErrors(await writeNewFiles(folder, files));
  const unedited = await writeEditedFiles(missing.edits);
  const leftOut = [
    ...live.filter((roots) => !isOff(roots) || targets.length > 0).flatMap(unread),
    ...idle,
    ...unrepresentable.map(({ document: { address }, reason }) => ({ address, reason })),
    ...documents.flatMap(leftOutOf),
  ];
  const unknown = [...leftOut, ...missing.unknown];
  return {
    manifests: documents.map(({ address, file, manifest, comments }, index) => ({
      address,
      file,
      manifest,
      text: files[index]?.text ?? '',
      comments,
    })),
    leftOut: unknown,
    edited: missing.edits,
    ...(proven !== undefined && {
      baseline: { live: proven, isAll: opened.declared.every(({ members }) => members.length === 0) },
    }),
    named: live.reduce((sum, { named }) => sum + named.size, 0),
    diagnostics: [
      ...missing.diagnostics,
      ...unedited,
      ...(out === undefined ? [] : outsideOf(account, folder, files)),
      ...unknownParts(unknown),
      ...leftRoots(leftOut),
    ],
  };
}

/** What a list of kinds and addresses may name. */
export function checkTargets(targets: readonly string[]): readonly Diagnostic[] {
  const known = ROOT_KINDS.map(({ kind }) => kind);
  return targets
    .filter(
      (target) => parseAddress(target) === undefined || parentOf(target) !== null || !known.includes(kindOf(target)),
    )
    .map((target) =>
      diagnose(
        'HW6701',
        `\`${target}\` is neither a kind nor the address of an object of one of these: ${known.join(', ')}. What is inside such an object comes with it.`,
      ),
    );
}

/** Whether a list of kinds and addresses names a root; an empty one names all. */
export function isAsked(targets: readonly string[], address: Address): boolean {
  return targets.length === 0 || targets.includes(address) || targets.includes(kindOf(address));
}

/** The roots that manifests name and in which something can be done. */
function namedRoots(live: readonly LiveRoots[], targets: readonly string[]) {
  return live.flatMap(({ kind, members, named }) =>
    members.flatMap((member) => {
      const address = named.get(member.id);
      const isHeld = isInState(kind, member, 'frozen');
      return address !== undefined && isAsked(targets, address) && !isHeld ? [{ kind, member, address }] : [];
    }),
  );
}

/** The roots that are asked for and no manifest names, and those of them in which nothing can be read or done for now. */
function choose(
  { opened, ledger }: Account,
  live: readonly LiveRoots[],
  targets: readonly string[],
  taken: TakenNames,
): { readonly roots: readonly NamedRoot[]; readonly idle: readonly NotExported[] } {
  const unnamed = live.flatMap(({ kind, members, named }) =>
    members.filter(({ id }) => !named.has(id)).map((member) => ({ kind, member })),
  );
  const roots = nameLiveRoots(unnamed, ledger, taken);
  const known = new Set([
    ...roots.map(({ address }) => address),
    ...opened.manifests.map(({ kind, name }) => addressOf(null, kind, name)),
  ]);
  const readable = live.filter(({ collection }) => collection.state === 'read').map(({ kind }) => kind.kind);
  stopAtErrors(
    targets
      .filter((target) => target.includes('/') && readable.includes(kindOf(target)) && !known.has(target))
      .map((target) =>
        notFound(
          target,
          roots.map(({ address }) => address),
        ),
      ),
  );
  const wanted = roots
    .filter(({ address }) => isAsked(targets, address))
    .map((root) => ({ root, reason: whyIdle(root) }));
  return {
    roots: wanted.flatMap(({ root, reason }) => (reason === undefined ? [root] : [])),
    idle: wanted.flatMap(({ root: { address }, reason }) => (reason === undefined ? [] : [{ address, reason }])),
  };
}

const SHOWN = 10;

/** `known`: the addresses that there are. */
export function notFound(target: string, known: readonly Address[]): Diagnostic {
  const same = known.filter((address) => kindOf(address) === kindOf(target));
  const there = same.length === 0 ? 'Manifests name all objects of this kind' : `There are ${firstOf(same, SHOWN)}`;
  return diagnose('HW6705', `There is no live object named \`${target}\` without a manifest. ${there}.`);
}

/** What was written where no plan will find it. */
function outsideOf({ session, workspace }: Account, folder: string, files: readonly NewFile[]): readonly Diagnostic[] {
  const outside = files.filter(({ file }) => !isRead(workspace, path.join(folder, file)));
  const [first] = outside;
  if (first === undefined) return [];
  const right = path.relative(session.cwd, path.resolve(workspace.root, manifestFolder(workspace, first.file))) || '.';
  return [
    diagnose(
      'HW6670',
      `${quote(path.relative(session.cwd, path.join(folder, first.file)))}${andMore(outside.length - 1)} is outside of what the workspace reads: ${workspace.manifests.map(quote).join(', ')}. No plan knows it there. Move it below ${quote(right)}, or add its folder to \`spec.manifests\`.`,
    ),
  ];
}

/** A feature that is off has nothing live: only whoever asks for its kind is told. */
function isOff({ collection }: LiveRoots): boolean {
  return collection.state === 'blocked' && collection.off === true;
}

/** Kinds of which not even the list could be read. */
function unread({ kind: { kind: address }, collection }: LiveRoots): readonly NotExported[] {
  if (collection.state === 'read') return [];
  return [{ address, reason: collection.reason, ...(collection.state === 'unknown' && { unknown: true }) }];
}

/** What is live in a root and is not written. */
export function leftOutOf({ address, leftOut }: Pick<ExportDocument, 'address' | 'leftOut'>): readonly NotExported[] {
  return leftOut.map(({ what, reason, unknown }) => ({
    address,
    what: what.replaceAll('/', '.'),
    ...(reason !== undefined && { reason }),
    ...(unknown === true && { unknown }),
  }));
}

/** Says of what could not be read that it is not written. */
export function unknownParts(leftOut: readonly NotExported[]): readonly Diagnostic[] {
  return leftOut
    .filter(({ unknown }) => unknown === true)
    .map(({ address, what, reason = '' }) =>
      diagnose(
        'HW6706',
        `${what === undefined ? 'It' : `\`${what}\``} is not written, because what is live there is not known: ${reason}. Run export again for it, or write it by hand.`,
        { address },
      ),
    );
}

/** Says of roots why they are not written. */
export function leftRoots(leftOut: readonly NotExported[]): readonly Diagnostic[] {
  return leftOut
    .filter(({ what, unknown }) => what === undefined && unknown !== true)
    .map(({ address, reason = '' }) => diagnose('HW6707', `There is no manifest for it: ${reason}.`, { address }));
}

/** What manifests that are there lack and cannot get. */
const CANNOT_ADD: readonly string[] = ['HW6713', 'HW6716', 'HW6728'];

/** The word that an export ends with. */
export function exportOutcome(
  leftOut: ExportResult['leftOut'],
  diagnostics: ExportResult['diagnostics'],
  { stopped, failed }: { readonly stopped: boolean; readonly failed: boolean },
): OutcomeWord {
  const isPart =
    leftOut.some(({ unknown }) => unknown === true) || diagnostics.some(({ code }) => CANNOT_ADD.includes(code));
  return decideOutcome([
    ...(stopped ? (['interrupted'] as const) : []),
    ...(hasErrors(diagnostics) || failed ? (['error'] as const) : []),
    ...(isPart ? (['partly-applied'] as const) : []),
  ]);
}
