// Which keys of the Git configuration can start a program, and what becomes of each while Hostwright runs Git. The
// configuration of the user and of the real repository is the user's; a file of the checkout is never part of it.
import path from 'node:path';
import { quote } from '../../model/format.ts';
import { isInside, realPlace } from '../paths.ts';
import type { Repository } from './repository.ts';

/**
 * `off`: overridden for every command. `user`: honoured, because remote operations need it and only the user can set it.
 * `unused`: none of the commands that Hostwright runs reads it. `checked`: its value is checked before Git is used.
 */
export type Decision = 'off' | 'user' | 'unused' | 'checked';

export interface ProgramKey {
  /** Matches names as Git prints them: section and name in lower case. */
  readonly key: RegExp;
  readonly decision: Decision;
  /** For `off`: settings that replace a key that matched; `$&` is the key, `$1` its first group. */
  readonly settings?: readonly string[];
  readonly why: string;
}

/** Every key of `git help --config` (2.39 to 2.51) that names a program, or a file or address from which one can come. */
export const PROGRAM_KEYS: readonly ProgramKey[] = [
  {
    key: /^core\.fsmonitor$/,
    decision: 'off',
    settings: ['core.fsmonitor=false'],
    why: 'it is run by ls-files and diff',
  },
  {
    key: /^core\.hookspath$/,
    decision: 'off',
    settings: ['core.hooksPath=/dev/null'],
    why: 'no hook runs, by default neither',
  },
  {
    key: /^hook\.(.+)\.[^.]+$/,
    decision: 'off',
    settings: ['hook.$1.enabled=false'],
    why: 'hooks by configuration, Git 2.54',
  },
  {
    key: /^core\.alternaterefscommand$/,
    decision: 'off',
    settings: ['$&=true'],
    why: 'fetch runs it, as objects are borrowed',
  },
  {
    key: /^filter\.(.+)\.[^.]+$/,
    decision: 'off',
    settings: ['filter.$1.clean=', 'filter.$1.smudge=', 'filter.$1.process=', 'filter.$1.required=false'],
    why: '.gitattributes of the checkout selects them',
  },
  {
    key: /^diff\.(?:external|.+\.(?:command|textconv))$/,
    decision: 'unused',
    why: 'diff is run with --raw, --no-ext-diff and --no-textconv',
  },
  { key: /^merge\..+\.driver$/, decision: 'unused', why: 'nothing is merged' },
  {
    key: /^(?:core\.pager|pager\..+)$/,
    decision: 'off',
    settings: ['$&=false'],
    why: 'nothing is shown at a terminal',
  },
  { key: /^alias\..+$/, decision: 'unused', why: 'Git ignores aliases with the name of one of its commands' },
  { key: /^push\.gpgsign$/, decision: 'off', settings: ['$&=false'], why: 'a signature would start gpg.program' },
  {
    key: /^gpg\.(?:.+\.)?program$|^gpg\.ssh\.defaultkeycommand$/,
    decision: 'unused',
    why: 'nothing is signed or verified',
  },
  { key: /^log\.showsignature$/, decision: 'off', settings: ['$&=false'], why: 'a signature would start gpg.program' },
  { key: /^(?:core\.editor|sequence\.editor|interactive\.difffilter)$/, decision: 'unused', why: 'nothing is edited' },
  {
    key: /^(?:difftool|mergetool|guitool|browser|man|sendemail|gitcvs|instaweb|web|help|trailer)\..+$/,
    decision: 'unused',
    why: 'these commands are not run',
  },
  {
    key: /^submodule\.(?:.+\.update|recurse)$|^fetch\.recursesubmodules$/,
    decision: 'unused',
    why: 'fetch and push leave submodules alone',
  },
  {
    key: /^(?:gc\.auto|maintenance\..+|fetch\.writecommitgraph)$/,
    decision: 'off',
    settings: ['gc.auto=0', 'maintenance.auto=false', 'fetch.writeCommitGraph=false'],
    why: 'the repository is left unchanged',
  },
  {
    key: /^protocol\.ext\.allow$/,
    decision: 'off',
    settings: ['protocol.ext.allow=never'],
    why: 'an address ext:: is a command',
  },
  { key: /^core\.(?:sshcommand|askpass|gitproxy)$/, decision: 'user', why: 'remotes may be reachable only so' },
  { key: /^credential\.(?:.+\.)?helper$/, decision: 'user', why: 'remotes may need a login' },
  {
    key: /^remote\..+\.(?:uploadpack|receivepack|vcs)$/,
    decision: 'user',
    why: 'how a remote of the real repository is reached',
  },
  {
    key: /^uploadpack\.packobjectshook$/,
    decision: 'unused',
    why: 'Git reads it from the configuration of the user only, at the side of a remote',
  },
  {
    key: /^url\..+\.(?:insteadof|pushinsteadof)$/,
    decision: 'checked',
    why: 'a remote with a path in the checkout is refused',
  },
  { key: /^remote\..+\.(?:url|pushurl)$/, decision: 'checked', why: 'a remote with a path in the checkout is refused' },
  { key: /^include(?:if\..+)?\.path$/, decision: 'checked', why: 'a file of the checkout is refused' },
];

/** Settings of every command, whatever is configured: the defaults run hooks and start upkeep. */
const ALWAYS = [
  'safe.bareRepository=explicit',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
  'protocol.ext.allow=never',
];

/** One key as `git config --list` prints it. */
export interface ConfigEntry {
  /** Such as `file:/repo/.git/config`. */
  readonly origin: string;
  readonly key: string;
  readonly value: string;
}

/** The arguments that list the configuration for {@link parseConfig}. */
export const LIST_CONFIG = ['config', '--list', '--includes', '--show-origin', '-z'];

export function parseConfig(listed: string): readonly ConfigEntry[] {
  const fields = listed.split('\0');
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, index) => {
    const [origin = '', text = ''] = fields.slice(2 * index, 2 * index + 2);
    const end = text.indexOf('\n');
    return end === -1
      ? { origin, key: text, value: '' }
      : { origin, key: text.slice(0, end), value: text.slice(end + 1) };
  });
}

/** Returns the options of Git for a repository with this configuration: where it is, and every override. */
export function gitOptions({ root, gitDir }: Repository, entries: readonly ConfigEntry[]): readonly string[] {
  const overrides = entries.flatMap(({ key }) =>
    PROGRAM_KEYS.flatMap(({ key: pattern, decision, settings = [] }) => {
      const match = decision === 'off' ? pattern.exec(key) : null;
      return match === null
        ? []
        : settings.map((setting) => setting.replace('$&', () => key).replace('$1', () => match[1] ?? ''));
    }),
  );
  const settings = [...new Set([`safe.directory=${root}`, ...ALWAYS, ...overrides])];
  return [`--git-dir=${gitDir}`, `--work-tree=${root}`, '--no-pager', ...settings.flatMap((one) => ['-c', one])];
}

/** Returns why this configuration is not used: a part of it is a file of the checkout, which a branch can change. */
export function configProblem(
  { root, gitDir, commonDir }: Repository,
  entries: readonly ConfigEntry[],
): string | undefined {
  const files = new Set(entries.flatMap(({ origin }) => (origin.startsWith('file:') ? [origin.slice(5)] : [])));
  const inside = [...files]
    .map((file) => realPlace(path.resolve(root, file)))
    .find((file) => isInside(root, file) && ![gitDir, commonDir].some((folder) => isInside(folder, file)));
  return inside === undefined
    ? undefined
    : `its configuration includes ${quote(inside)}, a file of the checkout, which every branch can change. Remove \`include.path\`, and set what is needed in the configuration itself`;
}

/** Returns why Git is not given this name for a remote: as an unknown name, Git takes it for a path or an address. */
export function remoteProblem(
  name: string,
  { root, gitDir, commonDir }: Repository,
  entries: readonly ConfigEntry[],
): string | undefined {
  const urls = entries.filter(({ key }) => key === `remote.${name}.url` || key === `remote.${name}.pushurl`);
  if (urls.length === 0) {
    const known = [...new Set(entries.flatMap(({ key }) => /^remote\.(.+)\.url$/.exec(key)?.[1] ?? []))];
    return `the remote ${quote(name)} is not configured in the repository ${quote(root)}${known.length === 0 ? '' : ` (it has ${known.map(quote).join(', ')})`}. Run \`git remote add\`, or correct \`ledger.git.remote\``;
  }
  const local = urls
    .flatMap(({ value }) => [value, ...rewritten(value, entries)])
    .flatMap((url) => localPath(url) ?? [])
    .map((place) => realPlace(path.resolve(root, place)))
    .find((place) => isInside(root, place) && ![gitDir, commonDir].some((folder) => isInside(folder, place)));
  return local === undefined
    ? undefined
    : `the remote ${quote(name)} is ${quote(local)}, a folder of the checkout, whose hooks every branch can change. Move it out of the work tree`;
}

/** The addresses that `url.BASE.insteadOf` makes of one. */
function rewritten(url: string, entries: readonly ConfigEntry[]): readonly string[] {
  return entries.flatMap(({ key, value }) => {
    const [, base] = /^url\.(.+)\.(?:insteadof|pushinsteadof)$/s.exec(key) ?? [];
    return base !== undefined && url.startsWith(value) ? [base + url.slice(value.length)] : [];
  });
}

/** The path of an address that is one, as Git decides it: without a scheme, and without a host before the first slash. */
function localPath(url: string): string | undefined {
  const [, file] = /^file:\/\/(.*)$/s.exec(url) ?? [];
  if (file !== undefined) return file;
  return /^[\w+.-]+:(?:\/\/|:)/.test(url) || /^[^/]+:/.test(url) ? undefined : url;
}

/** The oldest Git that knows `safe.bareRepository`. */
export const OLDEST_GIT = '2.38';

/** Returns true if `git version` printed a version that is too old, or none. */
export function isTooOld(printed: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(printed) ?? [];
  const [least = 0, most = 0] = OLDEST_GIT.split('.').map(Number);
  return Number(major) < least || (Number(major) === least && Number(minor) < most);
}
