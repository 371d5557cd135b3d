// What a new workspace is to be: by flags and environment first, then by asking, on a terminal only; with --yes by what
// is usual. Without a terminal every answer that is missing is told at once, each with the flag that gives it. A token is
// neither asked for nor kept.
import type { Readable, Writable } from 'node:stream';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { diagnose } from '../../../model/diagnostic.ts';
import { escapeText } from '../../../report/view/escape.ts';
import type { InitAnswers, LedgerKind, Reach, Start } from '../../../usecases/init.ts';
import { givenProblems, urlProblem } from '../../../usecases/init.ts';
import type { Ci } from './ci.ts';

export interface InitFlags {
  readonly start?: Start;
  readonly ci?: Ci;
  /** Files for CI that are there are brought to this version. */
  readonly update?: boolean;
  /** What manifests are written in. */
  readonly lang?: 'yaml' | 'ts';
  /** AGENTS.md is written. */
  readonly agents?: boolean;
  readonly ledger?: LedgerKind;
  readonly allowDeletes?: number;
  readonly allowCharges?: number;
  /** `15.00 EUR` */
  readonly maxSpend?: string;
  readonly yes?: boolean;
}

/** What is known before anything is asked. */
export interface InitGiven {
  readonly account?: string;
  readonly baseUrl?: string;
  readonly flags: InitFlags;
  /** A token is set. */
  readonly token: boolean;
  /** The accounts that the token reaches at an address; asked at most once. */
  readonly reach: (baseUrl: string) => Promise<Reach>;
  /** It is in a Git repository. */
  readonly isRepository: boolean;
}

/** How a person is asked; undefined when the person goes away. */
export interface Asker {
  readonly text: (
    question: string,
    options: { readonly hint: string; readonly objection: (answer: string) => string | undefined },
  ) => Promise<string | undefined>;
  readonly choose: <Value extends string>(
    question: string,
    choices: readonly Choice<Value>[],
    usual: Value,
  ) => Promise<Value | undefined>;
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** Asks on a terminal, in a library's form. A person who leaves (Ctrl-C, Escape) has answered nothing. */
export function createAsker(options: {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}): Asker {
  return {
    text: async (message, { hint, objection }) => {
      const { isCancel, text } = await import('@clack/prompts');
      const validate = (value: string | undefined) => objection(value?.trim() ?? '');
      const answer = await text({ ...options, message, placeholder: hint, validate });
      return isCancel(answer) ? undefined : answer.trim();
    },
    choose: async <Value extends string>(message: string, choices: readonly Choice<Value>[], usual: Value) => {
      const { select } = await import('@clack/prompts');
      const shown = choices.map((choice) => ({ ...choice }));
      const answer = await select<string>({ ...options, message, options: shown, initialValue: usual });
      return choices.find(({ value }) => value === answer)?.value;
    },
  };
}

export type Answered =
  | { readonly answers: InitAnswers; readonly ci: Ci; readonly agents: boolean; readonly reach?: Reach }
  | { readonly problems: readonly Diagnostic[] }
  | 'went-away';

const STARTS: readonly Choice<Start>[] = [
  { value: 'example', label: 'an example to fill in' },
  { value: 'export', label: 'everything that is live', hint: 'needs HOSTWRIGHT_TOKEN; only reads are sent' },
  { value: 'empty', label: 'nothing yet' },
];
const CIS: readonly Choice<Ci>[] = [
  { value: 'none', label: 'none' },
  { value: 'github', label: 'GitHub Actions' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'shell', label: 'a script for any other' },
];
const AGENTS: readonly Choice<'yes' | 'no'>[] = [
  { value: 'no', label: 'no' },
  { value: 'yes', label: 'yes', hint: 'AGENTS.md: ten lines on how to work here' },
];
const LEDGERS: readonly Choice<LedgerKind>[] = [
  { value: 'file', label: 'in a file of this machine' },
  { value: 'git', label: 'in a ref of the Git remote `origin`', hint: 'what jobs in CI need' },
  { value: 'postgres', label: 'in PostgreSQL', hint: 'needs HOSTWRIGHT_DATABASE_URL and the package pg' },
];

/** Every answer, from where it can be had. */
export async function answersFor(given: InitGiven, asker: Asker | undefined): Promise<Answered> {
  const missing = [...wrongOnes(given), ...missingFlags(given, asker)];
  if (missing.length > 0) return { problems: missing };
  try {
    return await collect(given, asker);
  } catch (error) {
    if (error === WENT_AWAY) return 'went-away';
    throw error;
  }
}

const WENT_AWAY = new Error('the person went away');

async function collect(given: InitGiven, asker: Asker | undefined): Promise<Answered> {
  const { flags } = given;
  const baseUrl =
    given.baseUrl ??
    there(
      await asker?.text('Where is the API?', {
        hint: 'https://api.example.com, or what `hostwright sandbox` says',
        objection: urlObjection,
      }),
    );
  const reach = given.token ? await given.reach(baseUrl) : undefined;
  const refusal = reach === undefined ? undefined : refusalOf(reach, flags.start);
  if (refusal !== undefined) return { problems: [refusal] };
  const account = given.account ?? (await accountOf(reach, asker));
  if (account === undefined) return { problems: [missingAccount(reach)] };
  const usualStart: Start = reach !== undefined && reach.reason === undefined ? 'export' : 'example';
  const start: Start =
    flags.lang === 'ts'
      ? 'program'
      : (flags.start ??
        (asker === undefined
          ? 'example'
          : there(
              await asker.choose(
                'What do the manifests begin with?',
                given.token ? STARTS : STARTS.filter(({ value }) => value !== 'export'),
                usualStart,
              ),
            )));
  const ci = flags.ci ?? (asker === undefined ? 'none' : there(await asker.choose('Which CI runs it?', CIS, 'none')));
  const ledger =
    flags.ledger ??
    (asker === undefined
      ? ci === 'none'
        ? 'file'
        : 'git'
      : there(await askLedger(asker, ci !== 'none' && given.isRepository ? 'git' : 'file')));
  const agents =
    flags.agents ??
    (asker !== undefined && there(await asker.choose('Will coding agents work here?', AGENTS, 'no')) === 'yes');
  const guards = {
    allowDeletes: flags.allowDeletes ?? 0,
    allowCharges: flags.allowCharges ?? 0,
    ...(flags.maxSpend !== undefined && { maxSpend: flags.maxSpend }),
  };
  return {
    answers: { account, baseUrl, start, ledger, guards, ...(start === 'program' && { isProgram: true }) },
    ci,
    agents,
    ...(reach !== undefined && { reach }),
  };
}

/** Where the ledger is kept; undefined when the person goes away. */
export function askLedger(asker: Asker, usual: LedgerKind): Promise<LedgerKind | undefined> {
  return asker.choose('Where is the ledger kept?', LEDGERS, usual);
}

/** With --yes the one account that there is will do; of several, one has to be named. */
async function accountOf(reach: Reach | undefined, asker: Asker | undefined): Promise<string | undefined> {
  const accounts = reach?.accounts ?? [];
  if (asker === undefined) return accounts.length === 1 ? accounts[0]?.id : undefined;
  const [first] = accounts;
  if (first === undefined)
    return there(
      await asker.text('Which account is it about?', {
        hint: 'its id, as the platform shows it',
        objection: accountObjection,
      }),
    );
  return there(
    await asker.choose(
      'Which account is it about?',
      accounts.map(({ id, name }) => ({
        value: id,
        label: escapeText(id),
        ...(name !== undefined && { hint: escapeText(name) }),
      })),
      first.id,
    ),
  );
}

/** What a workspace would not take: its file would be written, and of no use. */
function wrongOnes({ account, baseUrl }: InitGiven): readonly Diagnostic[] {
  return givenProblems({ ...(account !== undefined && { account }), ...(baseUrl !== undefined && { baseUrl }) }).map(
    (one) => ({ ...one, detail: `${one.detail} Nothing was written.` }),
  );
}

function missingFlags({ account, baseUrl, flags, token }: InitGiven, asker: Asker | undefined): readonly Diagnostic[] {
  if (flags.lang === 'ts' && flags.start !== undefined)
    return [
      diagnose(
        'HW6530',
        '`--lang ts` writes a program to fill in, so --start does not go with it. Leave --start out. Nothing was written.',
      ),
    ];
  const wrong =
    flags.start === 'export' && !token
      ? [
          diagnose(
            'HW6516',
            '`--start export` reads the account, and there is no token. Set HOSTWRIGHT_TOKEN; a read-only one is enough. Nothing was written.',
          ),
        ]
      : [];
  if (asker !== undefined) return wrong;
  const names = [
    ...(baseUrl === undefined ? ['--api-url URL'] : []),
    ...(account === undefined && (!token || flags.yes !== true) ? ['--account ID'] : []),
    ...(flags.yes === true
      ? []
      : [
          ...(flags.start === undefined && flags.lang !== 'ts' ? ['--start empty|example|export'] : []),
          ...(flags.ci === undefined ? ['--ci github|gitlab|shell|none'] : []),
          ...(flags.ledger === undefined ? ['--ledger file|git|postgres'] : []),
        ]),
  ];
  if (names.length === 0) return wrong;
  const usual = flags.yes === true ? '' : ' `--yes` takes the usual answers for --start, --ci and --ledger.';
  return [
    ...wrong,
    diagnose('HW6517', `There is no terminal to ask at. Give ${names.join(', ')}.${usual} Nothing was written.`),
  ];
}

function missingAccount(reach: Reach | undefined): Diagnostic {
  const accounts = reach?.accounts ?? [];
  const known =
    accounts.length === 0
      ? `which accounts the token reaches, no read told${reach?.reason === undefined ? '' : `: ${reach.reason}`}`
      : `the token reaches ${accounts.map(({ id, name }) => (name === undefined ? id : `${id} (${name})`)).join(', ')}`;
  return diagnose('HW6517', `Give --account ID: ${known}. Nothing was written.`);
}

function refusalOf(reach: Reach, start: Start | undefined): Diagnostic | undefined {
  if (reach.refused === true)
    return diagnose(
      'HW6518',
      `${reach.reason ?? ''}. Nothing was written. Check HOSTWRIGHT_TOKEN and the address of the API, or begin without a token.`,
    );
  if (start === 'export' && reach.reason !== undefined)
    return diagnose('HW6516', `${reach.reason}. Nothing was written.`);
  return undefined;
}

function there<Value>(answer: Value | undefined): Value {
  if (answer === undefined) throw WENT_AWAY;
  return answer;
}

function urlObjection(answer: string): string | undefined {
  const problem = urlProblem(answer);
  return problem === undefined ? undefined : `It ${problem}`;
}

function accountObjection(answer: string): string | undefined {
  return /^[A-Za-z0-9._:-]{1,100}$/.test(answer) ? undefined : 'It is letters, digits, `.`, `_`, `:` and `-`.';
}
